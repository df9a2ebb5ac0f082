//! A rerank endpoint answers in many ways.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::json;

use super::*;
use crate::engine::testing::{Answer, Stub, http, ok};

fn spec(stub: &Stub, shape: RerankShape) -> RerankSpec {
    let model = (shape != RerankShape::Tei).then(|| "rerank-v3.5".to_owned());
    RerankSpec { name: "cross".to_owned(), endpoint: stub.endpoint("/rerank"), model, shape, batch: 2 }
}

async fn scores(shape: RerankShape, answers: Vec<Answer>, documents: &[&str]) -> Result<Vec<Option<f64>>, String> {
    let stub = Stub::new(answers);
    let mut spec = spec(&stub, shape);
    spec.endpoint.limits.concurrency = 1;
    let reranker = Reranker::new(spec, &|_| None).unwrap();
    reranker.rerank("q", documents).await.map_err(|error| error.reason)
}

#[tokio::test]
async fn each_shape_is_asked_and_read_as_its_servers_document_it() {
    let results = r#"{"id":"x","results":[{"index":1,"relevance_score":0.98},{"index":0,"relevance_score":-2}]}"#;
    let with_documents = r#"{"results":[{"index":1,"relevance_score":0.98,"document":"b"},{"index":0,"relevance_score":-2,"document":{"text":"a"}}]}"#;
    let list = r#"[{"index":1,"score":0.98,"text":null},{"index":0,"score":-2}]"#;
    let cohere = json!({ "query": "q", "documents": ["a", "b"], "top_n": 2, "model": "rerank-v3.5" });
    let mut jina = cohere.clone();
    jina["return_documents"] = json!(false);
    let tei = json!({ "query": "q", "texts": ["a", "b"], "raw_scores": false, "return_text": false, "truncate": true });
    for (shape, answer, asked) in [
        (RerankShape::Cohere, results, cohere),
        (RerankShape::Jina, with_documents, jina),
        (RerankShape::Tei, list, tei),
    ] {
        let stub = Stub::new(vec![ok(answer)]);
        let reranker = Reranker::new(spec(&stub, shape), &|_| None).unwrap();
        assert_eq!(reranker.rerank("q", &["a", "b"]).await.unwrap(), [Some(-2.0), Some(0.98)], "{shape:?}");
        assert_eq!(stub.bodies(), [asked]);
    }
}

#[tokio::test]
async fn batches_keep_the_order_and_a_document_that_is_left_out_has_no_score() {
    let first = ok(r#"[{"index":1,"score":1}]"#);
    let second = ok(r#"[{"index":0,"score":2}]"#);
    let all = scores(RerankShape::Tei, vec![first, second], &["a", "b", "c"]).await;
    assert_eq!(all, Ok(vec![None, Some(1.0), Some(2.0)]));
    assert_eq!(scores(RerankShape::Tei, vec![Answer::Close], &[]).await, Ok(vec![]));
}

#[tokio::test]
async fn a_request_that_is_too_large_is_halved() {
    let large = http("413 Payload Too Large", &[], r#"{"error":"batch size","error_type":"validation"}"#);
    let one = |score: u8| ok(&format!(r#"[{{"index":0,"score":{score}}}]"#));
    let all = scores(RerankShape::Tei, vec![large, one(1), one(2)], &["a", "b"]).await;
    assert_eq!(all, Ok(vec![Some(1.0), Some(2.0)]));
}

#[tokio::test]
async fn what_is_no_score_of_a_document_is_refused() {
    let cases = [
        (r#"{"results":[{"index":2,"relevance_score":1}]}"#, "the `index` of result 0 is none of 0 to 1"),
        (r#"{"results":[{"relevance_score":1}]}"#, "the `index` of result 0 is none of 0 to 1"),
        (r#"[{"index":0,"score":1},{"index":0,"score":1}]"#, "the `index` of result 1 stands there twice"),
        (r#"[{"index":0,"score":"1"}]"#, "result 0 has no number as `relevance_score` or `score`"),
        (r#"{"scores":[]}"#, "expected `results`, a list of scores, or that list itself"),
    ];
    for (body, expected) in cases {
        let error = scores(RerankShape::Jina, vec![ok(body)], &["a", "b"]).await.unwrap_err();
        assert!(error.contains(expected), "{body}: {error}");
    }
}
