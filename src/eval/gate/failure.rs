//! Why a gate fails, and what it warns of: each one a line that names subset, metric, value, threshold and cases.

use super::{
    held::{Held, subset},
    threshold::{Metric, Threshold},
};
use crate::{
    domain::chunk::ChunkId,
    eval::{aggregate::Summary, compare::Change},
};

/// What a gate's failures amount to, in rising order; each is an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// It passes.
    Fine,
    /// Below a threshold, a subset without cases, a leak, or a regression.
    Below,
    /// Calls failed, or answers were partial.
    CaseErrors,
    /// It could not be measured.
    CouldNotRun,
}

/// Why a gate fails.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// A threshold is not met.
    Threshold(Held),
    /// The gate names a subset of which no case is scored.
    NoCases {
        /// The subset.
        subset: String,
        /// How many cases carry it.
        cases: usize,
    },
    /// Nobody knows the number: K lies above depth, or nothing answered.
    Unmeasured {
        /// The subset.
        subset: String,
        /// The number.
        metric: Metric,
        /// How many results were asked for.
        depth: usize,
    },
    /// Results that their asker may not read.
    Leaks {
        /// Each with its case.
        leaks: Vec<(String, ChunkId)>,
    },
    /// Calls failed.
    Errors {
        /// The cases.
        cases: Vec<String>,
    },
    /// Answers were partial: nobody knows what the whole ones would have scored.
    Partial {
        /// The cases.
        cases: Vec<String>,
    },
    /// No case is scored at all.
    NothingScored {
        /// How many cases there were.
        cases: usize,
    },
    /// A case regressed against a baseline.
    Regressed {
        /// The subset that holds it.
        subset: String,
        /// The baseline.
        baseline: String,
        /// The case and why.
        change: Box<Change>,
    },
    /// The baseline was made with another window, so nothing in it compares.
    OtherK {
        /// The baseline.
        baseline: String,
        /// Its k.
        was: usize,
        /// Today's k.
        is: usize,
    },
    /// No case of the subset is scored in both the baseline and this run.
    NoPairs {
        /// The baseline.
        baseline: String,
        /// The subset.
        subset: String,
    },
}

impl Failure {
    /// What it amounts to.
    #[must_use]
    pub fn claim(&self) -> Claim {
        match self {
            Self::Threshold(_) | Self::NoCases { .. } | Self::Leaks { .. } | Self::Regressed { .. } => Claim::Below,
            Self::Errors { .. } | Self::Partial { .. } => Claim::CaseErrors,
            Self::Unmeasured { .. } | Self::NothingScored { .. } | Self::OtherK { .. } | Self::NoPairs { .. } => {
                Claim::CouldNotRun
            }
        }
    }

    /// The word for files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Threshold(_) => "threshold",
            Self::NoCases { .. } => "no_cases",
            Self::Unmeasured { .. } => "unmeasured",
            Self::Leaks { .. } => "leaks",
            Self::Errors { .. } => "errors",
            Self::Partial { .. } => "partial",
            Self::NothingScored { .. } => "nothing_scored",
            Self::Regressed { .. } => "regressed",
            Self::OtherK { .. } => "other_k",
            Self::NoPairs { .. } => "no_pairs",
        }
    }

    /// The subset it is about; `None` where it is about the run.
    #[must_use]
    pub fn subset(&self) -> Option<&str> {
        match self {
            Self::Threshold(held) => Some(&held.subset),
            Self::NoCases { subset, .. }
            | Self::Unmeasured { subset, .. }
            | Self::Regressed { subset, .. }
            | Self::NoPairs { subset, .. } => Some(subset),
            _ => None,
        }
    }

    /// The cases behind it.
    #[must_use]
    pub fn cases(&self) -> Vec<&str> {
        match self {
            Self::Threshold(held) => held.cases.iter().map(String::as_str).collect(),
            Self::Leaks { leaks } => {
                let mut cases: Vec<&str> = leaks.iter().map(|(case, _)| case.as_str()).collect();
                cases.dedup();
                cases
            }
            Self::Errors { cases } | Self::Partial { cases } => cases.iter().map(String::as_str).collect(),
            Self::Regressed { change, .. } => vec![&change.id],
            _ => Vec::new(),
        }
    }
}

/// The failure of a gate on a subset of which nothing is scored.
pub(super) fn no_cases(summary: &Summary, name: &str) -> Failure {
    Failure::NoCases { subset: name.to_owned(), cases: subset(summary, name).map_or(0, |subset| subset.cases) }
}

/// What does not fail a gate and should be known.
#[derive(Debug, Clone, PartialEq)]
pub enum Warning {
    /// Calls failed, which was allowed.
    ErrorsAllowed {
        /// The cases.
        cases: Vec<String>,
    },
    /// Answers were partial, which was allowed.
    PartialAllowed {
        /// The cases.
        cases: Vec<String>,
    },
    /// Results that the corpus does not know, or whose asker's groups only production knows: whether they leaked, nobody can tell.
    ScopeUnknown {
        /// How many.
        unknown: usize,
        /// Of how many results.
        results: usize,
    },
    /// Cases whose labels, question or asker are not the baseline's: they are not held to it.
    Redefined {
        /// The baseline.
        baseline: String,
        /// The cases.
        cases: Vec<String>,
    },
    /// The corpus is not the baseline's.
    OtherCorpus {
        /// The baseline.
        baseline: String,
    },
    /// Cases of the baseline that are no longer there.
    OnlyInBaseline {
        /// The baseline.
        baseline: String,
        /// The cases.
        cases: Vec<String>,
    },
    /// A threshold was lowered, or taken away.
    Lowered {
        /// The subset.
        subset: String,
        /// What it was.
        was: Threshold,
        /// What it is; `None` if it is gone.
        is: Option<f64>,
        /// Since when, in words: `the last commit`.
        since: String,
    },
    /// Something could not be looked at; a sentence.
    NotSeen(String),
}

/// The thresholds of `now` that are lower than in `before`, or gone; a ceiling is lowered by being raised. Each is a subset and
/// its thresholds.
#[must_use]
pub fn lowered(before: &[(&str, &[Threshold])], now: &[(&str, &[Threshold])], since: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (subset, was) in before.iter().flat_map(|(subset, thresholds)| thresholds.iter().map(move |was| (*subset, was)))
    {
        let is = now.iter().filter(|(name, _)| *name == subset).flat_map(|(_, thresholds)| *thresholds);
        let is = is.filter(|is| is.metric == was.metric).map(|is| is.value).next_back();
        if is.is_none_or(|is| !was.met(is)) {
            warnings.push(Warning::Lowered { subset: subset.to_owned(), was: *was, is, since: since.to_owned() });
        }
    }
    warnings
}
