//! Running: what is shown belongs to the labels, the window and the config that are shown.

use super::{open, open_whole, world};
use crate::{
    eval::evaluate::{Mark, State},
    tui::{
        effect::{Effect, Job, Slot},
        msg::Output,
        testing::TestApp,
    },
};

fn answered(case: &str) -> Output {
    Output::Answered { case: case.to_owned(), answer: world::answer(case) }
}

fn recall(app: &TestApp, case: &str) -> f64 {
    app.app.data.results[case].scores().unwrap().recall
}

fn runs(app: &TestApp) -> usize {
    app.started().iter().filter(|(_, job)| matches!(job, Job::Run { .. })).count()
}

#[test]
fn a_run_asks_the_case_as_it_is_labeled_now_and_shows_it() {
    let app = open().labels("open").keys("1 r");
    let Some((_, Job::Run { config, depth, cases })) = app.last(Slot::RunOne) else { panic!("nothing was run") };
    assert_eq!((config.as_str(), depth, cases.len()), ("keyword", 6, 1));
    assert_eq!(cases[0].supporting.len(), 1);
    assert!(app.text().contains("[Inspect]") && app.text().contains("asking"));
    let app = app.runs(Slot::RunOne);
    assert!(app.text().contains("demoted") && !app.text().contains("asking"), "{}", app.text());
}

#[test]
fn a_label_made_after_a_run_counts_at_once() {
    let app = open().goes_to("open").keys("r").runs(Slot::RunOne);
    assert_eq!(app.app.data.results["open"].state, State::Unlabeled);
    let app = app.keys("down s");
    assert!((recall(&app, "open") - 1.0).abs() < 1e-12);
    assert_eq!(runs(&app), 1);
    let app = app.keys("up d");
    assert!(app.app.data.results["open"].scores().unwrap().distractor_above);
    assert_eq!(app.app.data.mark("open", &"returns#escalation".into()), Mark::Distractor);
}

#[test]
fn a_run_of_every_case_refuses_to_start_on_a_broken_label() {
    let app = open().keys("R");
    assert_eq!((runs(&app), app.app.data.running), (0, None));
    assert!(app.text().contains("broken label"), "{}", app.text());
    let app = app.labels("broken").keys("e c").save().keys("R").runs(Slot::RunAll);
    assert_eq!(app.app.data.results.len(), 9);
}

#[test]
fn an_answer_that_comes_after_stop_is_dropped() {
    for (key, slot) in [("R", Slot::RunAll), ("r", Slot::RunOne)] {
        let app = open_whole().keys(key);
        let (ticket, _) = app.last(slot).unwrap();
        let app = app.keys(".").answer_to(ticket, answered("found")).answer_to(ticket, Output::RunEnded);
        assert!(app.effects.contains(&Effect::Cancel(slot)));
        assert!(app.app.data.results.is_empty(), "{key}");
        assert_eq!((app.app.data.running, &app.app.data.running_one), (None, &None));
    }
}

#[test]
fn what_was_answered_before_stop_is_kept() {
    let app = open_whole().keys("R").answer(answered("found")).answer(answered("partly")).keys("esc");
    assert_eq!(app.app.data.results.len(), 2);
    assert_eq!(app.app.data.message.as_ref().unwrap().1, "2 of 8 cases run");
}

#[test]
fn answers_that_stream_in_do_not_move_the_cursor() {
    let app = open_whole().goes_to("below").keys("R");
    let app = ["failing", "found"].into_iter().fold(app, |app, case| app.answer(answered(case)).keys("down up"));
    assert!(app.under_cursor().contains("below"));
}

#[test]
fn a_window_within_the_depth_is_reckoned_without_asking_again() {
    let app = open().goes_to("demoted").keys("r").runs(Slot::RunOne);
    assert!(recall(&app, "demoted").abs() < 1e-12, "rank 4, window of 3");
    let app = app.keys("+");
    assert!((recall(&app, "demoted") - 1.0).abs() < 1e-12);
    let app = app.keys("- -").keys("-").keys("- - -");
    assert_eq!((app.app.data.k, runs(&app)), (1, 1));
    let app = app.keys("+ + + + +");
    assert_eq!((app.app.data.k, runs(&app)), (6, 1), "the depth is reached");
    let app = app.keys("+");
    assert_eq!((app.app.data.k, runs(&app)), (7, 2));
    let Some((_, Job::Run { depth, .. })) = app.last(Slot::RunOne) else { panic!("nothing was run") };
    assert_eq!(depth, 7);
}

#[test]
fn a_window_that_is_tried_out_holds_for_every_result() {
    let app = open_whole().keys("R").runs(Slot::RunAll).goes_to("below").keys("enter +");
    assert_eq!((app.app.data.k, runs(&app)), (4, 1));
    assert!((recall(&app, "demoted") - 1.0).abs() < 1e-12, "rank 4 is inside a window of 4");
}

#[test]
fn another_config_forgets_the_answers_of_the_one_before() {
    let app = open_whole().keys("R").answer(answered("found")).answer(answered("below"));
    let (all, _) = app.last(Slot::RunAll).unwrap();
    let app = app.keys("enter c");
    assert_eq!(app.app.data.config().unwrap().name, "hybrid");
    let Some((_, Job::Run { config, .. })) = app.last(Slot::RunOne) else { panic!("nothing was run") };
    assert_eq!(config, "hybrid");
    let app = app.answer_to(all, answered("partly"));
    assert!(app.app.data.results.is_empty(), "an answer of the config before is no result of this one");
    let app = app.runs(Slot::RunOne);
    assert_eq!(app.app.data.results.len(), 1);
}

#[test]
fn a_failed_job_ends_its_run_and_says_why() {
    let app = open_whole().keys("R").answer(Output::Failed("a job broke off: no reason given".to_owned()));
    assert_eq!(app.app.data.running, None);
    assert!(app.text().contains("error: a job broke off"), "{}", app.text());
}

#[test]
fn a_corpus_that_cannot_be_opened_says_why_and_nothing_runs() {
    use crate::tui::theme::Theme;
    let app = TestApp::opening(world::about(), world::cases(), Theme::Colour, (100, 30));
    let app = app.answer(Output::Failed("../documents: no such folder".to_owned()));
    assert!(app.text().contains("no such folder"));
    let app = app.keys("R r");
    assert_eq!(runs(&app), 0);
    assert!(app.text().contains('!'));
}

#[test]
fn the_cursor_of_a_ranking_stays_on_a_row_when_one_goes() {
    let app = open().labels("open").keys("5 r").runs(Slot::RunOne).keys("end");
    assert!(app.under_cursor().contains("not found"), "{}", app.under_cursor());
    let app = app.keys("s");
    assert!(app.under_cursor().contains("Damaged Goods Policy"), "{}", app.under_cursor());
    let app = app.keys("d");
    assert_eq!(app.app.data.mark("open", &"damaged#0".into()), Mark::Distractor);
}

#[test]
fn the_cursor_stands_on_what_one_looks_for_until_it_is_moved() {
    let app = open().goes_to("demoted").keys("r").runs(Slot::RunOne);
    assert!(app.under_cursor().contains("supporting"), "{}", app.text());
    let app = app.keys("g");
    assert!(app.under_cursor().contains("  1 "), "{}", app.under_cursor());
}
