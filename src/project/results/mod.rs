//! Runs on disk: where they lie, how they are found, read, written and continued.
//!
//! Runs of one's own lie in `corpus-index/runs/`, named after when they began and their config; a run that is committed to
//! compare with, a baseline, lies in `cases/baselines/`. The form of a file is [`report::run_file`](crate::report::run_file)'s.

mod find;
mod history;
mod holding;
mod reader;
mod resume;
mod writer;

use std::{
    io,
    path::{Path, PathBuf},
};

pub use self::{
    find::{Listed, find, list},
    history::{Past, history},
    holding::{Holding, holding},
    reader::{Reader, Summarized, read, summarize},
    resume::{Resumed, resume},
    writer::{Writer, check_out},
};
use super::Project;
use crate::{eval::run::Run, report::run_file::LineError};

/// A run that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// Its file.
    pub path: PathBuf,
    /// What it holds, each case once.
    pub run: Run,
    /// What a reader should know: a last line that was cut off, cases that stand twice.
    pub notes: Vec<String>,
}

/// Why a run could not be found, read or written. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// No file goes by that name.
    #[error("there is no run `{name}`, neither as a file nor in {}{}", places.join(" or "), there_are(.known, .nearest.as_deref()))]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The folders in which it was sought.
        places: Vec<String>,
        /// The names that exist, baselines first, then the newest runs.
        known: Vec<String>,
        /// The name that looks most like it.
        nearest: Option<String>,
    },
    /// The system does not give the file.
    #[error("cannot read the run {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line is not what it must be.
    #[error("{}:{line}: {error}{}", path.display(), remedy(.error))]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: LineError,
    },
    /// The run cannot be written.
    #[error("cannot write the run {}: {error}{}", path.display(), kept.as_ref().map(|kept| format!("; it is whole in {}", kept.display())).unwrap_or_default())]
    Unwritable {
        /// The file or its folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
        /// Where the finished cases lie all the same.
        kept: Option<PathBuf>,
    },
    /// The file that a run should be written to is another kind of file.
    #[error("a run is not written to {}: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// There is no run to go on with.
    #[error("there is no run of config `{config}` in {} to resume; without `--resume` a new one starts", folder.display())]
    NothingToResume {
        /// The config.
        config: String,
        /// Where runs lie.
        folder: PathBuf,
    },
    /// The run was made with something else than what is asked now.
    #[error("{} cannot be resumed: {}; without `--resume` a new run starts", path.display(), differences.join("; "))]
    Different {
        /// The run's file.
        path: PathBuf,
        /// What differs, each as a clause.
        differences: Vec<String>,
    },
    /// Another process is writing the run.
    #[error("{} is being written by another caselight; wait for it, or start a new run without `--resume`", path.display())]
    Busy {
        /// The run's file.
        path: PathBuf,
    },
}

fn there_are(known: &[String], nearest: Option<&str>) -> String {
    let near = nearest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    if known.is_empty() {
        "; there are no runs yet: `caselight run` makes one".to_owned()
    } else {
        format!("; there are {}{near}", known.join(", "))
    }
}

fn remedy(error: &LineError) -> &'static str {
    match error {
        LineError::Broken { .. } => "; repair the line or take it out",
        LineError::NoRun | LineError::Newer { .. } => "",
    }
}

/// The folder of one's own runs.
#[must_use]
pub fn runs(project: &Project) -> PathBuf {
    project.settings.index.join("runs")
}

/// The folder of the runs that are committed to compare with.
#[must_use]
pub fn baselines(project: &Project) -> PathBuf {
    project.folder.join("baselines")
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> ResultsError + '_ {
    |error| ResultsError::Unreadable { path: path.to_owned(), error }
}

#[cfg(test)]
mod tests;
