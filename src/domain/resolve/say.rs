//! A problem in words: where it stands, what is wrong, what was meant, what to do.

use std::fmt;

use super::{Problem, ProblemKind};
use crate::domain::{case::Target, chunk::ChunkId};

impl Problem {
    /// One sentence without a full stop: what is wrong with the reference.
    #[must_use]
    pub fn what(&self) -> String {
        let (document, heading, quote) = match &self.target {
            Target::Section { document, heading, quote } => (document.as_str(), heading.join(" › "), quote.as_deref()),
            Target::Chunk(_) => ("", String::new(), None),
        };
        match &self.kind {
            ProblemKind::NoDocument => format!("the corpus has no document “{document}”"),
            ProblemKind::ManyDocuments(names) => {
                format!("“{document}” may be any of the documents {}", names.join(", "))
            }
            ProblemKind::NoSection if heading.is_empty() => {
                format!("the document “{document}” has no text before its first heading")
            }
            ProblemKind::NoSection => format!("the document “{document}” has no heading “{heading}”"),
            ProblemKind::ManySections(chunks) => {
                format!("it means {} different sections, which begin with the chunks {}", chunks.len(), ids(chunks))
            }
            ProblemKind::EmptySection => format!("“{heading}” has no text of its own, only its sub-sections have"),
            ProblemKind::NoQuote if quote.is_some_and(|quote| quote.trim().is_empty()) => {
                "its quote is empty".to_owned()
            }
            ProblemKind::NoQuote => "its quote stands nowhere in that document".to_owned(),
            ProblemKind::Moved { to, found } if quote == Some(found) => {
                format!("its quote now stands in another section, in {}", ids(to))
            }
            ProblemKind::Moved { to, found } => {
                format!("its quote is only found approximately, as “{found}” in {}", ids(to))
            }
            ProblemKind::NoChunk => "the corpus has no chunk of that id".to_owned(),
            ProblemKind::Contradiction(chunk) => {
                format!("the chunk {chunk} is both supporting and distractor in this case")
            }
        }
    }

    /// One sentence without a full stop: what to do about it.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match &self.kind {
            ProblemKind::Moved { .. } => "confirm the new place, or correct the reference",
            ProblemKind::Contradiction(_) => "remove one of the two references",
            ProblemKind::NoQuote if self.has_blank_quote() => "remove `quote`, or give it words of the passage",
            ProblemKind::ManySections(_) => {
                "write more of the heading path, or add a `quote` that only one of them holds"
            }
            ProblemKind::ManyDocuments(_) => "write the document's whole name or path",
            ProblemKind::EmptySection => "name the sub-section that holds the answer",
            _ if self.candidates.is_empty() => "correct the reference, or index the document that is meant",
            _ => "put one of these in its place, or correct the reference",
        }
    }

    fn has_blank_quote(&self) -> bool {
        matches!(&self.target, Target::Section { quote: Some(quote), .. } if quote.trim().is_empty())
    }
}

impl fmt::Display for Problem {
    /// Several lines: place, case, reference and what is wrong; the candidates; what to do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: case {}: {}", self.place, self.case, self.target)?;
        writeln!(f, "  {}", self.what())?;
        for (index, candidate) in self.candidates.iter().enumerate() {
            writeln!(f, "  {} {candidate}", if index == 0 { "nearest:" } else { "        " })?;
        }
        write!(f, "  {}", self.remedy())
    }
}

fn ids(chunks: &[ChunkId]) -> String {
    chunks.iter().map(ChunkId::as_str).collect::<Vec<_>>().join(", ")
}
