//! Which cases are kept out of tuning: each id belongs to train or to holdout by a seeded hash, whatever else is in the set.
//!
//! What is tuned until the numbers rise fits the cases that it was tuned on. The cases of the holdout are looked at seldom, so
//! that their numbers stay what a new question would see. The hash knows nothing but the id: a case that is added, renamed in its
//! words or moved to another file changes the side of no case.

use std::collections::BTreeSet;

use super::{
    aggregate::{self, Numbers},
    evaluate::{CaseResult, Cut},
    stats::{self, Interval},
};
use crate::domain::case::Case;

/// How the cases are split.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// The share of train to expect, above 0 and below 1.
    pub train: f64,
    /// Another seed draws another holdout.
    pub seed: u64,
}

impl Default for Split {
    /// 0.7 train, seed 42.
    fn default() -> Self {
        Self { train: 0.7, seed: 42 }
    }
}

/// Which side of the split a case is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Tuned on.
    Train,
    /// Kept out of tuning.
    Holdout,
}

impl Side {
    /// The word for it in reports and filters.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Holdout => "holdout",
        }
    }
}

/// Part of the key, so that no other use of the same hash draws alike. It never changes: another text would be another split.
const CONTEXT: &str = "caselight 2026-11 train and holdout";

impl Split {
    /// The side of the case of that id.
    #[must_use]
    pub fn side(&self, id: &str) -> Side {
        if self.place(id) < self.train { Side::Train } else { Side::Holdout }
    }

    /// True for a case that is kept out of tuning.
    #[must_use]
    pub fn is_holdout(&self, id: &str) -> bool {
        self.side(id) == Side::Holdout
    }

    /// Where an id falls, uniform in `0.0..1.0`: the first 53 bits of BLAKE3 over the id, keyed by the seed.
    fn place(&self, id: &str) -> f64 {
        let key = blake3::derive_key(CONTEXT, &self.seed.to_le_bytes());
        let hash = blake3::keyed_hash(&key, id.as_bytes());
        let first = hash.as_bytes().iter().take(8).fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        // 53 bits are what a double holds exactly.
        (first >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The cases that carry one tag, and how many of them are on each side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stratum {
    /// The tag; `all` for every case.
    pub name: String,
    /// How many cases are tuned on.
    pub train: usize,
    /// How many are kept out.
    pub holdout: usize,
}

/// Why one side says nothing of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// What is tuned for it is never checked.
    NoHoldout,
    /// There is nothing to tune on.
    NoTrain,
}

impl Lack {
    /// What that means, as a clause.
    #[must_use]
    pub fn explain(self) -> &'static str {
        match self {
            Self::NoHoldout => "no holdout case: what is tuned for it is never checked",
            Self::NoTrain => "only holdout cases: there is nothing to tune on",
        }
    }
}

impl Stratum {
    /// How many cases carry the tag.
    #[must_use]
    pub fn cases(&self) -> usize {
        self.train + self.holdout
    }

    /// The share of holdout in `0.0..=1.0`; `None` without a case.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.cases() > 0).then(|| self.holdout as f64 / self.cases() as f64)
    }

    /// The side that it lacks, if it has cases at all.
    #[must_use]
    pub fn lack(&self) -> Option<Lack> {
        match (self.train, self.holdout) {
            (0, 0) => None,
            (_, 0) => Some(Lack::NoHoldout),
            (0, _) => Some(Lack::NoTrain),
            _ => None,
        }
    }
}

/// A split as it falls on the cases of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strata {
    /// Every case.
    pub all: Stratum,
    /// One for each tag: those asked for in their order, then the others by name.
    pub tags: Vec<Stratum>,
    /// The ids on the train side, in the order of the cases.
    pub train: Vec<String>,
    /// The ids on the holdout side, in the order of the cases.
    pub holdout: Vec<String>,
}

/// How `split` falls on `cases`, tag by tag. `subsets` are listed in this order even without cases.
#[must_use]
pub fn strata<'a, S: AsRef<str>>(split: &Split, cases: impl IntoIterator<Item = &'a Case>, subsets: &[S]) -> Strata {
    let cases: Vec<(&Case, Side)> = cases.into_iter().map(|case| (case, split.side(&case.id))).collect();
    let ids = |side: Side| cases.iter().filter(|(_, at)| *at == side).map(|(case, _)| case.id.clone()).collect();
    let stratum = |name: &str, within: &dyn Fn(&Case) -> bool| {
        let count = |side: Side| cases.iter().filter(|(case, at)| *at == side && within(case)).count();
        Stratum { name: name.to_owned(), train: count(Side::Train), holdout: count(Side::Holdout) }
    };
    let used: BTreeSet<&str> = cases.iter().flat_map(|(case, _)| &case.tags).map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    let names = subsets.iter().map(AsRef::as_ref).chain(used).filter(|name| seen.insert(*name));
    Strata {
        all: stratum("all", &|_| true),
        tags: names.map(|name| stratum(name, &|case| case.tags.iter().any(|tag| tag == name))).collect(),
        train: ids(Side::Train),
        holdout: ids(Side::Holdout),
    }
}

/// What one side of a split came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// How many of its cases are scored: what the means are over.
    pub n: usize,
    /// `None` if none is scored.
    pub numbers: Option<Numbers>,
    /// The 95 % interval of its recall.
    pub interval: Option<Interval>,
}

/// Both sides of a split, measured in one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    /// The cases that are tuned on.
    pub train: Measured,
    /// The cases that are kept out.
    pub holdout: Measured,
}

impl Opened {
    /// Holdout less train, for recall and mrr; `None` where a side has nothing scored. Well below 0 says that what was tuned fits
    /// the train cases better than new questions.
    #[must_use]
    pub fn difference(&self) -> Option<(f64, f64)> {
        let (train, holdout) = (self.train.numbers.as_ref()?, self.holdout.numbers.as_ref()?);
        Some((holdout.recall - train.recall, holdout.mrr - train.mrr))
    }

    /// True if a side has so few cases that nothing is claimed about the difference.
    #[must_use]
    pub fn too_few(&self) -> bool {
        self.train.n.min(self.holdout.n) < stats::TOO_FEW
    }

    /// True if the intervals of recall share a value.
    #[must_use]
    pub fn overlap(&self) -> bool {
        match (self.train.interval, self.holdout.interval) {
            (Some(train), Some(holdout)) => train.low <= holdout.high && holdout.low <= train.high,
            _ => false,
        }
    }
}

/// Measures both sides of `split` in the results of one run.
#[must_use]
pub fn measure(split: &Split, results: &[CaseResult], cut: &Cut) -> Opened {
    let side = |side: Side| {
        let within = || results.iter().filter(|result| split.side(&result.id) == side);
        let all = aggregate::summarize::<&str>(within(), cut, &[]).all;
        let hits = within().filter(|result| result.scores().is_some_and(|scores| scores.recall > 0.0)).count();
        Measured { interval: stats::wilson(hits, all.n), n: all.n, numbers: all.numbers }
    };
    Opened { train: side(Side::Train), holdout: side(Side::Holdout) }
}

#[cfg(test)]
mod tests;
