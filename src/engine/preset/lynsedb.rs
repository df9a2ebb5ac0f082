//! `LynseDB`: `POST /search` on one node or the coordinator of a cluster. Ids, scores and fields come as lists side by side.

use serde_json::{Value, json};

use super::{Options, check, depth, nothing, post, vector};
use crate::engine::{
    shape::{HitShape, Hits, Path},
    spec::Spec,
};

/// As version 0.9.0 answers; the database's name is `default` unless `body` says else.
pub(super) fn spec(options: &Options, _: &str) -> Spec {
    let (database, collection) = options.collection.split_once('/').unwrap_or(("default", &options.collection));
    let body = json!({
        "database_name": database, "collection_name": collection, "vector": vector(), "k": depth(), "return_fields": true,
    });
    let field = |name: &str| Path::known(&format!("$.fields[{}]", Value::from(name)));
    let named = |name: &Option<String>| name.as_deref().map_or_else(nothing, field);
    let hit = HitShape {
        id: options.id_field.as_deref().map_or_else(|| Path::known("$.ids"), field),
        score: Path::known("$.scores"),
        text: field(&options.text_field),
        document: named(&options.document_field),
        heading: named(&options.heading_field),
    };
    let mut spec = post(format!("{}/search", options.url), body, "$", hit);
    let columns = ["ids", "scores", "fields"];
    let columns = columns.map(|name| (name.to_owned(), Path::known(&format!("$.params.items.{name}"))));
    spec.shape.hits = Hits::Columns(columns.to_vec());
    spec.shape.success = vec![check("$.status", json!("success"), "$.error")];
    spec
}
