//! osmem, in the place of `OpenSearch`.

use serde_json::json;

use crate::servers::{Chunk, Osmem, http};

#[test]
fn osmem_finds_words_and_scores_them() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("words", &Chunk::three());
    let found = osmem.search("words", &json!({ "query": { "match": { "text": "label box refund" } } }));
    assert_eq!(found["hits"]["total"]["value"], 2);
    assert_eq!(found["_shards"]["failed"], 0);
    assert_eq!(found["hits"]["hits"][0]["_id"], "returns");
    assert_eq!(found["hits"]["hits"][1]["_source"]["document"], "Policies");
    assert_eq!(osmem.best("words", "label box refund", 1), ["returns"]);
}

#[test]
fn osmem_filters_by_group_and_lets_everybody_see_what_has_none() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("groups", &Chunk::three());
    let asked = |groups: &[&str]| {
        let open = json!({ "bool": { "must_not": { "exists": { "field": "scope" } } } });
        let allowed = json!({ "bool": { "should": [{ "terms": { "scope": groups } }, open] } });
        let body = json!({ "query": { "bool": { "must": { "match_all": {} }, "filter": allowed } } });
        osmem.search("groups", &body)["hits"]["total"]["value"].clone()
    };
    assert_eq!(asked(&["staff"]), 2);
    assert_eq!(asked(&["staff", "warehouse"]), 3);
}

#[test]
fn osmem_gives_a_corpus_page_by_page() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("pages", &Chunk::three());
    let pit = http::post(osmem.port(), "/pages/_search/point_in_time?keep_alive=1m", &json!({})).unwrap().ok();
    let mut after = json!(null);
    let mut ids = Vec::new();
    loop {
        let mut body =
            json!({ "size": 2, "pit": { "id": pit["pit_id"], "keep_alive": "1m" }, "sort": [{ "chunk_id": "asc" }] });
        if !after.is_null() {
            body["search_after"] = after;
        }
        let found = http::post(osmem.port(), "/_search", &body).unwrap().ok();
        let hits = found["hits"]["hits"].as_array().unwrap();
        let Some(last) = hits.last() else { break };
        after = last["sort"].clone();
        ids.extend(hits.iter().map(|hit| hit["_id"].as_str().unwrap().to_owned()));
    }
    assert_eq!(ids, ["damage", "refund", "returns"]);
}

#[test]
fn osmem_says_what_is_wrong_as_opensearch_does() {
    let Some(osmem) = Osmem::shared() else { return };
    let answer = http::post(osmem.port(), "/nowhere/_search", &json!({})).unwrap();
    assert_eq!(answer.status, 404);
    assert_eq!(answer.json()["error"]["type"], "index_not_found_exception");
}
