//! Causes: what in the texts speaks for why a chunk stands where it stands.

use crate::domain::chunk::ChunkId;

/// Evidence beside a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// Many places of the window are of one document.
    CrowdedOut {
        /// The chunk that is not in the window.
        chunk: ChunkId,
        /// The document.
        document: String,
        /// How many of the window's places.
        chunks: usize,
    },
    /// The chunk and the question have no telling word in common.
    NoCommonWord {
        /// The chunk that is not in the window.
        chunk: ChunkId,
    },
    /// A code of the question stands in the chunk and in nothing in the window.
    ExactTokenIgnored {
        /// The chunk that is not in the window.
        chunk: ChunkId,
        /// The code, as the question writes it.
        token: String,
    },
    /// The window has a chunk that is almost the same text.
    Twin {
        /// The chunk that is not in the window.
        chunk: ChunkId,
        /// The other one.
        twin: ChunkId,
        /// Where that stands.
        rank: usize,
    },
}
