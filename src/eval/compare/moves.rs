//! Where the labeled chunks of a case stand in two runs.

use crate::{
    domain::{chunk::ChunkId, ranking},
    eval::{
        evaluate::{self, Mark},
        run::RunCase,
    },
};

/// A labeled chunk in two runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The chunk.
    pub chunk: ChunkId,
    /// What the labels say of it; those of the second run, where it is labeled there.
    pub mark: Mark,
    /// Where the first run has it.
    pub a: Standing,
    /// Where the second run has it.
    pub b: Standing,
    /// Its text is not the same in the two runs.
    pub text_changed: bool,
}

/// Where one run has a chunk. Ranks count from 1; `None` where it is not in that ranking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// Its rank in the list.
    pub rank: Option<usize>,
    /// Its rank at every stage that the run kept, in pipeline order.
    pub stages: Vec<(String, Option<usize>)>,
}

impl Standing {
    /// True if the list or any stage has it.
    pub(super) fn is_known(&self) -> bool {
        self.rank.is_some() || self.stages.iter().any(|(_, rank)| rank.is_some())
    }
}

impl Move {
    /// True if any rank of it is not the same in the two runs.
    #[must_use]
    pub fn is_moved(&self) -> bool {
        self.a != self.b
    }
}

/// Every chunk that is labeled in either run, those of the second run first.
#[must_use]
pub fn moves(a: &RunCase, b: &RunCase) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    for (chunk, mark) in [b, a].into_iter().flat_map(|case| evaluate::labels(&case.resolved())) {
        if moves.iter().all(|known| known.chunk != chunk) {
            let (in_a, in_b) = (standing(a, &chunk), standing(b, &chunk));
            let text_changed = text_changed(a, b, &chunk);
            moves.push(Move { chunk, mark, a: in_a, b: in_b, text_changed });
        }
    }
    moves
}

fn standing(case: &RunCase, id: &ChunkId) -> Standing {
    let kept = case.chunks.iter().find(|chunk| &chunk.id == id);
    Standing { rank: ranking::rank(&case.hits(), id), stages: kept.map_or_else(Vec::new, |chunk| chunk.ranks.clone()) }
}

/// True if both runs labeled the chunk and its text is not the same.
pub(super) fn text_changed(a: &RunCase, b: &RunCase, id: &ChunkId) -> bool {
    let text = |case: &RunCase| case.chunks.iter().find(|chunk| &chunk.id == id).map(|chunk| chunk.text.clone());
    matches!((text(a), text(b)), (Some(a), Some(b)) if a != b)
}
