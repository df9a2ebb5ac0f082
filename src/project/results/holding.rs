//! Which kept runs hold a case, to set one beside it.

use std::{
    cmp::Reverse,
    path::{Path, PathBuf},
};

use super::{
    find::{files, name_of},
    reader::{Reader, header},
};
use crate::eval::run::{Header, RunCase};

/// At most so many runs are given of each folder …
const GIVEN: usize = 3;
/// … and at most so many of its newest files are looked into.
const READ: usize = 20;

/// One case of a kept run.
#[derive(Debug, Clone, PartialEq)]
pub struct Holding {
    /// The run's name, as `find` takes it.
    pub name: String,
    /// It lies among the baselines.
    pub committed: bool,
    /// What it was made with.
    pub header: Header,
    /// The case.
    pub case: RunCase,
}

/// The newest baselines that hold the case `id`, then the newest runs that do. A file that no run can be read from is left out.
#[must_use]
pub fn holding(baselines: &Path, runs: &Path, id: &str) -> Vec<Holding> {
    let mut found = newest(baselines, true, id);
    found.extend(newest(runs, false, id));
    found
}

fn newest(folder: &Path, committed: bool, id: &str) -> Vec<Holding> {
    let opened = |path: PathBuf| Some((name_of(&path), header(&path).ok()?, path));
    let mut listed: Vec<_> = files(folder).into_iter().filter_map(opened).collect();
    // Of two that began in the same second, the later has a number behind its name.
    listed.sort_by_key(|(name, header, _)| Reverse((header.started.clone(), name.len(), name.clone())));
    let held = listed.into_iter().take(READ).filter_map(|(name, header, path)| {
        let case = Reader::open(&path).ok()?.filter_map(Result::ok).find(|case| case.id == id)?;
        Some(Holding { name, committed, header, case })
    });
    held.take(GIVEN).collect()
}
