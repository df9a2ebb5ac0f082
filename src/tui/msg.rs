//! Everything that can happen to the app. Closed on purpose: if it is not here, it cannot happen.

use std::sync::Arc;

use crossterm::event::KeyEvent;

use super::effect::{Ticket, Write};
use crate::{
    casefile::problem::{FileProblem, UnknownField},
    corpus::Found,
    domain::{case::Case, chunk::Chunk, outline::Outline, ranking::Answer, resolve::Resolved},
    eval::{
        aggregate::{Numbers, Summary},
        diagnosis::Probed,
        gate::ALL,
        run::{Header, RunCase},
    },
};

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has this size.
    Resize {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// A job said something. Dropped unless its ticket is still the current one.
    Job {
        /// Which start of which job.
        ticket: Ticket,
        /// What it said.
        output: Output,
    },
    /// A write ended, well or not.
    Written(Box<Written>),
    /// A case file was changed by somebody else.
    FilesChanged,
}

/// What a job says.
#[derive(Debug, Clone)]
pub enum Output {
    /// The index is being built: what, how much of how much.
    Progress {
        /// What is being done.
        what: String,
        /// Done so far.
        done: u64,
        /// Of so many.
        total: u64,
    },
    /// The corpus is open and the cases are read.
    Loaded(Box<Loaded>),
    /// Hits of a search, best first, and what was typed for them.
    Hits {
        /// What was typed.
        typed: String,
        /// The hits.
        hits: Vec<Found>,
    },
    /// More of a corpus that is in an engine.
    Chunks {
        /// Documents, whole.
        whole: Vec<Arc<Chunk>>,
        /// Chunks of others.
        single: Vec<Arc<Chunk>>,
    },
    /// The retriever answered a case, or failed to.
    Answered {
        /// The case's id.
        case: String,
        /// Its answer, or why there is none.
        answer: Result<Arc<Answer>, String>,
    },
    /// An experiment was made on a case.
    Probed {
        /// The case's id.
        case: String,
        /// What was asked, and what came.
        probed: Box<Probed>,
    },
    /// The kept runs that hold a case.
    Kept(Box<Kept>),
    /// The kept runs of a config as numbers.
    Past(Box<Past>),
    /// Who waits before asking again, for people; `None` once nobody does.
    Waiting(Option<String>),
    /// A run ended.
    RunEnded,
    /// A job failed.
    Failed(String),
}

/// The corpus and the cases.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The corpus as a table of contents.
    pub outline: Arc<Outline>,
    /// What was read of the case files.
    pub cases: CaseSet,
    /// Every case's references, in the order of the cases.
    pub resolved: Vec<Resolved>,
}

/// The kept runs that hold a case.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The case's id.
    pub case: String,
    /// What a run of the config under test is made with today; nothing of git and of other cases is in it.
    pub now: Header,
    /// The runs: committed baselines first, in each group the newest first.
    pub runs: Vec<KeptRun>,
}

/// One case of a kept run.
#[derive(Debug, Clone)]
pub struct KeptRun {
    /// The run's name.
    pub name: String,
    /// It is committed to compare with.
    pub committed: bool,
    /// What it was made with.
    pub header: Header,
    /// The case.
    pub case: RunCase,
}

/// The kept runs of a config as numbers.
#[derive(Debug, Clone)]
pub struct Past {
    /// The config's name.
    pub config: String,
    /// The window under which they are scored.
    pub k: usize,
    /// The runs, oldest first, without the cases that are kept out of tuning.
    pub runs: Vec<PastRun>,
}

/// A kept run as numbers.
#[derive(Debug, Clone)]
pub struct PastRun {
    /// The run's name.
    pub name: String,
    /// When it started, in UTC: `2026-11-30T23:44:58Z`.
    pub started: String,
    /// The numbers.
    pub summary: Summary,
}

impl PastRun {
    /// The numbers of a subset then, `all` being every case; `None` if none of its cases was scored.
    #[must_use]
    pub fn numbers(&self, subset: &str) -> Option<&Numbers> {
        let numbers = if subset == ALL {
            &self.summary.all.numbers
        } else {
            &self.summary.subsets.iter().find(|other| other.name == subset)?.numbers
        };
        numbers.as_ref()
    }
}

/// What the case files hold.
#[derive(Debug, Clone, Default)]
pub struct CaseSet {
    /// Every case, file by file.
    pub cases: Vec<Case>,
    /// What could not be read.
    pub problems: Vec<FileProblem>,
    /// Fields that are not known.
    pub unknown_fields: Vec<UnknownField>,
}

/// How a write ended.
#[derive(Debug, Clone)]
pub struct Written {
    /// What was asked for.
    pub write: Write,
    /// The cases as the files have them now; `None` if they did not change.
    pub cases: Option<CaseSet>,
    /// What was done, for people (and the case it was done to); or why it was not.
    pub outcome: Result<Option<Done>, String>,
    /// True if trying again cannot help.
    pub final_word: bool,
}

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// The case it was done to.
    pub case: String,
    /// In a few words.
    pub what: String,
}
