//! Where chunks come from: a Markdown tree, or a JSON-lines file of chunks.

use std::path::{Path, PathBuf};

use super::CorpusError;

/// A source of chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A folder of Markdown pages, or one page, split by heading.
    Markdown(PathBuf),
    /// A file with one chunk a line.
    Jsonl(PathBuf),
}

impl Source {
    /// Tells by what stands at `path` which source it is: a folder or a `.md` or `.markdown` file is Markdown, a `.jsonl`, `.ndjson` or `.json` file holds chunks.
    pub fn detect(path: &Path) -> Result<Self, CorpusError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        if !path.try_exists().map_err(CorpusError::io("read", path))? {
            return Err(CorpusError::NoSource(path.to_owned()));
        }
        if path.is_dir() || matches!(ending.as_str(), "md" | "markdown") {
            Ok(Self::Markdown(path.to_owned()))
        } else if matches!(ending.as_str(), "jsonl" | "ndjson" | "json") {
            Ok(Self::Jsonl(path.to_owned()))
        } else {
            Err(CorpusError::UnknownSource(path.to_owned()))
        }
    }

    /// The folder or file.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Markdown(path) | Self::Jsonl(path) => path,
        }
    }
}
