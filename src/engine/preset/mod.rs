//! Engines that are reached by a few names instead of templates: each fills the same [`Spec`] that an endpoint of one's own has,
//! so that whatever the settings say besides takes its place.

mod chroma;
mod lynsedb;
mod meilisearch;
mod milvus;
mod opensearch;
pub mod pgvector;
mod qdrant;
#[cfg(test)]
mod tests;
mod typesense;
mod vespa;
mod weaviate;

use serde_json::{Map, Value, json};

use super::{
    client::{Endpoint, Limits},
    shape::{Check, HitShape, Hits, Path, Shape},
    spec::Spec,
};

/// An engine.
#[derive(Debug, Clone, Copy)]
pub struct Engine {
    /// Its `type` in the settings.
    pub name: &'static str,
    /// The key that names what is searched.
    pub collection: &'static str,
    /// What it can do, in the words of `params.mode`.
    pub modes: &'static [&'static str],
    /// Whether it can filter by the asker's groups.
    pub scoped: bool,
    spec: fn(&Options, &str) -> Spec,
}

/// The names that an engine needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// The address without a path.
    pub url: String,
    /// The index, collection or class.
    pub collection: String,
    /// The field that holds the chunk's id; `None` where the engine's own id is the chunk's.
    pub id_field: Option<String>,
    /// The field that holds the passage.
    pub text_field: String,
    /// The field that holds the document's name.
    pub document_field: Option<String>,
    /// The field that holds the heading path.
    pub heading_field: Option<String>,
    /// The field that holds the vector; the engine's default without it.
    pub vector_field: Option<String>,
    /// The field that holds the groups that may read a chunk; what has none is for everybody.
    pub scope_field: Option<String>,
    /// The field that orders hits of equal scores; the id's without it.
    pub tie_field: Option<String>,
    /// The fields that keywords are sought in; the text without it.
    pub search_fields: Vec<String>,
}

/// Every engine.
pub const ENGINES: [Engine; 10] = [
    Engine {
        name: "opensearch",
        collection: "index",
        modes: &["keyword", "vector", "hybrid"],
        scoped: true,
        spec: opensearch::opensearch,
    },
    Engine {
        name: "elasticsearch",
        collection: "index",
        modes: &["keyword", "vector", "hybrid"],
        scoped: true,
        spec: opensearch::elasticsearch,
    },
    Engine { name: "qdrant", collection: "collection", modes: &["vector"], scoped: true, spec: qdrant::spec },
    Engine {
        name: "weaviate",
        collection: "class",
        modes: &["keyword", "vector", "hybrid"],
        scoped: true,
        spec: weaviate::spec,
    },
    Engine { name: "chroma", collection: "collection", modes: &["vector"], scoped: true, spec: chroma::spec },
    Engine { name: "milvus", collection: "collection", modes: &["vector"], scoped: true, spec: milvus::spec },
    Engine {
        name: "meilisearch",
        collection: "index",
        modes: &["keyword", "vector", "hybrid"],
        scoped: true,
        spec: meilisearch::spec,
    },
    Engine {
        name: "typesense",
        collection: "collection",
        modes: &["keyword", "vector", "hybrid"],
        scoped: true,
        spec: typesense::spec,
    },
    Engine {
        name: "vespa",
        collection: "schema",
        modes: &["keyword", "vector", "hybrid"],
        scoped: true,
        spec: vespa::spec,
    },
    Engine { name: "lynsedb", collection: "collection", modes: &["vector"], scoped: false, spec: lynsedb::spec },
];

impl Engine {
    /// The engine of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        ENGINES.iter().find(|engine| engine.name == name)
    }

    /// What it is asked in one of its modes.
    #[must_use]
    pub fn spec(&self, options: &Options, mode: &str) -> Spec {
        (self.spec)(options, mode)
    }
}

impl Options {
    /// The fields that the answer has to have, each once.
    fn wanted(&self) -> Vec<&str> {
        let named = [&self.id_field, &self.document_field, &self.heading_field];
        let mut wanted: Vec<&str> = vec![&self.text_field];
        for field in named.into_iter().flatten() {
            if !wanted.contains(&field.as_str()) {
                wanted.push(field);
            }
        }
        wanted
    }

    fn searched(&self) -> Vec<&str> {
        if self.search_fields.is_empty() {
            vec![&self.text_field]
        } else {
            self.search_fields.iter().map(String::as_str).collect()
        }
    }

    /// Where what of a hit stands: its own id and score, and the fields below `fields`.
    fn hit(&self, own_id: &str, score: &str, fields: &str) -> HitShape {
        let field = |name: &str| Path::known(&format!("{fields}[{}]", Value::from(name)));
        let named = |name: &Option<String>| name.as_deref().map_or_else(nothing, field);
        HitShape {
            id: self.id_field.as_deref().map_or_else(|| Path::known(own_id), field),
            score: Path::known(score),
            text: field(&self.text_field),
            document: named(&self.document_field),
            heading: named(&self.heading_field),
        }
    }
}

/// A path at which no answer has anything.
fn nothing() -> Path {
    Path::known("$['']")
}

/// A `POST` of `body` whose hits are the values at `hits`.
fn post(url: String, body: Value, hits: &str, hit: HitShape) -> Spec {
    Spec {
        method: "POST".to_owned(),
        endpoint: Endpoint { url, headers: Vec::new(), limits: Limits::default() },
        body: Some(body),
        lookup: None,
        shape: Shape { hits: Hits::Rows(Path::known(hits)), hit, stages: nothing(), ..Shape::default() },
    }
}

fn check(path: &str, equals: Value, message: &str) -> Check {
    Check { path: Path::known(path), equals, message: Some(Path::known(message)) }
}

/// An object of the entries that are there.
fn object<const N: usize>(entries: [(&str, Option<Value>); N]) -> Value {
    let there = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(there.collect::<Map<_, _>>())
}

/// A value of the JSON that a template fills: the depth, the question, the vector, the groups.
fn depth() -> Value {
    json!("{{ depth }}")
}

/// Twice as many candidates as are wanted, and enough that a fusion has something to choose from.
fn candidates() -> Value {
    json!("{{ [depth * 2, 100] | max }}")
}

fn question() -> Value {
    json!("{{ question }}")
}

fn vector() -> Value {
    json!("{{ vector }}")
}

/// The asker's groups; an error where only production knows them, for a filter of nothing would let everything through.
const GROUPS: &str = "asker.groups | known";
