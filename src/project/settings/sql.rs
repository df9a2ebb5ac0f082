//! A retriever that is a statement: `type = "pgvector"`.

use std::{path::Path as File, time::Duration};

use super::{
    SettingsError, endpoint,
    node::{Node, Table},
    reach::{NO_VECTOR, Servers, hit, recognise},
};
use crate::{
    domain::recognise::By,
    engine::{
        postgres::Database,
        preset::{
            Options,
            pgvector::{self, Metric},
        },
        shape::{Hits, Path, Shape},
        sql::Statement,
        template::Values,
    },
    retriever::sql::SqlSpec,
};
use serde_json::{Map, Value};

/// A database, what it is asked, and how its rows become chunks.
#[derive(Debug, Clone, PartialEq)]
pub struct SqlReach {
    /// What is asked, by the value of the config's `params.mode`; the first where it has none. A statement of one's own has no name.
    pub modes: Vec<(Option<String>, SqlSpec)>,
    /// What tells which chunk a row is.
    pub recognise: By,
    /// The `[embeddings.NAME]` that makes the vector of a question.
    pub embed: Option<String>,
    /// The `[rerankers.NAME]` that orders the rows anew.
    pub rerank: Option<String>,
}

const KEYS: [&str; 15] = [
    "type",
    "connection",
    "password",
    "timeout",
    "concurrency",
    "ca",
    "query",
    "set",
    "id",
    "score",
    "text",
    "document",
    "heading",
    "recognise",
    "embed",
];
const TABLE_KEYS: [&str; 10] = [
    "rerank",
    "table",
    "id_field",
    "text_field",
    "document_field",
    "heading_field",
    "vector_field",
    "scope_field",
    "metric",
    "language",
];

impl SqlReach {
    /// What is asked under these parameters of a config.
    pub fn spec(&self, params: &Map<String, Value>) -> Result<&SqlSpec, String> {
        super::reach::of_mode(&self.modes, params)
    }

    /// Finds a value for every name of the statement in these parameters of a config, and a use for each of these.
    pub fn check(&self, params: &Map<String, Value>) -> Result<(), String> {
        let names = self.spec(params)?.statement.names();
        if self.embed.is_none() && names.iter().any(|name| name == "vector") {
            return Err(NO_VECTOR.to_owned());
        }
        let by_mode = self.modes.iter().any(|(name, _)| name.is_some());
        let used: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("params.")).collect();
        let is_used = |name: &str| used.contains(&name) || (by_mode && name == "mode");
        if let Some(name) = params.keys().find(|name| !is_used(name)) {
            return Err(format!("its statement never uses the parameter `{name}`, which would change nothing"));
        }
        let values = Values::new("question", &[], 10, params).with("vector", serde_json::json!([0.5]));
        self.spec(params)?.statement.params(&values).map(drop)
    }
}

/// Reads a retriever of `type = "pgvector"`.
pub(super) fn reach(table: &Table<'_>, folder: &File, servers: &Servers<'_>) -> Result<SqlReach, SettingsError> {
    table.only(&[&KEYS[..], &TABLE_KEYS].concat())?;
    let text = |key: &str| table.get(key).map(Node::string).transpose();
    let connection =
        table.required("connection", "say where it is, as in `connection = \"postgres://reader@db/rag\"`")?;
    let database = Database {
        connection: connection.string()?,
        password: text("password")?,
        timeout: table.get("timeout").map(endpoint::seconds).transpose()?.unwrap_or(Duration::from_secs(30)),
        ca: text("ca")?.map(|ca| folder.join(ca)),
    };
    let mut shape = Shape { hits: Hits::Rows(Path::known("$")), ..Shape::default() };
    hit(table, &mut shape.hit)?;
    let spec = |statement: Statement| {
        Ok::<_, SettingsError>(SqlSpec {
            database: database.clone(),
            statement,
            set: table.get("set").map(set).transpose()?.unwrap_or_default(),
            shape: shape.clone(),
            concurrency: table.get("concurrency").map(|count| count.count(1)).transpose()?.unwrap_or(8),
        })
    };
    let modes = match (table.get("query"), table.get("table")) {
        (Some(query), None) => {
            let statement = Statement::new(&query.string()?).map_err(|error| query.wrong(error))?;
            vec![(None, spec(statement)?)]
        }
        (None, Some(from)) => {
            let options = Options {
                collection: from.string()?,
                id_field: text("id_field")?,
                text_field: text("text_field")?.unwrap_or_else(|| "text".to_owned()),
                document_field: text("document_field")?,
                heading_field: text("heading_field")?,
                vector_field: text("vector_field")?,
                scope_field: text("scope_field")?,
                ..Options::default()
            };
            let metric = table.get("metric").map(metric).transpose()?.unwrap_or_default();
            let language = text("language")?.unwrap_or_else(|| "simple".to_owned());
            let mode = |mode: &&str| {
                let written = pgvector::statement(&options, mode, metric, &language);
                let statement = Statement::new(&written).map_err(|error| from.wrong(error))?;
                Ok((Some((*mode).to_owned()), spec(statement)?))
            };
            pgvector::MODES.iter().map(mode).collect::<Result<_, SettingsError>>()?
        }
        _ => {
            return Err(table.wrong(format!(
                "[{}] needs either `table = \"chunks\"`, whose fields it is then told, or a `query` of your own",
                table.name
            )));
        }
    };
    let named = |key: &str, what: &str, known: &[&str]| {
        table.get(key).map(|node| super::read::named(node, what, known)).transpose()
    };
    Ok(SqlReach {
        modes,
        recognise: table.get("recognise").map(recognise).transpose()?.unwrap_or_default(),
        embed: named("embed", "embeddings", &servers.embeddings)?,
        rerank: named("rerank", "reranker", &servers.rerankers)?,
    })
}

fn metric(node: &Node<'_>) -> Result<Metric, SettingsError> {
    match node.string()?.as_str() {
        "cosine" => Ok(Metric::Cosine),
        "l2" => Ok(Metric::L2),
        "inner" => Ok(Metric::Inner),
        _ => Err(node.expected("\"cosine\", \"l2\" or \"inner\"")),
    }
}

/// Settings of the server by name, whatever type they are written in.
fn set(node: &Node<'_>) -> Result<Vec<(String, String)>, SettingsError> {
    let entry = |entry: &super::node::Entry<'_>| {
        let value = match super::reach::json(&entry.value)? {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Ok((entry.key.clone(), value))
    };
    node.table()?.entries.iter().map(entry).collect()
}
