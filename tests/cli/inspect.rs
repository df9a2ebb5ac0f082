//! `caselight inspect`

use std::fs;

use crate::support::Place;

#[test]
fn a_case_beside_its_baseline_names_the_stage_that_moved_its_chunk_and_what_differs_since() {
    let place = Place::demo();
    place.caselight(["run", "--out", "cases/baselines/main.jsonl"]).success();
    let printed = place.caselight(["inspect", "pol-004", "--config", "keyword+rerank", "--against", "main"]).success();
    for line in [
        "pol-004 \"What is the escalation path for a damaged shipment?\"\n",
        "demoted: rerank moved Damaged Goods Policy › Escalation from 1 to 3\n",
        "  by the retriever's own trace\n",
        "  next: look at what rerank saw of this pair of question and chunk\n",
        "── k = 6 ──",
        "against main: config keyword,",
        "  regressed: rerank moved Damaged Goods Policy › Escalation from 1 to 3\n",
        "  since: config: keyword -> keyword+rerank\n",
    ] {
        assert!(printed.contains(line), "no {line:?} in\n{printed}");
    }
    let wide = printed.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None, "{printed}");
    let json = place
        .caselight(["inspect", "pol-004", "--config", "keyword+rerank", "--against", "main", "--format", "json"])
        .json();
    assert_eq!(json["case"]["diagnosis"]["kind"], "demoted");
    assert_eq!((&json["against"]["change"], &json["probes"]), (&"regressed".into(), &serde_json::json!([])));
}

#[test]
fn what_compare_and_gate_print_as_a_hint_works() {
    let place = Place::demo();
    place.caselight(["run", "--out", "cases/baselines/main.jsonl"]).success();
    let compared = place.caselight(["compare", "main", "keyword+rerank"]);
    let gated = place.caselight(["gate", "--config", "keyword+rerank", "--baseline", "main"]);
    for output in [compared, gated] {
        let hint = output.stderr.lines().find_map(|line| line.strip_prefix("why: caselight "));
        let hint = hint.unwrap_or_else(|| panic!("no hint: {output}"));
        assert!(hint.contains("--against main"), "{hint}");
        place.caselight(hint.split(' ')).success();
    }
}

#[test]
fn a_broken_label_is_a_verdict_and_an_unknown_case_or_run_is_an_error() {
    let place = Place::with_corpus("chunks.jsonl")
        .file("chunks.jsonl", "{\"id\": \"r1\", \"text\": \"x\"}\n")
        .file("cases/c.yaml", "- {question_id: q1, question: x, supporting: [{chunk: gone}]}\n- {question_id: bad}\n");
    let printed = place.caselight(["inspect", "q1"]).success();
    assert!(printed.contains("label_broken: a reference of this case resolves to nothing certain\n"), "{printed}");
    for (arguments, expected) in [
        (&["inspect", "q2"][..], "problems in the case files"),
        (&["inspect", "q1", "--against", "main"], "there is no run `main`"),
        (&["inspect", "q1", "--config", "other"], "unknown config `other`"),
    ] {
        let output = place.caselight(arguments);
        assert_eq!(output.status, Some(2), "{output}");
        assert!(output.stderr.contains(expected), "{output}");
    }
}

#[test]
fn a_label_is_marked_wrong_in_its_file_alone_and_told_wherever_it_counts() {
    let place = Place::demo();
    let before = fs::read_to_string(place.path("cases/policies.yaml")).unwrap();
    place.caselight(["inspect", "pol-004", "--label-wrong", "the desk moved: see #3"]).success();
    let after = fs::read_to_string(place.path("cases/policies.yaml")).unwrap();
    let added: Vec<&str> = after.lines().filter(|line| !before.contains(line)).collect();
    assert_eq!(added, ["  label_wrong: \"the desk moved: see #3\""]);
    assert_eq!(after.lines().count(), before.lines().count() + 1);
    let checked = place.caselight(["check"]).success();
    assert!(checked.contains("case `pol-004`: its label is marked wrong: the desk moved: see #3\n"), "{checked}");
    let report = place.caselight(["run"]).success();
    assert!(report.contains("\n1 case whose label is marked wrong: pol-004\n"), "{report}");
    let again = place.caselight(["inspect", "pol-004", "--label-wrong", "the desk moved: see #3"]);
    assert_eq!(again.status, Some(2), "{again}");
    place.caselight(["inspect", "pol-004", "--label-wrong", ""]).success();
    assert_eq!(fs::read_to_string(place.path("cases/policies.yaml")).unwrap(), before);
}

#[test]
fn a_holdout_case_is_not_shown_and_opening_it_is_kept() {
    let place = Place::demo();
    place.caselight(["split", "--train", "0.5"]);
    let settings = fs::read_to_string(place.path("cases/caselight.toml")).unwrap();
    assert!(settings.contains("[split]"), "{settings}");
    let ids = ["pol-004", "pol-006", "pol-007", "ret-002", "spc-006", "inv-004", "pol-012", "ctr-005"];
    let closed = ids.into_iter().find(|id| place.caselight(["inspect", id]).status == Some(2));
    let closed = closed.expect("half of the cases are kept out");
    let output = place.caselight(["inspect", closed]);
    assert!(output.stdout.is_empty() && output.stderr.contains("is a holdout case"), "{output}");
    let opened = place.caselight(["inspect", closed, "--open-holdout"]);
    assert_eq!(opened.status, Some(0), "{opened}");
    assert!(place.path("cases/holdout-ledger.jsonl").exists());
}

#[test]
fn asked_again_it_says_whether_it_came_out_the_same() {
    let printed = Place::demo().caselight(["inspect", "pol-004", "--repeat", "3"]).success();
    assert!(printed.ends_with("asked 3 times: the same ranks and the same verdict each time\n"), "{printed}");
}
