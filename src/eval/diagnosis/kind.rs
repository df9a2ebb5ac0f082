//! The kinds of verdicts.

use crate::domain::chunk::ChunkId;

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
        /// Who does get it, where the corpus does not say who may read it and a probe found out.
        gets: Option<String>,
    },
    /// Not even their own words find any of the chunks: the retriever's index does not have them, or a stage always removes them.
    NotIndexed {
        /// The first of them.
        chunk: ChunkId,
        /// As whom their own words were asked for.
        asker: String,
        /// The stages are known, by a trace or by switching them off: it is the index that lacks them.
        stages_known: bool,
    },
    /// None of the chunks is in the list or in any stage.
    NeverCandidate {
        /// The first of them.
        chunk: ChunkId,
        /// How many candidates are known: those of the stages, else the results of the deepest list.
        among: usize,
        /// Whether there may be more.
        known: Candidates,
        /// The rank at which its own words find it, where they were asked for: it is indexed.
        words: Option<usize>,
    },
    /// A stage threw it away.
    Dropped {
        /// The chunk.
        chunk: ChunkId,
        /// The stage.
        stage: String,
        /// The retriever's word for it (`cap`, `floor`, `dedupe` …), or where it stands with the stage switched off.
        why: String,
    },
    /// It stood in the window and fell at a stage or below its baseline rank, be it to a lower place in the window.
    Demoted {
        /// The chunk.
        chunk: ChunkId,
        /// Where it fell.
        fell: Fell,
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

/// Where a chunk fell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fell {
    /// At this stage.
    Stage(String),
    /// Between the last stage and the list.
    AfterStages,
    /// Somewhere since this run.
    Baseline(String),
}

/// What is known of the candidates among which a chunk is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    /// The retriever's own stages told of them.
    Told,
    /// The list has fewer results than were asked for: they are all.
    All,
    /// The list is as long as was asked for: more may follow.
    First,
}
