//! `caselight compare`

use crate::support::Place;

#[test]
fn two_configs_of_the_demo_name_what_changed_and_the_stage_that_moved_it() {
    let output = Place::demo().caselight(["compare", "keyword", "keyword+rerank"]);
    assert_eq!(output.status, Some(1), "{output}");
    assert!(output.stdout.starts_with("comparison: keyword -> keyword+rerank\ndiffers: params: {} -> "), "{output}");
    let pol_004 = "
pol-004  \"What is the escalation path for a damaged shipment?\"
         recall 1 -> 1, mrr 1.00 -> 0.33, completeness 0.50 -> 1.00
         rerank moved Damaged Goods Policy › Escalation from 1 to 3.
";
    assert!(output.stdout.contains(pol_004), "{output}");
    assert!(output.stdout.contains("\nimproved   ("), "{output}");
    assert!(output.stdout.contains(": sign test p "), "{output}");
}

#[test]
fn a_config_compared_with_itself_is_empty() {
    let place = Place::demo();
    let printed = place.caselight(["compare", "keyword", "keyword"]).success();
    assert!(
        printed.starts_with("comparison: keyword -> keyword\n\nimproved   (0):\nregressed  (0):\nnet: 0\n\n"),
        "{printed}"
    );
}

#[test]
fn turned_round_what_improved_regressed() {
    let place = Place::demo();
    let compare = |a: &str, b: &str| place.caselight(["compare", a, b, "--format", "json"]).json();
    let (there, back) = (compare("keyword", "keyword+rerank"), compare("keyword+rerank", "keyword"));
    assert_eq!((&there["improved"], &there["regressed"]), (&back["regressed"], &back["improved"]));
    assert_eq!(there["net"].as_i64().unwrap(), -back["net"].as_i64().unwrap());
    assert_eq!(there["sign_test_p"], back["sign_test_p"]);
    assert_eq!(there["comparable"], true);
}

/// A kept run: cases of one label each, `true` where it is found.
fn kept(k: usize, cases: &[(&str, bool)]) -> String {
    let mut text = format!(
        "{{\"caselight_run\":1,\"tool\":\"0.1.0\",\"started\":\"2026-11-30T23:44:58Z\",\"commit\":null,\"config\":\"prod\",\
         \"retriever\":\"http\",\"baseline\":false,\"k\":{k},\"depth\":10,\"recall_at\":[1,5,10],\"params\":{{}},\"cases\":\"x\",\
         \"labels\":\"x\",\"corpus\":\"x\"}}\n"
    );
    for (id, found) in cases {
        let (chunk, result) = (id.replace('q', "r"), if *found { id.replace('q', "r") } else { "zz".to_owned() });
        text += &format!(
            "{{\"id\":\"{id}\",\"question\":\"{id}?\",\"tags\":[\"t\"],\"asker\":\"anonymous\",\"answerable\":true,\
             \"needed\":[[\"{chunk}\"]],\"distractors\":[],\"verdict\":null,\"latency_ms\":1.0,\"chunks\":[],\
             \"results\":[{{\"id\":\"{result}\",\"score\":2.0,\"leaked\":null}}]}}\n"
        );
    }
    text
}

fn place() -> Place {
    Place::with_corpus("chunks.jsonl").file("chunks.jsonl", "{\"id\": \"r1\", \"text\": \"x\"}\n")
}

#[test]
fn runs_over_other_cases_are_paired_by_id_and_the_rest_is_named() {
    let place = place()
        .file("a.jsonl", &kept(10, &[("q1", true), ("q2", true), ("q3", false), ("q4", false)]))
        .file("b.jsonl", &kept(10, &[("q1", true), ("q2", true), ("q5", true)]));
    let expected = "\
comparison: a.jsonl -> b.jsonl

improved   (0):
regressed  (0):
net: 0

2 paired, 2 unchanged, 2 only in A, 1 only in B
only in A (2): q3 q4
only in B (1): q5
recall of the pairs 1.000 -> 1.000: 0.000
mrr of the pairs 1.000 -> 1.000: 0.000
2 pairs are too few to tell: below 10, no difference is claimed
scope unknown in A for 4 of 4 results: whether they leaked is not known
scope unknown in B for 3 of 3 results: whether they leaked is not known
";
    assert_eq!(place.caselight(["compare", "a.jsonl", "b.jsonl"]).success(), expected);
}

#[test]
fn runs_that_do_not_compare_fairly_are_refused_unless_that_is_allowed() {
    let place = place().file("a.jsonl", &kept(10, &[("q1", true)])).file("b.jsonl", &kept(6, &[("q1", false)]));
    let output = place.caselight(["compare", "a.jsonl", "b.jsonl"]);
    assert_eq!((output.status, output.stdout.as_str()), (Some(2), ""), "{output}");
    assert!(output.stderr.ends_with("compares them all the same):\n  k: 10 -> 6\n"), "{output}");
    let output = place.caselight(["compare", "a.jsonl", "b.jsonl", "--allow-different"]);
    assert_eq!(output.status, Some(1), "{output}");
    assert!(output.stdout.contains("\ndiffers: k: 10 -> 6 (not comparable)\n"), "{output}");
    assert!(output.stdout.contains("\n    r1 is gone from the list, before at 1; no stage says why.\n"), "{output}");
}

#[test]
fn what_is_neither_a_run_nor_a_config_is_answered_with_both() {
    let output = place().caselight(["compare", "keyword", "hybrid"]);
    assert_eq!(output.status, Some(2), "{output}");
    let expected =
        "caselight: `hybrid` is no config of cases/caselight.toml, which has keyword: there is no run `hybrid`";
    assert!(output.stderr.starts_with(expected), "{output}");
    let place = place().file("a.jsonl", &kept(10, &[])).file("b.jsonl", &kept(10, &[]));
    let output = place.caselight(["compare", "a.jsonl", "b.jsonl"]);
    assert_eq!(output.status, Some(2), "{output}");
    assert_eq!(output.stderr, "caselight: nothing to compare: no case is scored in both\n");
}
