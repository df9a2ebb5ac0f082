//! What is known of a case beside its answer: what came of probes, and where its chunks stood in a baseline.

use super::probe::Probe;
use crate::domain::{
    chunk::ChunkId,
    ranking::{Answer, rank},
};

/// What is known of a case beside its answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// The probes that were put, in their order, each with what came of it.
    pub probes: Vec<Probed>,
    /// The case in a run to compare with.
    pub baseline: Option<Before>,
}

/// A probe and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Probed {
    /// What was asked.
    pub probe: Probe,
    /// The answer, or why there is none: a failed probe is evidence of nothing.
    pub result: Result<Answer, String>,
}

/// A case as a baseline has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    /// The run, as people name it.
    pub run: String,
    /// Its results, best first.
    pub results: Vec<ChunkId>,
}

impl Probed {
    /// The rank of a chunk in its list, from 1.
    #[must_use]
    pub fn rank(&self, id: &ChunkId) -> Option<usize> {
        self.result.as_ref().ok().and_then(|answer| rank(&answer.results, id))
    }

    /// True if the list or one of its stages has the chunk.
    #[must_use]
    pub fn knows(&self, id: &ChunkId) -> bool {
        let staged = |answer: &Answer| answer.stages.iter().any(|stage| stage.rank(id).is_some());
        self.rank(id).is_some() || self.result.as_ref().is_ok_and(staged)
    }

    /// True if a stage says that it threw the chunk away.
    #[must_use]
    pub fn drops(&self, id: &ChunkId) -> bool {
        let dropped =
            |answer: &Answer| answer.stages.iter().flat_map(|stage| &stage.dropped).any(|gone| &gone.id == id);
        self.result.as_ref().is_ok_and(dropped)
    }

    /// True if it was answered in full and the chunk is not there. What is missing from a partial answer may be anywhere.
    #[must_use]
    pub fn denies(&self, id: &ChunkId) -> bool {
        self.is_whole() && !self.knows(id)
    }

    /// True if it was answered, and not only in part.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.result.as_ref().is_ok_and(|answer| answer.partial.is_none())
    }
}

impl Before {
    /// The rank of a chunk then, from 1.
    #[must_use]
    pub fn rank(&self, id: &ChunkId) -> Option<usize> {
        self.results.iter().position(|known| known == id).map(|at| at + 1)
    }
}
