//! A case: one question with its labels, and where each of them stands in a file.

use std::{fmt, path::Path, sync::Arc};

use super::chunk::ChunkId;

/// A place in a file, for people and editors.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: Arc<Path>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// One question with its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// `question_id`. For a JSONL line without one, derived from the question.
    pub id: String,
    /// The question as it is asked.
    pub question: String,
    /// The asker's name in the settings.
    pub asker: Option<String>,
    /// Its tags, in the file's order.
    pub tags: Vec<String>,
    /// Where the question came from.
    pub source: Option<Source>,
    /// The day it was added, as written.
    pub added: Option<String>,
    /// What the answer needs. Empty: unlabeled (or, with `answerable: false`, nothing answers).
    pub supporting: Vec<Requirement>,
    /// Chunks that look right and are wrong.
    pub distractors: Vec<Reference>,
    /// Earlier turns of a follow-up, oldest first.
    pub context: Vec<String>,
    /// False: nothing in the corpus answers.
    pub answerable: bool,
    /// Why somebody who looked into it holds its labels to be wrong. It stays scored until they are put right.
    pub label_wrong: Option<String>,
    /// Free text.
    pub notes: Option<String>,
    /// Where the case begins.
    pub place: Place,
}

impl Case {
    /// How far labeling has come.
    #[must_use]
    pub fn labeled(&self) -> Labeled {
        if !self.answerable {
            Labeled::Unanswerable
        } else if self.supporting.is_empty() {
            Labeled::No
        } else {
            Labeled::Yes
        }
    }

    /// Every reference of the case: those of its requirements, then its distractors.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.supporting.iter().flat_map(|requirement| &requirement.any_of).chain(&self.distractors)
    }
}

/// Whether a case can be scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Labeled {
    /// It has a supporting reference.
    Yes,
    /// It has none yet: never scored, always counted.
    No,
    /// `answerable: false`: out of recall, counted apart.
    Unanswerable,
}

/// Where a question came from, by descending value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// What people typed in production.
    ProductionLog,
    /// A support ticket.
    SupportTicket,
    /// A colleague.
    Team,
    /// A model, from a chunk.
    Generated,
}

impl Source {
    /// Every source, by descending value.
    pub const ALL: [Self; 4] = [Self::ProductionLog, Self::SupportTicket, Self::Team, Self::Generated];

    /// The word in a case file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ProductionLog => "production_log",
            Self::SupportTicket => "support_ticket",
            Self::Team => "team",
            Self::Generated => "generated",
        }
    }

    /// Reads the word of a case file.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.as_str() == word)
    }
}

/// One thing that the answer needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The alternatives, of which one is enough. Never empty.
    pub any_of: Vec<Reference>,
    /// True if it is written as an `any_of` group, be it of one.
    pub group: bool,
}

impl From<Reference> for Requirement {
    fn from(reference: Reference) -> Self {
        Self { any_of: vec![reference], group: false }
    }
}

/// What a label points with, and where that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What it names.
    pub target: Target,
    /// Where it stands. `None` for one that is not in a file yet.
    pub place: Option<Place>,
}

impl From<Target> for Reference {
    fn from(target: Target) -> Self {
        Self { target, place: None }
    }
}

/// What a reference names: a section of a document, or a chunk by id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// The chunks directly under a heading path.
    Section {
        /// The document's name.
        document: String,
        /// The heading path; leading headings may be left out while it stays unique. Empty: text before the first heading, or, with a quote, anywhere in the document.
        heading: Vec<String>,
        /// Narrows the section to the chunk that holds these words.
        quote: Option<String>,
    },
    /// One chunk.
    Chunk(ChunkId),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chunk(id) => write!(f, "{id}"),
            Self::Section { document, heading, quote } => {
                f.write_str(document)?;
                for part in heading {
                    write!(f, " › {part}")?;
                }
                match quote {
                    Some(quote) => write!(f, " “{quote}”"),
                    None => Ok(()),
                }
            }
        }
    }
}
