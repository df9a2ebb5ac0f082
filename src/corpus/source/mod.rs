//! Where chunks come from: a Markdown tree, or a JSON-lines file of chunks.

pub(super) mod front_matter;
pub(super) mod jsonl;
pub(super) mod lines;
mod lookalike;
pub(super) mod markdown;
mod slug;
mod split;
#[cfg(test)]
mod tests;

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use walkdir::{DirEntry, WalkDir};

use super::CorpusError;

/// Changes whenever the same source gives other chunks; an index of another version is built anew.
pub(super) const VERSION: u32 = 3;

/// A source of chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A folder of Markdown pages, or one page, split by heading.
    Markdown(PathBuf),
    /// A file with one chunk a line.
    Jsonl(PathBuf),
}

/// A file of a source as the file system tells it, unread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceFile {
    /// Its path relative to the source's folder, with `/`.
    pub(super) name: String,
    /// Where it is.
    pub(super) path: PathBuf,
    /// Its size in bytes.
    pub(super) len: u64,
    /// When it was written, in nanoseconds since 1970; 0 where the file system does not tell.
    pub(super) written: u64,
    /// Why it cannot be read, where its entry in the tree says so already.
    pub(super) trouble: Option<String>,
}

impl Source {
    /// Tells by what stands at `path` which source it is: a folder or a `.md` or `.markdown` file is Markdown, a `.jsonl`, `.ndjson` or `.json` file holds chunks.
    pub fn detect(path: &Path) -> Result<Self, CorpusError> {
        if !path.try_exists().map_err(CorpusError::io("read", path))? {
            return Err(CorpusError::NoSource(path.to_owned()));
        }
        if path.is_dir() || is_markdown(path) {
            Ok(Self::Markdown(path.to_owned()))
        } else if matches!(ending(path).as_str(), "jsonl" | "ndjson" | "json") {
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

    /// The kind's name in the index's manifest.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Markdown(_) => "markdown",
            Self::Jsonl(_) => "jsonl",
        }
    }

    /// The files, ordered by path; an entry of a tree that cannot be read is one with its trouble. Hidden files and folders are no part of a tree, nor are files of other endings.
    pub(super) fn files(&self) -> Result<Vec<SourceFile>, CorpusError> {
        let root = self.path();
        if !root.try_exists().map_err(CorpusError::io("read", root))? {
            return Err(CorpusError::NoSource(root.to_owned()));
        }
        if !root.is_dir() {
            let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Ok(vec![stat(name, root.to_owned()).map_err(CorpusError::io("read", root))?]);
        }
        let mut files = Vec::new();
        let visible = |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.');
        for entry in WalkDir::new(root).follow_links(true).into_iter().filter_entry(visible) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    files.extend(broken_entry(root, error)?);
                    continue;
                }
            };
            if entry.file_type().is_file() && is_markdown(entry.path()) {
                let name = relative(root, entry.path());
                files.push(match stat(name.clone(), entry.path().to_owned()) {
                    Ok(file) => file,
                    Err(error) => troubled(name, entry.into_path(), error.to_string()),
                });
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }
}

/// What stands for an entry of a tree that cannot be read; `None` if it would not be read anyway.
fn broken_entry(root: &Path, error: walkdir::Error) -> Result<Option<SourceFile>, CorpusError> {
    let path = error.path().unwrap_or(root).to_owned();
    let is_root = error.depth() == 0 || path == root;
    let error = error.into_io_error().unwrap_or_else(|| io::Error::other("this link leads back to its own folder"));
    if is_root {
        return Err(CorpusError::Io { what: "read", path, error });
    }
    // Editors keep hidden links that lead nowhere.
    let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let is_dead = error.kind() == io::ErrorKind::NotFound;
    if is_hidden || (is_dead && !is_markdown(&path)) {
        return Ok(None);
    }
    let trouble = if is_dead { "this link leads nowhere".to_owned() } else { error.to_string() };
    Ok(Some(troubled(relative(root, &path), path, trouble)))
}

fn troubled(name: String, path: PathBuf, trouble: String) -> SourceFile {
    SourceFile { name, path, len: 0, written: 0, trouble: Some(trouble) }
}

fn stat(name: String, path: PathBuf) -> io::Result<SourceFile> {
    let about = fs::metadata(&path)?;
    let written = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let written = written.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    Ok(SourceFile { name, path, len: about.len(), written, trouble: None })
}

impl SourceFile {
    /// The page's bytes, or why it cannot be read. A page that is the whole source must be readable, one of a tree need not.
    pub(super) fn page(&self, source: &Source) -> Result<Result<Vec<u8>, String>, CorpusError> {
        if let Some(trouble) = &self.trouble {
            return Ok(Err(trouble.clone()));
        }
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Ok(bytes)),
            Err(error) if self.path == source.path() => Err(CorpusError::io("read", &self.path)(error)),
            Err(error) => Ok(Err(error.to_string())),
        }
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn is_markdown(path: &Path) -> bool {
    matches!(ending(path).as_str(), "md" | "markdown")
}
