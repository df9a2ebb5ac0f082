//! Which chunk of the corpus a hit is, where a server may call it by another id than the corpus does.

/// What a server sent of a chunk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passage {
    /// The server's id.
    pub id: Option<String>,
    /// The document's name.
    pub document: Option<String>,
    /// The heading path, outermost first; a path in one text is one heading.
    pub heading: Vec<String>,
    /// The passage.
    pub text: Option<String>,
}
