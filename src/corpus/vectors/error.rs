//! What can be wrong with the vectors of passages.

use std::{io, path::PathBuf};

/// Why the passages of a corpus could not be had as vectors.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// The model could not be asked, or its answer not be used. What was finished before is kept.
    #[error(
        "the passages could not be embedded by `{name}` ({done} of {total} are done and kept): {reason}; the next run goes on from \
         there, and a slow server may need a smaller `batch`, less `concurrency` or a longer `timeout` in [embeddings.{name}]"
    )]
    Model {
        /// The model's name in the settings.
        name: String,
        /// How many passages have a vector.
        done: usize,
        /// How many there are.
        total: usize,
        /// One line.
        reason: String,
    },
    /// The model's vectors have another length than those that it gave before.
    #[error(
        "`{name}` gives vectors of {got} numbers, and the ones kept in {} have {kept}: it is another model under the same name; \
         delete that folder and every passage is embedded anew",
        folder.display()
    )]
    Dimensions {
        /// The model's name in the settings.
        name: String,
        /// Where the vectors are kept.
        folder: PathBuf,
        /// How many numbers came.
        got: usize,
        /// How many were expected.
        kept: usize,
    },
    /// The folder cannot be read.
    #[error("the vectors in {} cannot be read: {error}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// The system's word for it.
        error: io::Error,
    },
    /// There are passages to embed, and what comes of it cannot be kept.
    #[error(
        "passages have to be embedded and their vectors cannot be kept in {}, for {} cannot be written: {error}; make the folder \
         writable, or set another one as `index` under `[corpus]` in the settings",
        folder.display(),
        path.display()
    )]
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// The file or folder that cannot be written.
        path: PathBuf,
        /// The system's word for it.
        error: io::Error,
    },
    /// A fault of this program.
    #[error("the vectors could not be put in order: {0}; this is a fault of the program, please report it")]
    Inside(String),
}
