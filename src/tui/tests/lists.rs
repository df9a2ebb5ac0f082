//! The list of cases: the cursor is on one case, and what a key does is done to that one.

use std::sync::Arc;

use super::{HITS, open, world};
use crate::tui::{data::Tone, effect::Slot, msg::Output, testing::TestApp};

fn current(app: &TestApp) -> &str {
    app.app.data.current.as_deref().unwrap()
}

#[test]
fn typing_in_the_filter_keeps_the_current_case_or_moves_to_one_that_passes() {
    let app = open().goes_to("below").keys("/").types("paraphrase");
    assert_eq!(current(&app), "below", "it passes");
    let app = app.keys("ctrl-u").types("tag:negation");
    assert_eq!(current(&app), "nowhere");
    assert!(app.under_cursor().contains("nowhere"));
    let app = app.keys("ctrl-u").types("no such case");
    assert_eq!(current(&app), "nowhere", "nothing to move to");
    let app = app.keys("enter esc");
    assert!(app.under_cursor().contains("nowhere"), "and every case is back");
}

#[test]
fn the_filter_takes_words_tags_and_states() {
    let shown = |filter: &str| {
        let app = open().runs_each().keys("/").types(filter);
        let text = app.text();
        let rows = text.lines().skip(3).take_while(|line| !line.starts_with('─'));
        let first =
            rows.filter_map(|row| row.trim_start_matches(['▸', '!', '⚠', ' ']).split(' ').next().map(str::to_owned));
        first.filter(|id| app.app.data.case(id).is_some()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shown("damaged shipment"), "partly open");
    assert_eq!(shown("tag:exact"), "partly failing short");
    assert_eq!(shown("state:unlabeled"), "open short");
    assert_eq!(shown("state:broken"), "broken");
    assert_eq!(shown("state:error"), "failing");
    assert_eq!(shown("state:right"), "found");
    assert_eq!(shown("state:failing"), "partly demoted below nowhere");
    assert_eq!(shown("tag:paraphrase state:failing"), "below");
}

#[test]
fn the_next_unlabeled_case_is_sought_around_the_end() {
    let app = open().keys("n");
    assert_eq!(current(&app), "open");
    let app = app.keys("n");
    assert_eq!(current(&app), "short");
    let app = app.keys("n");
    assert_eq!(current(&app), "open");
    let app = app.keys("l").finds(HITS).keys("1 n");
    assert_eq!(current(&app), "short");
    let app = app.finds("rota#night");
    let app = app.keys("n");
    assert_eq!(
        app.app.data.message.as_ref().unwrap().1,
        "this is the only case without a label that passes the filter"
    );
    let app = app.keys("1 n");
    assert_eq!(app.app.data.message.as_ref().unwrap(), &(Tone::Done, "every case is labeled".to_owned()));
}

#[test]
fn a_case_that_leaves_the_filter_takes_the_cursor_off_it() {
    let app = open().keys("/").types("state:unlabeled").keys("enter");
    assert_eq!(current(&app), "open");
    let app = app.keys("l").finds(HITS).keys("1 esc");
    assert!(app.under_cursor().contains("short"), "{}", app.under_cursor());
    let app = app.keys("t 1");
    assert_eq!(app.edits().last().unwrap().0.id, "short", "what a key does is done to the case under the cursor");
}

#[test]
fn the_next_unlabeled_case_of_the_list_passes_the_filter() {
    let app = open().keys("/").types("tag:exact").keys("enter n");
    assert_eq!(current(&app), "short");
    let app = open().keys("/").types("tag:paraphrase").keys("enter n");
    assert_eq!(current(&app), "found");
    assert!(app.app.data.message.as_ref().unwrap().1.contains("passes the filter"));
}

#[test]
fn the_tags_of_a_case_stay_open_while_a_tag_takes_it_out_of_the_filter() {
    let app = open().keys("/").types("tag:paraphrase").keys("enter t 2 1");
    let edited: Vec<String> = app.edits().into_iter().map(|(seen, _)| seen.id).collect();
    assert_eq!(edited, ["found", "found"]);
}

#[test]
fn a_filter_that_the_current_case_does_not_pass_leads_to_the_first_that_does() {
    let app = open().goes_to("below").keys("/").types("tag:exact");
    assert_eq!(current(&app), "partly");
}

#[test]
fn next_and_previous_walk_through_the_filtered_list() {
    let app = open().keys("/").types("tag:paraphrase").keys("enter enter");
    assert_eq!(current(&app), "found");
    let app = app.keys("n");
    assert_eq!(current(&app), "below");
    let app = app.keys("n n n");
    assert_eq!(current(&app), "broken", "the end is the end");
    assert_eq!(current(&app.keys("p p p p")), "found");
}

#[test]
fn an_outside_change_keeps_the_cursor_on_its_case() {
    let app = open().goes_to("below").keys("/").types("paraphrase").keys("enter");
    let app = app.outside(|set| {
        set.cases.remove(0);
        let mut added = set.cases[0].clone();
        "added".clone_into(&mut added.id);
        set.cases.insert(0, added);
        set.cases.swap(1, 3);
    });
    let app = app.send(crate::tui::msg::Msg::FilesChanged).save();
    assert_eq!(current(&app), "below");
    assert!(app.under_cursor().contains("below"), "{}", app.under_cursor());
    assert!(app.app.data.message.as_ref().unwrap().1.contains("outside"));
}

#[test]
fn when_the_current_case_is_removed_outside_another_one_is_shown() {
    let app = open().goes_to("below").outside(|set| set.cases.retain(|case| case.id != "below"));
    let app = app.send(crate::tui::msg::Msg::FilesChanged).save();
    assert!(app.app.data.current().is_some());
    assert!(app.text().contains('▸'));
}

#[test]
fn own_saves_are_no_outside_changes() {
    let app = open().labels("open").keys("1").save().send(crate::tui::msg::Msg::FilesChanged).save();
    assert_eq!(app.app.data.message, None);
}

#[test]
fn a_case_that_leaked_needs_a_look_whatever_it_scores() {
    let app = open().goes_to("found").keys("r");
    let (ticket, _) = app.last(Slot::RunOne).unwrap();
    let mut answer = (*world::answer("found").unwrap()).clone();
    answer.results = world::hits("returns#limits-1 rota#night");
    let answer = Ok(Arc::new(answer));
    let app = app.answer_to(ticket, Output::Answered { case: "found".to_owned(), answer }).keys("esc");
    assert!(app.app.data.results["found"].scores().unwrap().recall > 0.5);
    assert!(app.under_cursor().contains("⚠found"), "{}", app.under_cursor());
    // The broken label is the other one.
    assert!(app.text().contains("2 need a look"), "{}", app.text());
    let app = app.goes_to("broken").keys("N");
    assert_eq!(current(&app), "found");
    let app = app.goes_to("short").keys("/").types("state:look found");
    assert_eq!(current(&app), "found");
}
