#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use proptest::prelude::*;

use super::*;
use crate::eval::testing::{hits, ids, needed};

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn every_metric_has_its_value_on_lists_worked_out_by_hand() {
    // results, needed, k: recall, mrr, precision, its ceiling, completeness
    let cases = [
        ("a b c", "a", 3, [1.0, 1.0, 1.0 / 3.0, 1.0 / 3.0, 1.0]),
        ("x a b", "a b", 3, [1.0, 0.5, 2.0 / 3.0, 2.0 / 3.0, 1.0]),
        ("x y a", "a", 2, [0.0, 0.0, 0.0, 0.5, 0.0]),
        // One alternative is enough for the requirement; both are supporting chunks.
        ("x b", "a|b c", 6, [1.0, 0.5, 0.5, 1.0, 0.5]),
        ("a b", "a|b", 6, [1.0, 1.0, 1.0, 1.0, 1.0]),
        // One chunk may satisfy two requirements.
        ("a", "a|b a|c", 6, [1.0, 1.0, 1.0, 1.0, 1.0]),
        // A list shorter than k is divided by what it has.
        ("a", "a b", 6, [1.0, 1.0, 1.0, 1.0, 0.5]),
        // No results score 0, precision included.
        ("", "a", 6, [0.0, 0.0, 0.0, 0.0, 0.0]),
        // A repeat takes a place and is credited once: the second requirement stays open.
        ("d1 d1 d2", "d1 d3", 3, [1.0, 1.0, 1.0 / 3.0, 2.0 / 3.0, 0.5]),
        ("a a a", "a", 3, [1.0, 1.0, 1.0 / 3.0, 1.0 / 3.0, 1.0]),
        // A repeat keeps its place: what stands behind it may be out of the window.
        ("x x a", "a", 2, [0.0, 0.0, 0.0, 0.5, 0.0]),
    ];
    for (results, labels, k, expected) in cases {
        let (results, labels) = (hits(results), needed(labels));
        let values = [
            recall(&results, &labels, k),
            mrr(&results, &labels, k),
            precision(&results, &labels, k),
            precision_ceiling(&results, &labels, k),
            completeness(&results, &labels, k),
        ];
        assert!(values.iter().zip(expected).all(|(&a, b)| near(a, b)), "{results:?} {k}: {values:?}, not {expected:?}");
    }
}

#[test]
fn a_k_above_depth_has_no_value() {
    let (results, labels) = (hits("x a"), needed("a"));
    let cases = [(1, Some(0.0)), (2, Some(1.0)), (5, Some(1.0)), (6, None)];
    for (k, expected) in cases {
        assert_eq!(recall_at(&results, &labels, k, 5), expected, "recall@{k}");
    }
    assert_eq!(mrr_at(&results, &labels, 5, 5), Some(0.5));
    assert_eq!(mrr_at(&results, &labels, 6, 5), None);
}

#[test]
fn a_distractor_is_above_the_answer_over_the_whole_list() {
    let cases = [
        ("d a", "a", "d", true),
        ("a d", "a", "d", false),
        // The best of each counts.
        ("d1 a d2", "a", "d2 d1", true),
        ("a1 d a2", "a2 a1", "d", false),
        // Absent stands below everything; both absent is no inversion.
        ("x d", "a", "d", true),
        ("x a", "a", "d", false),
        ("x y", "a", "d", false),
        ("", "a", "d", false),
        // Deep in the list is still in the list.
        ("x x1 x2 x3 x4 x5 x6 d a", "a", "d", true),
    ];
    for (results, labels, distractors, expected) in cases {
        let found = distractor_above(&hits(results), &needed(labels), &ids(distractors));
        assert_eq!(found, expected, "{results}");
    }
}

#[test]
fn the_mean_of_nothing_is_not_zero() {
    assert_eq!(mean([]), None);
    assert!(near(mean([1.0, 0.0, 0.5]).unwrap(), 0.5));
}

/// Real rankings with what `trec_eval` says of them; where they are from stands beside them.
const LISTS: &str = include_str!("../../../tests/fixtures/trec_eval/lists.tsv");
const VALUES: &str = include_str!("../../../tests/fixtures/trec_eval/values.tsv");

#[test]
fn the_metrics_equal_those_of_trec_eval_under_other_names() {
    let cells = |line: &'static str| line.split('\t').collect::<Vec<_>>();
    let lists = LISTS.lines().skip(1).map(|line| match cells(line)[..] {
        [case, supporting, returned] => (case, needed(supporting), hits(returned)),
        _ => panic!("{line}"),
    });
    let lists: Vec<(&str, Vec<Needed>, Vec<Hit>)> = lists.collect();
    let ours = |name: &str, labels: &[Needed], list: &[Hit]| match name.split_once('_') {
        Some(("success", k)) => recall(list, labels, k.parse().unwrap()),
        Some(("recall", k)) => completeness(list, labels, k.parse().unwrap()),
        // P_K divides by K, precision by the results that there are.
        Some(("P", k)) => {
            let k: usize = k.parse().unwrap();
            precision(list, labels, k) * list.len().min(k) as f64 / k as f64
        }
        _ => mrr(list, labels, list.len()),
    };
    let mut lines = VALUES.lines();
    let names = cells(lines.next().unwrap());
    for line in lines {
        let theirs = cells(line);
        for (name, theirs_is) in names.iter().zip(&theirs).skip(1) {
            let of = lists.iter().filter(|(case, ..)| theirs[0] == "all" || *case == theirs[0]);
            let is = mean(of.map(|(_, labels, list)| ours(name, labels, list))).unwrap();
            assert_eq!(format!("{is:.4}"), **theirs_is, "{name} of {}", theirs[0]);
        }
    }
    assert!(lists.iter().any(|(.., list)| list.len() < 5), "one list is shorter than K");
}

/// Ids from a small alphabet, so that repeats, hits and misses all happen.
fn list() -> impl Strategy<Value = Vec<Hit>> {
    prop::collection::vec("[a-h]", 0..12).prop_map(|ids| hits(&ids.join(" ")))
}

fn labels() -> impl Strategy<Value = Vec<Needed>> {
    let group = prop::collection::vec("[a-e]", 1..4).prop_map(|ids| ids.join("|"));
    prop::collection::vec(group, 1..4).prop_map(|groups| needed(&groups.join(" ")))
}

proptest! {
    #[test]
    fn every_metric_lies_between_0_and_1(results in list(), labels in labels(), k in 1_usize..14) {
        let all = [
            recall(&results, &labels, k),
            mrr(&results, &labels, k),
            precision(&results, &labels, k),
            precision_ceiling(&results, &labels, k),
            completeness(&results, &labels, k),
        ];
        prop_assert!(all.iter().all(|value| (0.0..=1.0).contains(value)), "{:?}", all);
        prop_assert!(all[2] <= all[3] + TOLERANCE, "precision above its ceiling");
    }

    #[test]
    fn nothing_below_the_window_moves_a_metric_of_the_window(
        results in list(), tail in list(), labels in labels(), k in 1_usize..14
    ) {
        let cut = window(&results, k);
        let mut longer = cut.to_vec();
        if cut.len() == k {
            longer.extend(tail);
        }
        for metric in [recall, mrr, precision, precision_ceiling, completeness] {
            prop_assert!(near(metric(cut, &labels, k), metric(&longer, &labels, k)));
        }
    }

    #[test]
    fn a_larger_window_never_finds_less(results in list(), labels in labels(), k in 1_usize..14) {
        for metric in [recall, mrr, completeness] {
            prop_assert!(metric(&results, &labels, k) <= metric(&results, &labels, k + 1));
        }
    }

    #[test]
    fn the_metrics_agree_with_a_second_way_to_compute_them(results in list(), labels in labels(), k in 1_usize..14) {
        // From text alone: positions in a list of ids, no function of the module under test.
        let shown: Vec<String> = results.iter().take(k).map(|hit| hit.id.to_string()).collect();
        let groups: Vec<Vec<String>> =
            labels.iter().map(|needed| needed.any_of.iter().map(ToString::to_string).collect()).collect();
        let gold: std::collections::BTreeSet<String> = groups.concat().into_iter().collect();
        let first = shown.iter().position(|id| gold.contains(id));
        let found = gold.iter().filter(|id| shown.contains(id)).count() as f64;
        let satisfied = groups.iter().filter(|group| group.iter().any(|id| shown.contains(id))).count() as f64;
        let places = shown.len().max(1) as f64;
        prop_assert!(near(recall(&results, &labels, k), f64::from(u8::from(first.is_some()))));
        prop_assert!(near(mrr(&results, &labels, k), first.map_or(0.0, |at| 1.0 / (at as f64 + 1.0))));
        prop_assert!(near(precision(&results, &labels, k), found / places));
        prop_assert!(near(completeness(&results, &labels, k), satisfied / groups.len() as f64));
    }
}
