#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use serde_json::Value;

use super::*;
use crate::eval::{
    aggregate::summarize,
    evaluate::Outcome,
    testing::{World, answer},
};

fn run(results: &[CaseResult]) -> Value {
    let summary = summarize(results, &World::new("a", "").cut, &["negation"]);
    let report = Report { config: "keyword", retriever: "local", baseline: true, summary: &summary, results };
    serde_json::from_str(&json(&report)).unwrap()
}

#[test]
fn a_scored_case_has_its_numbers_results_and_verdict() {
    let world = World::new("a b", "d").tagged("pol-004", &["paraphrase"]);
    let mut answer = answer("d a c b", &["keyword: a d c b", "rerank: d a c b"]);
    answer.results[0].score = Some(0.1 + 0.2);
    let run = run(&[world.evaluate(Outcome::Answered(&answer))]);
    assert_eq!((&run["k"], &run["depth"], &run["config"]), (&json!(3), &json!(10), &json!("keyword")));
    let case = &run["cases"][0];
    let expected = [
        ("id", json!("pol-004")),
        ("question", json!("how long may the pallet stay")),
        ("tags", json!(["paraphrase"])),
        ("recall", json!(1.0)),
        ("mrr", json!(0.5)),
        ("precision", json!(1.0 / 3.0)),
        ("completeness", json!(0.5)),
        ("distractor_above_answer", json!(true)),
        ("latency_ms", json!(10.0)),
        ("rank", json!(2)),
        ("error", Value::Null),
        ("state", json!("scored")),
    ];
    for (field, value) in expected {
        assert_eq!(case[field], value, "{field}");
    }
    assert_eq!(case["results"][0]["score"], json!(0.1 + 0.2), "not rounded");
    let marks: Vec<&Value> = case["results"].as_array().unwrap().iter().map(|row| &row["mark"]).collect();
    assert_eq!(marks, ["distractor", "supporting", "unjudged", "supporting"]);
    let diagnosis = &case["diagnosis"];
    assert_eq!(diagnosis["kind"], "demoted");
    assert_eq!(diagnosis["evidence"], json!({ "chunk": "a", "stage": "rerank", "baseline": null, "from": 1, "to": 2 }));
    assert_eq!(diagnosis["basis"], "trace");
    assert_eq!(diagnosis["requirements"][0]["kind"], "below_window");
    assert_eq!(diagnosis["requirements"][0]["requirement"], 1);
    let ranks =
        json!([{ "stage": "keyword", "rank": 1, "dropped": null }, { "stage": "rerank", "rank": 2, "dropped": null }]);
    assert_eq!(case["labels"][0], json!({ "id": "a", "mark": "supporting", "rank": 2, "stages": ranks }));
}

#[test]
fn the_metrics_of_a_case_that_is_not_scored_are_null_and_not_0() {
    let failed = World::new("a", "").evaluate(Outcome::Failed("HTTP 502"));
    let unlabeled = World::new("", "").list("a");
    let run = run(&[failed, unlabeled]);
    for case in run["cases"].as_array().unwrap() {
        for metric in ["recall", "mrr", "precision", "completeness", "distractor_above_answer", "rank"] {
            assert_eq!(case[metric], Value::Null, "{metric}");
        }
    }
    assert_eq!(run["cases"][0]["error"], "HTTP 502");
    assert_eq!(run["cases"][0]["latency_ms"], Value::Null);
    assert_eq!(run["cases"][1]["state"], "unlabeled");
    assert_eq!(run["summary"]["recall"], Value::Null);
    assert_eq!(run["summary"]["counts"]["errors"], 1);
    assert_eq!(run["subsets"]["negation"]["n"], 0);
    assert_eq!(run["subsets"]["negation"]["recall"], Value::Null);
}

#[test]
fn subsets_are_by_tag_in_the_order_of_the_report() {
    let case = |tags: &[&str]| World::new("a", "d").tagged("x", tags).list("d a");
    let run = run(&[case(&["zoo", "negation"]), case(&["api"])]);
    let names: Vec<&String> = run["subsets"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["negation", "api", "zoo"]);
    let negation = &run["subsets"]["negation"];
    assert_eq!((&negation["n"], &negation["mrr"], &negation["distractor_above"]), (&json!(1), &json!(0.5), &json!(1)));
}

#[test]
fn where_the_scope_of_a_result_is_unknown_it_is_not_called_no_leak() {
    let run = run(&[World::new("a", "").list("a ?")]);
    assert_eq!(run["cases"][0]["results"][0]["leaked"], json!(false));
    assert_eq!(run["cases"][0]["results"][1]["leaked"], Value::Null);
    assert_eq!(run["summary"]["counts"]["unknown"], 1);
}

#[test]
fn a_score_that_is_no_number_is_null() {
    let mut answer = answer("a", &[]);
    answer.results[0].score = Some(f64::NAN);
    let run = run(&[World::new("a", "").evaluate(Outcome::Answered(&answer))]);
    assert_eq!(run["cases"][0]["results"][0]["score"], Value::Null);
}
