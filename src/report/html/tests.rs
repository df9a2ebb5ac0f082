use super::*;
use crate::eval::{
    aggregate::{Bound, Ranks, summarize},
    evaluate::{CaseResult, Outcome},
    testing::World,
};

fn report(results: &[CaseResult], subsets: &[&str]) -> String {
    let world = World::new("a", "");
    let (subset, metric) = ("negation".to_owned(), "recall".to_owned());
    let bound = Bound { subset, metric, value: 1.0 / 3.0, threshold: 0.5, met: false };
    let summary = summarize(results, &world.cut, subsets).with_bounds(vec![bound]);
    let report = Report { config: "hybrid+rerank", retriever: "local", baseline: true, summary: &summary, results };
    html(&report, &world.outline)
}

fn case(id: &str, tags: &[&str], list: &str) -> CaseResult {
    World::new("a", "d").tagged(id, tags).list(list)
}

#[test]
fn the_page_asks_nobody_for_anything() {
    let out = report(&[case("a", &["negation"], "a b c d")], &[]);
    for fetched in ["<script", "<link", "<img", "<iframe", "url(", "@import", "src=", "href=", "http:", "https:"] {
        assert!(!out.contains(fetched), "{fetched}");
    }
    assert!(out.contains("prefers-color-scheme: dark"));
}

#[test]
fn what_a_bar_shows_stands_in_words_too() {
    let results = [case("1", &["negation"], "a"), case("2", &["negation"], "b"), case("3", &["negation"], "b")];
    let out = report(&results, &["multi_hop"]);
    assert!(out.contains("aria-label=\"recall 0.33, between 0.06 and 0.79, threshold 0.50\""), "{out}");
    assert!(out.contains("recall 0.333 is below its threshold 0.5"), "{out}");
    assert!(out.contains("<td colspan=\"7\">no cases</tr>"), "{out}");
    assert!(out.contains(
        "aria-label=\"cases by rank; 1: 1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0, 9: 0, 10: 0, none: 2\""
    ));
}

#[test]
fn text_of_cases_and_corpus_is_never_markup() {
    let mut world = World::new("a", "").tagged("<b>id", &["<i>\"tag'"]);
    world.case.question = "<script>alert(1)</script> & \u{1b}[2J\u{202e}".to_owned();
    let out = report(&[world.list("b <u>chunk"), world.evaluate(Outcome::Failed("<503>"))], &[]);
    for raw in ["<b>id", "<i>", "<script", "<u>", "<503>", "\u{1b}", "\u{202e}"] {
        assert!(!out.contains(raw), "{raw}");
    }
    assert!(out.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; ␛[2J\u{fffd}"), "{out}");
}

#[test]
fn a_page_without_scores_has_no_plots_and_does_not_fail() {
    let out = report(&[World::new("", "").list("a")], &[]);
    assert!(out.contains("Nothing was scored") && !out.contains("<svg"), "{out}");
    assert!(report(&[], &["negation"]).contains("no cases"));
}

#[test]
fn ranks_beyond_the_bars_are_put_together_and_never_across_the_window() {
    let ranks = |at: Vec<usize>| chart::ranks(&Ranks { at, absent: 4 }, 3);
    let deep = ranks(vec![1; 100]);
    assert!(deep.contains("cases by rank; 1–3: 3, 4–7: 4, 8–11: 4"), "{deep}");
    assert!(deep.contains("100: 1, none: 4"), "{deep}");
    assert!(ranks(vec![2, 1]).contains("cases by rank; 1: 2, 2: 1, none: 4"));
    assert!(ranks(Vec::new()).contains("cases by rank; none: 4"));
}

#[test]
fn tags_that_stand_together_are_counted_in_a_table() {
    let results = [case("1", &["a", "b"], "a"), case("2", &["a"], "a"), case("3", &["c"], "a")];
    let out = report(&results, &["c"]);
    let cells = out.split("class=\"matrix\"").nth(1).unwrap_or_default();
    assert!(
        cells
            .contains("<th scope=\"row\">a<td>·<td class=\"own\" style=\"--share:1.00\">2<td style=\"--share:0.50\">1"),
        "{cells}"
    );
}
