//! Thresholds: one number of one subset, by the name it has in the settings.

use std::fmt;

use crate::eval::metric::TOLERANCE;

/// The subset whose recall has no tolerance: to miss what an asker may read is a fault of permissions, not a matter of quality.
pub const PERMISSION_NARROW: &str = "permission_narrow";

/// One number that a subset has to reach, or must not exceed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// The number.
    pub metric: Metric,
    /// The bound, in the metric's own unit.
    pub value: f64,
}

impl Threshold {
    /// What was expected, where this cannot be a threshold of `subset`.
    #[must_use]
    pub fn refused(&self, subset: &str) -> Option<&'static str> {
        let tolerated = subset == PERMISSION_NARROW && self.metric.is_recall() && self.value < 1.0;
        if tolerated {
            return Some("1.0: what an asker may read has no tolerance");
        }
        self.metric.refuses(self.value)
    }

    /// True if `value` reaches the bound, or stays under it; what misses it by a hair of doubles meets it.
    #[must_use]
    pub fn met(&self, value: f64) -> bool {
        if self.metric.at_most() { value <= self.value + TOLERANCE } else { value >= self.value - TOLERANCE }
    }
}

/// A number that a gate can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    /// Mean recall over the window, at least.
    Recall,
    /// Mean recall over the first K results, at least.
    RecallAt(usize),
    /// Mean reciprocal rank over the window, at least.
    Mrr,
    /// Mean precision over the window, at least.
    Precision,
    /// Mean completeness over the window, at least.
    Completeness,
    /// How many cases may have a distractor above their answer, at most.
    DistractorAbove,
    /// The median latency in milliseconds, at most.
    LatencyP50,
    /// The 95th percentile of latency in milliseconds, at most.
    LatencyP95,
}

impl Metric {
    /// The names a settings file may use, for messages; `recall@K` stands for every K.
    pub const NAMES: [&str; 8] = [
        "recall",
        "recall@K",
        "mrr",
        "precision",
        "completeness",
        "distractor_above",
        "latency_p50_ms",
        "latency_p95_ms",
    ];

    /// Reads a name as a settings file writes it.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "recall" => Self::Recall,
            "mrr" => Self::Mrr,
            "precision" => Self::Precision,
            "completeness" => Self::Completeness,
            "distractor_above" => Self::DistractorAbove,
            "latency_p50_ms" => Self::LatencyP50,
            "latency_p95_ms" => Self::LatencyP95,
            _ => {
                let k = name.strip_prefix("recall@")?;
                let plain = k.bytes().all(|byte| byte.is_ascii_digit()) && !k.starts_with('0');
                Self::RecallAt(plain.then(|| k.parse().ok()).flatten()?)
            }
        })
    }

    /// What was expected, where `value` cannot be a threshold of this metric.
    fn refuses(self, value: f64) -> Option<&'static str> {
        match self {
            Self::LatencyP50 | Self::LatencyP95 if value <= 0.0 => Some("milliseconds above 0"),
            Self::DistractorAbove if value < 0.0 || value.fract() != 0.0 => Some("a number of cases: 0, 1, 2 …"),
            Self::LatencyP50 | Self::LatencyP95 | Self::DistractorAbove => None,
            _ if (0.0..=1.0).contains(&value) => None,
            _ => Some("a number from 0 to 1"),
        }
    }

    /// True for recall over the window or over the first K results: a share of the cases.
    #[must_use]
    pub fn is_recall(self) -> bool {
        matches!(self, Self::Recall | Self::RecallAt(_))
    }

    /// True if the threshold is a ceiling, not a floor.
    #[must_use]
    pub fn at_most(self) -> bool {
        matches!(self, Self::DistractorAbove | Self::LatencyP50 | Self::LatencyP95)
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Recall => "recall",
            Self::RecallAt(k) => return write!(f, "recall@{k}"),
            Self::Mrr => "mrr",
            Self::Precision => "precision",
            Self::Completeness => "completeness",
            Self::DistractorAbove => "distractor_above",
            Self::LatencyP50 => "latency_p50_ms",
            Self::LatencyP95 => "latency_p95_ms",
        })
    }
}
