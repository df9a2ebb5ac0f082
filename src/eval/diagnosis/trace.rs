//! What a stage trace says of a chunk on its way to the list.
//!
//! A *source* stage brings candidates of its own (keyword, vector); any other stage works on what stands open before it. So two
//! sources side by side are never compared with each other, and a fusion of several is compared with the worst of them.

use std::collections::HashSet;

use super::Fell;
use crate::domain::{
    chunk::ChunkId,
    ranking::{Hit, Stage, rank},
};

/// A loss of places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fall {
    /// Where.
    pub(super) at: Fell,
    pub(super) from: usize,
    /// `None` if it is gone.
    pub(super) to: Option<usize>,
}

impl Fall {
    /// How many places it lost; to be gone is the most.
    pub(super) fn loss(&self) -> usize {
        self.to.map_or(usize::MAX, |to| to - self.from)
    }
}

/// The stages of one answer and the list they end in.
#[derive(Debug, Clone)]
pub(super) struct Trace<'a> {
    pub(super) stages: &'a [Stage],
    pub(super) hits: &'a [Hit],
    steps: Vec<Step>,
}

/// A stage that works on others; `stage` is `None` for the list at the end.
#[derive(Debug, Clone)]
struct Step {
    stage: Option<usize>,
    inputs: Vec<usize>,
}

impl<'a> Trace<'a> {
    pub(super) fn new(stages: &'a [Stage], hits: &'a [Hit]) -> Self {
        let mut steps = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut known: HashSet<&ChunkId> = HashSet::new();
        for (at, stage) in stages.iter().enumerate() {
            if !is_source(stage, &known) && !open.is_empty() {
                steps.push(Step { stage: Some(at), inputs: std::mem::take(&mut open) });
            }
            open.push(at);
            known.extend(stage.ranking.iter().map(|hit| &hit.id));
        }
        if !open.is_empty() {
            steps.push(Step { stage: None, inputs: open });
        }
        Self { stages, hits, steps }
    }

    /// True if the chunk is in the list, or a stage ranked it or threw it away.
    pub(super) fn knows(&self, id: &ChunkId) -> bool {
        let stage_knows = |stage: &Stage| stage.rank(id).is_some() || stage.dropped.iter().any(|gone| &gone.id == id);
        rank(self.hits, id).is_some() || self.stages.iter().any(stage_knows)
    }

    /// How many different chunks were considered, as far as the trace tells.
    pub(super) fn candidates(&self) -> usize {
        let ranked = self.stages.iter().flat_map(|stage| &stage.ranking).chain(self.hits).map(|hit| &hit.id);
        let dropped = self.stages.iter().flat_map(|stage| &stage.dropped).map(|gone| &gone.id);
        ranked.chain(dropped).collect::<HashSet<_>>().len()
    }

    /// The stage that threw the chunk away for good, and why.
    pub(super) fn dropped(&self, id: &ChunkId) -> Option<(&'a str, &'a str)> {
        if rank(self.hits, id).is_some() {
            return None;
        }
        let (at, why) = self.stages.iter().enumerate().rev().find_map(|(at, stage)| {
            stage.dropped.iter().find(|gone| &gone.id == id).map(|gone| (at, gone.why.as_str()))
        })?;
        let came_back = self.stages[at + 1..].iter().any(|stage| stage.rank(id).is_some());
        (!came_back).then_some((self.stages[at].name.as_str(), why))
    }

    /// The step at which the chunk lost most places, of those that took it from a rank that is in the window of `k` and better
    /// than `reached`, the rank at which the list has it or a chunk that is as good.
    pub(super) fn fall(&self, id: &ChunkId, k: usize, reached: Option<usize>) -> Option<Fall> {
        let falls = self.steps.iter().filter_map(|step| {
            let from = step.inputs.iter().map(|&at| self.stages[at].rank(id)).collect::<Option<Vec<_>>>()?;
            let from = from.into_iter().max()?;
            let to = self.after(step, id);
            let fell = to.is_none_or(|to| to > from);
            let cost = from <= k && reached.is_none_or(|reached| reached > from);
            (fell && cost).then(|| Fall { at: self.name(step), from, to })
        });
        // The first of the largest.
        falls.min_by_key(|fall| std::cmp::Reverse(fall.loss()))
    }

    /// For a chunk that the list does not have: the last stage that ranked it, its rank there, and the step that came next.
    pub(super) fn last_seen(&self, id: &ChunkId) -> Option<(&'a str, usize, Fell)> {
        let (at, rank) =
            self.stages.iter().enumerate().rev().find_map(|(at, stage)| stage.rank(id).map(|rank| (at, rank)))?;
        let next =
            self.steps.iter().find(|step| step.inputs.contains(&at)).map_or(Fell::AfterStages, |step| self.name(step));
        Some((self.stages[at].name.as_str(), rank, next))
    }

    fn after(&self, step: &Step, id: &ChunkId) -> Option<usize> {
        step.stage.map_or_else(|| rank(self.hits, id), |at| self.stages[at].rank(id))
    }

    fn name(&self, step: &Step) -> Fell {
        step.stage.map_or(Fell::AfterStages, |at| Fell::Stage(self.stages[at].name.clone()))
    }
}

/// By the names that stages go by, else by whether it ranks a chunk that no stage before it did.
fn is_source(stage: &Stage, known: &HashSet<&ChunkId>) -> bool {
    match stage.name.as_str() {
        "keyword" | "vector" => true,
        "fuse" | "rerank" | "cap" | "floor" | "dedupe" => false,
        _ => stage.ranking.iter().any(|hit| !known.contains(&hit.id)),
    }
}
