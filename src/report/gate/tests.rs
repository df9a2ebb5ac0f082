#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::eval::{evaluate::Outcome, gate::Claim, stats::wilson, testing::World};

fn held(subset: &str, metric: &str, value: f64, bound: f64, n: usize, cases: &[&str]) -> Held {
    let metric = Metric::parse(metric).unwrap();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small count")]
    let hits = (value * n as f64).round() as usize;
    Held {
        subset: subset.to_owned(),
        threshold: Threshold { metric, value: bound },
        value,
        n,
        cases: cases.iter().map(|&case| case.to_owned()).collect(),
        interval: metric.is_recall().then(|| wilson(hits, n)).flatten(),
        implied: false,
    }
}

fn verdict(held: Vec<Held>, warnings: Vec<Warning>) -> Verdict {
    let failures = held.iter().filter(|held| !held.met()).cloned().map(Failure::Threshold).collect();
    Verdict { held, failures, warnings }
}

fn view<'a>(verdict: &'a Verdict, name: &'a dyn Fn(&ChunkId) -> String) -> View<'a> {
    View { verdict, results: &[], config: "hybrid+rerank", k: 6, baseline: Some("local"), name }
}

#[test]
fn a_gate_lists_every_threshold_and_the_room_left() {
    let verdict = verdict(
        vec![
            held("all", "recall", 33.0 / 34.0, 0.94, 34, &["neg-1"]),
            held("all", "distractor_above", 2.0, 3.0, 34, &[]),
            held("negation", "recall@10", 0.5, 0.7, 4, &["neg-1", "neg-2"]),
            held("negation", "mrr", 0.44, 0.4, 4, &[]),
            held("all", "latency_p95_ms", 120.04, 800.0, 34, &[]),
        ],
        vec![Warning::ScopeUnknown { unknown: 1, results: 300 }],
    );
    let expected = "\
gate — config: hybrid+rerank, k=6

ok   all       recall            0.97 >= 0.94  n=34, 1 more miss allowed, 95 % interval 0.85–0.99
ok   all       distractor_above  2 <= 3  n=34, 1 more allowed
FAIL negation  recall@10         0.50 < 0.70  n=4, 95 % interval 0.15–0.85, too few to tell
ok   negation  mrr               0.44 >= 0.40  n=4, 0.040 left, too few to tell
ok   all       latency_p95_ms    120.0 <= 800.0  n=34, 680.0 ms left

warning: leaks: not known: scope unknown for 1 of 300 results

fails: 1 reason
retriever local: baseline, not production
";
    let name = |id: &ChunkId| id.to_string();
    assert_eq!(text(&view(&verdict, &name)), expected);
    assert_eq!(failures(&view(&verdict, &name)), ["negation: recall@10 0.50 < 0.70: neg-1 neg-2"]);
    assert_eq!(verdict.claim(), Claim::Below);
}

#[test]
fn a_relation_shows_as_many_decimals_as_it_takes_to_tell() {
    for (metric, value, bound, expected) in [
        ("recall", 2.0 / 3.0, 0.7, "0.67 < 0.70"),
        ("recall", 0.696, 0.7, "0.696 < 0.70"),
        ("recall", 0.699_96, 0.7, "0.69996 < 0.70"),
        ("recall", 0.7 - 1e-12, 0.7, "0.70 >= 0.70"),
        ("mrr", 0.4567, 0.455, "0.457 >= 0.455"),
        ("recall", 1.0, 1.0, "1.00 >= 1.00"),
        ("distractor_above", 3.0, 2.0, "3 > 2"),
        ("latency_p50_ms", 12.34, 12.3, "12.34 > 12.3"),
        ("latency_p50_ms", 9.0, 800.0, "9.0 <= 800.0"),
    ] {
        assert_eq!(relation(&held("all", metric, value, bound, 10, &[])), expected, "{metric} {value}");
    }
}

#[test]
fn each_failure_and_warning_is_one_clean_line() {
    let text = |value: &str| value.to_owned();
    let cases = || vec![text("a-1"), text("b\u{1b}-2")];
    let nothing = verdict(Vec::new(), Vec::new());
    let name = |id: &ChunkId| id.to_string();
    for (failure, expected) in [
        (
            Failure::NoCases { subset: text("follow_up"), cases: 0 },
            "follow_up: the gate names it, and no case carries it",
        ),
        (Failure::NoCases { subset: text("t"), cases: 2 }, "t: none of its 2 cases is scored"),
        (
            Failure::Unmeasured { subset: text("all"), metric: Metric::RecallAt(20), depth: 10 },
            "all: recall@20 needs the first 20 results, and 10 are asked for: set the config's `depth` to 20",
        ),
        (
            Failure::Leaks { leaks: cases().into_iter().map(|case| (case, "rota#1".into())).collect() },
            "leaks: 2 results that the asker may not read: a-1 rota#1, b␛-2 rota#1",
        ),
        (
            Failure::Partial { cases: cases() },
            "partial: 2 answers may lack what a whole one has (--allow-partial lets them pass): a-1 b␛-2",
        ),
        (Failure::Errors { cases: cases() }, "errors: 2 calls failed (--allow-errors lets them pass): a-1 b␛-2"),
        (Failure::NothingScored { cases: 0 }, "nothing was scored: of 0 cases, none is labeled and was answered"),
        (
            Failure::OtherK { baseline: text("main"), was: 6, is: 12 },
            "main was made with k=6, this run with k=12: they do not compare; make a new baseline",
        ),
    ] {
        assert_eq!(super::failure(&failure, &view(&nothing, &name)), expected);
    }
    let was = Threshold { metric: Metric::Recall, value: 0.7 };
    for (is, expected) in [
        (Some(0.55), "warning: negation: the threshold of recall was lowered from 0.70 to 0.55 since the last commit"),
        (None, "warning: negation: the threshold of recall, 0.70, was taken away since the last commit"),
    ] {
        let lowered = Warning::Lowered { subset: text("negation"), was, is, since: text("the last commit") };
        assert_eq!(warning(&lowered, &view(&nothing, &name)), expected);
    }
}

#[test]
fn suggested_thresholds_are_a_block_of_settings() {
    let line = |name: &str, value: f64, today: Option<f64>, stands: bool| Line {
        threshold: Threshold { metric: Metric::parse(name).unwrap(), value },
        today,
        n: 34,
        stands,
    };
    let suggestions = [
        Suggestion {
            subset: "all".to_owned(),
            lines: vec![line("recall", 0.96, Some(33.0 / 34.0), false), line("recall@10", 0.999, Some(1.0), false)],
        },
        Suggestion {
            subset: "über \"alles\"".to_owned(),
            lines: vec![
                line("mrr", 0.9, Some(0.7), true),
                line("distractor_above", 2.0, Some(2.0), false),
                line("latency_p95_ms", 800.0, None, true),
            ],
        },
        Suggestion { subset: PERMISSION_NARROW.to_owned(), lines: vec![line("recall", 1.0, Some(0.8), false)] },
    ];
    let expected = "\
[gate.all]
recall = 0.96  # today 0.9706 (n=34)
\"recall@10\" = 0.999  # today 1.0000 (n=34)
no_regressions = \"baselines/main.jsonl\"

[gate.\"über \\\"alles\\\"\"]
mrr = 0.90  # today 0.7000 (n=34), which does not reach it: it is not lowered
distractor_above = 2  # today 2 (n=34)
latency_p95_ms = 800.0  # stands; not a number to cut close

[gate.permission_narrow]
recall = 1.00  # today 0.8000 (n=34): no tolerance
";
    assert_eq!(suggested(&suggestions, &[("all", "baselines/main.jsonl")]), expected);
}

#[test]
fn the_list_alone_says_why_a_gate_fails_and_failed_calls_say_why() {
    let world = World::new("a", "");
    let failed = |id: &str, reason: &str| world.clone().tagged(id, &[]).evaluate(Outcome::Failed(reason));
    let mut results: Vec<CaseResult> = (1..=8).map(|n| failed(&format!("e-{n}"), "HTTP 502")).collect();
    results.push(failed("late", "timed out"));
    let cases: Vec<String> = results.iter().map(|result| result.id.clone()).collect();
    let mut verdict = verdict(vec![held("all", "recall", 0.5, 0.7, 4, &["neg-1"])], Vec::new());
    verdict.failures.extend([
        Failure::Errors { cases: cases.clone() },
        Failure::Partial { cases: vec!["p-1".to_owned()] },
        Failure::Leaks { leaks: ["p-1", "p-2"].map(|case| (case.to_owned(), "rota#1".into())).into() },
    ]);
    let name = |id: &ChunkId| id.to_string();
    let shown = View { results: &results, ..view(&verdict, &name) };
    let list = text(&shown);
    let lines = "\
FAIL failed calls  9 > 0  e-1 e-2 e-3 e-4 e-5 e-6 and 3 more
     HTTP 502: e-1 e-2 e-3 e-4 e-5 e-6 and 2 more
     timed out: late
FAIL partial answers  1 > 0  p-1
FAIL leaks  2 > 0  p-1 p-2

fails: 4 reasons
";
    assert!(list.contains(lines), "{list}");
    let why = "\n  HTTP 502: e-1 e-2 e-3 e-4 e-5 e-6 and 2 more\n  timed out: late";
    assert!(failures(&shown)[1].ends_with(why), "{:?}", failures(&shown));
    let allowed = Warning::ErrorsAllowed { cases };
    assert!(warning(&allowed, &shown).ends_with(why), "{}", warning(&allowed, &shown));
}

#[test]
fn a_threshold_of_0_is_not_suggested() {
    let line = |name: &str, today: f64| Line {
        threshold: Threshold { metric: Metric::parse(name).unwrap(), value: today },
        today: Some(today),
        n: 3,
        stands: false,
    };
    let suggestion = |subset: &str, lines: Vec<Line>| Suggestion { subset: subset.to_owned(), lines };
    let suggestions = [
        suggestion("all", vec![line("recall", 0.5), line("mrr", 0.0), line("distractor_above", 0.0)]),
        suggestion("negation", vec![line("recall", 0.0)]),
    ];
    let expected = "\
[gate.all]
recall = 0.50  # today 0.5000 (n=3)
# mrr: today 0.0000 (n=3); a threshold of 0 would hold nothing
distractor_above = 0  # today 0 (n=3)

# [gate.negation]
# recall: today 0.0000 (n=3); a threshold of 0 would hold nothing
";
    assert_eq!(suggested(&suggestions, &[]), expected);
}
