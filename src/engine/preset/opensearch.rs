//! `OpenSearch` and Elasticsearch: `POST /INDEX/_search`. Frequencies are counted over all shards and equal scores are told apart
//! by the id, so that the same question gets the same list. What lacks a shard or ran out of time says so, and is partial:
//! <https://docs.opensearch.org/latest/api-reference/search-apis/search/>.

use serde_json::{Value, json};

use super::{GROUPS, Options, candidates, check, depth, object, post, question, vector};
use crate::engine::spec::Spec;

/// <https://docs.opensearch.org/latest/api-reference/search-apis/search/>, hybrid by
/// <https://docs.opensearch.org/latest/query-dsl/compound/hybrid/>.
pub(super) fn opensearch(options: &Options, mode: &str) -> Spec {
    let field = options.vector_field.as_deref().unwrap_or("embedding");
    let knn = || {
        let inside = object([("vector", Some(vector())), ("k", Some(candidates())), ("filter", filter(options))]);
        json!({"knn": {field: inside}})
    };
    let query = match mode {
        "vector" => knn(),
        "hybrid" => json!({"hybrid": {"queries": [keyword(options), knn()]}}),
        _ => keyword(options),
    };
    // A hybrid query takes no sort beside its fused score.
    let sort = (mode != "hybrid").then(|| sort(options).unwrap_or_else(|| json!(["_score", {"_id": "asc"}])));
    let body = [
        ("query", Some(query)),
        ("size", Some(depth())),
        ("_source", Some(json!(options.wanted()))),
        ("track_scores", sort.is_some().then(|| json!(true))),
        ("sort", sort),
    ];
    spec(options, DFS, object(body))
}

/// <https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search>, hybrid by the retriever `rrf` as in
/// <https://www.elastic.co/guide/en/elasticsearch/reference/8.19/retriever.html>. A search for vectors refuses a `search_type`.
pub(super) fn elasticsearch(options: &Options, mode: &str) -> Spec {
    let field = options.vector_field.as_deref().unwrap_or("embedding");
    let knn = |k: Value| {
        object([
            ("field", Some(json!(field))),
            ("query_vector", Some(vector())),
            ("k", Some(k)),
            ("num_candidates", Some(candidates())),
            ("filter", filter(options)),
        ])
    };
    let source = ("_source", Some(json!(options.wanted())));
    let size = ("size", Some(depth()));
    let (query, body) = match mode {
        "vector" => ("", object([("knn", Some(knn(depth()))), size, source])),
        "hybrid" => {
            let retrievers = json!([{"standard": {"query": keyword(options)}}, {"knn": knn(candidates())}]);
            let fused = json!({"rrf": {"retrievers": retrievers, "rank_window_size": candidates()}});
            ("", object([("retriever", Some(fused)), size, source]))
        }
        _ => {
            let sort = sort(options);
            let scores = ("track_scores", sort.is_some().then(|| json!(true)));
            (DFS, object([("query", Some(keyword(options))), size, source, scores, ("sort", sort)]))
        }
    };
    spec(options, query, body)
}

/// Counts how frequent a word is over all shards.
const DFS: &str = "?search_type=dfs_query_then_fetch";

fn spec(options: &Options, query: &str, body: Value) -> Spec {
    let url = format!("{}/{}/_search{query}", options.url, options.collection);
    let mut spec = post(url, body, "$.hits.hits[*]", options.hit("$._id", "$._score", "$._source"));
    spec.shape.whole = vec![
        check("$.timed_out", json!(false), "$.timed_out_reason"),
        check("$._shards.failed", json!(0), "$._shards.failures[0].reason.reason"),
    ];
    spec
}

fn keyword(options: &Options) -> Value {
    let matched = match options.searched()[..] {
        [field] => json!({"match": {field: {"query": question()}}}),
        ref fields => json!({"multi_match": {"query": question(), "fields": fields}}),
    };
    match filter(options) {
        Some(filter) => json!({"bool": {"must": [matched], "filter": [filter]}}),
        None => matched,
    }
}

/// What the asker may read: chunks of one of their groups, and those of none.
fn filter(options: &Options) -> Option<Value> {
    let scope = options.scope_field.as_deref()?;
    let groups = format!("{{{{ {GROUPS} }}}}");
    Some(json!({"bool": {"minimum_should_match": 1, "should": [
        {"terms": {scope: groups}}, {"bool": {"must_not": [{"exists": {"field": scope}}]}},
    ]}}))
}

/// By score, and among equals by a field; without one Elasticsearch does not let the id itself be sorted by.
fn sort(options: &Options) -> Option<Value> {
    let field = options.tie_field.as_deref().or(options.id_field.as_deref())?;
    Some(json!(["_score", {field: {"order": "asc", "unmapped_type": "keyword"}}]))
}
