//! An open index: chunks by id and by document, and what they were built from.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use tantivy::{
    DocAddress, Searcher, TantivyDocument, Term,
    collector::DocSetCollector,
    query::TermQuery,
    schema::{Field, IndexRecordOption, Value},
};

use super::{
    CorpusError, Notes,
    schema::{Fields, Stored, key},
};
use crate::domain::{
    chunk::{Chunk, ChunkId},
    outline::Outline,
};

/// A chunk that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The chunk.
    pub chunk: Arc<Chunk>,
    /// Its BM25 score: higher is better, comparable within one search only.
    pub score: f32,
}

/// An index over one corpus, as it was when opened. Cheap to clone and to share; a later refresh does not change it.
#[derive(Clone)]
pub struct Index {
    pub(super) searcher: Searcher,
    pub(super) fields: Fields,
    pub(super) path: Arc<Path>,
    pub(super) notes: Arc<Notes>,
    pub(super) fingerprint: Arc<str>,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("path", &self.path).field("chunks", &self.len()).finish_non_exhaustive()
    }
}

impl Index {
    /// Every chunk as a table of contents, documents and chunks in the source's order.
    pub fn outline(&self) -> Result<Outline, CorpusError> {
        let mut chunks = Vec::with_capacity(self.len());
        for segment in self.searcher.segment_readers() {
            let store = segment.get_store_reader(1).map_err(CorpusError::engine(&self.path))?;
            for entry in store.iter::<TantivyDocument>(segment.alive_bitset()) {
                chunks.push(Arc::new(self.read(&entry.map_err(self.engine())?)?));
            }
        }
        sort(&mut chunks);
        Ok(Outline::new(chunks))
    }

    /// The chunks of the document of that exact name, by position; empty if there is none.
    pub fn document(&self, name: &str) -> Result<Vec<Arc<Chunk>>, CorpusError> {
        let mut chunks = self.exactly(self.fields.document, name)?;
        chunks.retain(|chunk| chunk.document == name);
        chunks.sort_by_key(|chunk| chunk.position);
        Ok(chunks)
    }

    /// The chunk of that id.
    pub fn chunk(&self, id: &ChunkId) -> Result<Option<Arc<Chunk>>, CorpusError> {
        Ok(self.exactly(self.fields.id, id.as_str())?.into_iter().find(|chunk| &chunk.id == id))
    }

    /// How many chunks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::try_from(self.searcher.num_docs()).unwrap_or(usize::MAX)
    }

    /// True if there is no chunk at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A fingerprint of the corpus's content: equal where the source's files are equal byte for byte and are split alike.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.fingerprint.to_string()
    }

    /// Chunks per file, and what was odd in the source.
    #[must_use]
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    fn exactly(&self, field: Field, name: &str) -> Result<Vec<Arc<Chunk>>, CorpusError> {
        let query = TermQuery::new(Term::from_field_text(field, &key(name)), IndexRecordOption::Basic);
        let found = self.searcher.search(&query, &DocSetCollector).map_err(self.engine())?;
        found.into_iter().map(|address| self.load(address)).collect()
    }

    pub(super) fn load(&self, address: DocAddress) -> Result<Arc<Chunk>, CorpusError> {
        let entry = self.searcher.doc::<TantivyDocument>(address).map_err(self.engine())?;
        self.read(&entry).map(Arc::new)
    }

    fn read(&self, entry: &TantivyDocument) -> Result<Chunk, CorpusError> {
        let bytes = entry.get_first(self.fields.chunk).and_then(|value| value.as_bytes()).unwrap_or_default();
        let stored: Stored = serde_json::from_slice(bytes)
            .map_err(|error| CorpusError::Stored { path: PathBuf::from(&*self.path), error })?;
        Ok(stored.into())
    }

    pub(super) fn engine(&self) -> impl FnOnce(tantivy::TantivyError) -> CorpusError {
        CorpusError::engine(&self.path)
    }
}

/// Sorts as the source does: by file, then by place in it.
fn sort(chunks: &mut [Arc<Chunk>]) {
    fn place(chunk: &Chunk) -> (&str, u32, u32) {
        let (file, line) = chunk.origin.as_ref().map_or(("", 0), |at| (at.file.as_str(), at.line));
        (file, line, chunk.position)
    }
    chunks.sort_by(|a, b| place(a).cmp(&place(b)));
}
