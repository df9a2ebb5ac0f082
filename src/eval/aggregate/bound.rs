//! Thresholds as a report shows them: plain values beside the numbers that they hold.

use super::{Reason, Summary};

/// A threshold beside the number that it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The subset; `all` for every case.
    pub subset: String,
    /// The number, by the name that it has in the settings.
    pub metric: String,
    /// What it is today.
    pub value: f64,
    /// What it should be.
    pub threshold: f64,
    /// Whether it is.
    pub met: bool,
}

impl Summary {
    /// The same, with every subset marked that misses one of its thresholds.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Vec<Bound>) -> Self {
        for bound in bounds.iter().filter(|bound| !bound.met) {
            if let Some(subset) = self.subsets.iter_mut().find(|subset| subset.name == bound.subset) {
                let Bound { metric, value, threshold, .. } = bound.clone();
                subset.marks.push(Reason::MissesThreshold { metric, value, threshold });
            }
        }
        self.bounds = bounds;
        self
    }

    /// The threshold of a subset's number, by the name that it has in the settings.
    #[must_use]
    pub fn threshold(&self, subset: &str, metric: &str) -> Option<f64> {
        let bound = self.bounds.iter().find(|bound| bound.subset == subset && bound.metric == metric);
        bound.map(|bound| bound.threshold)
    }
}
