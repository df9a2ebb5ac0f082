//! What is wrong with a case file: where, which value, what was expected, what to do.

use std::fmt;

use crate::domain::case::Place;

/// Something in a case file that cannot be read as it stands. What is not named by a problem was read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}{kind}", for_case(.case.as_deref()))]
pub struct FileProblem {
    /// Where it stands; line 1, column 1 for a problem of the whole file.
    pub place: Place,
    /// The id of the case it belongs to, where that is known.
    pub case: Option<String>,
    /// What it is.
    pub kind: FileProblemKind,
}

/// A field of a case that Caselight does not know. It stays in the file as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownField {
    /// Where its name stands.
    pub place: Place,
    /// The id of its case.
    pub case: String,
    /// Its name.
    pub name: String,
    /// The known field that it may have meant.
    pub nearest: Option<&'static str>,
}

fn for_case(id: Option<&str>) -> String {
    id.map(|id| format!("case `{id}`: ")).unwrap_or_default()
}

impl FileProblem {
    /// True if a case or a whole file is missing because of this; false if the case was loaded in spite of it.
    #[must_use]
    pub fn hides_cases(&self) -> bool {
        !matches!(self.kind, FileProblemKind::DuplicateId { .. } | FileProblemKind::AnsweredUnanswerable)
    }
}

/// The kinds of problems in case files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileProblemKind {
    /// The file could not be read from disk.
    #[error("cannot be read: {0}; make the file readable or take it out of `[cases] files`")]
    Unreadable(String),
    /// The ending is none of the two forms.
    #[error("is neither YAML nor JSONL; name it .yaml, .yml or .jsonl")]
    UnknownForm,
    /// Bytes that are not UTF-8. In YAML the whole file is refused, in JSONL the line.
    #[error("byte {byte} of the file is not UTF-8; save the text as UTF-8")]
    NotUtf8 {
        /// The offset in the file, from 0.
        byte: usize,
    },
    /// A raw NUL byte.
    #[error("byte {byte} of the file is NUL, which text cannot hold; remove it")]
    Nul {
        /// The offset in the file, from 0.
        byte: usize,
    },
    /// The file (YAML) or line (JSONL) is not well formed.
    #[error("cannot be parsed: {0}; correct it in an editor, nothing is saved over it until then")]
    Syntax(String),
    /// One mapping has the same key twice.
    #[error(
        "the key `{key}` stands here and on line {first}; keep one of them, nothing is saved over the file until then"
    )]
    DuplicateKey {
        /// The key.
        key: String,
        /// The line of the earlier one.
        first: u32,
    },
    /// More than one YAML document in a file.
    #[error("a second YAML document begins; a case file holds one list, move these cases to a file of their own")]
    ManyDocuments,
    /// Nesting or alias expansion beyond any honest case file.
    #[error("{0}; a case file needs far less, look for a mistake in it")]
    TooMuch(String),
    /// The top level is not a list of cases.
    #[error("the top level is {found}, expected a list of cases (or a mapping with a list `cases`)")]
    NotCases {
        /// What stands there.
        found: &'static str,
    },
    /// A field that must be there is missing.
    #[error("`{field}` is missing; add it")]
    Missing {
        /// The field.
        field: &'static str,
    },
    /// A value of the wrong kind.
    #[error("`{field}` is {found}, expected {expected}")]
    Wrong {
        /// The field, with its position in a list.
        field: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// An unknown key inside a reference.
    #[error("unknown key `{key}` in a reference{}; known are document, heading, quote, chunk, any_of", did_you_mean(.nearest.as_deref()))]
    UnknownKey {
        /// The key.
        key: String,
        /// The nearest known one.
        nearest: Option<String>,
    },
    /// Two cases have the same id. Ids are text: `"007"` and `007` are the same.
    #[error("the id `{id}` is also used at {first}; ids are text and each is used once, change one of them")]
    DuplicateId {
        /// The id.
        id: String,
        /// The earlier case.
        first: Place,
    },
    /// `answerable: false` beside supporting references.
    #[error(
        "`answerable: false` says that nothing answers, but the case has supporting references; remove one or the other"
    )]
    AnsweredUnanswerable,
}

pub(super) fn did_you_mean(nearest: Option<&str>) -> impl fmt::Display {
    nearest.map(|nearest| format!(" (did you mean `{nearest}`?)")).unwrap_or_default()
}

/// The known name nearest to `name`, if it is near enough to be a slip of the hand.
#[must_use]
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|known| (strsim::jaro_winkler(&name.to_lowercase(), known), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}
