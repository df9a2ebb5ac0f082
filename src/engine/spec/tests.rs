use serde_json::{Value, json};

use super::{Spec, native_body};
use crate::engine::{
    client::{Endpoint, Limits},
    shape::Shape,
    template::Values,
};

fn spec(url: &str, headers: &[(&str, &str)], body: Value) -> Spec {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let endpoint = Endpoint { url: url.to_owned(), headers, limits: Limits::default() };
    Spec { method: "POST".to_owned(), endpoint, body: Some(body), lookup: None, shape: Shape::default() }
}

fn values() -> Values {
    Values::new("Who?", &[], 10, &serde_json::Map::new()).asked_by(Some("lead-7"), Some("lead"), None)
}

#[test]
fn the_own_form_asks_with_all_that_is_known() {
    let call = spec("http://h/", &[], native_body()).prepare().expect("it is a spec").call(&values(), &[]);
    let expected = json!({
        "question": "Who?", "asker": {"id": "lead-7", "groups": null}, "context": [], "limit": 10, "params": {},
    });
    assert_eq!(call.map(|call| call.body), Ok(Some(expected)));
}

#[test]
fn a_secret_stands_in_headers_and_values_of_the_query_only() {
    let fine =
        spec("http://h/s?key=${KEY}&q={{ question }}", &[("Authorization", "Bearer ${TOKEN}")], json!("$${plain}"));
    assert!(fine.prepare().is_ok());
    assert_eq!(fine.secret_texts().len(), 2);
    for (wrong, key) in [
        (spec("http://${HOST}/", &[], json!({})), "url"),
        (spec("http://h/s?${NAME}=1", &[], json!({})), "url"),
        (spec("http://h/", &[], json!({"a": [{"token": "x ${TOKEN}"}]})), "body"),
    ] {
        let error = wrong.prepare().err().expect("a secret stands where none may");
        assert_eq!(error.key, key);
        assert!(error.reason.ends_with("may only stand in the value of a header or of the url's query"), "{error}");
    }
}

#[test]
fn the_askers_own_headers_take_the_place_of_the_endpoints() {
    let prepared = spec("http://h/", &[("authorization", "Bearer ${A}"), ("X-User", "{{ asker.id }}")], json!(null));
    let prepared = prepared.prepare().expect("it is a spec");
    let own = [("Authorization".to_owned(), "Bearer ${B}".to_owned())];
    let headers = prepared.call(&values(), &own).map(|call| call.headers).expect("it can be filled");
    let expected = [("X-User", "lead-7"), ("Authorization", "Bearer ${B}")];
    assert_eq!(headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}
