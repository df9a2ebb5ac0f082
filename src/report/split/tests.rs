//! The split as people read it.

use insta::assert_snapshot;

use super::*;
use crate::eval::{aggregate::Numbers, stats::wilson};

fn stratum(name: &str, train: usize, holdout: usize) -> Stratum {
    Stratum { name: name.to_owned(), train, holdout }
}

fn measured(hits: usize, n: usize) -> Measured {
    let share = if n == 0 { 0.0 } else { hits as f64 / n as f64 };
    let numbers = Numbers {
        recall: share,
        mrr: share / 2.0,
        precision: 0.0,
        precision_ceiling: 0.0,
        completeness: 0.0,
        distractor_above: 0,
        recall_at: Vec::new(),
        mrr_at_max: None,
    };
    Measured { n, numbers: (n > 0).then_some(numbers), interval: wilson(hits, n) }
}

#[test]
fn the_share_of_each_tag_is_shown_and_a_tag_without_a_side_is_warned_of() {
    let strata = Strata {
        all: stratum("all", 48, 20),
        tags: vec![
            stratum("exact_token", 12, 5),
            stratum("follow_up", 0, 0),
            stratum("a tag that is longer than others", 2, 0),
            stratum("bell\u{7}", 0, 1),
        ],
        train: Vec::new(),
        holdout: Vec::new(),
    };
    assert_snapshot!(text(&Split::default(), &strata), @"
    split — 68 cases, 0.7 of train, seed 42

    subset                           cases   train   holdout   share
    all                                 68      48        20    0.29
    exact_token                         17      12         5    0.29
    follow_up                            0   no cases
    a tag that is longer than others     2       2         0    0.00
    bell␇                                1       0         1    1.00

    ⚠️ a tag that is longer than others: no holdout case: what is tuned for it is never checked
    ⚠️ bell␇: only holdout cases: there is nothing to tune on
    ");
}

#[test]
fn both_sides_stand_below_each_other_with_what_their_difference_says() {
    let said = |train, holdout| opened(&Opened { train, holdout });
    assert_snapshot!(said(measured(30, 38), measured(10, 16)), @"
    side                n   recall   95 % interval   mrr
    train              38    0.79    0.64 to 0.89     0.39
    holdout            16    0.63    0.39 to 0.82     0.31
    holdout less train: recall −0.16, mrr −0.08; the intervals overlap, so chance may do that
    ");
    for (train, holdout, words) in [
        (
            measured(95, 100),
            measured(20, 40),
            "recall −0.45, mrr −0.23; the intervals are apart: what was tuned fits train",
        ),
        (
            measured(20, 40),
            measured(95, 100),
            "recall +0.45, mrr +0.23; the intervals are apart: the holdout is the easier",
        ),
        (measured(9, 9), measured(20, 40), "recall −0.50, mrr −0.25; below 10 cases a side is too few to tell"),
        (measured(10, 20), measured(20, 40), "recall ±0.00, mrr ±0.00; the intervals overlap"),
        (measured(10, 20), measured(0, 0), "a side has nothing scored"),
    ] {
        let text = said(train, holdout);
        assert!(text.lines().next_back().is_some_and(|line| line.contains(words)), "{words}\n{text}");
    }
}
