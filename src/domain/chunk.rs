//! A chunk: the passage that retrieval returns.

use std::{fmt, sync::Arc};

/// The id of a chunk, exact to the last character. Opaque: never read as a number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(Arc<str>);

impl ChunkId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<Arc<str>>> From<T> for ChunkId {
    fn from(id: T) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

/// One passage of the corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Unique in the corpus.
    pub id: ChunkId,
    /// The name of the document that holds it: a title, or a path where there is no title.
    pub document: String,
    /// The headings above it, outermost first; empty for text before the first heading.
    pub heading: Vec<String>,
    /// The passage, as the source has it; empty where a heading has no text of its own.
    pub text: String,
    /// Its place among the chunks of its document, from 0.
    pub position: u32,
    /// Which section of its document it belongs to, from 0 in document order. Two sections may have the same heading path.
    pub section: u32,
    /// The groups that may read it; empty means everybody.
    pub scope: Vec<String>,
    /// Where the text stands in the source, for an editor.
    pub origin: Option<Origin>,
    /// Other fields of the source, in its order, as text to show.
    pub fields: Vec<(String, String)>,
}

/// Where a chunk's text begins in its source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file, relative to the corpus source's folder, with `/`.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Chunk {
    /// The heading path without a first heading that only repeats the document's name.
    #[must_use]
    pub fn short_heading(&self) -> &[String] {
        match self.heading.split_first() {
            Some((first, rest)) if super::text::fold(first) == super::text::fold(&self.document) => rest,
            _ => &self.heading,
        }
    }

    /// A fingerprint of its text: 16 hexadecimal digits of blake3. The same text has the same one in every corpus.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// `Document › Heading › Sub-heading`, the way people read it.
    #[must_use]
    pub fn title(&self) -> String {
        let mut title = self.document.clone();
        for heading in self.short_heading() {
            title.push_str(" › ");
            title.push_str(heading);
        }
        title
    }
}
