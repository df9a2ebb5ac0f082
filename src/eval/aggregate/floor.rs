//! Thresholds as a report shows them: the least that a mean of a subset should be.

use std::fmt;

use super::{Numbers, Reason, Summary};
use crate::eval::metric;

/// The least that a mean of a subset should be.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    /// The subset; `all` for every case.
    pub subset: String,
    /// Which mean.
    pub metric: Metric,
    /// The threshold, in `0.0..=1.0`.
    pub at_least: f64,
}

/// A mean over the scored cases of a subset, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Mean recall.
    Recall,
    /// Mean recall@K.
    RecallAt(usize),
    /// Mean reciprocal rank in the window.
    Mrr,
    /// Mean precision.
    Precision,
    /// Mean completeness.
    Completeness,
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Recall => "recall",
            Self::RecallAt(k) => return write!(f, "recall@{k}"),
            Self::Mrr => "mrr",
            Self::Precision => "precision",
            Self::Completeness => "completeness",
        })
    }
}

impl Summary {
    /// The same, with every subset marked that is below one of its thresholds. A subset without numbers is below none.
    #[must_use]
    pub fn with_floors(mut self, floors: Vec<Floor>) -> Self {
        for floor in &floors {
            let Some(subset) = self.subsets.iter_mut().find(|subset| subset.name == floor.subset) else { continue };
            let value = subset.numbers.as_ref().and_then(|numbers| numbers.value(floor.metric));
            if let Some(value) = value.filter(|value| *value < floor.at_least - metric::TOLERANCE) {
                let Floor { metric, at_least, .. } = *floor;
                subset.marks.push(Reason::BelowThreshold { metric, value, threshold: at_least });
            }
        }
        self.floors = floors;
        self
    }
}

impl Numbers {
    /// The mean of that name; `None` where it lies above depth or is not among the Ks of this run.
    #[must_use]
    pub fn value(&self, metric: Metric) -> Option<f64> {
        Some(match metric {
            Metric::Recall => self.recall,
            Metric::RecallAt(k) => return self.recall_at(k),
            Metric::Mrr => self.mrr,
            Metric::Precision => self.precision,
            Metric::Completeness => self.completeness,
        })
    }
}
