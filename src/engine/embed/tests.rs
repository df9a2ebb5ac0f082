//! An embeddings endpoint answers in many ways.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::json;

use super::*;
use crate::engine::testing::{Answer, Stub, http, ok};

fn spec(stub: &Stub) -> EmbedSpec {
    EmbedSpec {
        name: "e5".to_owned(),
        endpoint: stub.endpoint("/v1/embeddings"),
        model: Some("e5-passage".to_owned()),
        query_model: Some("e5-query".to_owned()),
        dimensions: None,
        query_prefix: "query: ".to_owned(),
        passage_prefix: "passage: ".to_owned(),
        batch: 2,
        shape: EmbedShape::OpenAi,
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

async fn answered(
    answers: Vec<Answer>,
    change: impl Fn(&mut EmbedSpec),
    asked: &[&str],
) -> Result<Vec<Vec<f32>>, String> {
    let stub = Stub::new(answers);
    let mut spec = spec(&stub);
    change(&mut spec);
    let embeddings = Embeddings::new(spec, &|_| None).unwrap();
    embeddings.passages(&texts(asked)).await.map_err(|error| error.reason)
}

#[tokio::test]
async fn texts_are_asked_in_batches_with_their_prefix_and_answered_in_order() {
    let batch = r#"{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2.5]}]}"#;
    let one = r#"{"data":[{"embedding":"AACgQAAAwEA="}]}"#;
    let stub = Stub::new(vec![ok(batch), ok(one)]);
    let mut spec = spec(&stub);
    spec.endpoint.limits.concurrency = 1;
    spec.dimensions = Some(2);
    let embeddings = Embeddings::new(spec, &|_| None).unwrap();
    let vectors = embeddings.queries(&texts(&["a", "b", "c"])).await.unwrap();
    assert_eq!(vectors, [[1.0, 2.5], [3.0, 4.0], [5.0, 6.0]]);
    let bodies = stub.bodies();
    assert_eq!(
        bodies[0],
        json!({ "input": ["query: a", "query: b"], "encoding_format": "float", "model": "e5-query", "dimensions": 2 })
    );
    assert_eq!(bodies[1]["input"], json!(["query: c"]));
    let stub_requests = stub.requests();
    assert!(stub_requests[0].starts_with("POST /v1/embeddings HTTP/1.1\r\n"), "{}", stub_requests[0]);
}

#[tokio::test]
async fn the_shape_of_tei_is_a_list_of_lists() {
    let stub = Stub::new(vec![ok("[[1,2],[3,4]]")]);
    let spec = EmbedSpec { shape: EmbedShape::Tei, model: None, ..spec(&stub) };
    let embeddings = Embeddings::new(spec, &|_| None).unwrap();
    assert_eq!(embeddings.passages(&texts(&["a", "b"])).await.unwrap(), [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(stub.bodies(), [json!({ "inputs": ["passage: a", "passage: b"], "truncate": true })]);
}

#[tokio::test]
async fn a_request_that_is_too_large_is_halved_until_one_text_is_left() {
    let large = http("413 Payload Too Large", &["Content-Type: application/json"], r#"{"error":"batch size 2 > 1"}"#);
    let one = |number: u8| ok(&format!(r#"{{"data":[{{"index":0,"embedding":[{number}]}}]}}"#));
    let vectors = answered(vec![large.clone(), one(1), one(2)], |_| (), &["a", "b"]).await;
    assert_eq!(vectors, Ok(vec![vec![1.0], vec![2.0]]));
    let error = answered(vec![large], |_| (), &["a", "b"]).await.unwrap_err();
    assert!(error.contains("413 Payload Too Large, application/json: {\"error\":\"batch size 2 > 1\"}"), "{error}");
}

#[tokio::test]
async fn what_is_no_vector_for_each_text_is_refused() {
    let data = |items: &str| format!(r#"{{"data":[{items}]}}"#);
    let cases = [
        (data(r#"{"index":0,"embedding":[1]}"#), "it has 1 vectors for 2 texts"),
        (data(r#"{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}"#), "`data[1].index` is none of 0 to 1"),
        (data(r#"{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}"#), "`data[1].index` stands there twice"),
        (
            data(r#"{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}"#),
            "a vector has 2 numbers, and one before it had 1",
        ),
        (data(r#"{"index":0,"embedding":[null]}"#), "vector 0 holds something that is no number"),
        (data(r#"{"index":0,"embedding":[]}"#), "vector 0 is empty"),
        (data(r#"{"index":0,"embedding":[0,-0.0]}"#), "vector 0 is nothing but zeros, so it has no direction"),
        (data(r#"{"index":0,"embedding":[0,1e39]}"#), "number 1 of vector 0 is inf"),
        // 0x7fc00000 is a NaN.
        (data(r#"{"index":0,"embedding":"AADAfw=="}"#), "number 0 of vector 0 is NaN"),
        (data(r#"{"index":0,"embedding":"AAAA"}"#), "vector 0 has 3 bytes"),
        (data(r#"{"index":0,"embedding":"?"}"#), "vector 0 is no base64"),
        (data(r#"{"index":0,"embedding":{}}"#), "vector 0 is neither a list of numbers nor base64"),
        (data(r#"{"index":0}"#), "`data[0]` has no `embedding`"),
        ("[]".to_owned(), "expected `data`, a list of embeddings"),
        (
            r#"{"data":[{"index":0,"embedding":[NaN]}]}"#.to_owned(),
            "this is no JSON: expected value at line 1 column 34",
        ),
    ];
    for (body, expected) in cases {
        let error = answered(vec![ok(&body)], |_| (), &["a", "b"]).await.unwrap_err();
        assert!(error.contains(&format!("200, application/json: {expected}")), "{body}: {error}");
    }
    let three = ok(r#"{"data":[{"index":0,"embedding":[1,2,3]}]}"#);
    let error = answered(vec![three], |spec| spec.dimensions = Some(4), &["a"]).await.unwrap_err();
    assert!(error.contains("a vector has 3 numbers, and `dimensions` of `e5` is 4"), "{error}");
}

#[tokio::test]
async fn a_secret_that_is_not_set_stops_before_the_first_request() {
    let stub = Stub::new(vec![ok("{}")]);
    let mut spec = spec(&stub);
    spec.endpoint.headers.push(("Authorization".to_owned(), "Bearer ${KEY}".to_owned()));
    let error = Embeddings::new(spec, &|_| None).err().unwrap().to_string();
    assert!(error.starts_with("${KEY} in embeddings.e5.headers.Authorization is not set"), "{error}");
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn nothing_is_asked_for_no_text() {
    assert_eq!(answered(vec![Answer::Close], |_| (), &[]).await, Ok(vec![]));
}
