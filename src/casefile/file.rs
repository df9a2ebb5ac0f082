//! One case file: its bytes, its form, its cases in order, and what is wrong with it.

use std::{path::Path, sync::Arc};

use super::problem::FileProblem;
use crate::domain::case::{Case, Place};

/// The two forms of case files. A file stays in its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A YAML list of cases.
    Yaml,
    /// One JSON object a line.
    Jsonl,
}

impl Form {
    /// The form that a file's ending says.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "jsonl" => Some(Self::Jsonl),
            _ => None,
        }
    }
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

/// One case file as it was read.
#[derive(Debug, Clone)]
pub struct CaseFile {
    /// The path it was read from.
    pub path: Arc<Path>,
    /// YAML or JSONL.
    pub form: Form,
    /// The bytes, as they are on disk.
    pub bytes: Vec<u8>,
    /// The cases that could be read, in order.
    pub cases: Vec<Case>,
    /// What could not be read.
    pub problems: Vec<FileProblem>,
    /// Fields that are not known.
    pub unknown_fields: Vec<UnknownField>,
}
