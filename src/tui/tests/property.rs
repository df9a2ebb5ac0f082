//! No size and no sequence of keys breaks the screens.

use proptest::prelude::*;

use super::{
    HITS,
    inspecting::{runs, without},
    open, open_whole, world,
};
use crate::tui::{effect::Job, keymap::table::TABLE, msg::Output, testing::TestApp};

/// Keys that lead to every screen and everything that lies over one.
const WAYS: [&str; 12] =
    ["", "/ d a", "enter", "l", "l / x", "l 1 e", "t", "t a x", "?", "enter ?", "c", "c v v j enter"];

/// The app with results and hits, at one of the ways.
fn at(way: &str, case: &str) -> TestApp {
    let app = open().runs_each().goes_to(case);
    match way.strip_prefix('l') {
        Some(rest) => app.keys("l").finds(HITS).keys(rest),
        None => app.keys(way),
    }
}

/// What happens next: a key of the table, or what was asked for is answered.
#[derive(Debug, Clone)]
enum Step {
    Key(&'static str),
    Answer,
    Save,
    Resize(u16, u16),
}

fn step() -> impl Strategy<Value = Step> {
    let keys: Vec<&'static str> = TABLE.iter().flat_map(|row| row.keys.iter().copied()).collect();
    prop_oneof![
        12 => prop::sample::select(keys).prop_map(Step::Key),
        2 => Just(Step::Answer),
        1 => Just(Step::Save),
        1 => (1..=120u16, 1..=50u16).prop_map(|(width, height)| Step::Resize(width, height)),
    ]
}

fn take(app: TestApp, step: &Step) -> TestApp {
    match step {
        Step::Key(key) => app.keys(key),
        Step::Resize(width, height) => app.resize(*width, *height),
        Step::Save => app.save(),
        Step::Answer => match app.started().pop() {
            Some((_, Job::Search { .. })) => app.finds(HITS),
            Some((ticket, Job::Run { .. })) => app.runs(ticket.slot),
            Some((ticket, Job::Repeat { case, .. })) => {
                app.answer_to(ticket, Output::Answered { answer: world::answer(&case.id), case: case.id })
            }
            Some((_, Job::Experiment(started))) => app.probes(&started.case.id, without("rerank", "carrier#pickup")),
            Some((_, Job::Kept { .. })) => app.holds(runs()),
            Some((_, Job::Past { .. })) => app.remembers(&[0.25, 0.5]),
            _ => app,
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_screen_can_be_drawn_at_any_size(width in 1..=120u16, height in 1..=50u16, case in 0..9usize) {
        let case = super::world::cases().cases.remove(case).id;
        for way in WAYS {
            let app = at(way, &case).resize(width, height);
            prop_assert!(!app.text().trim().is_empty(), "{}", way);
        }
    }

    #[test]
    fn no_sequence_of_keys_breaks_the_screens(steps in prop::collection::vec(step(), 1..60), whole: bool) {
        let mut app = if whole { open_whole() } else { open() };
        for step in &steps {
            app = take(app, step);
            app.text();
            prop_assert!(app.app.data.current().is_some());
        }
        let app = app.save();
        prop_assert_eq!(app.app.data.unsaved(), (0, false));
        prop_assert_eq!(&app.app.data.cases[..], app.on_disk(), "what is shown is what is saved");
    }
}
