//! A retriever that is asked over HTTP: `[retrievers.NAME]`, its templates and paths checked before anything is sent.

use std::path::Path as File;

use serde_json::{Map, Value};

use super::{
    SettingsError, endpoint,
    node::{Node, Table},
};
use crate::{
    domain::recognise::By,
    engine::{
        client::{Endpoint, Limits},
        preset::{Engine, Options},
        shape::{Check, HitShape, Hits, Path, Shape, StageShape},
        spec::{Lookup, Spec, native_body},
        template::Values,
    },
    retriever::native,
};

/// What a retriever over HTTP is asked, and how its hits become chunks.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// What is asked, by the value of the config's `params.mode`; the first where it has none. A single one may have no name.
    pub modes: Vec<(Option<String>, Spec)>,
    /// What tells which chunk a hit is.
    pub recognise: By,
    /// The `[embeddings.NAME]` that makes the vector of a question.
    pub embed: Option<String>,
    /// The `[rerankers.NAME]` that orders the hits anew.
    pub rerank: Option<String>,
}

/// The keys beside those of an [`endpoint`].
const KEYS: [&str; 19] = [
    "type",
    "method",
    "body",
    "lookup",
    "hits",
    "columns",
    "id",
    "score",
    "text",
    "document",
    "heading",
    "success",
    "error",
    "partial",
    "stages",
    "stage",
    "recognise",
    "embed",
    "rerank",
];

impl Reach {
    /// What is asked under these parameters of a config.
    pub fn spec(&self, params: &Map<String, Value>) -> Result<&Spec, String> {
        of_mode(&self.modes, params)
    }

    /// Fills the templates with these parameters of a config; an error says what they lack, or have that nobody uses.
    pub fn check(&self, params: &Map<String, Value>) -> Result<(), String> {
        let prepared = self.spec(params)?.prepare().map_err(|error| error.reason)?;
        let uses = prepared.uses();
        if uses.has("vector") && self.embed.is_none() {
            return Err(NO_VECTOR.to_owned());
        }
        let by_mode = self.modes.iter().any(|(name, _)| name.is_some());
        if let Some(used) = uses.params() {
            let is_used = |name: &str| used.contains(name) || (by_mode && name == "mode");
            let unused = params.keys().find(|name| !is_used(name));
            if let Some(name) = unused {
                let known: Vec<&str> = used.into_iter().chain(by_mode.then_some("mode")).collect();
                let known =
                    if known.is_empty() { "it uses none".to_owned() } else { format!("it uses {}", known.join(", ")) };
                return Err(format!(
                    "its templates never use the parameter `{name}`, which would change nothing: {known}"
                ));
            }
        }
        let missing: Vec<&str> =
            uses.params().unwrap_or_default().into_iter().filter(|name| !params.contains_key(*name)).collect();
        let values = Values::new("question", &[], 10, params)
            .asked_by(Some("asker"), Some("asker"), Some(&[]))
            .with("vector", serde_json::json!([0.5]))
            .with("lookup", Value::from("id"));
        let filled = prepared.lookup(&values, &[]).and_then(|_| prepared.call(&values, &[]));
        filled.map(drop).map_err(|error| match missing[..] {
            [] => error.reason,
            _ => format!("{} (this config has no parameter `{}`)", error.reason, missing.join("`, `")),
        })
    }
}

pub(super) const NO_VECTOR: &str =
    "a vector of the question is needed: say with `embed = \"NAME\"` in the retriever which [embeddings.NAME] makes it";

/// What is asked under these parameters of a config: the first where they name no `mode`.
pub(super) fn of_mode<'m, T>(modes: &'m [(Option<String>, T)], params: &Map<String, Value>) -> Result<&'m T, String> {
    match (params.get("mode"), modes) {
        (_, [(None, only)]) | (None, [(_, only), ..]) => Ok(only),
        (Some(mode), modes) => {
            let found = modes.iter().find(|(name, _)| name.as_deref() == mode.as_str());
            let all = modes.iter().filter_map(|(name, _)| name.as_deref());
            let names = all.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            found.map(|(_, found)| found).ok_or_else(|| format!("its `mode` is {mode}, and can be {names}"))
        }
        (None, []) => Err("nothing says what is asked".to_owned()),
    }
}

/// Reads a retriever of `type = "http"`.
pub(super) fn reach(table: &Table<'_>, folder: &File, servers: &Servers<'_>) -> Result<Reach, SettingsError> {
    table.only(&[&KEYS[..], &endpoint::KEYS].concat())?;
    let base = Spec {
        method: "POST".to_owned(),
        endpoint: Endpoint { url: String::new(), headers: Vec::new(), limits: Limits::default() },
        body: Some(native_body()),
        lookup: None,
        shape: native::shape(),
    };
    finish(table, folder, servers, vec![(None, base)], true)
}

/// The keys of an engine beside those of any retriever over HTTP.
const ENGINE_KEYS: [&str; 8] = [
    "id_field",
    "text_field",
    "document_field",
    "heading_field",
    "vector_field",
    "scope_field",
    "tie_field",
    "search_fields",
];

/// Reads a retriever whose type is the name of an engine.
pub(super) fn engine(
    table: &Table<'_>,
    engine: &Engine,
    folder: &File,
    servers: &Servers<'_>,
) -> Result<Reach, SettingsError> {
    table.only(&[&KEYS[..], &endpoint::KEYS, &ENGINE_KEYS, &[engine.collection]].concat())?;
    let url =
        table.required("url", "say where the engine is, without a path, as in `url = \"http://127.0.0.1:9200\"`")?;
    let what = format!("say which {} is searched", engine.collection);
    let field = |key: &str| table.get(key).map(Node::string).transpose();
    if let Some(scope) = table.get("scope_field").filter(|_| !engine.scoped) {
        return Err(scope.wrong(format!("{} is not known to filter by groups: leave `scope_field` out", engine.name)));
    }
    let searched = table.get("search_fields").map(|fields| fields.list()?.iter().map(Node::string).collect());
    let options = Options {
        url: endpoint::address(url)?.trim_end_matches('/').to_owned(),
        collection: table.required(engine.collection, &what)?.string()?,
        id_field: field("id_field")?,
        text_field: field("text_field")?.unwrap_or_else(|| "text".to_owned()),
        document_field: field("document_field")?,
        heading_field: field("heading_field")?,
        vector_field: field("vector_field")?,
        scope_field: field("scope_field")?,
        tie_field: field("tie_field")?,
        search_fields: searched.transpose()?.unwrap_or_default(),
    };
    let modes = engine.modes.iter().map(|mode| (Some((*mode).to_owned()), engine.spec(&options, mode)));
    finish(table, folder, servers, modes.collect(), false)
}

/// The names of the embeddings endpoints and of the rerankers.
pub(super) struct Servers<'a> {
    pub(super) embeddings: Vec<&'a str>,
    pub(super) rerankers: Vec<&'a str>,
}

/// What the table says over what each of `modes` would be without it.
fn finish(
    table: &Table<'_>,
    folder: &File,
    servers: &Servers<'_>,
    modes: Vec<(Option<String>, Spec)>,
    whole_url: bool,
) -> Result<Reach, SettingsError> {
    let mut finished = Vec::new();
    for (mode, base) in modes {
        let spec = spec(table, folder, base, whole_url)?;
        let prepared = spec.prepare().map_err(|error| {
            let message = format!("`{}.{}`: {}", table.name, error.key, error.reason);
            let wrong = |table: &Table<'_>, key: &str| table.get(key).map(|node| node.wrong(&message));
            let found = match error.key.split_once('.') {
                Some((outer, inner)) => {
                    table.get(outer).and_then(|node| node.table().ok()).and_then(|table| wrong(&table, inner))
                }
                None => wrong(table, error.key),
            };
            found.unwrap_or_else(|| table.wrong(&message))
        })?;
        if !prepared.sends_the_question() {
            let message = "the question is never sent: write `{{ question }}`, or `{{ vector }}` with `embed`, into `body`, `url` or a header";
            return Err(table.wrong(format!("[{}]: {message}", table.name)));
        }
        finished.push((mode, spec));
    }
    let named = |key: &str, what: &str, known: &[&str]| {
        table.get(key).map(|node| super::read::named(node, what, known)).transpose()
    };
    let reach = Reach {
        modes: finished,
        recognise: table.get("recognise").map(recognise).transpose()?.unwrap_or_default(),
        embed: named("embed", "embeddings", &servers.embeddings)?,
        rerank: named("rerank", "reranker", &servers.rerankers)?,
    };
    let needs_vector = |spec: &Spec| spec.prepare().is_ok_and(|prepared| prepared.uses().has("vector"));
    if reach.embed.is_none() && reach.modes.iter().any(|(mode, spec)| mode.is_none() && needs_vector(spec)) {
        return Err(table.wrong(NO_VECTOR));
    }
    Ok(reach)
}

pub(super) fn recognise(node: &Node<'_>) -> Result<By, SettingsError> {
    match node.string()?.as_str() {
        "id" => Ok(By::Id),
        "heading" => Ok(By::Heading),
        "text" => Ok(By::Text),
        _ => Err(node.expected("\"id\", \"heading\" or \"text\"")),
    }
}

fn spec(table: &Table<'_>, folder: &File, base: Spec, whole_url: bool) -> Result<Spec, SettingsError> {
    let mut spec = base;
    if let Some(method) = table.get("method") {
        spec.method = method.string()?.to_ascii_uppercase();
        if !spec.method.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return Err(method.expected("a method such as \"POST\" or \"GET\""));
        }
        if spec.method == "GET" {
            spec.body = None;
        }
    }
    match table.get("url").filter(|_| whole_url) {
        Some(url) => spec.endpoint.url = endpoint::address(url)?,
        None if spec.endpoint.url.is_empty() => {
            table.required("url", "say where it is, as in `url = \"http://127.0.0.1:8080/retrieve\"`")?;
        }
        None => {}
    }
    if let Some(headers) = table.get("headers") {
        let headers = endpoint::headers(headers)?;
        spec.endpoint.headers.retain(|(name, _)| !headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        spec.endpoint.headers.extend(headers);
    }
    spec.endpoint.limits = endpoint::limits(table, folder)?;
    if let Some(body) = table.get("body") {
        spec.body = Some(json(body)?);
    }
    if let Some(lookup) = table.get("lookup") {
        let lookup = lookup.table()?;
        lookup.only(&["url", "path"])?;
        let url = endpoint::address(lookup.required("url", "say what is asked first")?)?;
        let path = lookup.required("path", "say where the value of `{{ lookup }}` stands")?;
        let path = Path::new(&path.string()?).map_err(|error| path.wrong(format!("`{}`: {error}", path.name())))?;
        spec.lookup = Some(Lookup { url, path });
    }
    shape(table, &mut spec.shape)?;
    Ok(spec)
}

fn shape(table: &Table<'_>, shape: &mut Shape) -> Result<(), SettingsError> {
    let has_own_form = native::has_form(shape);
    match (table.get("hits"), table.get("columns")) {
        (Some(_), Some(columns)) => {
            return Err(
                columns.wrong("`hits` and `columns` cannot both be said: the hits stand in one list or in several")
            );
        }
        (Some(hits), None) => shape.hits = Hits::Rows(path_of(hits)?),
        (None, Some(columns)) => {
            let entries = columns.table()?.entries;
            if entries.is_empty() {
                return Err(columns.wrong(format!(
                    "`{}` is empty, so there would never be a hit: name each list, as in `columns = {{ id = \"$.ids\" }}`",
                    columns.name()
                )));
            }
            let column = entries.iter().map(|entry| Ok((entry.key.clone(), path_of(&entry.value)?)));
            shape.hits = Hits::Columns(column.collect::<Result<_, SettingsError>>()?);
        }
        (None, None) => {}
    }
    hit(table, &mut shape.hit)?;
    if let Some(node) = table.get("success") {
        shape.success = checks(node)?;
    }
    if table.get("hits").or(table.get("columns")).is_some() && has_own_form {
        // An answer of another form may have anything at that name.
        shape.error = None;
    }
    shape.error = table.get("error").map(path_of).transpose()?.or(shape.error.take());
    if let Some(node) = table.get("partial") {
        shape.whole = checks(node)?;
    }
    set(table, "stages", &mut shape.stages)?;
    if let Some(stage) = table.get("stage") {
        let stage = stage.table()?;
        stage.only(&["name", "hits", "id", "score", "text", "document", "heading", "dropped", "dropped_id", "why"])?;
        let read: &mut StageShape = &mut shape.stage;
        set(&stage, "name", &mut read.name)?;
        set(&stage, "hits", &mut read.hits)?;
        hit(&stage, &mut read.hit)?;
        set(&stage, "dropped", &mut read.dropped)?;
        set(&stage, "dropped_id", &mut read.dropped_id)?;
        set(&stage, "why", &mut read.why)?;
    }
    Ok(())
}

pub(super) fn hit(table: &Table<'_>, hit: &mut HitShape) -> Result<(), SettingsError> {
    set(table, "id", &mut hit.id)?;
    set(table, "score", &mut hit.score)?;
    set(table, "text", &mut hit.text)?;
    set(table, "document", &mut hit.document)?;
    set(table, "heading", &mut hit.heading)
}

fn set(table: &Table<'_>, key: &str, path: &mut Path) -> Result<(), SettingsError> {
    if let Some(node) = table.get(key) {
        *path = path_of(node)?;
    }
    Ok(())
}

fn path_of(node: &Node<'_>) -> Result<Path, SettingsError> {
    Path::new(&node.string()?).map_err(|error| node.wrong(error))
}

/// One check, or a list of them.
fn checks(node: &Node<'_>) -> Result<Vec<Check>, SettingsError> {
    let nodes = node.list().unwrap_or_else(|_| vec![node.clone()]);
    let check = |node: &Node<'_>| {
        let table = node.table()?;
        table.only(&["path", "equals", "message"])?;
        Ok(Check {
            path: path_of(table.required("path", "say where the value stands, as in `path = \"$.code\"`")?)?,
            equals: json(table.required("equals", "say what the value has to be, as in `equals = 0`")?)?,
            message: table.get("message").map(path_of).transpose()?,
        })
    };
    nodes.iter().map(check).collect()
}

pub(super) fn json(node: &Node<'_>) -> Result<Value, SettingsError> {
    serde_json::to_value(node.any()?).map_err(|error| node.wrong(error.to_string()))
}

#[cfg(test)]
mod tests;
