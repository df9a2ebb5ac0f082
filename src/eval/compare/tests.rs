#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use proptest::prelude::*;

use super::*;
use crate::eval::testing::{World, run};

fn case(id: &str, results: &str, stages: &[&str]) -> RunCase {
    World::new("a|x b", "d").tagged(id, &[]).kept(results, stages)
}

fn ids(changes: &[Change]) -> Vec<&str> {
    changes.iter().map(|change| change.id.as_str()).collect()
}

/// The comparison of a run with one case and a run with the same case.
fn pair(a: RunCase, b: RunCase) -> Comparison {
    compare(&run("before", [a]), &run("after", [b]))
}

#[test]
fn recall_decides_and_at_the_same_recall_mrr_by_more_than_a_tenth() {
    // k is 3 and depth 10; a is supporting.
    for (before, after, expected) in [
        ("a", "a", ""),
        ("z y w a", "z y a", "improved"),
        ("z y a", "z y w a", "regressed"),
        ("z a", "a", "improved"),
        ("a", "z a", "regressed"),
        // From 1/2 to 1/3 is more than a tenth.
        ("z a", "z y a", "regressed"),
        ("", "z", ""),
        ("", "a", "improved"),
        ("a", "", "regressed"),
    ] {
        let found = pair(case("c", before, &[]), case("c", after, &[]));
        let (up, down) = (found.improved.len(), found.regressed.len());
        let word = if up > 0 {
            "improved"
        } else if down > 0 {
            "regressed"
        } else {
            ""
        };
        assert_eq!((word, up + down <= 1), (expected, true), "{before} -> {after}");
        assert_eq!(found.net(), i64::from(up > 0) - i64::from(down > 0));
        assert_eq!(found.unchanged(), 1 - up - down);
    }
}

#[test]
fn a_move_of_exactly_a_tenth_is_no_change() {
    let at = |rank: usize| {
        let mut list = vec!["z"; rank - 1];
        list.push("a");
        case("c", &list.join(" "), &[])
    };
    let compared = |a: usize, b: usize| {
        let wide = |case| {
            let mut run = run("c", [case]);
            run.header.cut.k = 10;
            run
        };
        let found = compare(&wide(at(a)), &wide(at(b)));
        (found.improved.len(), found.regressed.len())
    };
    // 1/5 - 1/10 is 0.1, and as doubles a hair more or less.
    assert_eq!(compared(5, 10), (0, 0));
    assert_eq!(compared(10, 5), (0, 0));
    assert_eq!(compared(4, 7), (0, 1));
    assert_eq!(compared(7, 4), (1, 0));
}

#[test]
fn the_stage_that_moved_the_chunk_is_named() {
    let none: &[&str] = &[];
    for (before, stages_before, after, stages_after, expected) in [
        (
            "a z",
            &["keyword: a z"] as &[_],
            "y z a",
            &["keyword: a z y", "rerank: y z a"] as &[_],
            "rerank moved a from 1 to 3",
        ),
        // The first stage that leads that way, not the last.
        ("a", &["keyword: a"], "z a", &["keyword: z a", "rerank: z a"], "keyword has a at 2, before at 1"),
        (
            "a",
            &["keyword: a z", "rerank: a z"],
            "y z a",
            &["keyword: a z y", "rerank: y z a"],
            "rerank moved a from 1 to 3",
        ),
        // Sources stand side by side: that vector has it lower than keyword is no fall.
        (
            "a",
            &["keyword: a z", "vector: z y a", "fuse: a z"],
            "z y w a",
            &["keyword: a z", "vector: z y a", "fuse: a z", "rerank: z y w a"],
            "rerank moved a from 1 to 4",
        ),
        ("a", &["keyword: z a", "rerank: a z"], "z y a", &["keyword: z y a"], "keyword has a at 3, before at 2"),
        (
            "a",
            &["keyword: z a", "rerank: a z"],
            "z a",
            &["keyword: z a"],
            "rerank, which moved a from 2 to 1 before, is gone",
        ),
        ("a z", &["keyword: a z"], "z", &["keyword: a z", "cap: z"], "cap lost a, which stood at 1"),
        ("a z", &["keyword: a z"], "z", &["keyword: z"], "keyword no longer has a, before at 1"),
        (
            "a z",
            &["keyword: a z"],
            "z a",
            &["keyword: a z"],
            "the step from the last stage to the list moved a from 1 to 2",
        ),
        ("a", none, "z a", none, "a went from 1 to 2; no stage says why"),
        ("a", none, "z", none, "a is gone from the list, before at 1; no stage says why"),
        // And up: the best supporting chunk after.
        ("z y w a", &["keyword: z y w a"], "a z", &["keyword: z y w a", "rerank: a z"], "rerank moved a from 4 to 1"),
        ("z", &["keyword: z"], "b z", &["keyword: z", "vector: b", "fuse: b z"], "vector brought b in at 1"),
        (
            "b z",
            &["keyword: z", "vector: b", "fuse: b z"],
            "z",
            &["keyword: z"],
            "vector, which brought b in at 1 before, is gone",
        ),
        // A fusion drags down what one of its sources ranks low.
        ("a", &["keyword: a"], "z y a", &["keyword: a", "vector: z y w a", "fuse: z y a"], "fuse moved a from 1 to 3"),
        ("z", none, "z a", none, "a came in at 2; no stage says why"),
    ] {
        let found = pair(case("c", before, stages_before), case("c", after, stages_after));
        let change = found.improved.first().or(found.regressed.first()).unwrap();
        let why = change.why.as_ref().unwrap().sentence(&|id| id.to_string());
        assert_eq!(why, expected, "{stages_before:?} -> {stages_after:?}");
    }
}

#[test]
fn another_window_and_other_labels_are_told_as_such() {
    let a = run("c", [case("c", "z y w a", &[])]);
    let mut b = a.clone();
    b.header.cut.k = 4;
    let found = compare(&a, &b);
    assert_eq!(found.differences, [Difference::K(3, 4)]);
    assert!(!found.comparable());
    assert_eq!(found.improved[0].why.as_ref().unwrap().cause, Cause::Window { rank: 4, a: 3, b: 4 });

    let relabeled = World::new("z", "").tagged("c", &[]).kept("z y w a", &[]);
    let found = compare(&run("c", [case("c", "z y w a", &[])]), &run("c", [relabeled]));
    assert_eq!(found.differences, [Difference::Labels(vec!["c".to_owned()])]);
    assert!(!found.comparable());
    assert!(found.improved[0].redefined);
    assert_eq!(found.improved[0].why.as_ref().unwrap().cause, Cause::Relabeled);
}

#[test]
fn what_differs_is_listed_and_only_k_labels_questions_and_corpus_bar() {
    let a = run("a", [case("c", "a", &[])]);
    let mut b = run("b", [case("c", "a", &[])]);
    b.header.tool = "2.0.0".to_owned();
    b.header.retriever = "http".to_owned();
    b.header.params = "{\"rerank\":true}".to_owned();
    b.header.cut.depth = 20;
    let found = compare(&a, &b);
    assert!(found.comparable());
    let words: Vec<&str> = found.differences.iter().map(Difference::word).collect();
    assert_eq!(words, ["depth", "config", "retriever", "params", "tool"]);

    b.header.corpus = "other".to_owned();
    b.cases[0].question = "another".to_owned();
    b.cases[0].chunks[0].text = Some("other".to_owned());
    let found = compare(&a, &b);
    let bars: Vec<&str> =
        found.differences.iter().filter(|difference| difference.bars()).map(Difference::word).collect();
    assert_eq!(bars, ["asked", "corpus"]);
    assert_eq!(found.differences[2], Difference::Texts(vec!["a".into()]));
}

#[test]
fn cases_of_one_run_alone_are_named_and_enter_no_mean() {
    // Four against three questions, of which two are the same: not 0.50 -> 1.00.
    let hit = |id: &str| World::new("a", "").tagged(id, &[]).kept("a", &[]);
    let miss = |id: &str| World::new("a", "").tagged(id, &[]).kept("z", &[]);
    let found = compare(
        &run("a", [hit("q1"), hit("q2"), miss("q3"), miss("q4")]),
        &run("b", [hit("q1"), hit("q2"), hit("q5")]),
    );
    assert_eq!((found.pairs, found.only_a.join(" ").as_str(), found.only_b.join(" ").as_str()), (2, "q3 q4", "q5"));
    let recall = found.recall.unwrap();
    assert_eq!((recall.a, recall.b, recall.interval), (1.0, 1.0, None));
    assert_eq!(found.finding, Finding::TooFew { pairs: 2 });
    // The case files differ, and every paired case has the labels that it had.
    assert!(found.comparable());
}

#[test]
fn what_is_not_scored_in_both_is_listed_apart() {
    let world = |id: &str| World::new("a", "").tagged(id, &[]);
    let unlabeled = World::new("", "").tagged("new", &[]).kept("a", &[]);
    let found = compare(
        &run("a", [world("ok").kept("a", &[]), world("down").kept("a", &[]), unlabeled.clone()]),
        &run("b", [world("ok").kept("a", &[]), world("down").failed(), unlabeled]),
    );
    assert_eq!(found.pairs, 1);
    let unscored = |id: &str, a, b| Unscored { id: id.to_owned(), a, b };
    assert_eq!(found.unscored, [unscored("down", "scored", "error"), unscored("new", "unlabeled", "unlabeled")]);
    assert_eq!(found.unscored.iter().map(Unscored::matters).collect::<Vec<_>>(), [true, false]);
}

/// Lists over a few chunks, some supporting (a, x, b), one a distractor (d), with repeats and gaps.
fn lists() -> impl Strategy<Value = Vec<(String, String)>> {
    let list = || "([abdxyz] ){0,8}";
    proptest::collection::vec((list(), list()), 0..14)
}

fn runs(lists: &[(String, String)]) -> (Run, Run) {
    let side = |config: &str, list: fn(&(String, String)) -> &String| {
        let cases = lists.iter().enumerate();
        run(
            config,
            cases.map(|(at, pair)| {
                let list = list(pair);
                case(&format!("c{at}"), list, &[&format!("keyword: {list}")])
            }),
        )
    };
    (side("a", |pair| &pair.0), side("b", |pair| &pair.1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_run_compared_with_itself_is_empty(lists in lists()) {
        let (run, _) = runs(&lists);
        let found = compare(&run, &run);
        prop_assert!(found.improved.is_empty() && found.regressed.is_empty() && found.differences.is_empty());
        prop_assert!(found.only_a.is_empty() && found.only_b.is_empty());
        prop_assert_eq!((found.net(), found.pairs, found.unchanged()), (0, lists.len(), lists.len()));
    }

    #[test]
    fn turned_round_what_improved_regressed(lists in lists()) {
        let (a, b) = runs(&lists);
        let (there, back) = (compare(&a, &b), compare(&b, &a));
        prop_assert_eq!(ids(&there.improved), ids(&back.regressed));
        prop_assert_eq!(ids(&there.regressed), ids(&back.improved));
        prop_assert_eq!(there.net(), -back.net());
        prop_assert_eq!(there.finding.p(), back.finding.p());
        for change in there.improved.iter().chain(&there.regressed) {
            prop_assert!(change.why.is_some());
        }
    }
}
