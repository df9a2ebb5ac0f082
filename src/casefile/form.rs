//! The forms of case files, by their endings.

use std::path::Path;

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
