//! How a config did over its kept runs, oldest first.

use std::path::Path;

use super::{
    find::{files, name_of},
    reader::{Reader, header},
};
use crate::eval::{
    aggregate::{Summary, Tally},
    run::Header,
};

/// At most so many runs are summed up.
const MOST: usize = 16;

/// A kept run as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// The run's name, as `find` takes it.
    pub name: String,
    /// What it was made with.
    pub header: Header,
    /// The numbers, under the window that was asked for.
    pub summary: Summary,
}

/// The newest runs of `config` in the folder `runs`, oldest first, each scored anew under a window of `k`. Only the cases of
/// which `shown` is true of their id are looked at; runs without any of them, runs that asked for fewer than `k` results, and
/// files that no run can be read from are left out.
#[must_use]
pub fn history(runs: &Path, config: &str, k: usize, subsets: &[String], shown: &dyn Fn(&str) -> bool) -> Vec<Past> {
    let opened = |path: std::path::PathBuf| Some((name_of(&path), header(&path).ok()?, path));
    let mut listed: Vec<_> = files(runs).into_iter().filter_map(opened).collect();
    listed.retain(|(_, header, _)| header.config == config && header.cut.depth >= k);
    // Of two that began in the same second, the later has a number behind its name.
    listed.sort_by_key(|(name, header, _)| std::cmp::Reverse((header.started.clone(), name.len(), name.clone())));
    let summed = listed.into_iter().filter_map(|(name, header, path)| {
        let mut cut = header.cut.clone();
        cut.k = k;
        let mut tally = Tally::new(&cut, subsets);
        for case in Reader::open(&path).ok()? {
            let case = case.ok()?;
            if shown(&case.id) {
                tally.add(&case.result(&cut));
            }
        }
        let summary = tally.summary();
        (summary.counts.scored > 0).then_some(Past { name, header, summary })
    });
    let mut past: Vec<Past> = summed.take(MOST).collect();
    past.reverse();
    past
}
