//! What a retriever returned: an ordered list, and the stages that made it.

use std::sync::Arc;

use super::chunk::ChunkId;

/// One result, in the order the retriever returned it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub id: ChunkId,
    /// The retriever's own score, for display only: the order is the ranking.
    pub score: Option<f64>,
    /// The passage as the retriever sent it, to show where the corpus has no such chunk.
    pub text: Option<Arc<str>>,
}

impl Hit {
    /// A result of which nothing but its id, and perhaps its score, is told.
    #[must_use]
    pub fn new(id: impl Into<ChunkId>, score: Option<f64>) -> Self {
        Self { id: id.into(), score, text: None }
    }
}

/// A named step of a retrieval pipeline with its own ranking.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stage {
    /// `keyword`, `vector`, `fuse`, `rerank`, `cap` …
    pub name: String,
    /// What this stage put out, best first, as deep as the retriever tells.
    pub ranking: Vec<Hit>,
    /// What this stage threw away, and why.
    pub dropped: Vec<Dropped>,
}

/// A chunk that a stage threw away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// The chunk.
    pub id: ChunkId,
    /// The retriever's word for it: `cap`, `floor`, `dedupe` …
    pub why: String,
}

impl Stage {
    /// The rank of `id` at this stage, from 1.
    #[must_use]
    pub fn rank(&self, id: &ChunkId) -> Option<usize> {
        rank(&self.ranking, id)
    }
}

/// The rank of the first occurrence of `id`, from 1.
#[must_use]
pub fn rank(results: &[Hit], id: &ChunkId) -> Option<usize> {
    results.iter().position(|hit| &hit.id == id).map(|at| at + 1)
}

/// The first `k` results, in the order the retriever returned them.
#[must_use]
pub fn window(results: &[Hit], k: usize) -> &[Hit] {
    &results[..k.min(results.len())]
}

/// What a retriever answered to one question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The results to depth, in the order the retriever returned them. May be empty: *no results*.
    pub results: Vec<Hit>,
    /// The retriever's own stage trace, in pipeline order; empty where it sends none.
    pub stages: Vec<Stage>,
    /// Why the list may be shorter than it ought to be (a shard that did not answer), in the retriever's words; `None` for a whole one.
    pub partial: Option<String>,
    /// How long it took, by a monotonic clock.
    pub latency: std::time::Duration,
}

/// How deep into a stage its chunks are spoken of.
const SPOKEN_OF: usize = 100;

impl Answer {
    /// The chunks that are spoken of when this is shown: the results, and the first of each stage. Some may come twice.
    pub fn ids(&self) -> impl Iterator<Item = &ChunkId> {
        let stages = self.stages.iter().flat_map(|stage| stage.ranking.iter().take(SPOKEN_OF));
        self.results.iter().chain(stages).map(|hit| &hit.id)
    }
}
