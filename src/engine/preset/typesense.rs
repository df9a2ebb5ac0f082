//! Typesense: `POST /multi_search`, because a vector is too long for the address of a `GET`.

use serde_json::{Value, json};

use super::{Options, check, depth, object, post, question};
use crate::engine::{shape::Path, spec::Spec};

/// <https://typesense.org/docs/29.0/api/search.html>, vectors by <https://typesense.org/docs/29.0/api/vector-search.html>. A filter
/// cannot ask for an empty list, so a chunk for everybody names the group `everybody` there.
pub(super) fn spec(options: &Options, mode: &str) -> Spec {
    let url = format!("{}/multi_search", options.url);
    let field = options.vector_field.as_deref().unwrap_or("embedding");
    let by_vector = format!("{field}:({{{{ vector | tojson }}}}, k: {{{{ [depth * 2, 100] | max }}}})");
    let filter = options.scope_field.as_deref().map(|scope| {
        let text = "SCOPE:=[`everybody`{% for group in asker.groups | known %}, `{{ group }}`{% endfor %}]";
        Value::from(text.replace("SCOPE", scope))
    });
    let (asked, searched) = match mode {
        "vector" => (json!("*"), None),
        _ => (question(), Some(json!(options.searched().join(",")))),
    };
    let search = object([
        ("collection", Some(json!(options.collection))),
        ("q", Some(asked)),
        ("query_by", searched),
        ("vector_query", (mode != "keyword").then(|| json!(by_vector))),
        ("per_page", Some(depth())),
        ("include_fields", Some(json!(included(options).join(",")))),
        ("filter_by", filter),
    ]);
    let score = match mode {
        "vector" => "$.vector_distance",
        "hybrid" => "$.hybrid_search_info.rank_fusion_score",
        _ => "$.text_match",
    };
    let hit = options.hit("$.document.id", score, "$.document");
    let mut spec = post(url, json!({"searches": [search]}), "$.results[0].hits[*]", hit);
    spec.shape.error = Some(Path::known("$.results[0].error"));
    spec.shape.whole = vec![check("$.results[0].search_cutoff", json!(false), "$.results[0].search_cutoff_reason")];
    spec
}

fn included(options: &Options) -> Vec<&str> {
    let mut fields = options.wanted();
    if !fields.contains(&"id") {
        fields.push("id");
    }
    fields
}
