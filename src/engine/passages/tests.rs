#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::cmp::Ordering;

use serde_json::json;

use super::fields::{Fields, natural};

#[test]
fn numbers_in_ids_are_compared_as_numbers() {
    let mut ids = ["c10", "c2", "c02", "b", "c", "c2x", "é1", "c2#10", "c2#9"];
    ids.sort_by(|a, b| natural(a, b));
    assert_eq!(ids, ["b", "c", "c02", "c2", "c2#9", "c2#10", "c2x", "c10", "é1"]);
    assert_eq!(natural("a", "a"), Ordering::Equal);
}

#[test]
fn fields_are_found_by_their_names_inside_objects_too() {
    let fields = Fields {
        id: Some("meta.key".to_owned()),
        document: "meta.title".to_owned(),
        separator: Some(" › ".to_owned()),
        position: Some("n".to_owned()),
        ..Fields::default()
    };
    let document =
        json!({ "meta": { "key": 7, "title": "Manual", "more": true }, "heading": "A › B", "text": "x", "n": 2 });
    let passage = fields.passage("internal", document.as_object().unwrap().clone()).unwrap();
    assert_eq!((passage.id.as_str(), passage.position), ("7", Some(2.0)));
    let expected = r#"{"id":"7","document":"Manual","heading":["A","B"],"text":"x","meta":{"more":true}}"#;
    assert_eq!(serde_json::Value::Object(passage.fields).to_string(), expected);
}

#[test]
fn a_field_that_is_not_there_is_named_with_those_that_are() {
    let document = json!({ "body": "x", "title": "Manual" });
    let error = Fields::default().passage("a1", document.as_object().unwrap().clone()).unwrap_err();
    assert_eq!(
        error,
        "`a1` has no field `text`: name the one that is meant as `text_field`; its other fields: body, title"
    );
}
