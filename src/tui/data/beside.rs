//! A kept run beside the case that is shown: where its chunks stood then, what it scored, and what differs since.

use std::time::Duration;

use super::{Data, Tone};
use crate::{
    eval::{
        compare::{self, Comparison},
        diagnosis::Before,
        evaluate::CaseResult,
        run::{Header, Run, RunCase},
    },
    tui::{
        effect::{Job, Out, Slot},
        msg::{Kept, KeptRun},
    },
};

/// Which run stands beside a case.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// The chosen run's name. It stays chosen from case to case.
    chosen: Option<String>,
    /// The case and the config of which the runs are here, or under way.
    of: Option<(String, String)>,
    /// The runs, once they are here.
    kept: Option<Kept>,
    /// The first of them is to be chosen when they come.
    first: bool,
}

/// The case that is shown as a kept run has it.
#[derive(Debug)]
pub struct Then<'a> {
    /// The run.
    pub run: &'a KeptRun,
    /// The case, scored as that run cut its list.
    pub result: CaseResult,
    /// The two compared, the kept run first.
    pub comparison: Comparison,
}

impl Data {
    /// The name of the run that is to stand beside every case.
    #[must_use]
    pub fn beside(&self) -> Option<&str> {
        self.beside.chosen.as_deref()
    }

    /// Goes to the next kept run that holds the case that is shown, and after the last one to none.
    pub fn next_beside(&mut self, out: &mut Out<'_>) {
        if self.current_result().is_none() {
            self.say(Tone::Warning, "not run: r runs it, and then a kept run can stand beside it");
            return;
        }
        let Some(kept) = self.kept() else {
            self.beside.first = true;
            self.ask_kept(out);
            return;
        };
        let names: Vec<&String> = kept.runs.iter().map(|run| &run.name).collect();
        let next = match &self.beside.chosen {
            None => names.first(),
            Some(chosen) => names.iter().position(|name| *name == chosen).and_then(|at| names.get(at + 1)),
        };
        let next = next.map(|name| (*name).clone());
        if next.is_none() {
            // What was kept meanwhile is found the next time.
            self.beside.of = None;
        }
        self.choose(next);
    }

    /// Sees to it that the chosen run is here for the case that is shown.
    pub fn follow_beside(&mut self, out: &mut Out<'_>) {
        if self.beside.chosen.is_some() && self.beside.of != self.shown() {
            self.ask_kept(out);
        }
    }

    /// Takes in the kept runs of a case.
    pub fn take_kept(&mut self, kept: Kept) {
        if self.beside.of.as_ref().is_none_or(|(case, _)| *case != kept.case) {
            return;
        }
        let id = kept.case.clone();
        let none = kept.runs.is_empty();
        let first = kept.runs.first().map(|run| run.name.clone());
        self.beside.kept = Some(kept);
        if std::mem::take(&mut self.beside.first) {
            self.choose(first);
            if none {
                self.beside.of = None;
                let text =
                    format!("no kept run holds {id}: `caselight run` keeps one, cases/baselines/ holds baselines");
                self.say(Tone::Warning, text);
            }
        }
        self.evaluate(&id);
    }

    /// The case that is shown as the chosen run has it; `None` where no run is chosen, or where it does not hold the case.
    #[must_use]
    pub fn then(&self) -> Option<Then<'_>> {
        let id = self.current.as_deref()?;
        let run = self.run_beside(id)?;
        let result = self.results.get(id)?;
        let now = self.asked(id, |asked, _| RunCase::new(asked, result)).flatten()?;
        let header = Header { cut: self.cut(), ..self.beside.kept.as_ref()?.now.clone() };
        let before = Run { header: run.header.clone(), cases: vec![run.case.clone()] };
        let comparison = compare::compare(&before, &Run { header, cases: vec![now] });
        Some(Then { run, result: run.case.result(&run.header.cut), comparison })
    }

    /// The chosen run's name, where it is known not to hold the case that is shown.
    #[must_use]
    pub fn lacks_beside(&self) -> Option<&str> {
        let id = self.current.as_deref()?;
        self.kept()?;
        if self.run_beside(id).is_some() { None } else { self.beside() }
    }

    /// Where the chunks of a case stood in the chosen run.
    pub(super) fn before(&self, id: &str) -> Option<Before> {
        let run = self.run_beside(id)?;
        run.case.before(&run.name)
    }

    fn run_beside(&self, id: &str) -> Option<&KeptRun> {
        let (chosen, kept) = (self.beside.chosen.as_ref()?, self.kept().filter(|kept| kept.case == id)?);
        kept.runs.iter().find(|run| run.name == *chosen)
    }

    /// The kept runs of the case and the config that are shown.
    fn kept(&self) -> Option<&Kept> {
        self.beside.kept.as_ref().filter(|_| self.beside.of.is_some() && self.beside.of == self.shown())
    }

    fn shown(&self) -> Option<(String, String)> {
        Some((self.current.clone()?, self.config()?.name.clone()))
    }

    fn ask_kept(&mut self, out: &mut Out<'_>) {
        let Some((case, config)) = self.shown() else { return };
        let before = self.beside.of.replace((case.clone(), config.clone()));
        self.beside.kept = None;
        if let Some((before, _)) = before {
            // Nothing stands beside it any more, so nothing of a kept run is evidence.
            self.evaluate(&before);
        }
        out.start(Slot::Kept, Duration::ZERO, Job::Kept { case, config });
    }

    fn choose(&mut self, name: Option<String>) {
        self.beside.chosen = name;
        if let Some(id) = self.current.clone() {
            self.evaluate(&id);
        }
    }
}
