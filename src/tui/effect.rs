//! What the app asks the outside world to do, as plain data.

use std::{sync::Arc, time::Duration};

use crate::{
    casefile::edit::Edit,
    domain::{case::Case, outline::Outline, ranking::Answer, resolve::Resolved},
    eval::{diagnosis::Evidence, evaluate::Cut},
};

/// A lane of work. At most one job is live in each: starting another ends the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Opening the index and reading every case.
    Load,
    /// The search of the labeling screen.
    Search,
    /// The run of one case.
    RunOne,
    /// The run of many.
    RunAll,
    /// The experiments on one case.
    Experiment,
    /// One case asked again and again.
    Repeat,
    /// Reading kept runs.
    Kept,
    /// Summing up kept runs.
    Past,
}

impl Slot {
    const COUNT: usize = 8;
}

/// Names one start of a job, so that an answer which comes too late can be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// Its lane.
    pub slot: Slot,
    /// Which start in that lane, from 1.
    pub number: u64,
}

/// Something for the runtime to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ends what is live in the ticket's slot, waits `after`, then runs `job`: a debounce is a start that is restarted.
    Start {
        /// The job's name.
        ticket: Ticket,
        /// How long to wait first.
        after: Duration,
        /// What to do.
        job: Job,
    },
    /// Ends what is live in a slot.
    Cancel(Slot),
    /// Writes to case files. In the order asked for, never cut in half, never cancelled.
    Write(Write),
    /// Draws the whole screen anew.
    Redraw,
    /// Ends the program once everything that was to be written is written.
    Quit,
}

/// Work that can be cancelled.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Opens the index (building it if need be) and reads the cases.
    Load,
    /// Searches the corpus.
    Search {
        /// What is typed.
        typed: String,
        /// The last word is whole, not the beginning of one.
        whole: bool,
        /// At most this many hits.
        limit: usize,
    },
    /// Asks the retriever.
    Run {
        /// The config's name.
        config: String,
        /// How many results to ask for.
        depth: usize,
        /// The cases to ask, as they are labeled and worded now.
        cases: Vec<Case>,
    },
    /// Asks the retriever one case again and again, one request after the other.
    Repeat {
        /// The config's name.
        config: String,
        /// How many results to ask for.
        depth: usize,
        /// The case as it is worded now.
        case: Box<Case>,
        /// How often.
        times: usize,
    },
    /// Asks further, until no request would tell more of where a case was lost.
    Experiment(Box<Experiment>),
    /// Reads the kept runs that hold a case.
    Kept {
        /// The case's id.
        case: String,
        /// The config's name.
        config: String,
    },
    /// Sums up the kept runs of a config.
    Past {
        /// The config's name.
        config: String,
        /// The window's size.
        k: usize,
    },
}

/// What experiments start from: a case, and what was answered to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// The config's name.
    pub config: String,
    /// Where lists are cut.
    pub cut: Cut,
    /// The case as it is labeled and worded now.
    pub case: Case,
    /// Its labels as chunks.
    pub resolved: Resolved,
    /// The corpus, as far as it is known.
    pub outline: Arc<Outline>,
    /// The answer to the case's own question.
    pub answer: Arc<Answer>,
    /// What is known beside it already.
    pub evidence: Evidence,
}

/// A write to case files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// Makes an edit to the case as it was seen.
    Edit {
        /// The case before the edit.
        seen: Box<Case>,
        /// The edit.
        edit: Edit,
        /// It belongs to the edit before it: one key made both, and one undo takes both back.
        with_last: bool,
    },
    /// Takes the last edit back.
    Undo,
    /// Makes the edit again that was taken back.
    Redo,
    /// Reads files that were changed outside.
    Refresh,
}

/// Hands out tickets, and knows which one is current in each slot.
#[derive(Debug, Default)]
pub struct Tickets([u64; Slot::COUNT]);

impl Tickets {
    fn next(&mut self, slot: Slot) -> Ticket {
        self.0[slot as usize] += 1;
        Ticket { slot, number: self.0[slot as usize] }
    }

    /// True for the newest start of its slot.
    #[must_use]
    pub fn is_current(&self, ticket: Ticket) -> bool {
        self.0[ticket.slot as usize] == ticket.number
    }
}

/// What one update wants done. Screens write to it; only the app and the runtime read it.
#[derive(Debug)]
pub struct Out<'a> {
    tickets: &'a mut Tickets,
    /// The effects so far, in order.
    pub effects: Vec<Effect>,
}

impl<'a> Out<'a> {
    /// An empty list of effects.
    pub fn new(tickets: &'a mut Tickets) -> Self {
        Self { tickets, effects: Vec::new() }
    }

    /// Starts a job; what is live in its slot ends.
    pub fn start(&mut self, slot: Slot, after: Duration, job: Job) {
        let ticket = self.tickets.next(slot);
        self.effects.push(Effect::Start { ticket, after, job });
    }

    /// Ends what is live in a slot; what it says from now on is dropped.
    pub fn cancel(&mut self, slot: Slot) {
        self.tickets.next(slot);
        self.effects.push(Effect::Cancel(slot));
    }

    /// Writes to case files.
    pub fn write(&mut self, write: Write) {
        self.effects.push(Effect::Write(write));
    }
}
