//! Thresholds just below today's numbers, so that a gate holds what is reached and fails on the first step back.

use super::{
    ALL, Gate,
    held::{hits, subset, value},
    threshold::{Metric, PERMISSION_NARROW, Threshold},
};
use crate::eval::{
    aggregate::{Subset, Summary},
    metric::TOLERANCE,
};

/// Thresholds for one subset.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The subset.
    pub subset: String,
    /// Its thresholds.
    pub lines: Vec<Line>,
}

/// One threshold, and today's number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The threshold.
    pub threshold: Threshold,
    /// The number today; `None` where nobody knows it.
    pub today: Option<f64>,
    /// How many scored cases that is over.
    pub n: usize,
    /// It is the one that stands already, and today's number does not reach it, or says nothing of it.
    pub stands: bool,
}

impl Line {
    /// True if no run could fall below it: it is a floor of 0.
    #[must_use]
    pub fn holds_nothing(&self) -> bool {
        !self.threshold.metric.at_most() && self.threshold.value <= 0.0
    }
}

/// Thresholds for all cases, and for each of `subsets` with a scored case: recall, mrr, and what its gate names today. One that
/// stands is never lowered, and that of [`PERMISSION_NARROW`]'s recall is 1.
#[must_use]
pub fn suggest(summary: &Summary, gates: &[Gate<'_>], subsets: &[&str]) -> Vec<Suggestion> {
    let mut names = vec![ALL];
    for name in subsets.iter().copied().chain(gates.iter().map(|gate| gate.subset)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let measured = names.into_iter().filter_map(|name| subset(summary, name)).filter(|subset| subset.n > 0);
    measured.map(|subset| suggestion(subset, gates)).collect()
}

fn suggestion(subset: &Subset, gates: &[Gate<'_>]) -> Suggestion {
    let own = gates.iter().filter(|gate| gate.subset == subset.name).flat_map(|gate| gate.thresholds);
    let standing: Vec<Threshold> = own.copied().collect();
    let mut metrics = vec![Metric::Recall, Metric::Mrr];
    for threshold in &standing {
        if !metrics.contains(&threshold.metric) {
            metrics.push(threshold.metric);
        }
    }
    let lines = metrics.into_iter().filter_map(|metric| line(subset, metric, &standing)).collect();
    Suggestion { subset: subset.name.clone(), lines }
}

fn line(subset: &Subset, metric: Metric, standing: &[Threshold]) -> Option<Line> {
    // Latency is no number to cut close: how long a call takes is not the same twice.
    let today = value(subset, None, metric);
    let fresh = today.map(|today| below(subset, metric, today));
    let stands =
        standing.iter().filter(|threshold| threshold.metric == metric).map(|threshold| threshold.value).next_back();
    let (value, kept) = match (fresh, stands) {
        (Some(fresh), Some(stands)) if metric.at_most() => (fresh.min(stands), stands < fresh),
        (Some(fresh), Some(stands)) => (fresh.max(stands), stands > fresh),
        (Some(fresh), None) => (fresh, false),
        (None, Some(stands)) => (stands, true),
        (None, None) => return None,
    };
    let threshold = Threshold { metric, value };
    let stands = kept && !today.is_some_and(|today| threshold.met(today));
    Some(Line { threshold, today, n: subset.n, stands })
}

fn below(subset: &Subset, metric: Metric, today: f64) -> f64 {
    match metric {
        Metric::Recall | Metric::RecallAt(_) if subset.name == PERMISSION_NARROW => 1.0,
        Metric::Recall | Metric::RecallAt(_) => between(hits(today, subset.n), subset.n),
        Metric::DistractorAbove => today,
        _ => down(today, 2),
    }
}

/// A number under `hits / n` that `hits - 1` do not reach: with two decimals where one lies between, else with more.
fn between(hits: usize, n: usize) -> f64 {
    if hits == 0 {
        return 0.0;
    }
    let (reached, next) = (hits as f64 / n as f64, (hits - 1) as f64 / n as f64);
    let under = |places: usize| {
        let floor = down(reached, places);
        if floor < reached - TOLERANCE { floor } else { down(reached - 0.5 / 10_f64.powf(places as f64), places) }
    };
    let fits = |value: &f64| *value > next + TOLERANCE;
    (2..9).map(under).find(fits).unwrap_or(reached)
}

/// `value` cut to so many decimals; a hair under the next one counts as that one.
fn down(value: f64, places: usize) -> f64 {
    let scale = 10_f64.powf(places as f64);
    ((value + TOLERANCE) * scale).floor() / scale
}
