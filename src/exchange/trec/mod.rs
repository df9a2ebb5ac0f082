//! TREC's two files: judgments (`topic iter document grade`) and runs (`topic Q0 document rank score name`).
//!
//! Columns stand apart by any white space but a line's end. A line that begins with `#` is a comment; blank lines, a byte order
//! mark and carriage returns are read over. What is wrong with a line is said with the file, the line, the value and what was
//! expected.

mod blocks;
mod places;
mod qrels;
mod run;
mod scattered;
mod text;

pub use self::{
    places::Places,
    qrels::{Judged, Qrels, Topic},
    run::{Find, Line, Read, Refused, RunFile, Visit},
};

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TrecError {
    /// The file cannot be read at all.
    #[error("cannot read {file}: {source}")]
    Unreadable {
        /// The file as it was named.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line is not what it must be.
    #[error("{file}:{line}: {fault}")]
    Line {
        /// The file as it was named.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        fault: Fault,
    },
    /// The file has no line to read.
    #[error("{file} has no line with {expected}")]
    Empty {
        /// The file as it was named.
        file: String,
        /// The columns that a line of it has.
        expected: &'static str,
    },
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It has too few columns.
    #[error("{columns} columns; expected {expected}, apart by white space")]
    Columns {
        /// How many it has.
        columns: usize,
        /// The columns that it should have.
        expected: &'static str,
    },
    /// A column does not hold what it must.
    #[error("{column} is {value:?}; expected {expected}")]
    Value {
        /// The column's name.
        column: &'static str,
        /// What it holds.
        value: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// The document is there twice where it may be once.
    #[error("document {document:?} of topic {topic:?} stands on line {first} already{}", if *.otherwise { " with another grade" } else { "" })]
    Twice {
        /// The topic.
        topic: String,
        /// The document.
        document: String,
        /// The line where it stood first, from 1.
        first: u64,
        /// It was something else there.
        otherwise: bool,
    },
}

/// The columns of `line`, which ends before its line feed.
fn columns(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| is_white(byte)).filter(|column| !column.is_empty())
}

/// White space as C reads it, the line feed among it.
fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// True for a line that holds nothing to read.
fn is_idle(line: &[u8]) -> bool {
    line.first() == Some(&b'#') || line.iter().all(|&byte| is_white(byte))
}

/// Bytes of a file as they are shown.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests;
