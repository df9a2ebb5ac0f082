//! The corpus: sources of chunks, the embedded index over them, and search.
//!
//! [`open`] is the way in: it reads a [`Source`], builds or refreshes the index beside it, and gives an [`Index`] to
//! search, to list and to look chunks up in.

mod build;
mod error;
mod finished;
mod index;
mod manifest;
mod notes;
mod prefix;
mod schema;
mod search;
mod source;
mod store;
#[cfg(test)]
mod tests;
pub mod tokenizer;
pub mod vectors;
mod write;

pub use build::{Activity, Progress, open};
pub use error::{CorpusError, Problem};
pub use index::{Found, Index};
pub use notes::{FileNote, Note, Notes, Severity};
pub use source::Source;
pub use tokenizer::is_searchable;
