//! Meilisearch: `POST /indexes/NAME/search`.

use serde_json::{Value, json};

use super::{Options, depth, object, post, question, vector};
use crate::engine::spec::Spec;

/// <https://www.meilisearch.com/docs/reference/api/search/search-with-post>, scores by
/// <https://www.meilisearch.com/docs/capabilities/full_text_search/relevancy/ranking_score>.
pub(super) fn spec(options: &Options, mode: &str) -> Spec {
    let url = format!("{}/indexes/{}/search", options.url, options.collection);
    let embedder = options.vector_field.as_deref().unwrap_or("default");
    let share = match mode {
        "vector" => Some(1.0),
        "hybrid" => Some(0.5),
        _ => None,
    };
    let filter = options.scope_field.as_deref().map(|scope| {
        let text = "SCOPE IN {{ asker.groups | known | quoted_list }} OR SCOPE IS EMPTY OR SCOPE NOT EXISTS";
        Value::from(text.replace("SCOPE", scope))
    });
    let searched = (!options.search_fields.is_empty()).then(|| json!(options.search_fields));
    let body = object([
        ("q", Some(question())),
        ("limit", Some(depth())),
        ("attributesToRetrieve", Some(json!(options.wanted()))),
        ("attributesToSearchOn", searched),
        ("showRankingScore", Some(json!(true))),
        ("hybrid", share.map(|share| json!({"embedder": embedder, "semanticRatio": share}))),
        ("vector", share.map(|_| vector())),
        ("filter", filter),
    ]);
    post(url, body, "$.hits[*]", options.hit("$.id", "$._rankingScore", "$"))
}
