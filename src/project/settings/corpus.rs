//! `[corpus]`: a source on this machine, or under `[corpus.source]` the engine that holds the chunks.

use std::path::{Path, PathBuf};

use super::{
    Engine, SettingsError, endpoint,
    node::{Node, Table},
};
use crate::engine::{
    client::Limits,
    passages::{Store, chroma, fields::Fields, opensearch, qdrant, relation::Relation, table},
    postgres::Database,
};

/// What `[corpus]` says.
pub(super) struct Corpus {
    pub(super) source: Option<PathBuf>,
    pub(super) engine: Option<Engine>,
    pub(super) index: PathBuf,
}

/// The keys that say which field is what.
const FIELDS: [&str; 7] =
    ["id_field", "document_field", "heading_field", "heading_separator", "text_field", "scope_field", "position_field"];

const ENGINES: &str = "\"opensearch\", \"elasticsearch\", \"chroma\", \"qdrant\" or \"postgres\"";

pub(super) fn corpus(file: &Table<'_>, folder: &Path) -> Result<Corpus, SettingsError> {
    let mut read = Corpus { source: None, engine: None, index: folder.join("../corpus-index") };
    let Some(corpus) = file.get("corpus") else { return Ok(read) };
    let corpus = corpus.table()?;
    corpus.only(&["source", "index"])?;
    if let Some(source) = corpus.get("source") {
        if source.is_table() {
            read.engine = Some(engine(&source.table()?, folder)?);
        } else {
            read.source = Some(folder.join(source.string()?));
        }
    }
    if let Some(path) = corpus.get("index") {
        read.index = folder.join(path.string()?);
    }
    Ok(read)
}

fn engine(table: &Table<'_>, folder: &Path) -> Result<Engine, SettingsError> {
    let kind = table.required("engine", &format!("say which, {ENGINES}"))?;
    let name = kind.string()?;
    let store = match name.as_str() {
        "opensearch" | "elasticsearch" => {
            only(table, &["index", "copy"])?;
            let index = table.required("index", "say which index or alias holds the chunks")?.string()?;
            let endpoint = endpoint::endpoint(table, folder)?;
            Store::OpenSearch(opensearch::Index { endpoint, index, fields: fields(table)? })
        }
        "chroma" => {
            only(table, &["collection", "tenant", "database", "copy"])?;
            Store::Chroma(chroma::Collection {
                endpoint: endpoint::endpoint(table, folder)?,
                tenant: text(table, "tenant")?.unwrap_or_else(|| "default_tenant".to_owned()),
                database: text(table, "database")?.unwrap_or_else(|| "default_database".to_owned()),
                collection: collection(table)?,
                fields: fields(table)?,
            })
        }
        "qdrant" => {
            only(table, &["collection", "copy"])?;
            let (endpoint, collection) = (endpoint::endpoint(table, folder)?, collection(table)?);
            Store::Qdrant(qdrant::Collection { endpoint, collection, fields: fields(table)? })
        }
        "postgres" => postgres(table, folder)?,
        _ => return Err(kind.expected(ENGINES)),
    };
    let copy = table.get("copy").map(Node::boolean).transpose()?;
    let can_stay = store.can_stay();
    match (copy, table.get("copy")) {
        (Some(false), Some(node)) if !can_stay => Err(node.wrong(format!(
            "`copy = false` means that {name} searches by words itself, which is only asked of opensearch, elasticsearch and a \
             `table` of postgres: leave `copy` out"
        ))),
        _ => Ok(Engine { store, copy: copy.unwrap_or(!can_stay) }),
    }
}

/// Refuses keys that an engine over HTTP does not have.
fn only(table: &Table<'_>, own: &[&str]) -> Result<(), SettingsError> {
    let known: Vec<&str> =
        ["engine"].into_iter().chain(endpoint::KEYS).chain(own.iter().copied()).chain(FIELDS).collect();
    table.only(&known)
}

fn text(table: &Table<'_>, key: &str) -> Result<Option<String>, SettingsError> {
    table.get(key).map(Node::string).transpose()
}

fn collection(table: &Table<'_>) -> Result<String, SettingsError> {
    table.required("collection", "say which one holds the chunks")?.string()
}

fn fields(table: &Table<'_>) -> Result<Fields, SettingsError> {
    let plain = Fields::default();
    Ok(Fields {
        id: text(table, "id_field")?,
        document: text(table, "document_field")?.unwrap_or(plain.document),
        heading: text(table, "heading_field")?.unwrap_or(plain.heading),
        separator: separator(table)?,
        text: text(table, "text_field")?.unwrap_or(plain.text),
        scope: text(table, "scope_field")?.unwrap_or(plain.scope),
        position: text(table, "position_field")?,
    })
}

fn separator(table: &Table<'_>) -> Result<Option<String>, SettingsError> {
    text(table, "heading_separator")
}

/// The keys of Postgres whichever way it is asked.
const DATABASE: [&str; 7] = ["engine", "connection", "password", "timeout", "ca", "copy", "heading_separator"];

fn postgres(table: &Table<'_>, folder: &Path) -> Result<Store, SettingsError> {
    table.only(&[&DATABASE[..], &["table", "language", "tsv_field", "query"], &FIELDS].concat())?;
    let connection =
        table.required("connection", "say where it is, as in `connection = \"host=db dbname=rag user=reader\"`")?;
    let limits: Limits = endpoint::limits(table, folder)?;
    let database = Database {
        connection: connection.string()?,
        password: text(table, "password")?,
        timeout: limits.timeout,
        ca: limits.ca,
    };
    // A whole corpus takes longer than one question.
    let fetched = |database: Database| Database {
        timeout: if table.get("timeout").is_some() { database.timeout } else { FETCHING },
        ..database
    };
    match (table.get("table"), table.get("query")) {
        (Some(name), None) => {
            let copy = table.get("copy").map(Node::boolean).transpose()?.unwrap_or(false);
            Ok(Store::Relation(Relation {
                database: if copy { fetched(database) } else { database },
                table: name.string()?,
                fields: fields(table)?,
                words: text(table, "tsv_field")?,
                language: text(table, "language")?,
            }))
        }
        (None, Some(query)) => {
            table.only(&[&DATABASE[..], &["query"]].concat())?;
            let fields = Fields { separator: separator(table)?, ..Fields::default() };
            Ok(Store::Postgres(table::Table { database: fetched(database), query: query.string()?, fields }))
        }
        _ => Err(table.wrong(format!(
            "[{}] needs either `table = \"chunks\"`, which stays where it is, or a `query` whose rows are copied, as in \
             `query = \"select id, document, heading, text from chunks order by id\"`",
            table.name
        ))),
    }
}

/// How long the query of a whole corpus may take where the settings do not say.
const FETCHING: std::time::Duration = std::time::Duration::from_mins(10);
