//! Saving: nothing that was done is lost, and what could not be saved says so.

use super::open;
use crate::{
    eval::evaluate::Mark,
    tui::{
        data::Tone,
        effect::{Effect, Write},
        testing::TestApp,
    },
};

const FULL: Option<&str> = Some("no space left on device");

fn mark(app: &TestApp, chunk: &str) -> Mark {
    app.app.data.mark("open", &chunk.into())
}

fn labels_on_disk(app: &TestApp) -> usize {
    app.on_disk().iter().find(|case| case.id == "open").unwrap().references().count()
}

fn message(app: &TestApp) -> &str {
    app.app.data.message.as_ref().map_or("", |(_, text)| text)
}

#[test]
fn an_edit_that_could_not_be_saved_stays_and_ctrl_s_saves_it() {
    let app = open().labels("open").disk(FULL).keys("1").save();
    assert_eq!(mark(&app, "damaged#escalation"), Mark::Supporting);
    assert_eq!(app.app.data.unsaved(), (1, true));
    assert!(message(&app).contains("no space left"), "{}", message(&app));
    let writes = app.edits().len();
    let app = app.keys("ctrl-s");
    assert_eq!(app.edits()[writes..], app.edits()[..writes], "the same edit to the same case");
    let app = app.save().disk(None).keys("ctrl-s").save();
    assert_eq!((app.app.data.unsaved(), labels_on_disk(&app)), ((0, false), 1));
    assert!(!message(&app).contains("not saved"), "what is saved says no more that it is not: {}", message(&app));
}

#[test]
fn labeling_goes_on_while_the_disk_is_full_and_ctrl_s_saves_it_all() {
    let app = open().labels("open").disk(FULL).keys("1 2").save();
    assert!(message(&app).contains("no space left"), "the reason is that of the first: {}", message(&app));
    let app = app.keys("down d").save();
    let marked =
        |app: &TestApp| ["damaged#escalation", "returns#escalation", "damaged#photos"].map(|chunk| mark(app, chunk));
    assert_eq!(marked(&app), [Mark::Supporting, Mark::Supporting, Mark::Distractor]);
    assert!(app.text().contains("3 edits are not saved"), "{}", app.text());
    let app = app.disk(None).keys("ctrl-s").save();
    assert_eq!(marked(&app), [Mark::Supporting, Mark::Supporting, Mark::Distractor]);
    assert_eq!((app.app.data.unsaved(), labels_on_disk(&app)), ((0, false), 3));
}

#[test]
fn other_cases_are_saved_while_one_is_not() {
    let app = open().labels("open").disk(FULL).keys("1").save().disk(None);
    let app = app.keys("n").finds("rota#night").keys("1").save();
    assert_eq!(app.app.data.unsaved(), (1, true));
    assert_eq!(app.on_disk().iter().find(|case| case.id == "short").unwrap().supporting.len(), 1);
    assert_eq!(mark(&app, "damaged#escalation"), Mark::Supporting);
}

#[test]
fn undo_first_drops_what_could_not_be_saved() {
    let app = open().labels("open").keys("2").save().disk(FULL).keys("1").save().keys("u");
    assert!(!app.effects.contains(&Effect::Write(Write::Undo)));
    assert_eq!(
        (mark(&app, "damaged#escalation"), mark(&app, "returns#escalation")),
        (Mark::Unjudged, Mark::Supporting)
    );
    assert!(message(&app).contains("dropped"), "{}", message(&app));
    let app = app.disk(None).keys("u").save();
    assert_eq!(mark(&app, "returns#escalation"), Mark::Unjudged, "then the last edit that was saved");
}

#[test]
fn an_edit_of_a_case_that_was_changed_outside_shows_the_file_and_says_so() {
    let app = open().labels("open").outside(|set| {
        set.cases.iter_mut().find(|case| case.id == "open").unwrap().tags.push("theirs".to_owned());
    });
    let app = app.keys("1 2").save();
    assert_eq!((mark(&app, "damaged#escalation"), mark(&app, "returns#escalation")), (Mark::Unjudged, Mark::Unjudged));
    assert_eq!(app.app.data.current().unwrap().tags, ["theirs"]);
    assert_eq!(app.app.data.message.as_ref().unwrap().0, Tone::Error);
    assert_eq!(app.app.data.unsaved(), (0, false));
    let app = app.keys("1").save();
    assert_eq!((mark(&app, "damaged#escalation"), labels_on_disk(&app)), (Mark::Supporting, 1), "and can be made anew");
}

#[test]
fn an_edit_stays_on_the_screen_while_the_files_are_read_again() {
    let app = open().labels("open").keys("1").outside(|set| set.cases.swap(0, 1));
    let app = app.send(crate::tui::msg::Msg::FilesChanged);
    let app = app.save_one();
    assert_eq!(mark(&app, "damaged#escalation"), Mark::Supporting);
    assert_eq!(mark(&app.save(), "damaged#escalation"), Mark::Supporting);
}

#[test]
fn undo_takes_back_one_edit_and_redo_makes_it_again() {
    let app = open().labels("open").keys("1 2 3").save().keys("u").save();
    assert_eq!((mark(&app, "damaged#photos"), labels_on_disk(&app)), (Mark::Unjudged, 2));
    assert!(message(&app).starts_with("undone in open"), "{}", message(&app));
    let app = app.keys("U").save();
    assert_eq!((mark(&app, "damaged#photos"), labels_on_disk(&app)), (Mark::Supporting, 3));
    let app = app.keys("U").save();
    assert_eq!(message(&app), "nothing to make again");
    let app = app.keys("u u u u").save();
    assert_eq!((message(&app), labels_on_disk(&app)), ("nothing to undo", 0));
}

#[test]
fn an_undo_that_is_asked_for_before_the_save_ended_takes_back_that_edit() {
    let app = open().labels("open").keys("1 2 u").save();
    assert_eq!(
        (mark(&app, "damaged#escalation"), mark(&app, "returns#escalation")),
        (Mark::Supporting, Mark::Unjudged)
    );
    assert_eq!(labels_on_disk(&app), 1);
}

#[test]
fn leaving_with_what_could_not_be_saved_tries_again_and_asks_once() {
    let app = open().labels("open").disk(FULL).keys("1").save();
    let writes = app.edits().len();
    let app = app.keys("q");
    assert!(!app.effects.contains(&Effect::Quit), "{}", message(&app));
    assert!(message(&app).contains("1 edit is not saved"), "{}", message(&app));
    assert_eq!(app.edits().len(), writes + 1, "it is tried again");
    let app = app.save().keys("q");
    assert!(app.effects.contains(&Effect::Quit));
    assert_eq!(app.app.lost().len(), 1);
    assert!(app.app.lost()[0].starts_with("open: add supporting "), "{:?}", app.app.lost());
    let mut app = app;
    assert!(matches!(app.app.leave()[..], [Effect::Write(Write::Edit { .. })]), "it is tried on the way out too");
}

#[test]
fn leaving_with_everything_saved_asks_nothing() {
    let app = open().labels("open").keys("1").save().keys("q");
    assert!(app.effects.contains(&Effect::Quit));
    assert_eq!(app.app.lost(), Vec::<String>::new());
}
