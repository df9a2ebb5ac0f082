//! What an engine told so far.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crate::domain::{
    chunk::{Chunk, ChunkId},
    outline::Outline,
};

/// Whole documents and single chunks, and which of them there are none of.
#[derive(Default)]
pub(super) struct Known {
    /// By name; empty where there is no such document.
    documents: BTreeMap<String, Vec<Arc<Chunk>>>,
    /// `None` where there is no such chunk.
    chunks: HashMap<ChunkId, Option<Arc<Chunk>>>,
}

impl Known {
    /// True if it was asked for, found or not.
    pub(super) fn has(&self, document: &str) -> bool {
        self.documents.contains_key(document)
    }

    pub(super) fn document(&self, name: &str) -> impl Iterator<Item = &Arc<Chunk>> {
        self.documents.get(name).into_iter().flatten()
    }

    /// True if it was asked for, found or not.
    pub(super) fn has_looked_for(&self, id: &ChunkId) -> bool {
        self.chunks.contains_key(id)
    }

    pub(super) fn chunk(&self, id: &ChunkId) -> Option<&Arc<Chunk>> {
        self.chunks.get(id)?.as_ref()
    }

    /// Takes in the chunks of the documents of these names, all that there are.
    pub(super) fn add_documents(&mut self, names: &[String], chunks: Vec<Chunk>) {
        for name in names {
            self.documents.insert(name.clone(), Vec::new());
        }
        for chunk in chunks.into_iter().map(Arc::new) {
            self.chunks.insert(chunk.id.clone(), Some(Arc::clone(&chunk)));
            self.documents.entry(chunk.document.clone()).or_default().push(chunk);
        }
    }

    /// Takes in a chunk; one that is known with its place stays as it is.
    pub(super) fn add_single(&mut self, chunk: Chunk) -> Arc<Chunk> {
        if self.documents.contains_key(&chunk.document)
            && let Some(Some(known)) = self.chunks.get(&chunk.id)
        {
            return Arc::clone(known);
        }
        let chunk = Arc::new(chunk);
        self.chunks.insert(chunk.id.clone(), Some(Arc::clone(&chunk)));
        chunk
    }

    /// Notes that those of `ids` that were not found are not there.
    pub(super) fn note_missing(&mut self, ids: impl Iterator<Item = ChunkId>) {
        for id in ids {
            self.chunks.entry(id).or_insert(None);
        }
    }

    /// All of it.
    pub(super) fn outline(&self) -> Outline {
        Outline::part(self.documents.values().flatten().cloned(), self.chunks.values().flatten().cloned())
    }
}
