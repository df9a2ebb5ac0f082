//! `caselight run`

use std::collections::BTreeSet;

use insta::assert_snapshot;
use serde_json::Value;

use crate::support::{Place, without_times};

fn run(arguments: &[&str]) -> Value {
    let output = Place::demo().caselight([&["run", "--format", "json"], arguments].concat());
    assert_eq!(output.status, Some(0), "{output}");
    output.json()
}

fn ids(report: &Value) -> Vec<&str> {
    report["cases"].as_array().unwrap().iter().map(|case| case["id"].as_str().unwrap()).collect()
}

#[test]
fn the_table_begins_with_what_was_run_and_all_before_the_subsets() {
    let printed = Place::demo().caselight(["run"]).success();
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        lines[0].starts_with("retrieval eval — ") && lines[0].ends_with(" cases, config: keyword, k=6"),
        "{printed}"
    );
    assert_eq!(lines[2], "subset              n   recall   mrr   prec   compl   distractor↑");
    let subsets: Vec<&str> = lines[3..].iter().map_while(|line| line.split_whitespace().next()).collect();
    let known =
        ["all", "exact_token", "paraphrase", "negation", "multi_chunk", "multi_hop", "permission_narrow", "follow_up"];
    assert_eq!(subsets[..known.len()], known);
    for line in &lines[3..3 + subsets.len()] {
        let numbers = line.split_whitespace().skip(1).take(6);
        assert!(numbers.map(str::parse::<f64>).all(|number| number.is_ok_and(|n| n >= 0.0)), "{line}");
    }
    for word in ["recall@1  ", "recall@10  ", "MRR@10", "latency   p50 ", "total misses", "unlabeled", "unanswerable"] {
        assert!(printed.contains(word), "{word}\n{printed}");
    }
    assert!(printed.ends_with("retriever local: baseline, not production\n"), "{printed}");
}

#[test]
fn the_table_of_a_small_place_is_this() {
    let chunks = "{\"id\": \"a\", \"text\": \"apples are red\"}\n{\"id\": \"b\", \"text\": \"red pears\"}\n{\"id\": \"c\", \"text\": \"plums\"}\n";
    let place = Place::with_corpus("chunks.jsonl").file("chunks.jsonl", chunks).file(
        "cases/cases.yaml",
        "- {question_id: one, question: red apples, tags: [paraphrase], supporting: [{chunk: a}]}
- {question_id: two, question: red, tags: [fruit], supporting: [{chunk: b}, {chunk: c}], distractors: [{chunk: a}]}
- {question_id: miss, question: red fruit, tags: [fruit], supporting: [{chunk: c}]}
- {question_id: nothing, question: quince, tags: [fruit], supporting: [{chunk: c}]}
- {question_id: later, question: which plums, tags: [fruit]}
- {question_id: none, question: what is the red moon, answerable: false, distractors: [{chunk: a}]}
- {question_id: quiet, question: what is love, answerable: false}
",
    );
    assert_snapshot!(place.caselight(["run"]), @"
    retrieval eval — 7 cases, config: keyword, k=3

    subset              n   recall   mrr   prec   compl   distractor↑
    all                 4    0.50   0.50   0.25    0.38         0
    exact_token         0    no cases
    paraphrase          1    1.00   1.00   0.50    1.00         0
    negation            0    no cases
    multi_chunk         0    no cases
    multi_hop           0    no cases
    permission_narrow   0    no cases
    follow_up           0    no cases
    fruit               3    0.33   0.33   0.17    0.17         0  ⚠️

    ⚠️ fruit: recall is 0.17 under all

    recall with its 95 % interval; below 10 cases it is too few to tell
    all                  0.50  0.15 to 0.85  too few to tell
    paraphrase           1.00  0.21 to 1.00  too few to tell
    fruit                0.33  0.06 to 0.79  too few to tell

    precision 0.25 of at most 0.50

    recall@1  0.500
    recall@5  0.500
    recall@10  0.500
    MRR@10    0.500
      paraphrase        recall@10 1.000  (n=1)
      fruit             recall@10 0.333  (n=3)

    latency   p50 # ms, p95 # ms  (n=7)

    2 total misses (no supporting chunk in the first 10):
      miss  red fruit
      nothing  quince

    7 cases: 4 scored, 1 of them with no results (scored 0), 1 unlabeled, 2 unanswerable (1 clean, 1 distracted)

    recall@10 is below 0.60. Leave the prompt alone, the model is not shown the answer; read the subsets: the weakest subset is fruit (recall@10 0.333). Identifiers usually drag; try hybrid search next.

    retriever local: baseline, not production
    --- exit status 0 ---
    ");
}

#[test]
fn json_has_every_field_of_every_case() {
    let report = run(&[]);
    for name in ["k", "depth", "config", "summary", "subsets", "cases"] {
        assert!(!report[name].is_null(), "no {name}");
    }
    let cases = report["cases"].as_array().unwrap();
    assert!(cases.len() >= 34 + 12);
    for case in cases {
        let fields: BTreeSet<&str> = case.as_object().unwrap().keys().map(String::as_str).collect();
        for name in [
            "id",
            "question",
            "recall",
            "mrr",
            "precision",
            "completeness",
            "distractor_above_answer",
            "latency_ms",
            "rank",
            "results",
            "diagnosis",
            "error",
            "tags",
        ] {
            assert!(fields.contains(name), "no {name} in {case:#}");
        }
        let scored = case["state"] == "scored";
        for name in ["recall", "mrr", "precision", "completeness"] {
            let value = case[name].as_f64();
            assert_eq!(value.is_some(), scored, "{name} of {case:#}");
            assert!(value.is_none_or(|value| (0.0..=1.0).contains(&value)), "{name} of {case:#}");
        }
        assert_eq!(case["distractor_above_answer"].is_boolean(), scored);
        assert!(case["latency_ms"].as_f64().unwrap() > 0.0);
        assert!(case["error"].is_null());
        assert_eq!(case["diagnosis"].is_null(), case["state"] == "unlabeled", "{case:#}");
        let results = case["results"].as_array().unwrap();
        assert!(results.len() <= report["depth"].as_u64().unwrap().try_into().unwrap());
        for (at, result) in (1_u64..).zip(results) {
            assert_eq!(result["rank"], at);
            assert!(result["id"].is_string() && result["score"].is_f64());
            assert!(["supporting", "distractor", "unjudged"].contains(&result["mark"].as_str().unwrap()));
        }
        let first = results.iter().find(|result| result["mark"] == "supporting");
        assert_eq!(case["rank"], first.map_or(Value::Null, |result| result["rank"].clone()), "{case:#}");
    }
    for (name, subset) in report["subsets"].as_object().unwrap() {
        let tagged = cases.iter().filter(|case| case["tags"].as_array().unwrap().contains(&Value::from(name.as_str())));
        let tagged: Vec<_> = tagged.collect();
        assert_eq!(subset["cases"], tagged.len(), "{name}");
        assert_eq!(subset["n"], tagged.iter().filter(|case| case["state"] == "scored").count(), "{name}");
        for field in ["recall", "mrr", "precision", "completeness", "distractor_above"] {
            assert!(subset[field].is_number(), "{field} of {name}");
        }
    }
}

#[test]
fn unlabeled_and_unanswerable_cases_are_counted_and_not_scored() {
    let report = run(&[]);
    let states = |state: &str| report["cases"].as_array().unwrap().iter().filter(|case| case["state"] == state).count();
    let counts = &report["summary"]["counts"];
    assert!(states("unlabeled") >= 12);
    assert_eq!(counts["unlabeled"], states("unlabeled"));
    let unanswerable = ["unanswerable_clean", "unanswerable_distracted"].map(|kind| counts[kind].as_u64().unwrap());
    assert!(unanswerable.iter().sum::<u64>() >= 2);
    assert_eq!(report["summary"]["n"], states("scored"));
    assert_eq!(counts["scored"], states("scored"));
}

#[test]
fn the_demo_is_what_a_first_set_should_be() {
    let report = run(&[]);
    let recall = |subset: &Value| subset["recall"].as_f64().unwrap();
    let all = recall(&report["summary"]);
    assert!((0.6..=0.8).contains(&all), "{all}");
    assert!(recall(&report["subsets"]["negation"]) < all);
    assert!(recall(&report["subsets"]["permission_narrow"]) > 1.0 - 1e-9);
    assert_eq!(report["summary"]["counts"]["leaks"], 0);
}

#[test]
fn k_is_the_window_and_depth_follows_it() {
    let small = run(&["--k", "2"]);
    assert_eq!((&small["k"], &small["depth"]), (&Value::from(2), &Value::from(10)));
    let large = run(&["--k", "25"]);
    assert_eq!((&large["k"], &large["depth"]), (&Value::from(25), &Value::from(25)));
    assert!(small["summary"]["recall"].as_f64() < large["summary"]["recall"].as_f64());
    for (small, large) in small["cases"].as_array().unwrap().iter().zip(large["cases"].as_array().unwrap()) {
        let (small, large) = (small["results"].as_array().unwrap(), large["results"].as_array().unwrap());
        let ids = |results: &[Value]| results.iter().map(|result| result["id"].clone()).collect::<Vec<_>>();
        assert_eq!(ids(small), ids(&large[..small.len()]), "asking deeper changes no order");
    }
    assert_snapshot!(Place::demo().caselight(["run", "--k", "0"]), @"
    --- stderr ---
    error: invalid value '0' for '--k <N>': 0 is not in 1..=65535

    For more information, try '--help'.
    --- exit status 2 ---
    ");
}

#[test]
fn tags_and_ids_select_cases() {
    let report = run(&["--tag", "negation"]);
    assert!(report["cases"].as_array().unwrap().iter().all(|case| case["tags"].to_string().contains("\"negation\"")));
    assert_eq!(report["summary"]["n"], report["subsets"]["negation"]["n"]);
    assert_eq!(ids(&run(&["--case", "pol-004"])), ["pol-004"]);
    assert_eq!(ids(&run(&["--case", "pol-006", "--case", "pol-004"])), ["pol-004", "pol-006"], "in the files' order");
}

#[test]
fn what_does_not_exist_is_told_and_nothing_runs() {
    let place = Place::demo();
    assert_snapshot!(place.caselight(["run", "--config", "keywords"]), @"
    --- stderr ---
    caselight: unknown config `keywords`: cases/caselight.toml defines keyword, keyword+rerank, example; did you mean `keyword`?
    --- exit status 2 ---
    ");
    assert_snapshot!(place.caselight(["run", "--tag", "negations"]), @"
    --- stderr ---
    caselight: no case carries the tag `negations`; the nearest: negation
    --- exit status 2 ---
    ");
    assert_snapshot!(place.caselight(["run", "--case", "pol-999"]), @"
    --- stderr ---
    caselight: there is no case `pol-999`; the nearest: pol-009, pol-019, pol-001
    --- exit status 2 ---
    ");
}

#[test]
fn nothing_scored_is_not_fine() {
    let place = Place::demo();
    let output = place.caselight(["run", "--case", "pol-012"]);
    assert_eq!(output.status, Some(2), "{output}");
    assert!(output.stderr.contains("nothing was scored"), "{output}");
}

#[test]
fn a_config_can_be_named_and_changes_the_window() {
    let wide = "[configs.wide]\nretriever = \"local\"\nk = 9\n\n[configs.keyword]";
    let place = Place::demo().replace("cases/caselight.toml", "[configs.keyword]", wide);
    let report = place.caselight(["run", "--format", "json", "--config", "wide", "--case", "pol-004"]).json();
    assert_eq!((&report["config"], &report["k"], &report["depth"]), (&"wide".into(), &9.into(), &10.into()));
}

#[test]
fn a_config_that_is_named_before_the_command_counts_too() {
    let output = Place::demo().caselight(["--config", "keywords", "run"]);
    assert_eq!(output.status, Some(2), "{output}");
}

#[test]
fn two_runs_print_the_same_bytes_apart_from_times() {
    let place = Place::demo();
    let table = || without_times(&place.caselight(["run"]).success());
    assert_eq!(table(), table());
    let json = || {
        let mut report = place.caselight(["run", "--format", "json"]).json();
        report["summary"]["latency_ms"].take();
        for case in report["cases"].as_array_mut().unwrap() {
            case["latency_ms"].take();
        }
        report.to_string()
    };
    let first = json();
    assert_eq!(json(), first);
    // Another index over the same documents gives the same answers.
    let mut other = Place::demo().caselight(["run", "--format", "json"]).json();
    other["summary"]["latency_ms"].take();
    for case in other["cases"].as_array_mut().unwrap() {
        case["latency_ms"].take();
    }
    assert_eq!(other.to_string(), first);
}

#[test]
fn a_run_writes_nothing_into_the_folder_of_the_cases() {
    let place = Place::demo();
    let listed = || {
        let mut files: Vec<_> = std::fs::read_dir(place.path("cases"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (std::fs::read(&path).unwrap(), path))
            .collect();
        files.sort();
        files
    };
    let before = listed();
    place.caselight(["run"]).success();
    assert_eq!(listed(), before);
}
