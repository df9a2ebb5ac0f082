//! Summaries: many cases as numbers, over all of them and by subset.

mod bound;
mod shape;
mod tally;

use std::time::Duration;

pub use self::{
    bound::Bound,
    shape::{Ranks, ranks},
    tally::Tally,
};

use super::{
    evaluate::{CaseResult, Cut},
    metric,
};
use crate::domain::chunk::ChunkId;

/// The subsets that are known without being named in the settings, in the order of reports.
pub const DEFAULT_SUBSETS: [&str; 7] =
    ["exact_token", "paraphrase", "negation", "multi_chunk", "multi_hop", "permission_narrow", "follow_up"];

/// A run as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Where its lists were cut.
    pub cut: Cut,
    /// Every case.
    pub all: Subset,
    /// One for each subset: those asked for in their order, then other tags by name.
    pub subsets: Vec<Subset>,
    /// How many cases came to what.
    pub counts: Counts,
    /// `None` if nothing answered.
    pub latency: Option<Latency>,
    /// The scored cases without a supporting chunk in the first [`Summary::misses_within`], in order: the work queue.
    pub misses: Vec<Miss>,
    /// maxK, or depth where fewer were asked for.
    pub misses_within: usize,
    /// What recall@10 says about where to look; `None` if nothing was scored or fewer than ten results were asked for.
    pub reading: Option<Reading>,
    /// The thresholds beside its numbers, see [`Summary::with_bounds`].
    pub bounds: Vec<Bound>,
}

/// All cases that carry one tag.
#[derive(Debug, Clone, PartialEq)]
pub struct Subset {
    /// The tag; `all` for every case.
    pub name: String,
    /// How many cases carry it, scored or not.
    pub cases: usize,
    /// How many of them are scored: what the means are over.
    pub n: usize,
    /// `None` if none is scored.
    pub numbers: Option<Numbers>,
    /// Why a reader should look here; never set on `all`.
    pub marks: Vec<Reason>,
}

/// Means over the scored cases of a subset, each in `0.0..=1.0`.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// Mean recall.
    pub recall: f64,
    /// Mean reciprocal rank in the window.
    pub mrr: f64,
    /// Mean precision.
    pub precision: f64,
    /// Mean of the most that precision could be.
    pub precision_ceiling: f64,
    /// Mean completeness.
    pub completeness: f64,
    /// How many cases have a distractor above the answer.
    pub distractor_above: usize,
    /// Mean recall@K by K; `None` above depth.
    pub recall_at: Vec<(usize, Option<f64>)>,
    /// MRR over the first maxK results; `None` above depth.
    pub mrr_at_max: Option<f64>,
}

impl Numbers {
    /// recall@`k`, if it is among the Ks of this run and not above depth.
    #[must_use]
    pub fn recall_at(&self, k: usize) -> Option<f64> {
        self.recall_at.iter().find(|(at, _)| *at == k).and_then(|(_, value)| *value)
    }
}

/// Why a subset is marked.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// So many of its cases have a distractor above the answer.
    DistractorAbove(usize),
    /// Its recall is this much under that of all cases.
    RecallUnderAll(f64),
    /// One of its numbers is below its threshold, or above one that is a ceiling.
    MissesThreshold {
        /// The number, by the name that it has in the settings.
        metric: String,
        /// What it is.
        value: f64,
        /// What it should be.
        threshold: f64,
    },
}

/// How many cases came to what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every case of the run.
    pub cases: usize,
    /// Scored, *no results* included.
    pub scored: usize,
    /// Scored 0 because the retriever answered with an empty list.
    pub no_results: usize,
    /// The call failed: not scored.
    pub errors: usize,
    /// Those of them that have labels: the means lack them.
    pub lost: usize,
    /// No supporting reference yet: not scored.
    pub unlabeled: usize,
    /// A label does not resolve: not scored.
    pub broken: usize,
    /// Nothing answers, and no distractor in the window.
    pub unanswerable_clean: usize,
    /// Nothing answers, and a distractor in the window.
    pub unanswerable_distracted: usize,
    /// Not asked.
    pub not_run: usize,
    /// Results of all cases together.
    pub results: usize,
    /// Results whose id the corpus does not know.
    pub unknown: usize,
    /// The first of those ids.
    pub unknown_id: Option<ChunkId>,
    /// Results of which nobody knows whether the asker may read them, those with an unknown id included.
    pub scope_unknown: usize,
    /// Cases whose answer was partial.
    pub partial: usize,
    /// Results that their asker may not read.
    pub leaks: usize,
    /// Results that repeat a chunk above them.
    pub repeats: usize,
}

impl Counts {
    /// True if there were results and the corpus knows none of them: the run measured another corpus.
    #[must_use]
    pub fn nothing_known(&self) -> bool {
        self.results > 0 && self.unknown == self.results
    }
}

/// How long the retriever took, by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latency {
    /// Half of the answers took at most this.
    pub p50: Duration,
    /// 95 of 100 answers took at most this.
    pub p95: Duration,
    /// How many answers.
    pub n: usize,
}

/// A question that the system cannot answer at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The case.
    pub id: String,
    /// Its question.
    pub question: String,
}

/// What recall@10 over all cases says about where to look.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// Above 0.85: look downstream.
    Downstream,
    /// Below 0.60: leave the prompt alone, read the subsets.
    Retrieval {
        /// The subset with the lowest recall@10.
        weakest: Option<(String, f64)>,
    },
    /// Between.
    Between {
        /// The subset with the lowest recall@10.
        weakest: Option<(String, f64)>,
    },
}

impl Reason {
    /// The reason as a clause.
    #[must_use]
    pub fn explain(&self) -> String {
        match self {
            Self::DistractorAbove(1) => "1 case has a distractor above the answer".to_owned(),
            Self::DistractorAbove(n) => format!("{n} cases have a distractor above the answer"),
            Self::RecallUnderAll(by) => format!("recall is {by:.2} under all"),
            Self::MissesThreshold { metric, value, threshold } => {
                let side = if value < threshold { "below" } else { "above" };
                let value = (value * 1000.0).round() / 1000.0;
                format!("{metric} {value} is {side} its threshold {threshold}")
            }
        }
    }
}

impl Reading {
    /// Where recall@10 is read at all.
    pub const K: usize = 10;
    /// Above this, retrieval is fine.
    pub const HIGH: f64 = 0.85;
    /// Below this, retrieval is the problem.
    pub const LOW: f64 = 0.60;

    /// The advice, in sentences.
    #[must_use]
    pub fn explain(&self) -> String {
        let named = |weakest: &Option<(String, f64)>| match weakest {
            Some((name, recall)) => format!("the weakest subset is {name} (recall@10 {recall:.3})"),
            None => "no case carries a tag yet, so nothing says where it is weak".to_owned(),
        };
        match self {
            Self::Downstream => "recall@10 is above 0.85. If answers are bad all the same, retrieval is fine, look \
                downstream: chunks too long for the qualifier to survive, the model answering from prior knowledge, no \
                instruction to abstain."
                .to_owned(),
            Self::Retrieval { weakest } => format!(
                "recall@10 is below 0.60. Leave the prompt alone, the model is not shown the answer; read the subsets: {}. \
                 Identifiers usually drag; try hybrid search next.",
                named(weakest)
            ),
            Self::Between { weakest } => {
                format!("recall@10 is between 0.60 and 0.85. Start where it is weakest: {}.", named(weakest))
            }
        }
    }
}

/// Sums up `results`. `subsets` are shown in this order even without cases; other tags follow by name.
#[must_use]
pub fn summarize<'a, S: AsRef<str>>(
    results: impl IntoIterator<Item = &'a CaseResult>,
    cut: &Cut,
    subsets: &[S],
) -> Summary {
    let mut tally = Tally::new(cut, subsets);
    for result in results {
        tally.add(result);
    }
    tally.summary()
}

/// How long the retriever took over these cases; `None` if it answered none.
#[must_use]
pub fn latency<'a>(results: impl IntoIterator<Item = &'a CaseResult>) -> Option<Latency> {
    tally::latency(&mut results.into_iter().filter_map(|result| result.latency).collect::<Vec<_>>())
}

/// A subset whose recall is this much under that of all cases is marked.
const RECALL_UNDER_ALL: f64 = 0.10;

fn marks(numbers: &Numbers, all: &Numbers) -> Vec<Reason> {
    let mut marks = Vec::new();
    if numbers.distractor_above > 0 {
        marks.push(Reason::DistractorAbove(numbers.distractor_above));
    }
    let under = all.recall - numbers.recall;
    if under >= RECALL_UNDER_ALL - metric::TOLERANCE {
        marks.push(Reason::RecallUnderAll(under));
    }
    marks
}

fn reading(all: &Subset, subsets: &[Subset]) -> Option<Reading> {
    let recall_at_ten = |subset: &Subset| subset.numbers.as_ref()?.recall_at(Reading::K);
    let recall = recall_at_ten(all)?;
    let weakest = subsets
        .iter()
        .filter_map(|subset| Some((subset.name.clone(), recall_at_ten(subset)?)))
        .min_by(|(_, a), (_, b)| a.total_cmp(b));
    Some(if recall > Reading::HIGH + metric::TOLERANCE {
        Reading::Downstream
    } else if recall < Reading::LOW - metric::TOLERANCE {
        Reading::Retrieval { weakest }
    } else {
        Reading::Between { weakest }
    })
}

#[cfg(test)]
mod tests;
