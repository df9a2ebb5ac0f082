//! The holdout on disk: the split in the settings, and the ledger of every time that the holdout was opened.
//!
//! The ledger is a file of JSON lines beside the cases, committed with them. It only grows: an opening is one line at its end, and
//! what stands there already is never written again, be it readable or not.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::settings::{Settings, SettingsError, Split};
use crate::casefile::store;

/// The name of the ledger in the folder of the cases.
pub const LEDGER: &str = "holdout-ledger.jsonl";

/// After so many openings the holdout is spent: too many choices were made with its numbers in sight for it to stand for questions
/// that nobody has seen. A convention, not a law; each opening tells a little, and ten tell enough to tune by.
pub const SPENT_AFTER: usize = 10;

/// One time that the holdout was opened: a line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// When, in UTC: `2026-11-30T23:44:58Z`.
    pub when: String,
    /// The commit of the repository that holds the cases, if it is one.
    #[serde(default)]
    pub commit: Option<String>,
    /// The config's name.
    pub config: String,
    /// The window's size.
    pub k: usize,
    /// The split then.
    #[serde(default)]
    pub split: Option<Drawn>,
    /// What the cases came to that are tuned on.
    pub train: Seen,
    /// What the cases came to that are kept out.
    pub holdout: Seen,
    /// The version of Caselight.
    pub tool: String,
}

/// A split as the ledger has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// The share of train.
    pub train: f64,
    /// The seed.
    pub seed: u64,
}

/// The numbers of one side, as they were seen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// How many cases were scored.
    pub n: usize,
    /// Their mean recall; `None` if none was scored.
    pub recall: Option<f64>,
}

/// Every opening so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    /// Its file.
    pub path: PathBuf,
    /// The openings, oldest first.
    pub openings: Vec<Opening>,
    /// Lines that are no opening: their number, from 1, and why.
    pub broken: Vec<(usize, String)>,
}

impl Ledger {
    /// True if the holdout was opened so often that it is [spent](SPENT_AFTER).
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.openings.len() >= SPENT_AFTER
    }
}

/// Why the split or the ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum HoldoutError {
    /// The settings cannot be read, or are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The settings were not saved; why.
    #[error("{0}")]
    NotSaved(String),
    /// The settings would say something else than before in more than the split.
    #[error("{}: the split cannot be written there safely; write these lines yourself:\n[split]\ntrain = {:?}\nseed = {}", path.display(), split.train, split.seed)]
    Unsafe {
        /// The settings file.
        path: PathBuf,
        /// The split.
        split: Split,
    },
    /// The system does not give the ledger.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The ledger.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// An opening could not be kept.
    #[error("the holdout stays closed, since {} cannot be written: {error}; allow that and open it again", path.display())]
    NotKept {
        /// The ledger.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// Writes `split` into the settings file at `path`; no byte outside its table changes.
pub fn write_split(path: &Path, split: Split) -> Result<(), HoldoutError> {
    let mut expected = Settings::read(path)?;
    expected.split = Some(split);
    let text = fs::read_to_string(path).map_err(|error| SettingsError::Unreadable { path: path.to_owned(), error })?;
    let written = Settings::with_split(&text, path, split)?;
    match Settings::parse(&written, path) {
        Ok(after) if after == expected => {}
        _ => return Err(HoldoutError::Unsafe { path: path.to_owned(), split }),
    }
    store::replace(path, &text, &written).map_err(HoldoutError::NotSaved)
}

/// Reads the ledger in the folder of the cases; without one nothing was opened yet.
pub fn ledger(folder: &Path) -> Result<Ledger, HoldoutError> {
    let path = folder.join(LEDGER);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(HoldoutError::Unreadable { path, error }),
    };
    let mut ledger = Ledger { path, ..Ledger::default() };
    for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(opening) => ledger.openings.push(opening),
            Err(error) => ledger.broken.push((number, reason(&error))),
        }
    }
    Ok(ledger)
}

/// What is wrong with a line, without the place that the reader counts within it.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

/// Makes sure that an opening can be kept, before anything is asked that would have to be.
pub fn can_keep(folder: &Path) -> Result<(), HoldoutError> {
    let path = folder.join(LEDGER);
    open(&path).map(|_| ()).map_err(|error| HoldoutError::NotKept { path, error })
}

/// Keeps an opening: one line at the end of the ledger, on disk before this returns.
pub fn keep(folder: &Path, opening: &Opening) -> Result<(), HoldoutError> {
    let path = folder.join(LEDGER);
    append(&path, opening).map_err(|error| HoldoutError::NotKept { path, error })
}

fn open(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new().read(true).append(true).create(true).open(path)
}

fn append(path: &Path, opening: &Opening) -> io::Result<()> {
    let mut file = open(path)?;
    let mut line = serde_json::to_string(opening)?;
    line.push('\n');
    if !ends_a_line(&mut file)? {
        // A line that was cut off stays as it is, and stays the only broken one.
        line.insert(0, '\n');
    }
    // One write at the end: another opening at the same time comes before or after it, never into it.
    file.write_all(line.as_bytes())?;
    file.sync_all()
}

fn ends_a_line(file: &mut fs::File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests;
