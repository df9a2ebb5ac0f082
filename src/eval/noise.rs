//! Run-to-run noise: what changes when the same cases are asked again, though nothing was changed.

use std::collections::HashMap;

use super::{
    aggregate::{Numbers, Summary},
    evaluate::{CaseResult, State},
};
use crate::domain::chunk::ChunkId;

/// What changed between repeats of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Noise {
    /// How often each case was asked.
    pub repeats: usize,
    /// How many cases were asked.
    pub cases: usize,
    /// How many of them were never answered: nothing is known of their noise.
    pub silent: usize,
    /// How many of them got another list, or none, in at least one repeat.
    pub reordered: usize,
    /// The cases whose recall or first rank is not the same in all repeats, or that failed in some of them.
    pub unsteady: Vec<Unsteady>,
    /// The means over all cases, each from its least to its greatest; empty if nothing was scored.
    pub spread: Vec<Spread>,
}

/// A case that does not come out the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsteady {
    /// The case.
    pub id: String,
    /// Its question.
    pub question: String,
    /// Its recall in each repeat; `None` where it was not scored.
    pub recall: Vec<Option<f64>>,
    /// The rank of its first supporting chunk in each repeat; `None` where there is none.
    pub rank: Vec<Option<usize>>,
    /// In how many repeats the call failed.
    pub errors: usize,
}

impl Unsteady {
    /// True if recall differs between the repeats that were scored.
    #[must_use]
    pub fn flips(&self) -> bool {
        let mut known = self.recall.iter().flatten();
        let first = known.next();
        known.any(|recall| Some(recall) != first)
    }
}

/// A mean over repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Its name.
    pub metric: &'static str,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Noise {
    /// True if every case that was answered got the same list each time.
    #[must_use]
    pub fn none(&self) -> bool {
        self.reordered == 0 && self.unsteady.is_empty()
    }
}

/// Compares repeats of one run, each with its results and its summary; cases are paired by id.
#[must_use]
pub fn noise(repeats: &[(&[CaseResult], &Summary)]) -> Noise {
    let (first, others) = repeats.split_first().map_or((&[][..], &[][..]), |((first, _), others)| (*first, others));
    let by_id: Vec<HashMap<&str, &CaseResult>> =
        others.iter().map(|(results, _)| results.iter().map(|result| (result.id.as_str(), result)).collect()).collect();
    let mut noise = Noise {
        repeats: repeats.len(),
        cases: first.len(),
        silent: 0,
        reordered: 0,
        unsteady: Vec::new(),
        spread: spread(repeats),
    };
    for case in first {
        let again = by_id.iter().filter_map(|results| results.get(case.id.as_str()).copied());
        let all: Vec<&CaseResult> = std::iter::once(case).chain(again).collect();
        noise.silent += usize::from(all.iter().all(|result| result.latency.is_none()));
        noise.reordered += usize::from(all.iter().any(|result| !same_list(result, case)));
        let unsteady = Unsteady {
            id: case.id.clone(),
            question: case.question.clone(),
            recall: all.iter().map(|result| result.scores().map(|scores| scores.recall)).collect(),
            rank: all.iter().map(|result| result.rank).collect(),
            errors: all.iter().filter(|result| matches!(result.state, State::Error(_))).count(),
        };
        let moved = unsteady.rank.iter().any(|rank| *rank != case.rank);
        if unsteady.flips() || moved || (1..all.len()).contains(&unsteady.errors) {
            noise.unsteady.push(unsteady);
        }
    }
    noise
}

fn same_list(a: &CaseResult, b: &CaseResult) -> bool {
    fn ids(result: &CaseResult) -> impl Iterator<Item = &ChunkId> {
        result.results.iter().map(|row| &row.id)
    }
    a.latency.is_some() == b.latency.is_some() && ids(a).eq(ids(b))
}

type Value = fn(&Numbers) -> f64;

fn spread(repeats: &[(&[CaseResult], &Summary)]) -> Vec<Spread> {
    let metrics: [(&str, Value); 4] = [
        ("recall", |numbers| numbers.recall),
        ("mrr", |numbers| numbers.mrr),
        ("precision", |numbers| numbers.precision),
        ("completeness", |numbers| numbers.completeness),
    ];
    let spread = |(metric, value): (&'static str, Value)| {
        let values = repeats.iter().filter_map(|(_, summary)| summary.all.numbers.as_ref()).map(value);
        let (least, greatest) = values.fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(least, greatest)| (least.min(value), greatest.max(value))))
        })?;
        Some(Spread { metric, least, greatest })
    };
    metrics.into_iter().filter_map(spread).collect()
}

#[cfg(test)]
mod tests;
