use super::*;
use crate::eval::{
    aggregate::summarize,
    evaluate::Outcome,
    testing::{World, answer},
};

/// Noise over repeats, each a list for each case; `!` is a call that failed.
fn over(repeats: &[&[&str]]) -> Noise {
    let world = |at: usize| World::new("a", "").tagged(&format!("case-{at}"), &[]);
    let result = |(at, list): (usize, &&str)| match *list {
        "!" => world(at).evaluate(Outcome::Failed("slow")),
        list => world(at).evaluate(Outcome::Answered(&answer(list, &[]))),
    };
    let repeats: Vec<Vec<CaseResult>> =
        repeats.iter().map(|lists| lists.iter().enumerate().map(result).collect()).collect();
    let cut = world(0).cut;
    let summaries: Vec<Summary> = repeats.iter().map(|results| summarize(results, &cut, &[""; 0])).collect();
    noise(&repeats.iter().map(Vec::as_slice).zip(&summaries).collect::<Vec<_>>())
}

#[test]
fn the_same_rankings_are_no_noise_and_other_ones_below_the_answer_are_some() {
    let same = over(&[&["a b", "b", ""], &["a b", "b", ""], &["a b", "b", ""]]);
    assert!(same.none());
    assert_eq!((same.repeats, same.cases), (3, 3));
    let below = over(&[&["a b c"], &["a c b"]]);
    assert_eq!((below.none(), below.reordered, below.unsteady.len()), (false, 1, 0));
}

#[test]
fn a_case_flips_if_its_recall_differs_and_moves_if_only_its_first_rank_does() {
    // k is 3.
    let noise =
        over(&[&["a b c d", "a b", "b a", "a"], &["b c d a", "b a", "b a", "a"], &["a b c d", "a b", "b a", "a"]]);
    let told: Vec<_> = noise.unsteady.iter().map(|case| (case.id.as_str(), case.flips(), case.rank.clone())).collect();
    let ranks = |ranks: [usize; 3]| ranks.map(Some).to_vec();
    assert_eq!(told, [("case-0", true, ranks([1, 4, 1])), ("case-1", false, ranks([1, 2, 1]))]);
    assert_eq!(noise.reordered, 2);
    assert_eq!(noise.spread[0], Spread { metric: "recall", least: 0.75, greatest: 1.0 });
}

#[test]
fn a_call_that_fails_now_and_then_is_unsteady_and_no_flip() {
    let noise = over(&[&["a", "!"], &["!", "!"]]);
    assert_eq!(noise.unsteady.len(), 1);
    let case = &noise.unsteady[0];
    assert_eq!((case.id.as_str(), case.flips(), case.errors), ("case-0", false, 1));
    assert_eq!(noise.spread[0], Spread { metric: "recall", least: 1.0, greatest: 1.0 });
}

#[test]
fn nothing_asked_has_no_noise() {
    assert!(noise(&[]).none() && noise(&[]).spread.is_empty());
}
