//! A summary in the making: cases go in one at a time, and none is kept.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{Counts, Latency, Miss, Numbers, Subset, Summary, marks, reading};
use crate::eval::{
    evaluate::{CaseResult, Cut, Mark, Scores, State},
    metric::Mean,
};

/// A summary in the making. Of a case it keeps its latency, and of a total miss its question.
#[derive(Debug, Clone)]
pub struct Tally {
    cut: Cut,
    /// The subsets that are shown even without cases, in their order.
    asked_for: Vec<String>,
    all: Sums,
    subsets: BTreeMap<String, Sums>,
    counts: Counts,
    taken: Vec<Duration>,
    misses: Vec<Miss>,
}

impl Tally {
    /// Nothing yet. `subsets` are shown in this order even without cases; other tags follow by name.
    #[must_use]
    pub fn new<S: AsRef<str>>(cut: &Cut, subsets: &[S]) -> Self {
        Self {
            cut: cut.clone(),
            asked_for: subsets.iter().map(|name| name.as_ref().to_owned()).collect(),
            all: Sums::default(),
            subsets: BTreeMap::new(),
            counts: Counts::default(),
            taken: Vec::new(),
            misses: Vec::new(),
        }
    }

    /// Where lists are cut.
    #[must_use]
    pub fn cut(&self) -> &Cut {
        &self.cut
    }

    /// Adds a case.
    pub fn add(&mut self, result: &CaseResult) {
        let scores = result.scores();
        self.all.add(scores);
        for (at, tag) in result.tags.iter().enumerate() {
            // A tag that is written twice is carried once.
            if !result.tags[..at].contains(tag) {
                match self.subsets.get_mut(tag) {
                    Some(sums) => sums.add(scores),
                    None => self.subsets.entry(tag.clone()).or_default().add(scores),
                }
            }
        }
        self.count(result);
        self.taken.extend(result.latency);
        let within = self.misses_within();
        if scores.is_some() && result.rank.is_none_or(|rank| rank > within) {
            self.misses.push(Miss { id: result.id.clone(), question: result.question.clone() });
        }
    }

    /// The summary of what was added.
    #[must_use]
    pub fn summary(mut self) -> Summary {
        let all = self.all.subset("all".to_owned(), None);
        let mut seen = BTreeSet::new();
        let names = self.asked_for.iter().chain(self.subsets.keys()).filter(|name| seen.insert(*name));
        let none = Sums::default();
        let row = |name: &String| self.subsets.get(name).unwrap_or(&none).subset(name.clone(), all.numbers.as_ref());
        let subsets: Vec<Subset> = names.map(row).collect();
        Summary {
            bounds: Vec::new(),
            misses_within: self.misses_within(),
            reading: reading(&all, &subsets),
            latency: latency(&mut self.taken),
            cut: self.cut,
            counts: self.counts,
            misses: self.misses,
            all,
            subsets,
        }
    }

    fn misses_within(&self) -> usize {
        self.cut.max_k().min(self.cut.depth)
    }

    fn count(&mut self, result: &CaseResult) {
        let counts = &mut self.counts;
        counts.cases += 1;
        match result.state {
            State::Scored(_) => counts.scored += 1,
            State::Unanswerable { distracted: false } => counts.unanswerable_clean += 1,
            State::Unanswerable { distracted: true } => counts.unanswerable_distracted += 1,
            State::Unlabeled => counts.unlabeled += 1,
            State::Broken => counts.broken += 1,
            State::Error(_) => {
                counts.errors += 1;
                counts.lost += usize::from(result.labels.iter().any(|(_, mark)| *mark == Mark::Supporting));
            }
            State::NotRun => counts.not_run += 1,
        }
        counts.no_results += usize::from(result.scores().is_some() && result.no_results());
        counts.results += result.results.len();
        counts.partial += usize::from(result.partial.is_some());
        for row in &result.results {
            counts.unknown += usize::from(row.unknown);
            if row.unknown && counts.unknown_id.is_none() {
                counts.unknown_id = Some(row.id.clone());
            }
            counts.scope_unknown += usize::from(row.scope_unknown);
            counts.leaks += usize::from(row.leaked);
            counts.repeats += usize::from(row.repeat);
        }
    }
}

/// The sums of one subset.
#[derive(Debug, Clone, Default)]
struct Sums {
    cases: usize,
    n: usize,
    recall: Mean,
    mrr: Mean,
    precision: Mean,
    precision_ceiling: Mean,
    completeness: Mean,
    distractor_above: usize,
    /// By K; `None` once a case could not tell.
    recall_at: Vec<(usize, Option<Mean>)>,
    mrr_at_max: Option<Mean>,
}

impl Sums {
    fn add(&mut self, scores: Option<&Scores>) {
        self.cases += 1;
        let Some(scores) = scores else { return };
        if self.n == 0 {
            self.recall_at = scores.recall_at.iter().map(|&(k, _)| (k, Some(Mean::default()))).collect();
            self.mrr_at_max = Some(Mean::default());
        }
        self.n += 1;
        self.recall.add(scores.recall);
        self.mrr.add(scores.mrr);
        self.precision.add(scores.precision);
        self.precision_ceiling.add(scores.precision_ceiling);
        self.completeness.add(scores.completeness);
        self.distractor_above += usize::from(scores.distractor_above);
        for (at, (_, mean)) in self.recall_at.iter_mut().enumerate() {
            add_known(mean, scores.recall_at.get(at).and_then(|&(_, value)| value));
        }
        add_known(&mut self.mrr_at_max, scores.mrr_at_max);
    }

    fn numbers(&self) -> Option<Numbers> {
        Some(Numbers {
            recall: self.recall.value()?,
            mrr: self.mrr.value()?,
            precision: self.precision.value()?,
            precision_ceiling: self.precision_ceiling.value()?,
            completeness: self.completeness.value()?,
            distractor_above: self.distractor_above,
            recall_at: self.recall_at.iter().map(|&(k, mean)| (k, mean.and_then(Mean::value))).collect(),
            mrr_at_max: self.mrr_at_max.and_then(Mean::value),
        })
    }

    fn subset(&self, name: String, all: Option<&Numbers>) -> Subset {
        let numbers = self.numbers();
        let marks = match (&numbers, all) {
            (Some(numbers), Some(all)) => marks(numbers, all),
            _ => Vec::new(),
        };
        Subset { name, cases: self.cases, n: self.n, numbers, marks }
    }
}

/// A mean over cases of which one cannot tell is no mean over all of them.
fn add_known(mean: &mut Option<Mean>, value: Option<f64>) {
    *mean = mean.zip(value).map(|(mut mean, value)| {
        mean.add(value);
        mean
    });
}

/// By nearest rank.
pub(super) fn latency(taken: &mut [Duration]) -> Option<Latency> {
    taken.sort_unstable();
    let n = taken.len();
    let nearest_rank = |percent: usize| taken.get((n * percent).div_ceil(100).saturating_sub(1)).copied();
    Some(Latency { p50: nearest_rank(50)?, p95: nearest_rank(95)?, n })
}
