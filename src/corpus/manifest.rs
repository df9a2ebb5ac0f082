//! What a built index says about the source that it was built from.

use serde::{Deserialize, Serialize};

use super::{FileNote, Note, Notes, Source, schema, source};

/// The record beside an index. It lies in the same folder and appears with it, so the two always belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// [`schema::version`] of the program that built it.
    pub(super) version: String,
    /// [`Source::kind`].
    pub(super) kind: String,
    /// The source's folder or file: sizes and times of another one tell nothing.
    pub(super) root: String,
    /// When the files were looked at, in nanoseconds since 1970.
    pub(super) looked: u64,
    /// How many chunks the index holds.
    pub(super) chunks: u64,
    /// The files in the corpus's order.
    pub(super) files: Vec<FileState>,
}

/// One file of a source as it was indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileState {
    /// Its path relative to the source's folder.
    pub(super) name: String,
    /// Its size in bytes.
    pub(super) len: u64,
    /// When it was written, in nanoseconds since 1970.
    pub(super) written: u64,
    /// The hash of its content, or why it could not be read.
    pub(super) hash: String,
    /// What the page calls itself.
    pub(super) title: Option<String>,
    /// The document's name that its chunks carry.
    pub(super) document: String,
    /// How many chunks it gave.
    pub(super) chunks: u64,
    /// What was odd about it.
    pub(super) notes: Vec<Note>,
}

/// Stands before the trouble of a file that could not be read, in place of its hash.
const UNREAD: &str = "unread: ";

impl FileState {
    /// Records that the file cannot be read.
    pub(super) fn set_unread(&mut self, trouble: &str) {
        self.hash = format!("{UNREAD}{trouble}");
    }

    /// True if the file could not be read when it was looked at.
    pub(super) fn is_unread(&self) -> bool {
        self.hash.starts_with(UNREAD)
    }
}

impl Manifest {
    /// True if an index with this manifest holds what `files` of `source` hold now, in the form that this program reads.
    pub(super) fn holds(&self, source: &Source, files: &[FileState]) -> bool {
        let same = |(old, new): (&FileState, &FileState)| old.name == new.name && old.hash == new.hash;
        self.fits(source) && self.files.len() == files.len() && self.files.iter().zip(files).all(same)
    }

    /// True if an index with this manifest has our form and the source's kind.
    pub(super) fn fits(&self, source: &Source) -> bool {
        self.version == schema::version() && self.kind == source.kind()
    }

    /// The fingerprint of the corpus's content.
    pub(super) fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("{}\n{}\n", self.kind, source::VERSION).as_bytes());
        // A file that could not be read gave nothing.
        for file in self.files.iter().filter(|file| !file.is_unread()) {
            // The name of a chunks file says nothing about its chunks; a page's name is in its chunks' ids.
            if self.kind == "markdown" {
                hasher.update(file.name.as_bytes());
                hasher.update(b"\0");
            }
            hasher.update(file.hash.as_bytes());
            hasher.update(b"\n");
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// The manifest as `caselight index` prints it.
    pub(super) fn notes(&self) -> Notes {
        let note =
            |file: &FileState| FileNote { file: file.name.clone(), chunks: file.chunks, notes: file.notes.clone() };
        Notes { files: self.files.iter().map(note).collect() }
    }
}
