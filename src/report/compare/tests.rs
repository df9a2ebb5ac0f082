#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::eval::{
    compare::{Cause, Why, compare},
    evaluate::Scores,
    stats::Finding,
    testing::{World, run},
};

fn scores(recall: f64, mrr: f64) -> Scores {
    Scores {
        recall,
        mrr,
        precision: 0.0,
        precision_ceiling: 1.0,
        completeness: 1.0,
        distractor_above: false,
        recall_at: Vec::new(),
        mrr_at_max: None,
    }
}

fn change(id: &str, a: Scores, b: Scores, why: Option<Why>) -> Change {
    Change {
        id: id.to_owned(),
        question: "What is the escalation path for a damaged shipment?".to_owned(),
        tags: Vec::new(),
        a,
        b,
        moves: Vec::new(),
        why,
        redefined: false,
    }
}

/// The comparison that the layout was taken from, from its own values.
fn known() -> Comparison {
    let up = |id: &str| change(id, scores(0.0, 0.0), scores(1.0, 1.0), None);
    let why = Why {
        chunk: "damaged-goods#escalation".into(),
        cause: Cause::Moved { stage: Some("rerank".to_owned()), from: Some(1), to: Some(3) },
        text_changed: false,
    };
    let mut comparison = compare(&run("hybrid", []), &run("hybrid + rerank", []));
    comparison.pairs = 34;
    comparison.improved = ["spc-003", "spc-007", "pol-011", "ctr-004", "pri-002", "ret-009", "inv-001"].map(up).into();
    comparison.regressed = vec![change("pol-004", scores(1.0, 1.0), scores(1.0, 1.0 / 3.0), Some(why))];
    comparison.finding = Finding::new(34, 7, 1);
    comparison
}

fn shown(comparison: &Comparison) -> String {
    let name = |id: &ChunkId| match id.as_str() {
        "damaged-goods#escalation" => "Damaged Goods Policy › Escalation".to_owned(),
        other => other.to_owned(),
    };
    text(&View { comparison, a: "hybrid", b: "hybrid + rerank", name: &name })
}

#[test]
fn a_comparison_has_its_lines_where_they_belong() {
    let expected = "\
comparison: hybrid -> hybrid + rerank

improved   (7): spc-003 spc-007 pol-011 ctr-004 pri-002 ret-009 inv-001
regressed  (1): pol-004
net: +6

pol-004  \"What is the escalation path for a damaged shipment?\"
         recall 1 -> 1, mrr 1.00 -> 0.33
         rerank moved Damaged Goods Policy › Escalation from 1 to 3.

spc-003  ";
    let out = shown(&known());
    assert!(out.starts_with(expected), "{out}");
    let end = "
34 paired, 26 unchanged
7 improved, 1 regressed: sign test p 0.07, chance can do that; one more improved case and it would be 0.04
";
    assert!(out.ends_with(end), "{out}");
}

#[test]
fn what_differs_stands_before_the_list_and_what_is_not_paired_after_it() {
    let case = |id: &str, list: &str, stages: &[&str]| World::new("a b", "d").tagged(id, &[]).kept(list, stages);
    let a = run(
        "keyword",
        [
            case("one", "a d", &["keyword: a d"]),
            case("two", "a", &[]),
            case("gone", "a", &[]),
            case("down", "a", &[]),
            case("bad", "z", &[]),
        ],
    );
    let mut b = run(
        "keyword",
        [
            case("one", "d z y a b", &["keyword: a d", "rerank: d z y a b"]),
            case("two", "a", &[]),
            World::new("a b", "d").tagged("down", &[]).failed(),
            case("bad", "z", &[]),
        ],
    );
    b.header.corpus = "other".to_owned();
    b.header.params = "{\"rerank\":true}".to_owned();
    let comparison = compare(&a, &b);
    let name = |id: &ChunkId| id.to_string();
    let out = text(&View { comparison: &comparison, a: "main", b: "now", name: &name });
    let expected = "\
comparison: main -> now
differs: corpus: not the same chunks (not comparable)
differs: params: {} -> {\"rerank\":true}

improved   (0):
regressed  (1): one
net: -1

one  \"how long may the pallet stay\"
     recall 1 -> 0, mrr 1.00 -> 0.00, completeness 0.50 -> 0.00, distractor↑ no -> yes
     rerank moved a from 1 to 4.
     supporting b: – -> 5
     distractor d: 2 -> 1

3 paired, 2 unchanged, 1 only in A
only in A (1): gone
not scored in both: down (scored -> error)
failed in B: timed out: down
recall of the pairs 0.667 -> 0.333: -0.333
mrr of the pairs 0.667 -> 0.333: -0.333
3 pairs are too few to tell: below 10, no difference is claimed
";
    assert_eq!(out, expected);
}

#[test]
fn text_of_a_case_cannot_steer_the_terminal() {
    let mut comparison = known();
    comparison.regressed[0].id = "x\u{1b}[2J".to_owned();
    comparison.regressed[0].question = "first\nsecond\u{7}".to_owned();
    let out = shown(&comparison);
    assert!(out.contains("\nx␛[2J  \"first second␇\"\n"), "{out}");
    assert!(out.lines().all(|line| !line.contains(char::is_control)), "{out}");
}

#[test]
fn the_json_has_the_ids_the_net_and_the_details_of_each() {
    let comparison = known();
    let name = |id: &ChunkId| id.to_string();
    let view = View { comparison: &comparison, a: "hybrid", b: "hybrid + rerank", name: &name };
    let value = crate::report::json::compare::value(&view);
    assert_eq!((value["regressed"][0].as_str(), value["net"].as_i64()), (Some("pol-004"), Some(6)));
    assert_eq!(value["improved"].as_array().unwrap().len(), 7);
    let change = value["changes"].as_array().unwrap().last().unwrap();
    assert_eq!(change["why"]["text"], "rerank moved damaged-goods#escalation from 1 to 3");
    assert_eq!((change["why"]["from"].as_u64(), change["why"]["to"].as_u64()), (Some(1), Some(3)));
    assert_eq!(change["b"]["mrr"].as_f64(), Some(1.0 / 3.0));
    assert_eq!(value["comparable"], true);
}
