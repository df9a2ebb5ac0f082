//! All case files of a place: the only part that touches the disk.

use std::path::{Path, PathBuf};

use super::{
    edit::{Edit, EditRefused},
    file::{CaseFile, UnknownField},
    problem::FileProblem,
};
use crate::domain::case::{Case, Place};

/// Why an edit, an undo or a redo did not happen. The file is as it was; the edit is the caller's still.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The edit makes no sense for the case.
    #[error(transparent)]
    Senseless(#[from] EditRefused),
    /// The case was changed or removed outside since it was shown.
    #[error("{place}: case `{case}` was changed outside meanwhile; look at it as it is now and decide again")]
    Conflict {
        /// The case's id.
        case: String,
        /// Where it is, or was.
        place: Place,
        /// The case as it is in the file now; `None` if it is gone.
        now: Option<Box<Case>>,
    },
    /// The edit cannot be made safely in place; an editor at `place` can.
    #[error("{place}: cannot {what} in place: {reason}; change it in an editor")]
    Refused {
        /// The line for `$EDITOR`.
        place: Place,
        /// The edit, described.
        what: String,
        /// Why.
        reason: String,
    },
    /// The file could not be read or written; its old content is whole.
    #[error("{}: not saved: {reason}; the file is unchanged", .file.display())]
    NotSaved {
        /// The file.
        file: PathBuf,
        /// What the system said, and what to do.
        reason: String,
    },
}

/// What an undo or a redo changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The case's id.
    pub case: String,
    /// The edit that was taken back or made again, described.
    pub what: String,
}

/// All case files of a place.
#[derive(Debug)]
pub struct Store {
    files: Vec<CaseFile>,
}

/// The case files of `folder`: those that `patterns` name (file names, `*` for any run of characters), sorted; without patterns
/// every `.yaml`, `.yml` and `.jsonl` directly in it. Never anything in `baselines/`.
pub fn case_files(folder: &Path, patterns: Option<&[String]>) -> std::io::Result<Vec<PathBuf>> {
    let _ = (folder, patterns);
    Ok(Vec::new())
}

impl Store {
    /// Reads the files. One that cannot be read is a problem, the others are there.
    #[must_use]
    pub fn open(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let _ = files.into_iter();
        Self { files: Vec::new() }
    }

    /// Every case, by file and then in the file's order. Cases with the same id are all there; see [`Self::problems`].
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.files.iter().flat_map(|file| &file.cases)
    }

    /// The case of that id; the first where two have it.
    #[must_use]
    pub fn case(&self, id: &str) -> Option<&Case> {
        self.cases().find(|case| case.id == id)
    }

    /// The files as they were last read or saved.
    #[must_use]
    pub fn files(&self) -> &[CaseFile] {
        &self.files
    }

    /// Everything that is wrong, by file; duplicate ids, also across files, last.
    #[must_use]
    pub fn problems(&self) -> Vec<FileProblem> {
        Vec::new()
    }

    /// Fields that no case has, for `check`.
    pub fn unknown_fields(&self) -> impl Iterator<Item = &UnknownField> {
        self.files.iter().flat_map(|file| &file.unknown_fields)
    }

    /// Makes `edit` in the file and saves it. `seen` is the case as the editor saw it: the file is read again first, an outside
    /// change of other cases is kept, one of this case is a [`EditError::Conflict`]. Saved when it returns `Ok`.
    pub fn edit(&mut self, seen: &Case, edit: &Edit) -> Result<(), EditError> {
        let _ = (seen, edit);
        Ok(())
    }

    /// Takes the last edit back, byte for byte; `None` if there is none. If the file was changed outside meanwhile, only the
    /// edit's own bytes go back; if that case was, it is a [`EditError::Conflict`].
    pub fn undo(&mut self) -> Result<Option<Undone>, EditError> {
        Ok(None)
    }

    /// Makes the edit again that was last taken back; `None` if there is none.
    pub fn redo(&mut self) -> Result<Option<Undone>, EditError> {
        Ok(None)
    }

    /// Reads files again that were changed outside. True if anything is different now.
    pub fn refresh(&mut self) -> bool {
        false
    }

    /// A fingerprint of all case files (blake3, hexadecimal): names and bytes, in order.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        String::new()
    }
}
