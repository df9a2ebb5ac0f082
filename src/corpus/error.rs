//! What can be wrong with a corpus: its source, or the index over it.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use crate::engine::{client::CallError, secret::SecretError};

/// How many problems of a source one error lists; the rest is counted.
pub(super) const LISTED: usize = 10;

/// Why a corpus could not be opened or read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The source is not there.
    #[error("the corpus source {} does not exist: name a folder of Markdown files or a chunks .jsonl file", .0.display())]
    NoSource(PathBuf),
    /// The source is neither a folder, a Markdown file nor a JSONL file.
    #[error("the corpus source {} is not a folder, a .md file or a .jsonl file", .0.display())]
    UnknownSource(PathBuf),
    /// The source has no chunk at all.
    #[error("the corpus source {} holds no chunk: it needs at least one .md file with text, or one line", .0.display())]
    Empty(PathBuf),
    /// Lines or files that cannot be read as what they should be. Nothing was built.
    #[error("the corpus was not indexed:{}", list(.problems, *.more))]
    Broken {
        /// The first problems, at most ten.
        problems: Vec<Problem>,
        /// How many more there are.
        more: usize,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {what} {}: {error}", .path.display())]
    Io {
        /// What was tried, as a verb.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's word for it.
        error: std::io::Error,
    },
    /// The index must be built, and its folder cannot be written.
    #[error("the index in {} is not up to date and cannot be built, for {} cannot be written: {error}; make the folder writable, or set another one as `index` under `[corpus]` in the settings", .folder.display(), .path.display())]
    Unwritable {
        /// The index folder.
        folder: PathBuf,
        /// The file or folder that cannot be written.
        path: PathBuf,
        /// The system's word for it.
        error: std::io::Error,
    },
    /// Another process holds the index's lock for too long.
    #[error("another process has been building the index in {} for {seconds} s: end it, or name another index folder", .path.display())]
    Locked {
        /// The index folder.
        path: PathBuf,
        /// How long this one waited, in seconds.
        seconds: u64,
    },
    /// A `${NAME}` of the settings is not in the environment.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The passages of an engine could not be fetched. A copy of before is as it was.
    #[error("the corpus was not fetched from {name}: {error}")]
    Fetch {
        /// The engine and what in it.
        name: String,
        /// What went wrong.
        error: Box<CallError>,
    },
    /// The engine has nothing.
    #[error("the corpus was not fetched: {name} has no passage")]
    NoPassages {
        /// The engine and what in it.
        name: String,
    },
    /// The engine is only read from, never searched in place of an index.
    #[error(
        "{name} cannot be searched in place of an index: set `copy = true` under `[corpus.source]`, and its passages are indexed here"
    )]
    OnlyCopied {
        /// The engine and what in it.
        name: String,
    },
    /// The engine that holds the corpus could not be asked.
    #[error("the corpus in {name} could not be asked: {error}")]
    Remote {
        /// The engine and what in it.
        name: String,
        /// What went wrong.
        error: Box<CallError>,
    },
    /// The search engine failed on its own files.
    #[error("the index in {} cannot be used: {error}; delete that folder and it is built anew", .path.display())]
    Engine {
        /// The index folder.
        path: PathBuf,
        /// The engine's word for it.
        error: tantivy::TantivyError,
    },
    /// A stored chunk does not read back.
    #[error("the index in {} holds a chunk that does not read back: {error}; delete that folder and it is built anew", .path.display())]
    Stored {
        /// The index folder.
        path: PathBuf,
        /// What the reader says.
        error: serde_json::Error,
    },
}

impl CorpusError {
    /// The error of an engine that was asked.
    pub(super) fn remote(name: &str) -> impl FnOnce(CallError) -> Self {
        let name = name.to_owned();
        move |error| Self::Remote { name, error: Box::new(error) }
    }

    /// The error for problems of a source: the first few, and how many more there are.
    pub(super) fn broken(mut problems: Vec<Problem>) -> Self {
        let more = problems.len().saturating_sub(LISTED);
        problems.truncate(LISTED);
        Self::Broken { problems, more }
    }

    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { what, path, error }
    }

    pub(super) fn engine<E: Into<tantivy::TantivyError>>(path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        move |error| Self::Engine { path, error: error.into() }
    }
}

/// One thing that is wrong in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; `None` where it is the file as a whole.
    pub line: Option<u64>,
    /// What is wrong, what was expected, and what to do.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file.display(), self.what),
            None => write!(f, "{}: {}", self.file.display(), self.what),
        }
    }
}

fn list(problems: &[Problem], more: usize) -> String {
    let before = if problems.len() > 1 { "\n  " } else { " " };
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let mut text = format!("{before}{}", lines.join(before));
    if more > 0 {
        text = format!("{text}\n  … and {more} more");
    }
    text
}
