//! The two ways to ask an index: as the labeler types, and as the `local` retriever does.

use super::{CorpusError, Found, Index};
use crate::domain::asker::Asker;

impl Index {
    /// The labeler's search box: chunks that hold any word of `typed`, best first; the last word counts as the beginning of one unless a blank follows it.
    ///
    /// What is typed is plain text, never a query language. The hits of the last word are all chunks with a word that begins so.
    pub fn search(&self, typed: &str, limit: usize) -> Result<Vec<Found>, CorpusError> {
        let _ = (typed, limit);
        Ok(Vec::new())
    }

    /// BM25 over whole words, best first; ties in the source's order. Only chunks that `asker` may read are found, so `limit` is full where enough of them match.
    ///
    /// `None` reads everything: for experiments of the diagnosis only, an evaluated question always has an asker.
    pub fn keyword(&self, question: &str, asker: Option<&Asker>, limit: usize) -> Result<Vec<Found>, CorpusError> {
        let _ = (question, asker, limit);
        Ok(Vec::new())
    }
}
