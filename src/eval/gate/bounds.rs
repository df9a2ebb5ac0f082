//! The thresholds as a report shows them.

use super::{
    Gate, PERMISSION_NARROW,
    held::{held, subset},
    threshold::{Metric, Threshold},
};
use crate::eval::{
    aggregate::{Bound, Summary},
    evaluate::CaseResult,
};

/// Every threshold that a gate would measure, beside the number that it holds: see [`super::check`].
#[must_use]
pub fn bounds(summary: &Summary, results: &[CaseResult], gates: &[Gate<'_>]) -> Vec<Bound> {
    let named = gates.iter().flat_map(|gate| gate.thresholds.iter().map(|threshold| (gate.subset, *threshold, false)));
    let mut all: Vec<(&str, Threshold, bool)> = named.collect();
    if !all.iter().any(|(name, threshold, _)| *name == PERMISSION_NARROW && threshold.metric == Metric::Recall) {
        all.push((PERMISSION_NARROW, Threshold { metric: Metric::Recall, value: 1.0 }, true));
    }
    let scored = |name| subset(summary, name).filter(|subset| subset.n > 0);
    let held =
        all.into_iter().filter_map(|(name, threshold, implied)| held(scored(name)?, results, threshold, implied));
    held.map(|held| Bound {
        subset: held.subset.clone(),
        metric: held.threshold.metric.to_string(),
        value: held.value,
        threshold: held.threshold.value,
        met: held.met(),
    })
    .collect()
}
