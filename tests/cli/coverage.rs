//! `caselight coverage`

use insta::assert_snapshot;

use crate::support::Place;

fn place() -> Place {
    let chunks = "{\"id\": \"a\", \"document\": \"Fruit\", \"text\": \"apples are red and sweet\"}\n{\"id\": \"b\", \"document\": \"Roots\", \"text\": \"carrots\"}\n";
    Place::with_corpus("chunks.jsonl").file("chunks.jsonl", chunks).file(
        "cases/cases.yaml",
        "- {question_id: one, question: which apples are sweet, tags: [multi_chunk], source: generated, added: 2026-09-01, supporting: [{chunk: a}]}
- {question_id: two, question: carrots, tags: [], source: team, added: 2026-08-30}
",
    )
}

#[test]
fn coverage_of_a_small_place_is_this() {
    assert_snapshot!(place().caselight(["coverage", "--as-of", "2026-11-01"]), @"
    coverage — 2 cases, as of 2026-11-01

    ⚠️ stale: no new case for two months, the last was added 2026-09-01; people ask
       other questions by now

    labeled                 1  ████████████░░░░░░░░░░░░
    unlabeled               1  ████████████░░░░░░░░░░░░
    unanswerable            0  ░░░░░░░░░░░░░░░░░░░░░░░░

    source              cases                            too easy
    production_log          0  ░░░░░░░░░░░░░░░░░░░░░░░░
    support_ticket          0  ░░░░░░░░░░░░░░░░░░░░░░░░
    team                    1  ████████████░░░░░░░░░░░░
    generated               1  ████████████░░░░░░░░░░░░  0 of 1

    age                 cases
    this week               0  ░░░░░░░░░░░░░░░░░░░░░░░░
    this month              0  ░░░░░░░░░░░░░░░░░░░░░░░░
    older                   2  ████████████████████████

    subset              cases                            labeled  target
    exact_token             0  ░░░░░░░░░░░░░░░░░░░░░░░░        0       –  empty
    paraphrase              0  ░░░░░░░░░░░░░░░░░░░░░░░░        0       –  empty
    negation                0  ░░░░░░░░░░░░░░░░░░░░░░░░        0       –  empty
    multi_chunk             1  ████████████████████████        1       –
    multi_hop               0  ░░░░░░░░░░░░░░░░░░░░░░░░        0       –  empty
    permission_narrow       0  ░░░░░░░░░░░░░░░░░░░░░░░░        0       –  empty
    follow_up               0  ░░░░░░░░░░░░░░░░░░░░░░░░        0       –  empty

    tags that the case does not bear out (1)
      cases/cases.yaml:1: one: multi_chunk, but the answer needs one thing only

    1 of 2 documents without any case
      Roots
    --- exit status 0 ---
    ");
}

#[test]
fn the_day_decides_what_is_stale_and_nothing_else_changes() {
    let place = place();
    let on = |day: &str| place.caselight(["coverage", "--format", "json", "--as-of", day]).json();
    let (before, after) = (on("2026-10-31"), on("2026-11-01"));
    assert_eq!((&before["ages"]["stale"], &after["ages"]["stale"]), (&false.into(), &true.into()));
    assert_eq!(before["subsets"], after["subsets"]);
    assert_eq!(place.caselight(["coverage"]).status, Some(0));
}

#[test]
fn a_day_that_is_none_is_a_usage_error() {
    let output = place().caselight(["coverage", "--as-of", "yesterday"]);
    assert_eq!(output.status, Some(2));
    assert!(
        output.stderr.contains("invalid value 'yesterday' for '--as-of <DATE>': expected a day as 2026-11-30"),
        "{output}"
    );
}

#[test]
fn what_cannot_be_read_or_resolved_is_said_and_the_rest_is_covered() {
    let place = place().file(
        "cases/more.yaml",
        "- {question_id: three, question: gone, supporting: [{chunk: nowhere}]}\n- {question_id: three, question: twice}\n",
    );
    let out = place.caselight(["coverage", "--as-of", "2026-09-02", "--format", "json"]).json();
    assert_eq!(out["counts"]["broken"], 1);
    assert_eq!(out["counts"]["unreadable"], 1);
    assert_eq!(out["warnings"].as_array().unwrap().len(), 2, "{out}");
}

#[test]
fn the_same_cases_and_day_give_the_same_bytes() {
    let place = Place::demo();
    for format in ["text", "json", "markdown"] {
        let arguments = ["coverage", "--as-of", "2026-12-01", "--format", format];
        assert_eq!(place.caselight(arguments).success(), place.caselight(arguments).success());
    }
}
