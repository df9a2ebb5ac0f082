#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::eval::{
    evaluate::Outcome,
    stats::Interval,
    testing::{World, answer},
};

const NONE: [&str; 0] = [];

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

fn cut() -> Cut {
    World::new("a", "").cut
}

#[test]
fn judged_questions_without_results_stay_in_the_mean() {
    let results = ["a", "", ""].map(|list| World::new("a", "").list(list));
    let summary = summarize(&results, &cut(), &NONE);
    assert!(near(summary.all.numbers.as_ref().unwrap().recall, 1.0 / 3.0));
    assert_eq!((summary.all.n, summary.counts.scored, summary.counts.no_results), (3, 3, 2));
    assert_eq!(summary.misses.len(), 2);
}

#[test]
fn only_scored_cases_are_in_a_mean_and_every_case_is_counted() {
    let labeled = World::new("a", "");
    let mut unanswerable = World::new("", "d");
    unanswerable.case.answerable = false;
    let mut broken = World::new("a", "");
    broken.break_a_label();
    let results = [
        labeled.list("a"),
        labeled.list("b"),
        labeled.evaluate(Outcome::Failed("slow")),
        labeled.evaluate(Outcome::NotRun),
        World::new("", "").list("a"),
        unanswerable.list("d"),
        unanswerable.list("a"),
        broken.list("a"),
        labeled.list(""),
    ];
    let summary = summarize(&results, &cut(), &NONE);
    assert_eq!(summary.all.n, 3);
    assert!(near(summary.all.numbers.unwrap().recall, 1.0 / 3.0));
    let expected = Counts {
        unknown_id: None,
        cases: 9,
        scored: 3,
        no_results: 1,
        errors: 1,
        lost: 1,
        unlabeled: 1,
        broken: 1,
        unanswerable_clean: 1,
        unanswerable_distracted: 1,
        not_run: 1,
        results: 6,
        unknown: 0,
        scope_unknown: 0,
        partial: 0,
        leaks: 0,
        repeats: 0,
    };
    assert_eq!(summary.counts, expected);
}

#[test]
fn subsets_stand_in_the_order_asked_for_then_by_name_and_empty_ones_are_shown() {
    let tagged = |id: &str, tags: &[&str]| World::new("a", "").tagged(id, tags).list("a");
    let results = [tagged("1", &["zoo", "negation", "negation"]), tagged("2", &["api"]), tagged("3", &[])];
    let summary = summarize(&results, &cut(), &["exact_token", "negation"]);
    let told: Vec<_> = summary.subsets.iter().map(|row| (row.name.as_str(), row.cases, row.n)).collect();
    assert_eq!(told, [("exact_token", 0, 0), ("negation", 1, 1), ("api", 1, 1), ("zoo", 1, 1)]);
    assert_eq!(summary.subsets[0].numbers, None, "nothing measured is not 0");
}

#[test]
fn a_subset_is_marked_for_inversions_and_for_low_recall_and_all_never_is() {
    let case = |tags: &[&str], list: &str| World::new("a", "d").tagged("x", tags).list(list);
    let results = [
        case(&["negation"], "d a"),
        case(&["weak"], "b"),
        case(&["fine"], "a"),
        case(&["fine"], "a d"),
        // 0.75 of all against 0.65 would be marked at exactly 0.10; here all is 4 of 5.
        case(&["fine"], "a"),
    ];
    let summary = summarize(&results, &cut(), &["fine", "negation", "weak"]);
    assert!(summary.all.marks.is_empty());
    assert!(summary.subsets[0].marks.is_empty());
    assert_eq!(summary.subsets[1].marks, [Reason::DistractorAbove(1)]);
    let [Reason::RecallUnderAll(under)] = summary.subsets[2].marks[..] else {
        panic!("{:?}", summary.subsets[2].marks)
    };
    assert!(near(under, 0.8));
}

#[test]
fn recall_that_is_a_tenth_under_all_is_marked_whatever_the_rounding() {
    // 9 of 10 in all, 4 of 5 in the subset: 0.9 - 0.8 is 0.09999999999999998 as doubles.
    let mut results = vec![World::new("a", "").tagged("x", &["half"]).list("b")];
    results.extend((0..4).map(|_| World::new("a", "").tagged("x", &["half"]).list("a")));
    results.extend((0..5).map(|_| World::new("a", "").list("a")));
    let summary = summarize(&results, &cut(), &NONE);
    assert_eq!(summary.subsets[0].marks.len(), 1);
}

#[test]
fn a_subset_that_misses_a_threshold_is_marked_and_all_never_is() {
    let bound = |subset: &str, metric: &str, value, threshold, met| {
        let (subset, metric) = (subset.to_owned(), metric.to_owned());
        Bound { subset, metric, value, threshold, met }
    };
    let bounds = vec![
        bound("weak", "recall@1", 1.0 / 3.0, 0.5, false),
        bound("weak", "distractor_above", 3.0, 2.0, false),
        bound("weak", "mrr", 0.5, 0.5, true),
        bound("nobody", "recall", 0.0, 1.0, false),
        bound("all", "recall", 0.0, 1.0, false),
    ];
    let results = [World::new("a", "").tagged("x", &["weak"]).list("a")];
    let summary = summarize(&results, &cut(), &NONE).with_bounds(bounds);
    let reasons: Vec<String> = summary.subsets.iter().flat_map(|row| &row.marks).map(Reason::explain).collect();
    let expected = ["recall@1 0.333 is below its threshold 0.5", "distractor_above 3 is above its threshold 2"];
    assert_eq!(reasons, expected);
    assert!(summary.all.marks.is_empty());
    assert_eq!((summary.threshold("weak", "mrr"), summary.threshold("weak", "recall")), (Some(0.5), None));
}

#[test]
fn recall_has_an_interval_by_the_number_of_its_hits() {
    let case = |list: &str| World::new("a", "").tagged("x", &["t"]).list(list);
    let mut results: Vec<_> = (0..7).map(|_| case("b c a")).collect();
    results.push(case("b"));
    let subset = &summarize(&results, &cut(), &["empty", "t"]).subsets[1];
    let Interval { low, high } = subset.recall_interval().unwrap();
    // Wilson's interval of 7 of 8, as R's `binom::binom.wilson(7, 8)` has it.
    assert_eq!((subset.recalled(), format!("{low:.4} {high:.4}")), (7, "0.5291 0.9776".to_owned()));
    assert!(subset.too_few());
    assert_eq!(summarize(&results, &cut(), &["empty"]).subsets[0].recall_interval(), None);
}

#[test]
fn ranks_are_counted_over_the_scored_cases_to_depth() {
    let world = World::new("a", "");
    let results = [world.list("a"), world.list("b a"), world.list("a"), world.list("b"), World::new("", "").list("a")];
    let ranks = ranks(&results, &world.cut);
    assert_eq!((&ranks.at[..3], ranks.at.len(), ranks.absent), (&[2, 1, 0][..], 10, 1));
}

#[test]
fn latency_is_taken_by_nearest_rank_over_every_answer() {
    let world = World::new("a", "");
    let took = |ms: u64| {
        let mut answer = answer("a", &[]);
        answer.latency = Duration::from_millis(ms);
        world.evaluate(Outcome::Answered(&answer))
    };
    let p = |latencies: &[u64]| {
        let results: Vec<_> = latencies.iter().map(|&ms| took(ms)).collect();
        let latency = summarize(&results, &cut(), &NONE).latency.unwrap();
        (latency.p50.as_millis(), latency.p95.as_millis())
    };
    assert_eq!(p(&[7]), (7, 7));
    assert_eq!(p(&[4, 1, 3, 2]), (2, 4));
    assert_eq!(p(&(1..=20).collect::<Vec<_>>()), (10, 19));
    assert_eq!(p(&(1..=100).rev().collect::<Vec<_>>()), (50, 95));
    assert_eq!(summarize(&[world.evaluate(Outcome::Failed("slow"))], &cut(), &NONE).latency, None);
}

#[test]
fn a_total_miss_has_nothing_in_the_first_max_k() {
    let case = |id: &str, list: &str| World::new("a", "").tagged(id, &[]).list(list);
    let results = [case("found", "a"), case("below", "b c d e f g h i j a"), case("missed", "b"), case("nothing", "")];
    let summary = summarize(&results, &cut(), &NONE);
    let missed: Vec<_> = summary.misses.iter().map(|miss| miss.id.as_str()).collect();
    assert_eq!((missed, summary.misses_within), (vec!["missed", "nothing"], 10));
    let shallow = Cut { k: 3, depth: 6, recall_at: vec![1, 10] };
    assert_eq!(summarize(&results, &shallow, &NONE).misses_within, 6);
}

#[test]
fn the_reading_goes_by_recall_at_10_and_names_the_weakest_subset() {
    let run = |found: usize, missed: usize| {
        let case = |tag: &str, list: &str| World::new("a", "").tagged("x", &[tag]).list(list);
        let hits = (0..found).map(|_| case("good", "a"));
        let results: Vec<_> = hits.chain((0..missed).map(|_| case("bad", "b"))).collect();
        summarize(&results, &cut(), &NONE).reading
    };
    let weakest = || Some(("bad".to_owned(), 0.0));
    assert_eq!(run(18, 2), Some(Reading::Downstream));
    // On the line itself it is between.
    assert_eq!(run(17, 3), Some(Reading::Between { weakest: weakest() }));
    assert_eq!(run(6, 4), Some(Reading::Between { weakest: weakest() }));
    assert_eq!(run(5, 5), Some(Reading::Retrieval { weakest: weakest() }));
    assert_eq!(run(0, 0), None);
}

#[test]
fn a_run_against_another_corpus_is_known_by_its_ids() {
    let world = World::new("a", "");
    let strangers = summarize(&[world.list("42 43"), world.list("44")], &cut(), &NONE);
    assert!(strangers.counts.nothing_known());
    assert!(!summarize(&[world.list("42"), world.list("a")], &cut(), &NONE).counts.nothing_known());
    assert!(!summarize(&[world.list("")], &cut(), &NONE).counts.nothing_known(), "no results are no strangers");
}

#[test]
fn nothing_run_has_no_numbers() {
    let summary = summarize(&[], &cut(), &DEFAULT_SUBSETS);
    assert_eq!((summary.all.n, summary.all.numbers, summary.reading, summary.latency), (0, None, None, None));
    assert_eq!(summary.subsets.len(), 7);
}
