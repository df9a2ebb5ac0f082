//! The corpus: sources of chunks, the embedded index over them, and search.
//!
//! [`open`] is the way in: it reads a [`Source`], builds or refreshes the index beside it, and gives an [`Index`] to
//! search, to list and to look chunks up in.

pub mod build;
pub mod error;
pub mod index;
mod manifest;
pub mod notes;
mod prefix;
mod schema;
mod search;
pub mod source;
mod store;
pub mod tokenizer;

pub use build::{Activity, Progress, open};
pub use error::{CorpusError, Problem};
pub use index::{Found, Index};
pub use notes::{FileNote, Note, Notes, Severity};
pub use source::Source;
pub use tokenizer::is_searchable;
