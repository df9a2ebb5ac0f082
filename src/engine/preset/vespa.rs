//! Vespa: `POST /search/` with YQL. The schema's rank profiles are its owner's; the profile is the mode's name unless `body` says else.

use serde_json::json;

use super::{Options, check, depth, object, post, question, vector};
use crate::engine::{shape::Path, spec::Spec};

/// <https://docs.vespa.ai/en/querying/nearest-neighbor-search-guide.html>, answers by
/// <https://docs.vespa.ai/en/reference/querying/default-result-format.html>.
pub(super) fn spec(options: &Options, mode: &str) -> Spec {
    let url = format!("{}/search/", options.url);
    let field = options.vector_field.as_deref().unwrap_or("embedding");
    let near = format!("({{targetHits: {{{{ [depth * 2, 100] | max }}}}}}nearestNeighbor({field}, q))");
    let asked = match mode {
        "vector" => near,
        "hybrid" => format!("({near} or userQuery())"),
        _ => "userQuery()".to_owned(),
    };
    // Absence cannot be asked for in YQL, so a chunk for everybody names the group `everybody` there.
    let filter = options.scope_field.as_deref().map(|scope| {
        let groups = "\"everybody\"{% for group in asker.groups | known %}, {{ group | quoted }}{% endfor %}";
        format!(" and {scope} in ({groups})")
    });
    let yql = format!(
        "select {} from {} where {asked}{}",
        options.wanted().join(", "),
        options.collection,
        filter.unwrap_or_default()
    );
    let body = object([
        ("yql", Some(json!(yql))),
        ("query", (mode != "vector").then(question)),
        ("hits", Some(depth())),
        ("ranking", Some(json!(mode))),
        ("input.query(q)", (mode != "keyword").then(vector)),
    ]);
    let mut spec = post(url, body, "$.root.children", options.hit("$.id", "$.relevance", "$.fields"));
    // Without any hit there are no children.
    spec.shape.empty = Some(Path::known("$.root.fields.totalCount"));
    spec.shape.error = Some(Path::known("$.root.errors[0].message"));
    spec.shape.whole = vec![check("$.root.coverage.full", json!(true), "$.root.coverage.degraded")];
    spec
}
