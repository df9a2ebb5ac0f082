//! The side of a case hangs on its id, the seed and the ratio, and on nothing else.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::eval::testing::World;

fn case(id: &str, tags: &[&str]) -> Case {
    World::new("a", "").tagged(id, tags).case
}

fn sides(split: &Split, ids: &[String]) -> BTreeMap<String, bool> {
    let cases: Vec<Case> = ids.iter().map(|id| case(id, &[])).collect();
    let strata = strata::<&str>(split, &cases, &[]);
    let train = strata.train.into_iter().map(|id| (id, true));
    train.chain(strata.holdout.into_iter().map(|id| (id, false))).collect()
}

proptest! {
    #[test]
    fn a_case_that_is_added_moves_no_case(
        ids in prop::collection::btree_set("\\PC{1,12}", 1..40),
        added in prop::collection::btree_set("\\PC{1,12}", 0..40),
        seed: u64,
        train in 0.01..0.99,
    ) {
        let split = Split { train, seed };
        let before: Vec<String> = ids.iter().cloned().collect();
        let mut after: Vec<String> = added.union(&ids).cloned().collect();
        after.reverse();
        let (before, after) = (sides(&split, &before), sides(&split, &after));
        for (id, side) in before {
            prop_assert_eq!(after[&id], side);
        }
    }

    #[test]
    fn more_train_takes_no_case_out_of_train(id in "\\PC{0,20}", seed: u64, a in 0.0..1.0, b in 0.0..1.0) {
        let (less, more) = if a < b { (a, b) } else { (b, a) };
        let (less, more) = (Split { train: less, seed }, Split { train: more, seed });
        prop_assert!(less.is_holdout(&id) || !more.is_holdout(&id));
    }

    #[test]
    fn every_case_falls_between_nothing_and_all(id in "\\PC{0,20}", seed: u64) {
        let sides = [0.0, 1.0].map(|train| Split { train, seed }.side(&id));
        prop_assert_eq!(sides, [Side::Holdout, Side::Train]);
    }
}

#[test]
fn the_sides_of_these_ids_are_the_same_for_ever() {
    // A change here moves the holdout of every place that has one.
    let split = Split::default();
    let fallen: String = (1..=20).map(|n| if split.is_holdout(&format!("pol-{n:03}")) { 'h' } else { 't' }).collect();
    assert_eq!(fallen, "hhththttttththttttth");
}

#[test]
fn about_the_wanted_share_is_train_and_another_seed_draws_another_holdout() {
    let ids: Vec<String> = (0..10_000).map(|n| format!("case-{n}")).collect();
    let share = |split: Split| ids.iter().filter(|id| !split.is_holdout(id)).count() as f64 / ids.len() as f64;
    for train in [0.1, 0.5, 0.7, 0.9] {
        for seed in [0, 42, u64::MAX] {
            // Four standard deviations of a fair draw are 0.02 at most.
            assert!((share(Split { train, seed }) - train).abs() < 0.02, "{train} {seed}");
        }
    }
    let (a, b) = (Split::default(), Split { seed: 43, ..Split::default() });
    let both = ids.iter().filter(|id| a.is_holdout(id) && b.is_holdout(id)).count() as f64 / ids.len() as f64;
    assert!((both - 0.09).abs() < 0.02, "{both}");
}

#[test]
fn a_tag_on_one_side_only_is_named_and_one_without_cases_is_not() {
    let split = Split::default();
    let ids: Vec<String> = (0..40).map(|n| format!("case-{n}")).collect();
    let (holdout, train): (Vec<&String>, Vec<&String>) = ids.iter().partition(|id| split.is_holdout(id));
    let cases = [
        case(train[0], &["tuned", "both"]),
        case(train[1], &["tuned"]),
        case(holdout[0], &["kept", "both"]),
        case(holdout[1], &[]),
    ];
    let strata = strata(&split, &cases, &["follow_up", "both"]);
    let rows: Vec<_> = strata.tags.iter().map(|row| (row.name.as_str(), row.train, row.holdout, row.lack())).collect();
    let expected = [
        ("follow_up", 0, 0, None),
        ("both", 1, 1, None),
        ("kept", 0, 1, Some(Lack::NoTrain)),
        ("tuned", 2, 0, Some(Lack::NoHoldout)),
    ];
    assert_eq!(rows, expected);
    assert_eq!((strata.all.train, strata.all.holdout, strata.all.share()), (2, 2, Some(0.5)));
    assert_eq!((strata.tags[0].share(), strata.tags[2].share()), (None, Some(1.0)));
    assert_eq!(
        (strata.train, strata.holdout),
        (vec![train[0].clone(), train[1].clone()], vec![holdout[0].clone(), holdout[1].clone()])
    );
}

#[test]
fn each_side_is_measured_over_its_own_cases() {
    let split = Split::default();
    let ids: Vec<String> = (0..40).map(|n| format!("case-{n}")).collect();
    let (holdout, train): (Vec<&String>, Vec<&String>) = ids.iter().partition(|id| split.is_holdout(id));
    let world = |id: &str| World::new("a", "").tagged(id, &[]);
    let results = [
        world(train[0]).list("a"),
        world(train[1]).list("b a"),
        world(holdout[0]).list("b c a"),
        world(holdout[1]).list("b c d e a"),
    ];
    let opened = measure(&split, &results, &world("cut").cut);
    assert_eq!((opened.train.n, opened.holdout.n), (2, 2));
    let numbers = |side: &Measured| side.numbers.clone().unwrap();
    assert!((numbers(&opened.train).recall - 1.0).abs() < 1e-12);
    assert!((numbers(&opened.holdout).recall - 0.5).abs() < 1e-12);
    let (recall, mrr) = opened.difference().unwrap();
    assert!((recall + 0.5).abs() < 1e-12 && (mrr - (1.0 / 6.0 - 0.75)).abs() < 1e-12, "{recall} {mrr}");
    assert_eq!(opened.holdout.interval, stats::wilson(1, 2));
    assert!(opened.too_few() && opened.overlap());
}

#[test]
fn a_side_with_nothing_scored_has_no_numbers_and_no_difference() {
    let opened = measure(&Split::default(), &[], &World::new("a", "").cut);
    assert_eq!((opened.train.n, opened.train.numbers.clone(), opened.difference()), (0, None, None));
    assert!(opened.too_few() && !opened.overlap());
}
