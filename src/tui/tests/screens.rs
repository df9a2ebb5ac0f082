//! What the screens look like. Each snapshot is named after the sentence that it proves.

use std::{path::Path, sync::Arc};

use super::{HITS, open, open_in, open_whole, world};
use crate::{
    casefile::problem::{FileProblem, FileProblemKind},
    domain::case::Place,
    tui::{
        effect::{Job, Slot},
        msg::{CaseSet, Output},
        testing::TestApp,
        theme::Theme,
    },
};

fn shows(sentence: &str, app: &TestApp) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_snapshot!(sentence, app.screen()));
}

/// The same screen in a small, a usual and a wide terminal, and in a small one without colours.
fn shows_at_every_size(sentence: &str, reach: impl Fn(TestApp) -> TestApp) {
    for (width, height) in [(80, 24), (100, 30), (200, 60)] {
        let app = reach(open_in(Theme::Colour, (width, height)));
        shows(&format!("{sentence}_{width}x{height}"), &app);
    }
    shows(&format!("{sentence}_without_colours"), &reach(open_in(Theme::Plain, (80, 24))));
}

#[test]
fn cases_shows_what_needs_me() {
    shows_at_every_size("cases_shows_what_needs_me", TestApp::runs_each);
}

#[test]
fn label_shows_the_hits_the_passage_in_its_document_and_the_labels() {
    shows_at_every_size("label_shows_the_hits_the_passage_in_its_document_and_the_labels", |app| {
        app.goes_to("partly").keys("l").finds(HITS).keys("down d")
    });
}

#[test]
fn inspect_shows_the_window_the_cut_and_which_stage_lost_it() {
    shows_at_every_size("inspect_shows_the_window_the_cut_and_which_stage_lost_it", |app| {
        app.goes_to("demoted").keys("r").runs(Slot::RunOne).keys("down down down")
    });
}

#[test]
fn the_tag_list_lies_over_the_screen() {
    shows_at_every_size("the_tag_list_lies_over_the_screen", |app| app.labels("open").keys("t 2 down"));
}

#[test]
fn help_lists_the_keys_that_work_here() {
    shows_at_every_size("help_lists_the_keys_that_work_here", |app| app.labels("open").keys("?"));
}

#[test]
fn a_labeled_chunk_in_the_tail_a_leak_a_repeat_and_an_unknown_id_are_told_apart() {
    let app = open().goes_to("below").keys("r").runs(Slot::RunOne);
    shows("a_labeled_chunk_in_the_tail_a_leak_a_repeat_and_an_unknown_id_are_told_apart", &app);
}

#[test]
fn what_is_partly_found_says_what_is_missing() {
    let app = open().goes_to("partly").keys("r").runs(Slot::RunOne).keys("end");
    shows("what_is_partly_found_says_what_is_missing", &app);
}

#[test]
fn a_failed_call_is_an_error_and_no_score() {
    shows("a_failed_call_is_an_error_and_no_score", &open().goes_to("failing").keys("r").runs(Slot::RunOne));
}

#[test]
fn no_results_are_said_in_words() {
    shows("no_results_are_said_in_words", &open().goes_to("short").keys("r").runs(Slot::RunOne));
}

#[test]
fn a_broken_label_says_why_and_what_is_near() {
    shows("a_broken_label_says_why_and_what_is_near", &open().labels("broken").keys("e"));
}

#[test]
fn a_hit_that_the_asker_may_not_read_has_a_warning() {
    shows("a_hit_that_the_asker_may_not_read_has_a_warning", &open().labels("open").keys("end"));
}

#[test]
fn while_the_corpus_is_opened_the_cases_are_there_and_the_progress_is_said() {
    let app = TestApp::opening(world::about(), world::cases(), Theme::Colour, (80, 24));
    let app = app.answer(Output::Progress { what: "indexing".to_owned(), done: 61, total: 250 });
    shows("while_the_corpus_is_opened_the_cases_are_there_and_the_progress_is_said", &app);
}

#[test]
fn a_run_of_many_shows_how_far_it_is() {
    let app = open_whole().resize(80, 24).keys("R");
    let app = ["found", "failing"]
        .into_iter()
        .fold(app, |app, case| app.answer(Output::Answered { case: case.to_owned(), answer: world::answer(case) }));
    shows("a_run_of_many_shows_how_far_it_is", &app);
}

#[test]
fn a_run_refuses_to_start_on_a_broken_label() {
    shows("a_run_refuses_to_start_on_a_broken_label", &open_in(Theme::Colour, (80, 24)).keys("R"));
}

#[test]
fn what_was_undone_is_said() {
    let app = open_in(Theme::Colour, (80, 24)).labels("open").keys("1 u").save();
    shows("what_was_undone_is_said", &app);
}

#[test]
fn an_edit_that_is_not_saved_stays_and_says_why() {
    let app =
        open_in(Theme::Colour, (80, 24)).labels("open").disk(Some("cases/policies.yaml: no space left on device"));
    shows("an_edit_that_is_not_saved_stays_and_says_why", &app.keys("1").save());
}

#[test]
fn a_problem_in_a_case_file_names_its_place() {
    let problem = FileProblem {
        place: Place { file: Arc::from(Path::new("cases/policies.yaml")), line: 60, column: 5 },
        case: Some("pol-009".to_owned()),
        kind: FileProblemKind::DuplicateKey { key: "tags".to_owned(), first: 58 },
    };
    let set = CaseSet { problems: vec![problem], ..world::cases() };
    let loaded = crate::tui::msg::Loaded { cases: set.clone(), ..world::loaded() };
    let app = TestApp::opening(world::about(), set, Theme::Colour, (120, 24));
    shows("a_problem_in_a_case_file_names_its_place", &app.answer(Output::Loaded(Box::new(loaded))));
}

#[test]
fn a_place_without_cases_says_how_to_begin() {
    let app = TestApp::opening(world::about(), CaseSet::default(), Theme::Colour, (80, 24));
    let loaded = crate::tui::msg::Loaded { cases: CaseSet::default(), resolved: Vec::new(), ..world::loaded() };
    shows("a_place_without_cases_says_how_to_begin", &app.answer(Output::Loaded(Box::new(loaded))));
}

#[test]
fn a_filter_without_matches_says_how_to_see_all() {
    shows(
        "a_filter_without_matches_says_how_to_see_all",
        &open_in(Theme::Colour, (80, 24)).keys("/").types("tag:nowhere"),
    );
}

#[test]
fn text_without_letters_or_digits_is_nothing_to_search_for() {
    let app = open_in(Theme::Colour, (80, 24)).labels("open").keys("/ ctrl-u").types("?! --");
    assert!(
        !matches!(app.last(Slot::Search), Some((_, Job::Search { typed, .. })) if typed.contains('?') && typed.len() < 6)
    );
    shows("text_without_letters_or_digits_is_nothing_to_search_for", &app);
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    shows("a_terminal_that_is_too_small_says_so", &open_in(Theme::Colour, (39, 11)));
}
