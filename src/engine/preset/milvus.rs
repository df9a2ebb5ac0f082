//! Milvus from 2.4 on: `POST /v2/vectordb/entities/search`. An error comes with status 200 and a `code` that is not 0.

use serde_json::{Value, json};

use super::{Options, check, depth, object, post, vector};
use crate::engine::spec::Spec;

/// <https://milvus.io/api-reference/restful/v2.4.x/v2/Vector%20(v2)/Search.md>, filters by
/// <https://milvus.io/docs/filtered-search.md>.
pub(super) fn spec(options: &Options, _: &str) -> Spec {
    let url = format!("{}/v2/vectordb/entities/search", options.url);
    let filter = options.scope_field.as_deref().map(|scope| {
        let text = "array_length(SCOPE) == 0 or array_contains_any(SCOPE, {{ asker.groups | known | quoted_list }})";
        Value::from(text.replace("SCOPE", scope))
    });
    let body = object([
        ("collectionName", Some(json!(options.collection))),
        ("data", Some(json!([vector()]))),
        ("annsField", options.vector_field.as_deref().map(Value::from)),
        ("limit", Some(depth())),
        ("outputFields", Some(json!(options.wanted()))),
        ("filter", filter),
    ]);
    let mut spec = post(url, body, "$.data[*]", options.hit("$.id", "$.distance", "$"));
    spec.shape.success = vec![check("$.code", json!(0), "$.message")];
    spec
}
