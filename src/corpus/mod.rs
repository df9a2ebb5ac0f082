//! The corpus: sources of chunks, the embedded index over them, and search.
//!
//! [`open`] is the way in: it reads a [`Source`], builds or refreshes the index beside it, and gives an [`Index`] to
//! search, to list and to look chunks up in.

mod build;
mod error;
pub mod fetched;
mod finished;
mod index;
mod manifest;
mod notes;
mod prefix;
pub mod remote;
mod schema;
mod search;
mod source;
mod store;
#[cfg(test)]
mod tests;
pub mod tokenizer;
pub mod vectors;
mod write;

use std::sync::Arc;

use self::remote::Remote;
use crate::domain::{
    case::Case,
    chunk::{Chunk, ChunkId},
    outline::Outline,
};

pub use build::{Activity, Progress, open};
pub use error::{CorpusError, Problem};
pub use index::{Found, Index};
pub use notes::{FileNote, Note, Notes, Severity};
pub use source::Source;
pub use tokenizer::is_searchable;

/// A corpus that is open: indexed here, or left in its engine.
#[derive(Debug, Clone)]
pub enum Corpus {
    /// Indexed on this machine.
    Local(Arc<Index>),
    /// Searched where it is; nothing of it is kept on this machine's disk.
    Remote(Remote),
}

impl Corpus {
    /// Our own index; `None` where the corpus stays in its engine.
    #[must_use]
    pub fn index(&self) -> Option<&Arc<Index>> {
        match self {
            Self::Local(index) => Some(index),
            Self::Remote(_) => None,
        }
    }

    /// The engine that holds it; `None` where it is indexed here.
    #[must_use]
    pub fn remote(&self) -> Option<&Remote> {
        match self {
            Self::Local(_) => None,
            Self::Remote(remote) => Some(remote),
        }
    }

    /// The whole table of contents; of a corpus in its engine the part that the references of `cases` need.
    pub fn outline(&self, cases: &[Case]) -> Result<Outline, CorpusError> {
        match self {
            Self::Local(index) => index.outline(),
            Self::Remote(remote) => {
                let (asked, cases) = (remote.clone(), cases.to_vec());
                remote.wait(async move { asked.outline(&cases).await })
            }
        }
    }

    /// The chunks of those of `ids` that a part of the corpus lacks and the corpus has. A whole outline lacks none.
    pub fn lacking(&self, outline: &Outline, ids: &[ChunkId]) -> Result<Vec<Arc<Chunk>>, CorpusError> {
        let Self::Remote(remote) = self else { return Ok(Vec::new()) };
        let ids: Vec<ChunkId> = ids.iter().filter(|id| outline.chunk(id).is_none()).cloned().collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let asked = remote.clone();
        remote.wait(async move { asked.chunks(ids).await })
    }

    /// A fingerprint of its content; `None` where an engine does not say enough to notice every change.
    #[must_use]
    pub fn fingerprint(&self) -> Option<String> {
        match self {
            Self::Local(index) => Some(index.fingerprint()),
            Self::Remote(remote) => remote.fingerprint(),
        }
    }

    /// What was odd in the source. An engine's passages are not looked through.
    #[must_use]
    pub fn notes(&self) -> &Notes {
        match self {
            Self::Local(index) => index.notes(),
            Self::Remote(remote) => remote.notes(),
        }
    }
}
