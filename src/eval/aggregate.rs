//! Summaries: many cases as numbers, over all of them and by subset.

use std::time::Duration;

use super::evaluate::{CaseResult, Cut};

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
    /// Results whose id the corpus does not know: scope unknown.
    pub unknown: usize,
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

/// Sums up `results`. `subsets` are shown in this order even without cases; other tags follow by name.
#[must_use]
pub fn summarize<S: AsRef<str>>(results: &[CaseResult], cut: &Cut, subsets: &[S]) -> Summary {
    let _ = (results, subsets);
    let all = Subset { name: "all".to_owned(), cases: 0, n: 0, numbers: None, marks: Vec::new() };
    Summary {
        cut: cut.clone(),
        all,
        subsets: Vec::new(),
        counts: Counts::default(),
        latency: None,
        misses: Vec::new(),
        misses_within: cut.max_k().min(cut.depth),
        reading: None,
    }
}
