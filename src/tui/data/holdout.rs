//! The holdout on the screens: its cases are listed and labeled like any other, and never run.

use super::{Data, Tone};
use crate::domain::case::Case;

/// What stands in place of a holdout case's verdict.
pub const HIDDEN: &str = "holdout: the result of this case stays hidden; `caselight run --open-holdout` opens the holdout, and the \
                          ledger keeps that";

impl Data {
    /// True for a case that is kept out of tuning.
    #[must_use]
    pub fn is_holdout(&self, id: &str) -> bool {
        self.about.split.is_some_and(|split| split.is_holdout(id))
    }

    /// Those of `cases` that may be run. Says so if all of them are kept out.
    pub(super) fn without_holdout(&mut self, mut cases: Vec<Case>) -> Vec<Case> {
        let all = cases.len();
        cases.retain(|case| !self.is_holdout(&case.id));
        if cases.is_empty() {
            let text = match all {
                0 => "there is no case to run",
                1 => "not run: this is a holdout case, its result stays hidden",
                _ => "not run: these are holdout cases, their results stay hidden",
            };
            self.say(Tone::Warning, text);
        }
        cases
    }

    /// How far a run of all came.
    pub(super) fn ran(&self, done: usize, total: usize) -> String {
        match self.cases.iter().filter(|case| self.is_holdout(&case.id)).count() {
            0 => format!("{done} of {total} cases run"),
            kept => format!("{done} of {total} cases run; the holdout's {kept} stay hidden"),
        }
    }
}
