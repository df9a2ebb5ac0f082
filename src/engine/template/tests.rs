use serde_json::{Value, json};

use super::{Place, Template, Values};

fn values() -> Values {
    let params = json!({"rerank": true, "mode": "hybrid", "big": 215_250_709_085_334_181_u64, "opt": {"a": [1, 2.5]}});
    let params = params.as_object().cloned().expect("it is an object");
    Values::new("What \"is\" this & that?", &["Earlier".to_owned()], 10, &params).asked_by(
        Some("lead-7"),
        Some("warehouse_lead"),
        Some(&["warehouse"]),
    )
}

fn fill(source: &Value) -> Result<Value, String> {
    let template = Template::new(source, Place::Body, &[]).map_err(|error| error.to_string())?;
    template.fill(&values()).map_err(|error| error.to_string())
}

#[test]
fn a_text_that_is_exactly_one_placeholder_keeps_the_type_of_its_value() {
    for (source, expected) in [
        ("{{ question }}", json!("What \"is\" this & that?")),
        ("{{depth}}", json!(10)),
        ("{{ params.rerank }}", json!(true)),
        ("{{ params.big }}", json!(215_250_709_085_334_181_u64)),
        ("{{ params.opt }}", json!({"a": [1, 2.5]})),
        ("{{ asker.groups }}", json!(["warehouse"])),
        ("{{ context }}", json!(["Earlier"])),
        ("{{ depth * 5 }}", json!(50)),
        ("{{ params.floor | default(none) }}", json!(null)),
        ("at most {{ depth }}", json!("at most 10")),
        ("{{ depth }}{{ depth }}", json!("1010")),
        ("groups {{ asker.groups }}", json!("groups [\"warehouse\"]")),
        ("no placeholder", json!("no placeholder")),
    ] {
        assert_eq!(fill(&json!({"a": [source]})), Ok(json!({"a": [expected]})), "{source}");
    }
}

#[test]
fn a_name_that_stands_for_nothing_is_an_error_before_anything_is_filled() {
    for (source, expected) in [
        ("{{ qestion }}", "`qestion` stands for nothing"),
        ("{{ asker.headers }}", "`asker.headers` stands for nothing"),
        ("{{ user }} and more", "`user` stands for nothing"),
        ("{{ question", "`a`: syntax error"),
        ("{% if question %}", "`a`: syntax error"),
    ] {
        let error = fill(&json!({"a": source})).expect_err(source);
        assert!(error.contains(expected), "{source}: {error}");
    }
}

#[test]
fn a_parameter_that_the_config_has_not_is_an_error_with_its_place() {
    for source in ["{{ params.missing }}", "x {{ params.missing }}"] {
        let error = fill(&json!({"filter": {"must": [source]}})).expect_err(source);
        assert!(error.starts_with("`filter.must[0]`: "), "{error}");
    }
}

#[test]
fn the_names_that_a_template_uses_are_known() {
    let template = |source: &str| Template::new(&json!({"a": source}), Place::Body, &[]).expect(source).uses();
    let uses = template("{{ params.mode }} {{ asker.id }} {% for turn in context %}{{ turn }}{% endfor %}");
    assert!(uses.has("asker") && uses.has("context") && !uses.has("vector"));
    assert_eq!(uses.params().map(|params| params.into_iter().collect::<Vec<_>>()), Some(vec!["mode"]));
    assert_eq!(template("{{ params }}").params(), None);
}

#[test]
fn what_stands_in_an_address_is_encoded_and_null_leaves_a_header_out() {
    let text = |source: &str, place: Place, values: &Values| {
        Template::new(&json!(source), place, &[]).expect(source).text(values).expect(source)
    };
    let url = text("http://h/s?q={{ question }}&n={{ depth }}&key=${KEY}", Place::Url, &values());
    assert_eq!(url.as_deref(), Some("http://h/s?q=What%20%22is%22%20this%20%26%20that%3F&n=10&key=${KEY}"));
    assert_eq!(
        text("{{ question }}", Place::Url, &values()).as_deref(),
        Some("What%20%22is%22%20this%20%26%20that%3F")
    );
    assert_eq!(text("{{ asker.id }}", Place::Header, &values()).as_deref(), Some("lead-7"));
    let anonymous = Values::new("read ${TOKEN}", &[], 1, &serde_json::Map::new());
    assert_eq!(text("{{ asker.id }}", Place::Header, &anonymous), None);
    assert_eq!(text("user={{ asker.id }}", Place::Header, &anonymous).as_deref(), Some("user="));
    assert_eq!(text("q {{ question }} ${A}", Place::Header, &anonymous).as_deref(), Some("q read $${TOKEN} ${A}"));
    assert_eq!(text("{{ question }}", Place::Header, &anonymous).as_deref(), Some("read $${TOKEN}"));
}
