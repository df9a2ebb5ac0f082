#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::eval::testing::{World, answer, chunk, hits, ids};

#[test]
fn no_results_are_scored_0_and_an_error_is_not_scored() {
    let world = World::new("a", "");
    let nothing = world.list("");
    let scores = nothing.scores().unwrap();
    assert!(nothing.no_results());
    assert!((scores.recall + scores.mrr + scores.precision + scores.completeness).abs() < 1e-12);

    let failed = world.evaluate(Outcome::Failed("connection refused"));
    assert_eq!(failed.state, State::Error("connection refused".to_owned()));
    assert!(!failed.no_results() && failed.scores().is_none() && failed.latency.is_none());

    let later = world.evaluate(Outcome::NotRun);
    assert_eq!((later.state.word(), later.diagnosis), ("not run", None));
}

#[test]
fn a_case_that_is_unlabeled_unanswerable_or_broken_is_asked_but_never_scored() {
    let mut unlabeled = World::new("", "d");
    let result = unlabeled.list("a d");
    assert_eq!(result.state, State::Unlabeled);
    assert_eq!(result.results[1].mark, Mark::Distractor, "the screen shows the window all the same");

    unlabeled.case.answerable = false;
    assert_eq!(unlabeled.list("a b c d").state, State::Unanswerable { distracted: false }, "d is below the window");
    assert_eq!(unlabeled.list("a b d").state, State::Unanswerable { distracted: true });

    let mut broken = World::new("a", "");
    broken.break_a_label();
    assert_eq!(broken.list("a").state, State::Broken);
    let mut vanished = World::new("a", "");
    vanished.resolved.supporting.clear();
    assert_eq!(vanished.list("a").state, State::Broken, "a label that became nothing makes no case pass");
}

#[test]
fn rows_say_what_each_result_is() {
    let mut world = World::new("a", "d");
    world.corpus([chunk("a", "A", "", &[]), chunk("d", "D", "", &[]), chunk("s", "S", "", &["board"])]);
    let rows = world.list("d s a ? a").results;
    let told: Vec<_> = rows.iter().map(|row| (row.rank, row.mark, row.unknown, row.leaked, row.repeat)).collect();
    assert_eq!(
        told,
        [
            (1, Mark::Distractor, false, false, false),
            (2, Mark::Unjudged, false, true, false),
            (3, Mark::Supporting, false, false, false),
            (4, Mark::Unjudged, true, false, false),
            (5, Mark::Supporting, false, false, true),
        ]
    );
    world.asker.groups = Some(["board".to_owned()].into());
    assert!(!world.list("s").results[0].leaked);
}

#[test]
fn what_a_retriever_sends_beyond_depth_does_not_count() {
    let mut world = World::new("a", "");
    world.cut.depth = 4;
    let result = world.list("b c d e a");
    assert_eq!((result.results.len(), result.rank), (4, None));
    assert_eq!(result.scores().unwrap().recall_at, [(1, Some(0.0)), (5, None), (10, None)]);
    assert_eq!(result.scores().unwrap().mrr_at_max, None);
}

#[test]
fn the_rank_is_that_of_the_whole_list_and_mrr_that_of_the_window() {
    let world = World::new("a", "");
    let result = world.list("b c d e a");
    let scores = result.scores().unwrap();
    assert_eq!(result.rank, Some(5));
    assert!(scores.mrr.abs() < 1e-12);
    assert_eq!(scores.recall_at, [(1, Some(0.0)), (5, Some(1.0)), (10, Some(1.0))]);
    assert_eq!(scores.mrr_at_max, Some(0.2));
}

#[test]
fn the_order_is_the_retrievers_whatever_its_scores_say() {
    let world = World::new("a", "");
    let mut tied = answer("b a", &[]);
    tied.results[0].score = Some(0.1);
    tied.results[1].score = Some(0.9);
    assert_eq!(world.evaluate(Outcome::Answered(&tied)).rank, Some(2));
}

#[test]
fn depth_is_as_deep_as_the_window_and_recall_at_k_need() {
    assert_eq!((Cut::new(6).depth, Cut::new(25).depth, Cut::new(6).max_k()), (10, 25, 10));
}

#[test]
fn labels_are_listed_once_with_supporting_ones_first() {
    let world = World::new("a|b b", "d");
    let labels = world.list("").labels;
    let expected = ids("a b d").into_iter().zip([Mark::Supporting, Mark::Supporting, Mark::Distractor]);
    assert_eq!(labels, expected.collect::<Vec<_>>());
    assert_eq!(score(&hits("b"), &world.resolved, &world.cut).completeness.to_bits(), 1.0_f64.to_bits());
}
