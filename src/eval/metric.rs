//! The metrics: what one ordered list of results is worth against the labels of its case.
//!
//! Every function takes the results in the order the retriever returned them. A repeat keeps its place and is credited once,
//! so no metric leaves `0.0..=1.0`. *Supporting* is any alternative of any requirement.

use std::collections::HashSet;

use crate::domain::{
    chunk::ChunkId,
    ranking::{Hit, window},
    resolve::Needed,
};

/// Two values closer than this are the same: sums of doubles in another order differ by less.
pub const TOLERANCE: f64 = 1e-9;

/// True if `id` is an alternative of any requirement.
#[must_use]
pub fn supports(needed: &[Needed], id: &ChunkId) -> bool {
    needed.iter().any(|requirement| requirement.any_of.contains(id))
}

/// The rank, from 1, of the first supporting chunk in the whole list.
#[must_use]
pub fn rank(results: &[Hit], needed: &[Needed]) -> Option<usize> {
    first(results, |id| supports(needed, id))
}

/// 1 if any supporting chunk is among the first `k` results, else 0.
#[must_use]
pub fn recall(results: &[Hit], needed: &[Needed], k: usize) -> f64 {
    if rank(window(results, k), needed).is_some() { 1.0 } else { 0.0 }
}

/// [`recall`] over the first `k` results; `None` where fewer than `k` results were asked for, so nobody knows.
#[must_use]
pub fn recall_at(results: &[Hit], needed: &[Needed], k: usize, depth: usize) -> Option<f64> {
    (k <= depth).then(|| recall(results, needed, k))
}

/// 1 / rank of the first supporting chunk among the first `k` results, else 0.
#[must_use]
pub fn mrr(results: &[Hit], needed: &[Needed], k: usize) -> f64 {
    rank(window(results, k), needed).map_or(0.0, |rank| 1.0 / rank as f64)
}

/// [`mrr`] over the first `k` results; `None` where fewer than `k` results were asked for.
#[must_use]
pub fn mrr_at(results: &[Hit], needed: &[Needed], k: usize, depth: usize) -> Option<f64> {
    (k <= depth).then(|| mrr(results, needed, k))
}

/// Supporting chunks in the window / results in the window; 0 for an empty window.
#[must_use]
pub fn precision(results: &[Hit], needed: &[Needed], k: usize) -> f64 {
    let window = window(results, k);
    let found: HashSet<_> = window.iter().map(|hit| &hit.id).filter(|id| supports(needed, id)).collect();
    ratio(found.len(), window.len())
}

/// The most that [`precision`] could be for this case and this window: with fewer supporting chunks than places, even a
/// perfect ranking stays below 1. 0 for an empty window.
#[must_use]
pub fn precision_ceiling(results: &[Hit], needed: &[Needed], k: usize) -> f64 {
    let places = window(results, k).len();
    let supporting: HashSet<_> = needed.iter().flat_map(|requirement| &requirement.any_of).collect();
    ratio(supporting.len().min(places), places)
}

/// Requirements that the window satisfies / requirements; 0 for a case without requirements.
#[must_use]
pub fn completeness(results: &[Hit], needed: &[Needed], k: usize) -> f64 {
    let window = window(results, k);
    let satisfied = needed.iter().filter(|requirement| satisfied(window, requirement)).count();
    ratio(satisfied, needed.len())
}

/// True if one of the requirement's alternatives is among `results`.
#[must_use]
pub fn satisfied(results: &[Hit], requirement: &Needed) -> bool {
    results.iter().any(|hit| requirement.any_of.contains(&hit.id))
}

/// True if, in the whole list, the best distractor stands above the best supporting chunk. One that is absent stands below
/// everything; both absent is false.
#[must_use]
pub fn distractor_above(results: &[Hit], needed: &[Needed], distractors: &[ChunkId]) -> bool {
    match (first(results, |id| distractors.contains(id)), rank(results, needed)) {
        (Some(distractor), Some(supporting)) => distractor < supporting,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// For each result, whether its chunk already stood above it.
#[must_use]
pub fn repeats(results: &[Hit]) -> Vec<bool> {
    let mut seen = HashSet::with_capacity(results.len());
    results.iter().map(|hit| !seen.insert(&hit.id)).collect()
}

/// The arithmetic mean; `None` of nothing, which is not 0.
#[must_use]
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut mean = Mean::default();
    values.into_iter().for_each(|value| mean.add(value));
    mean.value()
}

/// An arithmetic mean in the making.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Mean {
    sum: f64,
    n: usize,
}

impl Mean {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.n += 1;
    }

    /// The mean of what was added; `None` of nothing.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }
}

fn first(results: &[Hit], is: impl Fn(&ChunkId) -> bool) -> Option<usize> {
    results.iter().position(|hit| is(&hit.id)).map(|at| at + 1)
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests;
