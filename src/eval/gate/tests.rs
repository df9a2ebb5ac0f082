#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use proptest::prelude::*;

use super::*;
use crate::eval::{
    aggregate::summarize,
    evaluate::Outcome,
    testing::{World, chunk, run},
};

/// Cases as `id tag: results`; a is supporting, d a distractor, k is 3 and depth 10. `!` for results is a failed call.
fn world(line: &str) -> (World, String) {
    let (head, results) = line.split_once(':').unwrap();
    let (id, tags) = head.split_once(' ').unwrap();
    (World::new("a", "d").tagged(id, &tags.split(' ').collect::<Vec<_>>()), results.trim().to_owned())
}

struct Made {
    summary: Summary,
    results: Vec<CaseResult>,
    run: Run,
}

impl Made {
    fn new(lines: &[&str]) -> Self {
        let worlds: Vec<(World, String)> = lines.iter().map(|line| world(line)).collect();
        let results: Vec<CaseResult> = worlds
            .iter()
            .map(|(world, list)| if list == "!" { world.evaluate(Outcome::Failed("down")) } else { world.list(list) })
            .collect();
        let cases = worlds.iter().map(|(world, list)| if list == "!" { world.failed() } else { world.kept(list, &[]) });
        let run = run("c", cases);
        Self { summary: summarize(&results, &run.header.cut, &["follow_up"]), results, run }
    }

    fn check(&self, gates: &[Gate<'_>], allow_errors: bool) -> Verdict {
        check(
            &Evaluated { summary: &self.summary, results: &self.results, run: &self.run },
            gates,
            Allowed { errors: allow_errors, partial: false },
        )
    }

    fn holds(&self, subset: &str, metric: &str, value: f64) -> Verdict {
        let threshold = Threshold { metric: Metric::parse(metric).unwrap(), value };
        self.check(&[Gate { subset, thresholds: &[threshold], baseline: None }], false)
    }
}

const TEN: [&str; 10] = [
    "c0 t: a",
    "c1 t: a",
    "c2 t: a",
    "c3 t: a",
    "c4 t: z a",
    "c5 t: z a",
    "c6 u: z y a",
    "c7 u: d a",
    "c8 u: d",
    "c9 u:",
];

#[test]
fn each_metric_is_held_to_its_threshold_and_names_the_cases_behind_it() {
    let made = Made::new(&TEN);
    for (subset, metric, bound, value, cases) in [
        ("all", "recall", 0.8, 0.8, "c8 c9"),
        ("all", "recall", 0.81, 0.8, "c8 c9"),
        ("u", "recall", 0.5, 0.5, "c8 c9"),
        ("u", "recall@1", 0.25, 0.0, "c6 c7 c8 c9"),
        ("t", "mrr", 0.85, 5.0 / 6.0, "c4 c5"),
        ("t", "completeness", 1.0, 1.0, ""),
        ("u", "precision", 0.3, (1.0 / 3.0 + 0.5) / 4.0, "c8 c9"),
        ("u", "distractor_above", 1.0, 2.0, "c7 c8"),
        ("u", "latency_p95_ms", 9.0, 10.0, "c6 c7 c8 c9"),
        ("u", "latency_p50_ms", 10.0, 10.0, ""),
    ] {
        let verdict = made.holds(subset, metric, bound);
        let [held] = &verdict.held[..] else { panic!("{subset} {metric}: {verdict:?}") };
        assert!((held.value - value).abs() < 1e-12, "{subset} {metric}: {}", held.value);
        assert_eq!(held.cases.join(" "), cases, "{subset} {metric}");
        let met = if held.threshold.metric.at_most() { value <= bound } else { value >= bound };
        assert_eq!((held.met(), verdict.passed(), held.room().is_some()), (met, met, met), "{subset} {metric}");
        assert_eq!(verdict.claim(), if met { Claim::Fine } else { Claim::Below });
    }
}

#[test]
fn a_value_that_misses_its_threshold_by_a_hair_of_doubles_meets_it() {
    let threshold = |value| Threshold { metric: Metric::RecallAt(10), value };
    let mean = (0.7 + 0.8 + 0.9) / 3.0;
    assert!(mean < 0.8);
    assert!(threshold(0.8).met(mean));
    assert!(!threshold(0.8).met(0.8 - 1e-6));
    let most = Threshold { metric: Metric::LatencyP95, value: 0.3 };
    assert!(most.met(0.1 + 0.2) && !most.met(0.300_001));
}

#[test]
fn the_room_left_counts_further_misses() {
    let made = Made::new(&TEN);
    for (metric, bound, expected) in [
        ("recall", 0.8, Some(Room::Cases(0))),
        ("recall", 0.71, Some(Room::Cases(0))),
        ("recall", 0.7, Some(Room::Cases(1))),
        ("recall", 0.0, Some(Room::Cases(8))),
        ("recall", 0.9, None),
        ("distractor_above", 3.0, Some(Room::Cases(1))),
        ("latency_p95_ms", 12.5, Some(Room::Margin(2.5))),
    ] {
        assert_eq!(made.holds("all", metric, bound).held[0].room(), expected, "{metric} {bound}");
    }
}

#[test]
fn a_subset_that_no_scored_case_carries_fails() {
    let made = Made::new(&["c0 t: a", "c1 down: !"]);
    for (subset, cases) in [("follow_up", 0), ("nowhere", 0), ("down", 1)] {
        let verdict = made.check(
            &[
                Gate { subset, thresholds: &[Threshold { metric: Metric::Recall, value: 0.0 }], baseline: None },
                Gate { subset, thresholds: &[], baseline: None },
            ],
            true,
        );
        assert_eq!(verdict.failures, [Failure::NoCases { subset: subset.to_owned(), cases }]);
        assert_eq!(verdict.claim(), Claim::Below);
    }
}

#[test]
fn nothing_scored_is_no_pass() {
    let mut unlabeled = World::new("", "").tagged("new", &[]);
    unlabeled.case.supporting.clear();
    let results = [unlabeled.list("a")];
    let run = run("c", [unlabeled.kept("a", &[])]);
    for results in [&results[..], &[]] {
        let summary = summarize(results, &run.header.cut, &[""; 0]);
        let verdict = check(&Evaluated { summary: &summary, results, run: &run }, &[], Allowed::default());
        assert_eq!(verdict.failures, [Failure::NothingScored { cases: results.len() }]);
        assert_eq!(verdict.claim(), Claim::CouldNotRun);
    }
}

#[test]
fn failed_calls_fail_unless_they_are_allowed() {
    let made = Made::new(&["c0 t: a", "c1 t: !"]);
    let gate = [Gate { subset: ALL, thresholds: &[Threshold { metric: Metric::Recall, value: 1.0 }], baseline: None }];
    let cases = vec!["c1".to_owned()];
    let verdict = made.check(&gate, false);
    assert_eq!(verdict.failures, [Failure::Errors { cases: cases.clone() }]);
    assert_eq!(verdict.claim(), Claim::CaseErrors);
    let verdict = made.check(&gate, true);
    assert!(verdict.passed());
    assert_eq!(verdict.warnings, [Warning::ErrorsAllowed { cases }]);
    // Where every call failed, that is the reason, not that nothing was scored; allowed, nothing was measured.
    let down = Made::new(&["c0 t: !"]);
    assert_eq!(down.check(&gate, false).claim(), Claim::CaseErrors);
    assert_eq!(down.check(&gate, true).claim(), Claim::CouldNotRun);
}

#[test]
fn a_leak_fails_every_gate_and_an_unknown_scope_is_said() {
    let mut world = World::new("a", "").tagged("c0", &[]);
    world.corpus([chunk("a", "A", "text", &[]), chunk("b", "B", "text", &["hr"])]);
    let results = [world.list("a b"), world.list("a ?")];
    let summary = summarize(&results, &world.cut, &[""; 0]);
    let run = run("c", [world.kept("a b", &[])]);
    let verdict = check(&Evaluated { summary: &summary, results: &results, run: &run }, &[], Allowed::default());
    assert_eq!(verdict.failures, [Failure::Leaks { leaks: vec![("c0".to_owned(), "b".into())] }]);
    assert_eq!(verdict.claim(), Claim::Below);
    assert_eq!(verdict.warnings, [Warning::ScopeUnknown { unknown: 1, results: 4 }]);
}

#[test]
fn recall_of_permission_narrow_is_held_to_one_named_or_not() {
    let made = Made::new(&["c0 permission_narrow: a", "c1 permission_narrow: z", "c2 t: a"]);
    let verdict = made.holds(ALL, "recall", 0.1);
    let [Failure::Threshold(held)] = &verdict.failures[..] else { panic!("{verdict:?}") };
    assert_eq!((held.subset.as_str(), held.threshold.value, held.implied), (PERMISSION_NARROW, 1.0, true));
    assert_eq!(held.cases, ["c1"]);
    // Named, it is held once.
    let verdict = made.holds(PERMISSION_NARROW, "recall", 1.0);
    assert_eq!(verdict.held.iter().map(|held| held.implied).collect::<Vec<_>>(), [false]);
    assert!(Threshold { metric: Metric::Recall, value: 0.99 }.refused(PERMISSION_NARROW).is_some());
    assert_eq!(Threshold { metric: Metric::Recall, value: 0.99 }.refused("t"), None);
}

#[test]
fn a_k_above_depth_could_not_be_measured() {
    let made = Made::new(&["c0 t: a"]);
    let verdict = made.holds("t", "recall@50", 0.5);
    let unmeasured = Failure::Unmeasured { subset: "t".to_owned(), metric: Metric::RecallAt(50), depth: 10 };
    assert_eq!((verdict.claim(), verdict.failures), (Claim::CouldNotRun, vec![unmeasured]));
}

#[test]
fn each_case_that_regressed_against_the_baseline_fails() {
    let before = Made::new(&["c0 t: a", "c1 t: a", "c2 u: a", "gone u: a"]).run;
    let mut after = Made::new(&["c0 t: a", "c1 t: z a", "c2 u: z", "new u: a"]);
    let held = |made: &Made, subset: &str| {
        let baseline = Some(Baseline { name: "main", run: &before });
        made.check(&[Gate { subset, thresholds: &[], baseline }], false)
    };
    let regressed = |verdict: &Verdict| -> Vec<String> {
        verdict.failures.iter().flat_map(|failure| failure.cases()).map(str::to_owned).collect()
    };
    let verdict = held(&after, ALL);
    assert_eq!((regressed(&verdict), verdict.claim()), (vec!["c1".to_owned(), "c2".to_owned()], Claim::Below));
    let gone = Warning::OnlyInBaseline { baseline: "main".to_owned(), cases: vec!["gone".to_owned()] };
    assert_eq!(verdict.warnings, [gone]);
    assert_eq!(regressed(&held(&after, "u")), ["c2"]);

    // Another corpus is what a gate is for; a case that was labeled anew is not held; another k compares with nothing.
    after.run.header.corpus = "other".to_owned();
    after.run.cases[1].labels.distractors.clear();
    let verdict = held(&after, ALL);
    assert_eq!(regressed(&verdict), ["c2"]);
    let redefined = Warning::Redefined { baseline: "main".to_owned(), cases: vec!["c1".to_owned()] };
    assert!(verdict.warnings.contains(&redefined), "{:?}", verdict.warnings);
    assert!(verdict.warnings.contains(&Warning::OtherCorpus { baseline: "main".to_owned() }));
    after.run.header.cut.k = 5;
    assert_eq!(held(&after, ALL).claim(), Claim::CouldNotRun);
    let strangers = Made::new(&["x t: a"]);
    assert_eq!(held(&strangers, ALL).claim(), Claim::CouldNotRun);
}

#[test]
fn a_lowered_or_removed_threshold_is_warned_of() {
    let threshold = |name: &str, value| Threshold { metric: Metric::parse(name).unwrap(), value };
    let before = [threshold("recall", 0.7), threshold("mrr", 0.4), threshold("distractor_above", 1.0)];
    let now = [threshold("recall", 0.6), threshold("mrr", 0.5), threshold("distractor_above", 2.0)];
    let warnings = lowered(&[("negation", &before), ("gone", &before[..1])], &[("negation", &now)], "the last commit");
    let lowered = |subset: &str, was, is| Warning::Lowered {
        subset: subset.to_owned(),
        was,
        is,
        since: "the last commit".to_owned(),
    };
    assert_eq!(
        warnings,
        [
            lowered("negation", before[0], Some(0.6)),
            lowered("negation", before[2], Some(2.0)),
            lowered("gone", before[0], None)
        ]
    );
}

#[test]
fn a_suggested_recall_lies_between_today_and_one_more_miss() {
    let lines = |hits: usize, n: usize| -> Vec<String> {
        (0..n).map(|at| format!("c{at} t: {}", if at < hits { "a" } else { "z" })).collect()
    };
    for (hits, n, expected) in [
        (35, 54, 0.64),
        (17, 17, 0.99),
        (1, 13, 0.07),
        (1, 2, 0.49),
        (0, 3, 0.0),
        (1, 1, 0.99),
        // No two decimals lie between 0.99 and 1 of a hundred but 0.99 itself, which one more miss reaches.
        (100, 100, 0.999),
        (150, 300, 0.499),
    ] {
        let lines = lines(hits, n);
        let made = Made::new(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let suggestions = suggest(&made.summary, &[], &["t"]);
        for suggestion in &suggestions {
            let line = suggestion.lines[0];
            assert_eq!((line.threshold.metric, line.threshold.value), (Metric::Recall, expected), "{hits}/{n}");
        }
        assert_eq!(suggestions.len(), 2);
    }
}

#[test]
fn a_standing_threshold_is_never_lowered_and_a_named_metric_is_kept() {
    let made = Made::new(&["c0 t: a", "c1 t: z a", "c2 t: d", "c3 permission_narrow: z"]);
    let of = |name: &str, value| Threshold { metric: Metric::parse(name).unwrap(), value };
    let standing = [of("recall", 0.9), of("mrr", 0.1), of("distractor_above", 5.0), of("latency_p95_ms", 800.0)];
    let gates = [Gate { subset: "t", thresholds: &standing, baseline: None }];
    let suggestions = suggest(&made.summary, &gates, &["t", "follow_up", PERMISSION_NARROW]);
    let names: Vec<&str> = suggestions.iter().map(|suggestion| suggestion.subset.as_str()).collect();
    assert_eq!(names, [ALL, "t", PERMISSION_NARROW]);
    let lines: Vec<(String, f64, bool)> = suggestions[1]
        .lines
        .iter()
        .map(|line| (line.threshold.metric.to_string(), line.threshold.value, line.stands))
        .collect();
    let line = |name: &str, value, stands| (name.to_owned(), value, stands);
    assert_eq!(
        lines,
        [
            line("recall", 0.9, true),
            line("mrr", 0.5, false),
            line("distractor_above", 1.0, false),
            line("latency_p95_ms", 800.0, true)
        ]
    );
    let narrow = suggestions[2].lines[0].threshold;
    assert_eq!((narrow.metric, narrow.value), (Metric::Recall, 1.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_suggested_holds_and_the_values_are_those_of_the_report(
        lists in proptest::collection::vec("([adz] ){0,6}", 1..30)
    ) {
        let lines: Vec<String> = lists.iter().enumerate().map(|(at, list)| format!("c{at} t: {list}")).collect();
        let made = Made::new(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let suggestions = suggest(&made.summary, &[], &["t"]);
        let thresholds: Vec<(&str, Vec<Threshold>)> = suggestions
            .iter()
            .map(|suggestion| {
                let thresholds = suggestion.lines.iter().map(|line| line.threshold).collect();
                (suggestion.subset.as_str(), thresholds)
            })
            .collect();
        let gates: Vec<Gate<'_>> = thresholds
            .iter()
            .map(|(subset, thresholds)| Gate { subset, thresholds, baseline: None })
            .collect();
        let verdict = made.check(&gates, false);
        prop_assert!(verdict.passed(), "{:?}", verdict.failures);
        for held in &verdict.held {
            let row = if held.subset == ALL { &made.summary.all } else { &made.summary.subsets[1] };
            let numbers = row.numbers.as_ref().unwrap();
            let reported = if held.threshold.metric == Metric::Recall { numbers.recall } else { numbers.mrr };
            prop_assert_eq!(held.value.to_bits(), reported.to_bits());
            prop_assert_eq!(held.n, row.n);
            if held.threshold.metric == Metric::Recall && held.value > 0.0 {
                prop_assert_eq!(held.room(), Some(Room::Cases(0)));
            }
        }
    }
}
