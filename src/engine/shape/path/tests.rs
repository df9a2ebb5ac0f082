use serde_json::{Value, json};

use super::{Path, steps};

fn list(path: &str, body: &Value) -> Result<usize, String> {
    let path = Path::new(path)?;
    path.list(body)?.map(|found| found.len()).ok_or_else(|| path.nothing(body))
}

#[test]
fn empty_lists_on_the_way_are_no_results() {
    for (path, body) in [
        ("$.data.groups[*].docs[*]", json!({"data": {"groups": []}})),
        ("$.data.groups[*].docs[*]", json!({"data": {"groups": [{"docs": []}, {"docs": []}]}})),
        ("$.data.groups[*].docs[*]", json!({"data": {"groups": [{"docs": []}, {"title": "t"}, {"docs": null}]}})),
        ("$.groups[*].docs", json!({"groups": []})),
        ("$.groups.*.docs[*]", json!({"groups": {}})),
        ("$.groups[0].docs[*]", json!({"groups": []})),
        ("$.groups[0:2].docs[*]", json!({"groups": []})),
        ("$.groups[*]['docs'][*]", json!({"groups": [{"docs": []}]})),
        ("$.rows[?@.id]", json!({"rows": []})),
        ("$.rows[?@.id && @.kind == 'a.b[0]']", json!({"rows": [{"id": 1, "kind": "b"}]})),
        ("$.rows[?@.id].docs[*]", json!({"rows": [{"name": "a"}]})),
        ("$..docs[*]", json!({"groups": []})),
        ("$..docs[*]", json!({"groups": [{"docs": []}]})),
        ("$[*]", json!([])),
        ("$", json!([])),
    ] {
        assert_eq!(list(path, &body), Ok(0), "{path} {body}");
    }
}

#[test]
fn a_missing_parent_is_an_error_that_says_where_the_path_stopped_and_what_is_there() {
    for (path, body, expected) in [
        (
            "$.data.groups[*].doc[*]",
            json!({"data": {"groups": [{"docs": [], "title": "t"}]}}),
            "`$.data.groups[0]` has: docs, title",
        ),
        ("$.data.groups[*].docs[*]", json!({"data": {"group": []}}), "`$.data` has: group"),
        ("$.data.groups[*].docs[*]", json!({"error": "no"}), "`$` has: error"),
        ("$.groups[*].docs[*]", json!({"groups": [{"docs": null}, {"docs": null}]}), "`$.groups[0].docs` is null"),
        ("$.groups[*].docs[*]", json!({"groups": null}), "`$.groups` is null"),
        ("$.groups[*].docs[*]", json!({"groups": [null]}), "`$.groups[0]` is null"),
        ("$.groups[3].docs[*]", json!({"groups": [{"docs": []}]}), "`$.groups` is a list"),
        ("$.groups.docs[*]", json!({"groups": []}), "`$.groups` is an empty list"),
        ("$['my groups'][*].docs", json!({"my groups": [{}]}), "`$[\"my groups\"][0]` is an empty object"),
        ("$.rows[?@.id]", json!({"error": "no"}), "`$` has: error"),
        ("$..docs[*]", json!({"groups": [{"doc": 1}]}), "`$` has: groups"),
        ("$.a.b[*]", json!({"a\u{1b}[2J": 1}), "`$` has: a␛[2J"),
    ] {
        let error = list(path, &body).expect_err(path);
        assert_eq!(error, format!("the answer has nothing at `{path}`: {expected}"), "{body}");
    }
    let error = list("$.groups[*].docs[*]", &json!({"groups": [{"docs": "none"}]}));
    assert_eq!(error, Err("`$.groups[0].docs` is \"none\", expected a list".to_owned()));
}

#[test]
fn a_path_without_its_first_sign_is_told_which() {
    for (path, right) in [("data.hits", "$.data.hits"), (".hits[*]", "$.hits[*]"), ("[0].a", "$[0].a"), ("", "$.")] {
        let expected = format!("`{path}` is no JSONPath (RFC 9535): it begins with `$`, as in `{right}`");
        assert_eq!(Path::new(path).expect_err(path), expected);
    }
    assert!(Path::new("$.a[").expect_err("it has no end").contains("see character"));
}

#[test]
fn each_step_of_a_path_ends_before_the_next() {
    for (path, expected) in [
        ("$", vec!["$"]),
        ("$.a[*].b", vec!["$", "$.a", "$.a[*]"]),
        ("$..a['x.[y]'].c", vec!["$", "$..a", "$..a['x.[y]']"]),
        ("$..[0]", vec!["$"]),
        ("$.a[?@.b[0].c == \"\\\"]\"].d", vec!["$", "$.a", "$.a[?@.b[0].c == \"\\\"]\"]"]),
    ] {
        let found: Vec<&str> = steps(path).into_iter().map(|end| &path[..end]).collect();
        assert!(found == expected || path == "$", "{path}: {found:?}");
    }
}
