//! The corpus as a table of contents: documents, their chunks in order, and the names a reference may use for them.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use super::{
    chunk::{Chunk, ChunkId},
    text::fold,
};

/// A document and its chunks, in the order in which they stand in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name, as chunks carry it.
    pub name: String,
    /// Its chunks, by position.
    pub chunks: Vec<Arc<Chunk>>,
}

/// Documents and chunks by every name that a reference may use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    documents: Vec<Document>,
    by_name: BTreeMap<String, Vec<usize>>,
    by_id: HashMap<ChunkId, Arc<Chunk>>,
    partial: bool,
}

impl Outline {
    /// Builds the table of contents. Documents are in order of first appearance; a chunk's `position` orders it in its document.
    pub fn new(chunks: impl IntoIterator<Item = Arc<Chunk>>) -> Self {
        let mut outline = Self::default();
        let mut at: HashMap<String, usize> = HashMap::new();
        for chunk in chunks {
            let index = *at.entry(chunk.document.clone()).or_insert_with(|| {
                outline.documents.push(Document { name: chunk.document.clone(), chunks: Vec::new() });
                outline.documents.len() - 1
            });
            outline.by_id.insert(chunk.id.clone(), Arc::clone(&chunk));
            outline.documents[index].chunks.push(chunk);
        }
        for (index, document) in outline.documents.iter_mut().enumerate() {
            document.chunks.sort_by_key(|chunk| chunk.position);
            for name in names(document) {
                let found = outline.by_name.entry(fold(&name)).or_default();
                if !found.contains(&index) {
                    found.push(index);
                }
            }
        }
        outline
    }

    /// A part of a corpus that is elsewhere: these documents whole, and single chunks of others, which only their ids find.
    pub fn part(whole: impl IntoIterator<Item = Arc<Chunk>>, single: impl IntoIterator<Item = Arc<Chunk>>) -> Self {
        let mut outline = Self { partial: true, ..Self::new(whole) };
        for chunk in single {
            outline.by_id.entry(chunk.id.clone()).or_insert(chunk);
        }
        outline
    }

    /// The same part with more: documents that it does not have yet, whole, and single chunks.
    #[must_use]
    pub fn and(&self, whole: &[Arc<Chunk>], single: &[Arc<Chunk>]) -> Self {
        let known: HashSet<&str> = self.documents.iter().map(|document| document.name.as_str()).collect();
        let new = whole.iter().filter(|chunk| !known.contains(chunk.document.as_str()));
        let before = self.documents.iter().flat_map(|document| &document.chunks);
        let single = self.by_id.values().chain(single).cloned();
        Self { partial: self.partial, ..Self::part(before.chain(new).cloned(), single) }
    }

    /// True if there are documents that are not in here.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// True if the document of that very name is in here, whole.
    #[must_use]
    pub fn has(&self, document: &str) -> bool {
        self.by_name
            .get(&fold(document))
            .is_some_and(|found| found.iter().any(|&at| self.documents[at].name == document))
    }

    /// Every document.
    #[must_use]
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The documents that `name` may mean: those of that very name, else those whose file it names, by path, path without its ending, or file name.
    #[must_use]
    pub fn find(&self, name: &str) -> Vec<&Document> {
        if let Some(exact) = self.documents.iter().find(|document| document.name == name) {
            return vec![exact];
        }
        let found = self.by_name.get(&fold(name)).map_or(&[][..], Vec::as_slice);
        found.iter().map(|&index| &self.documents[index]).collect()
    }

    /// The chunk of that id.
    #[must_use]
    pub fn chunk(&self, id: &ChunkId) -> Option<&Arc<Chunk>> {
        self.by_id.get(id)
    }

    /// What people call the chunk of that id: its title, with the id behind it where another chunk of its document has the same
    /// title; the id alone where there is no such chunk.
    #[must_use]
    pub fn title(&self, id: &ChunkId) -> String {
        let Some(chunk) = self.chunk(id) else { return id.to_string() };
        let document = self.documents.iter().find(|document| document.name == chunk.document);
        let mut others = document.iter().flat_map(|document| &document.chunks).filter(|other| other.id != *id);
        let title = chunk.title();
        if others.any(|other| other.heading == chunk.heading) { format!("{title} ({id})") } else { title }
    }

    /// How many chunks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// True if there is no chunk at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }
}

/// What a reference may call a document: its name, and its file by path, path without ending, or file name.
fn names(document: &Document) -> Vec<String> {
    let mut names = vec![document.name.clone()];
    if let Some(origin) = document.chunks.first().and_then(|chunk| chunk.origin.as_ref()) {
        let file = origin.file.as_str();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        names.extend([file, stem].map(str::to_owned));
        names.extend([file, stem].iter().filter_map(|path| path.rsplit_once('/')).map(|(_, name)| name.to_owned()));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(id: &str, document: &str) -> Arc<Chunk> {
        Arc::new(Chunk {
            id: id.into(),
            document: document.to_owned(),
            heading: Vec::new(),
            text: String::new(),
            position: 0,
            section: 0,
            scope: Vec::new(),
            origin: None,
            fields: Vec::new(),
        })
    }

    #[test]
    fn a_single_chunk_is_found_by_its_id_and_is_no_document() {
        let part = Outline::part([chunk("a", "A")], [chunk("b", "B")]);
        assert!(part.is_partial() && part.has("A") && !part.has("B"));
        assert!(part.find("B").is_empty() && part.chunk(&"b".into()).is_some());
        let more = part.and(&[chunk("b", "B"), chunk("c", "B"), chunk("z", "A")], &[chunk("d", "D")]);
        assert!(more.is_partial() && more.has("B") && !more.has("D"));
        assert_eq!(more.find("B")[0].chunks.len(), 2);
        assert_eq!(more.find("A")[0].chunks.len(), 1, "what is there is whole already");
        assert!(["a", "b", "c", "d"].iter().all(|&id| more.chunk(&id.into()).is_some()));
    }

    #[test]
    fn a_title_that_two_chunks_share_has_the_id_behind_it() {
        let chunk = |id: &str, heading: &[&str]| {
            Arc::new(Chunk {
                id: id.into(),
                document: "Manual".to_owned(),
                heading: heading.iter().map(|&part| part.to_owned()).collect(),
                text: String::new(),
                position: 0,
                section: 0,
                scope: Vec::new(),
                origin: None,
                fields: Vec::new(),
            })
        };
        let outline = Outline::new([chunk("a", &["Fees"]), chunk("b", &["Claims"]), chunk("c", &["Claims"])]);
        let cases =
            [("a", "Manual › Fees"), ("b", "Manual › Claims (b)"), ("c", "Manual › Claims (c)"), ("gone", "gone")];
        for (id, expected) in cases {
            assert_eq!(outline.title(&id.into()), expected);
        }
    }
}
