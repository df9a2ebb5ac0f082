//! `caselight score`: a ranking that somebody else produced.

use crate::support::{CommandOutput, Place};

fn place(qrels: &str, run: &str) -> Place {
    Place::empty().file("qrels.txt", qrels).file("run.txt", run)
}

fn score(place: &Place, more: &[&str]) -> CommandOutput {
    place.caselight([&["score", "qrels.txt", "run.txt"], more].concat())
}

/// The last column of the line of `measure` over all topics.
fn measured(place: &Place, measure: &str) -> String {
    let name = measure.replace('.', "_");
    let said = score(place, &["--trec-eval", "-m", measure]).stdout;
    let line = said.lines().find(|line| line.starts_with(&format!("{name} ")));
    line.and_then(|line| line.rsplit('\t').next()).unwrap_or_default().to_owned()
}

const OFFICIAL: &str = include_str!("../fixtures/trec_eval/nist/official.txt");
const EACH: &str = include_str!("../fixtures/trec_eval/nist/each.txt");
const LEVEL: &str = include_str!("../fixtures/trec_eval/nist/level-2.txt");
const MEASURES: [&str; 12] =
    ["-m", "official", "-m", "recall", "-m", "ndcg", "-m", "ndcg_cut", "-m", "map_cut", "-m", "success"];

fn nist() -> Place {
    Place::empty().fixture(".", "trec_eval/nist/qrels.txt").fixture(".", "trec_eval/nist/run.txt")
}

#[test]
fn with_trec_eval_every_line_is_the_one_that_trec_eval_prints() {
    let place = nist();
    let official = score(&place, &["--trec-eval"]);
    assert_eq!(official.stdout, OFFICIAL);
    assert_eq!(
        official.stderr,
        "caselight: 1 topic without a line in the run, left out of the means (--complete counts them as 0): 304\n"
    );
    let more = |flags: &[&str]| score(&place, &[&["--trec-eval"], flags, &MEASURES[..]].concat()).stdout;
    assert_eq!(more(&["-q", "-c"]), EACH);
    assert_eq!(more(&["-l2"]), LEVEL);
}

#[test]
fn the_order_of_the_lines_does_not_matter() {
    let place = nist();
    let run = std::fs::read_to_string(place.path("run.txt")).unwrap();
    let mut lines: Vec<&str> = run.lines().collect();
    let table = score(&place, &["--k", "10"]).success();
    for turn in [1, 47, 101] {
        lines.rotate_left(turn);
        lines.sort_by_key(|line| line.len() * turn % 17);
        let turned = nist().file("run.txt", &format!("{}\n", lines.join("\n")));
        let same = score(&turned, &["--trec-eval", "-q", "-c"]).stdout;
        assert_eq!(same, score(&place, &["--trec-eval", "-q", "-c"]).stdout);
        assert_eq!(score(&turned, &["--k", "10"]).success(), table);
    }
}

#[test]
fn of_equal_scores_ours_takes_the_rank_and_trec_eval_the_greater_id_and_the_tie_is_said() {
    let place = place("t1 0 m5 1\nt1 0 m9 0\n", "t1 Q0 m5 1 2.0 mine\nt1 Q0 m9 2 2.0 mine\n");
    let said = score(&place, &[]).success();
    assert!(said.contains("MRR@10    1.000"), "{said}");
    assert!(
        said.contains("1 topic with equal scores in the first 5 or across their edge: the order is by rank"),
        "{said}"
    );
    assert_eq!((measured(&place, "recip_rank"), measured(&place, "ndcg")), ("0.5000".into(), "0.6309".into()));
}

#[test]
fn a_judged_topic_without_results_is_scored_0_and_said_unless_it_was_not_run() {
    let place = place("q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n", "q1 Q0 a 1 9.5 mine\n");
    let json = score(&place, &["--format", "json"]).json();
    assert_eq!(json["summary"]["counts"]["no_results"], 2);
    assert!((json["summary"]["recall"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(json["cases"][1]["no_results"], true);
    assert_eq!(json["cases"][1]["recall"], 0.0);
    let said = score(&place, &[]).success();
    assert!(said.contains("\n3 topics judged, 1 answered; "), "{said}");
    assert!(said.contains("2 topics without a line in the run, no results, scored 0"), "{said}");
    let said = score(&place, &["--missing", "not-run"]).success();
    assert!(said.contains("3 cases: 1 scored, 2 not run"), "{said}");
    assert!(said.contains("2 topics without a line in the run, not run, not scored: q2 q3"), "{said}");
    assert_eq!(measured(&place, "map"), "1.0000");
    let complete = score(&place, &["--trec-eval", "-c", "-m", "map"]).stdout;
    assert_eq!(complete, "map                   \tall\t0.3333\n");
}

#[test]
fn a_document_that_comes_again_is_credited_once_and_is_an_error_to_trec_eval() {
    let place = place("q1 0 d1 1\nq1 0 d3 1\n", "q1 Q0 d1 1 9.0 mine\nq1 Q0 d1 2 8.0 mine\nq1 Q0 d2 3 7.0 mine\n");
    let json = score(&place, &["--k", "3", "--format", "json"]).json();
    assert_eq!(json["summary"]["completeness"], 0.5);
    assert_eq!(json["cases"][0]["results"][1]["repeat"], true);
    let said = score(&place, &["--k", "3"]).success();
    assert!(said.ends_with("came again, keeps its place and is credited once: q1: d1 1×\n"), "{said}");
    let output = score(&place, &["--trec-eval"]);
    assert_eq!(output.status, Some(2));
    assert_eq!(output.stderr, "caselight: run.txt:2: document \"d1\" of topic \"q1\" stands on line 1 already\n");
}

#[test]
fn grades_are_kept_exactly_and_the_level_is_in_the_report() {
    let qrels = "q1 0 d1 0.5\nq1 0 d2 1.9\nq1 0 d3 2\nq1 0 d4 -1\n";
    let place = place(qrels, "q1 Q0 d4 1 4 m\nq1 Q0 d1 2 3 m\nq1 Q0 d2 3 2 m\n");
    // grade: supporting documents, the first of them in the list
    for (grade, supporting, rank) in [("0.5", 3, Some(2)), ("1", 2, Some(3)), ("1.95", 1, None)] {
        let json = score(&place, &["--grade", grade, "--format", "json"]).json();
        let labels = json["cases"][0]["labels"].as_array().unwrap();
        assert_eq!(labels.iter().filter(|label| label["mark"] == "supporting").count(), supporting, "{grade}");
        assert_eq!(json["cases"][0]["rank"].as_u64(), rank, "{grade}");
        let said = score(&place, &["--grade", grade]).success();
        assert!(said.contains(&format!("a document with a grade of {grade} or more is supporting")), "{said}");
    }
    let json = score(&place, &["--distractors", "--format", "json"]).json();
    assert_eq!(json["cases"][0]["results"][0]["mark"], "distractor");
    assert_eq!(json["cases"][0]["distractor_above_answer"], true);
    let output = score(&place, &["--trec-eval"]);
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.starts_with("caselight: qrels.txt:1: grade is \"0.5\"; expected a whole number"), "{output}");
}

#[test]
fn a_mean_that_doubles_miss_by_a_hair_prints_as_the_fraction_it_stands_for() {
    let (mut qrels, mut run) = (String::new(), String::new());
    for (topic, found) in [("a", 7), ("b", 8), ("c", 9)] {
        for n in 0..10 {
            qrels.push_str(&format!("{topic} 0 {topic}{n} 1\n"));
            let id = if n < found { format!("{topic}{n}") } else { format!("{topic}x{n}") };
            run.push_str(&format!("{topic} Q0 {id} {} {} mine\n", n + 1, 10 - n));
        }
    }
    let place = place(&qrels, &run);
    assert!(score(&place, &["--k", "10"]).success().contains("all                 3    1.00   1.00   0.80    0.80"));
    assert_eq!(measured(&place, "recall.10"), "0.8000");
}

#[test]
fn runs_over_other_topics_say_which_they_lack_and_which_they_have_beside() {
    let qrels = "q1 0 r1 1\nq2 0 r2 1\nq3 0 r3 1\nq4 0 r4 1\nq5 0 r5 1\n";
    let a = place(qrels, "q1 Q0 r1 1 2 A\nq2 Q0 r2 1 2 A\nq3 Q0 zz 1 2 A\nq4 Q0 zz 1 2 A\n");
    let b = place(qrels, "q1 Q0 r1 1 2 B\nq2 Q0 r2 1 2 B\nq5 Q0 r5 1 2 B\nq6 Q0 r5 1 2 B\n");
    let (a, b) = (score(&a, &[]).success(), score(&b, &[]).success());
    assert!(a.contains("5 topics judged, 4 answered; "), "{a}");
    assert!(
        b.contains(
            "2 topics without a line in the run, no results, scored 0 (--missing not-run leaves them out): q3 q4"
        ),
        "{b}"
    );
    assert!(b.contains("1 topic of the run without judgments, not scored: q6"), "{b}");
}

#[test]
fn a_run_that_caselight_kept_is_scored_alone_or_by_judgments() {
    let place = Place::demo().file("qrels.txt", "no-such-case 0 a 1\n");
    place.caselight(["run", "--out", "kept.jsonl"]);
    let kept = place.caselight(["score", "kept.jsonl", "--format", "json"]).json();
    let run = place.caselight(["run", "--format", "json"]).json();
    assert_eq!(kept["summary"]["recall"], run["summary"]["recall"]);
    assert_eq!(kept["subsets"], run["subsets"]);
    let narrow = place.caselight(["score", "kept.jsonl", "--k", "1", "--format", "json"]).json();
    assert_eq!(narrow["summary"]["recall"], run["summary"]["recall_at"]["1"]);
    let case = run["cases"].as_array().unwrap().iter().find(|case| case["rank"] == 1).unwrap();
    let (id, first) = (case["id"].as_str().unwrap(), case["results"][0]["id"].as_str().unwrap());
    let place = place.file("qrels.txt", &format!("{id} 0 {first} 1\n"));
    let judged = place.caselight(["score", "qrels.txt", "kept.jsonl", "--format", "json"]).json();
    assert_eq!(
        (judged["summary"]["n"].as_u64(), judged["summary"]["mrr"].as_f64()),
        (Some(1), Some(1.0)),
        "{id} {first}"
    );
}

#[test]
fn what_cannot_be_scored_is_refused_with_its_reason() {
    let two = place("q1 0 a 1\n", "q2 Q0 a 1 1 r\n");
    let output = score(&two, &["--missing", "not-run"]);
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("nothing was scored"), "{output}");
    let output = score(&two, &["--trec-eval"]);
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("no topic is in both files"), "{output}");
    let output = two.caselight(["score", "run.txt"]);
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("run.txt alone cannot be scored"), "{output}");
    let output = two.caselight(["score", "qrels.txt", "none.txt"]);
    assert!(output.stderr.starts_with("caselight: cannot read none.txt"), "{output}");
    let broken = place("q1 0 a 1\n", "q1 Q0 a 1 1 r\nq1 Q0 b 2 r\n");
    assert!(score(&broken, &[]).stderr.starts_with("caselight: run.txt:2: 5 columns; expected 6"));
}
