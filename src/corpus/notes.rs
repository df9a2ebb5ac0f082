//! What `caselight index` says about a source: chunks per file, and what was odd in it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an index was built from, file by file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// Every file of the source in the corpus's order, also those that gave no chunk.
    pub files: Vec<FileNote>,
}

impl Notes {
    /// Every note with its file.
    pub fn all(&self) -> impl Iterator<Item = (&FileNote, &Note)> {
        self.files.iter().flat_map(|file| file.notes.iter().map(move |note| (file, note)))
    }

    /// True if a file of the source is not in the index.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.all().any(|(_, note)| note.severity == Severity::Error)
    }
}

/// One file of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileNote {
    /// Its path relative to the source's folder, with `/`.
    pub file: String,
    /// How many chunks it gave.
    pub chunks: u64,
    /// What was odd about it.
    pub notes: Vec<Note>,
}

/// Something odd about a file that did not stop the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// How bad it is.
    pub severity: Severity,
    /// The line, from 1; `None` where it is the file as a whole.
    pub line: Option<u64>,
    /// What it is, as a sentence without its end.
    pub what: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// How bad a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// The file, or a part of it, is not in the index.
    Error,
}
