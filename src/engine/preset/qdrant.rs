//! Qdrant: `POST /collections/NAME/points/query`. Ids there are numbers or UUIDs, so the chunk's own id is a field of the payload.

use serde_json::{Value, json};

use super::{GROUPS, Options, check, depth, object, post, vector};
use crate::engine::spec::Spec;

/// <https://api.qdrant.tech/api-reference/search/query-points>, filters by
/// <https://qdrant.tech/documentation/search/filtering/>.
pub(super) fn spec(options: &Options, _: &str) -> Spec {
    let url = format!("{}/collections/{}/points/query", options.url, options.collection);
    let filter = options.scope_field.as_deref().map(|scope| {
        let groups = format!("{{{{ {GROUPS} }}}}");
        // A field that is missing, null or an empty list is empty.
        json!({"should": [{"key": scope, "match": {"any": groups}}, {"is_empty": {"key": scope}}]})
    });
    let body = object([
        ("query", Some(vector())),
        ("using", options.vector_field.as_deref().map(Value::from)),
        ("limit", Some(depth())),
        ("with_payload", Some(json!(true))),
        ("filter", filter),
    ]);
    let mut spec = post(url, body, "$.result.points[*]", options.hit("$.id", "$.score", "$.payload"));
    spec.shape.success = vec![check("$.status", json!("ok"), "$.status.error")];
    spec
}
