//! From references to chunks: what a label means in the corpus as it is today, or why it means nothing.

use super::{
    case::{Case, Place, Target},
    chunk::{Chunk, ChunkId},
    outline::Outline,
};

/// A case whose references were looked up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved {
    /// What the answer needs. A section without a quote that holds several chunks gives one requirement for each.
    pub supporting: Vec<Needed>,
    /// The chunks that look right and are wrong, in the case's order, without repeats.
    pub distractors: Vec<ChunkId>,
    /// What could not be resolved. A run refuses to start unless this is empty.
    pub problems: Vec<Problem>,
}

/// One requirement as chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed {
    /// Any one of these satisfies it. Never empty.
    pub any_of: Vec<ChunkId>,
    /// Which entry of `Case::supporting` it comes from.
    pub requirement: usize,
}

/// A reference that means nothing, or more than one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The case's id.
    pub case: String,
    /// Where the reference stands; the case's place for one that is in no file.
    pub place: Place,
    /// The reference.
    pub target: Target,
    /// What is wrong with it.
    pub kind: ProblemKind,
    /// What it may have meant, best first, each ready to take its place.
    pub candidates: Vec<Target>,
}

/// What is wrong with a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// No document has that name.
    NoDocument,
    /// Several documents have that name; these are their names.
    ManyDocuments(Vec<String>),
    /// The document has no such heading path.
    NoSection,
    /// Several sections have that heading path; the id of the first chunk of each.
    ManySections(Vec<ChunkId>),
    /// The heading stands there without any chunk of its own: its text is in sub-sections.
    EmptySection,
    /// The section does not hold the quote.
    NoQuote,
    /// The quote is only found approximately, or elsewhere in the document: to be confirmed.
    Moved {
        /// The chunks that hold it now.
        to: Vec<ChunkId>,
        /// The words found there.
        found: String,
    },
    /// No chunk has that id.
    NoChunk,
    /// The chunk is both supporting and distractor in this case.
    Contradiction(ChunkId),
}

/// Looks up every reference of `case`.
///
/// A requirement that is written twice counts once: the later one gives no [`Needed`].
#[must_use]
pub fn resolve(case: &Case, outline: &Outline) -> Resolved {
    let _ = (case, outline);
    Resolved::default()
}

/// Looks up one reference: the chunks it means, in document order and never none, or what is wrong with it.
pub fn look_up(target: &Target, outline: &Outline) -> Result<Vec<ChunkId>, Trouble> {
    let _ = (target, outline);
    Err(Trouble { kind: ProblemKind::NoSection, candidates: Vec::new() })
}

/// Why a reference could not be looked up: a [`Problem`] without its case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What is wrong.
    pub kind: ProblemKind,
    /// What it may have meant, best first, each ready to take its place.
    pub candidates: Vec<Target>,
}

/// The reference that a label should use for `chunk`: its section by the shortest heading path that means only this
/// section, with a short quote where the section holds other chunks too. The chunk's id where `prefer_id` asks for it or no
/// quote can tell the chunk from another. Looked up in `outline` it gives exactly this chunk.
#[must_use]
pub fn target_for(chunk: &Chunk, outline: &Outline, prefer_id: bool) -> Target {
    let _ = (outline, prefer_id);
    Target::Chunk(chunk.id.clone())
}

impl Problem {
    /// One sentence without a full stop: what is wrong with the reference.
    #[must_use]
    pub fn what(&self) -> String {
        String::new()
    }

    /// One sentence without a full stop: what to do about it.
    #[must_use]
    pub fn remedy(&self) -> String {
        String::new()
    }
}
