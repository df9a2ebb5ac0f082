//! Why a case stands as it does: one verdict for it, one for each requirement that the window does not satisfy, and the causes.
//!
//! A verdict speaks of a set of chunks of which one is enough: all supporting chunks for the case, the alternatives for a
//! requirement. Its kind is the first of [`Kind`]'s that holds. A cause is evidence beside it and never takes its place.

mod cause;
mod trace;
mod words;

pub use cause::Cause;

use super::evaluate::{Asked, Outcome};
use crate::domain::chunk::ChunkId;

/// Why a case stands as it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// The verdict on the case.
    pub kind: Kind,
    /// One verdict for each requirement that the window does not satisfy.
    pub requirements: Vec<RequirementVerdict>,
    /// Evidence beside the verdicts.
    pub causes: Vec<Cause>,
    /// What the verdicts rest on.
    pub basis: Basis,
}

/// Why a requirement is not satisfied by the window.
#[derive(Debug, Clone, PartialEq)]
pub struct RequirementVerdict {
    /// Which of `Resolved::supporting`.
    pub needed: usize,
    /// Which entry of `Case::supporting` that comes from.
    pub requirement: usize,
    /// Where it was lost.
    pub kind: Kind,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The retriever's own stage trace.
    Trace,
    /// The returned list alone, to this many results: what happened before it is not known.
    List {
        /// How many results were asked for.
        depth: usize,
    },
}

impl Basis {
    /// The words for people.
    #[must_use]
    pub fn explain(self) -> String {
        match self {
            Self::Trace => "by the retriever's own trace".to_owned(),
            Self::List { depth } => format!("by the list alone, {depth} results asked for"),
        }
    }
}

/// The verdicts, in the order in which they are tried.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A label does not resolve.
    LabelBroken {
        /// How many references of the case.
        references: usize,
    },
    /// The call failed.
    RetrieverError {
        /// Why.
        reason: String,
    },
    /// The asker may not read any of the chunks.
    OutOfScope {
        /// The one that stands nearest.
        chunk: ChunkId,
        /// Who may not read it.
        asker: String,
        /// Its rank if it was returned all the same: a leak.
        rank: Option<usize>,
    },
    /// None of the chunks is in the list or in any stage.
    NeverCandidate {
        /// The first of them.
        chunk: ChunkId,
        /// How many candidates are known: those of the stages, else the list's results.
        among: usize,
    },
    /// A stage threw it away.
    Dropped {
        /// The chunk.
        chunk: ChunkId,
        /// The stage.
        stage: String,
        /// The retriever's word for it: `cap`, `floor`, `dedupe` …
        why: String,
    },
    /// It stood in the window and fell at a stage, be it to a lower place in the window.
    Demoted {
        /// The chunk.
        chunk: ChunkId,
        /// The stage at which it fell; `None` is the step from the last stage to the list.
        stage: Option<String>,
        /// Its rank before.
        from: usize,
        /// Its rank after; `None` if it is gone.
        to: Option<usize>,
    },
    /// It stands below the window.
    BelowWindow {
        /// The chunk.
        chunk: ChunkId,
        /// Its rank, from 1.
        rank: usize,
        /// The stage whose ranking has that rank, where the list ends above it.
        stage: Option<String>,
        /// The window's size.
        k: usize,
    },
    /// It is in the window, and a distractor stands above it.
    Outranked {
        /// The best supporting chunk.
        chunk: ChunkId,
        /// Its rank.
        rank: usize,
        /// The best distractor.
        by: ChunkId,
        /// Its rank.
        by_rank: usize,
    },
    /// A part of the answer is in the window; `Diagnosis::requirements` has what is missing.
    PartlyFound {
        /// How many requirements the window satisfies.
        found: usize,
        /// Of how many.
        of: usize,
    },
    /// All that the answer needs is in the window.
    Found {
        /// The rank of the first supporting chunk.
        rank: usize,
    },
    /// Nothing answers, and no distractor is in the window.
    UnanswerableClean,
    /// Nothing answers, and a distractor is in the window.
    UnanswerableDistracted {
        /// The best distractor.
        by: ChunkId,
        /// Its rank.
        rank: usize,
    },
}

/// Diagnoses one case; `None` where there is nothing to explain: unlabeled, or not run.
#[must_use]
pub fn diagnose(asked: &Asked<'_>, outcome: Outcome<'_>) -> Option<Diagnosis> {
    let _ = (asked, outcome);
    None
}
