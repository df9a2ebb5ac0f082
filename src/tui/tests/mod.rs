//! What a person sees and what the program asks for, key by key; no test here needs a terminal.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so at once")]

mod coverage;
mod holdout;
mod inspecting;
mod keys;
mod labeling;
mod lists;
mod property;
mod running;
mod runtime;
mod saving;
mod screens;
mod world;

use super::{
    effect::{Job, Slot},
    msg::{Msg, Output, Past},
    testing::TestApp,
    theme::Theme,
};
use crate::eval::split::Split;

/// What the search finds for the open case, whatever is typed.
const HITS: &str = "damaged#escalation returns#escalation damaged#photos carrier#contacts rota#night";

/// The app with the corpus open, in a terminal of 100 × 30.
fn open() -> TestApp {
    open_in(Theme::Colour, (100, 30))
}

fn open_in(theme: Theme, size: (u16, u16)) -> TestApp {
    let app = TestApp::opening(world::about(), world::cases(), theme, size);
    app.answer(Output::Loaded(Box::new(world::loaded())))
}

/// The same with a place in which no label is broken, so that a run of every case starts.
fn open_whole() -> TestApp {
    whole(open())
}

/// The same place without the broken label.
fn whole(app: TestApp) -> TestApp {
    app.outside(|set| set.cases.retain(|case| case.id != "broken")).send(Msg::FilesChanged).save()
}

/// The same where cases are kept out of tuning.
fn open_whole_with(split: Option<Split>) -> TestApp {
    let mut app = open_whole();
    app.app.data.about.split = split;
    app
}

impl TestApp {
    /// Answers the last search with these hits.
    fn finds(self, ids: &str) -> Self {
        let Some((ticket, Job::Search { typed, .. })) = self.last(Slot::Search) else { panic!("nothing was searched") };
        self.answer_to(ticket, Output::Hits { typed, hits: world::found(ids) })
    }

    /// Answers every case of the last run in that slot, and ends it.
    fn runs(self, slot: Slot) -> Self {
        let Some((ticket, Job::Run { cases, .. })) = self.last(slot) else { panic!("nothing was run") };
        let app = cases.iter().fold(self, |app, case| {
            app.answer_to(ticket, Output::Answered { case: case.id.clone(), answer: world::answer(&case.id) })
        });
        app.answer_to(ticket, Output::RunEnded)
    }

    /// Answers the last question for kept runs with runs of which `paraphrase`, and so every case, has these recalls.
    fn remembers(self, recalls: &[f64]) -> Self {
        let Some((ticket, Job::Past { config, k })) = self.last(Slot::Past) else { panic!("no kept run was sought") };
        let runs = recalls.iter().zip(1..).map(|(recall, day)| coverage::kept(day, *recall)).collect();
        self.answer_to(ticket, Output::Past(Box::new(Past { config, k, runs })))
    }

    /// Runs every case by itself, be its label broken, and goes back to the list.
    fn runs_each(self) -> Self {
        let app = self.keys("home");
        let cases = app.app.data.cases.len();
        (0..cases).fold(app, |app, _| app.keys("r").runs(Slot::RunOne).keys("esc down")).keys("home")
    }

    /// Goes to a case by the filter.
    fn goes_to(self, case: &str) -> Self {
        let app = self.keys("/").types(case).keys("enter esc");
        assert_eq!(app.app.data.current.as_deref(), Some(case));
        app
    }

    /// Opens the labeling screen on a case, with hits.
    fn labels(self, case: &str) -> Self {
        self.goes_to(case).keys("l").finds(HITS)
    }
}
