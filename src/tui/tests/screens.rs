//! What the screens look like. Each snapshot is named after the sentence that it proves.

use std::{path::Path, sync::Arc};

use super::{
    HITS,
    inspecting::{by_the_list_alone, deeper, runs, without},
    open, open_in, open_whole, whole, world,
};
use crate::{
    casefile::problem::{FileProblem, FileProblemKind},
    domain::case::Place,
    tui::{
        effect::{Job, Slot},
        msg::{CaseSet, Msg, Output},
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
fn inspect_asks_further_and_shows_each_request_as_it_comes() {
    shows_at_every_size("inspect_asks_further_and_shows_each_request_as_it_comes", |app| {
        let app = by_the_list_alone(app).keys("e").probes("below", deeper("rota#0 damaged#0 carrier#pickup"));
        app.probes("below", without("rerank", "carrier#pickup damaged#0"))
    });
}

#[test]
fn inspect_shows_a_case_beside_its_baseline() {
    shows_at_every_size("inspect_shows_a_case_beside_its_baseline", |app| {
        by_the_list_alone(app).keys("b").holds(runs()).keys("home")
    });
}

#[test]
fn coverage_shows_what_is_thin_and_what_is_weak() {
    shows_at_every_size("coverage_shows_what_is_thin_and_what_is_weak", |app| {
        whole(app).keys("c").remembers(&[0.25, 0.5, 0.75]).keys("R").runs(Slot::RunAll).keys("down")
    });
}

#[test]
fn coverage_before_a_run_shows_what_is_thin_and_says_how_to_learn_what_is_weak() {
    let app = whole(open_in(Theme::Colour, (80, 24))).keys("c").remembers(&[]);
    shows("coverage_before_a_run_shows_what_is_thin_and_says_how_to_learn_what_is_weak", &app);
}

#[test]
fn tags_that_stand_together_are_blocks_with_their_numbers() {
    shows("tags_that_stand_together_are_blocks_with_their_numbers", &open_in(Theme::Colour, (80, 24)).keys("c v"));
}

#[test]
fn sources_ages_and_labels_are_bars_with_their_numbers() {
    let app = open_in(Theme::Colour, (80, 24)).keys("c").remembers(&[0.25, 0.5, 0.75]).keys("v v");
    shows("sources_ages_and_labels_are_bars_with_their_numbers", &app);
}

#[test]
fn what_the_cases_leave_out_and_contradict_is_named() {
    let app = open_in(Theme::Colour, (80, 24)).outside(|set| {
        set.cases.retain(|case| case.id != "demoted");
        set.cases[0].tags.clear();
    });
    let app = app.send(Msg::FilesChanged).save().keys("c v v v");
    shows("what_the_cases_leave_out_and_contradict_is_named", &app);
}

#[test]
fn the_reason_why_a_label_is_wrong_is_typed_below_the_verdict() {
    let app = by_the_list_alone(open_in(Theme::Colour, (80, 24))).keys("!").types("pallets moved");
    shows("the_reason_why_a_label_is_wrong_is_typed_below_the_verdict", &app);
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

/// An asker whose groups only production knows, and an answer that is partial and knows a chunk that the corpus does not.
fn of_unknown_scope(app: TestApp) -> TestApp {
    let mut app = app;
    let employee = app.app.data.about.askers.named.get_mut("employee").unwrap();
    employee.groups = None;
    let mut answer = Arc::unwrap_or_clone(world::answer("below").unwrap());
    answer.partial = Some("1 of 5 shards did not answer".to_owned());
    answer.results[5].text = Some("Pallets are fetched at noon on holidays.".into());
    let app = app.goes_to("below").keys("r");
    let (ticket, _) = app.last(Slot::RunOne).unwrap();
    app.answer_to(ticket, Output::Answered { case: "below".to_owned(), answer: Ok(Arc::new(answer)) })
        .answer_to(ticket, Output::RunEnded)
}

#[test]
fn a_partial_answer_and_an_unknown_scope_are_said_and_the_passage_is_as_the_retriever_sent_it() {
    let app = of_unknown_scope(open_in(Theme::Colour, (80, 24))).keys("end");
    shows("a_partial_answer_and_an_unknown_scope_are_said_and_the_passage_is_as_the_retriever_sent_it", &app);
    shows("cases_says_that_an_answer_is_partial", &app.keys("esc"));
}

#[test]
fn a_marked_chunk_of_unknown_scope_has_both_glyphs() {
    let app = of_unknown_scope(open_in(Theme::Colour, (80, 24))).keys("home down s");
    assert!(app.text().contains("2 ●◌ supporting Warehouse Rota"), "{}", app.text());
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
    let waits = "partly waits 3 s: 429 Too Many Requests".to_owned();
    let app = app.resize(100, 30).answer(Output::Waiting(Some(waits.clone())));
    let said = format!(" running: 2 of 8 cases · 1 error · esc or . stops · {waits}");
    assert!(app.text().contains(&said), "{}", app.text());
    let app = app.answer(Output::Waiting(None));
    assert!(!app.text().contains(&waits), "{}", app.text());
    let app = app.answer(Output::Waiting(Some(waits.clone()))).keys("esc");
    assert!(!app.text().contains(&waits), "what was stopped waits no more: {}", app.text());
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
