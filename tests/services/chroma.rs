//! Chroma.

use serde_json::json;

use crate::servers::{COLLECTIONS, Chroma, Chunk, http};

#[test]
fn chroma_gives_columns_with_the_nearest_first() {
    let Some(chroma) = Chroma::shared() else { return };
    let id = chroma.load("columns", &Chunk::three());
    let body = json!({
        "query_embeddings": [[1.0, 0.1, 0.0]],
        "n_results": 3,
        "include": ["documents", "metadatas", "distances"],
    });
    let found = http::post(chroma.port(), &format!("{COLLECTIONS}/{id}/query"), &body).unwrap().ok();
    assert_eq!(found["ids"], json!([["refund", "returns", "damage"]]));
    assert_eq!(found["documents"][0][0], "A refund is paid within five days.");
    assert_eq!(found["metadatas"][0][2]["scope"], json!(["warehouse"]));
    assert_eq!(chroma.nearest("columns", &[vec![1.0, 0.1, 0.0]], 3), [["refund", "returns", "damage"]]);
}

#[test]
fn chroma_filters_by_a_group_in_a_list() {
    let Some(chroma) = Chroma::shared() else { return };
    let id = chroma.load("groups", &Chunk::three());
    let body = json!({
        "query_embeddings": [[1.0, 0.1, 0.0]],
        "n_results": 3,
        "where": { "scope": { "$contains": "warehouse" } },
    });
    let found = http::post(chroma.port(), &format!("{COLLECTIONS}/{id}/query"), &body).unwrap().ok();
    assert_eq!(found["ids"], json!([["damage"]]));
}
