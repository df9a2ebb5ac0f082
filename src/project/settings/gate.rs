//! Gates: thresholds per subset, by the names of the numbers they hold.

use std::fmt;

/// The thresholds of one subset; `all` is every case.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// The subset.
    pub subset: String,
    /// Its thresholds, in the file's order.
    pub thresholds: Vec<Threshold>,
}

/// One number that a subset has to reach, or must not exceed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// The number.
    pub metric: GateMetric,
    /// The bound, in the metric's own unit.
    pub value: f64,
}

/// A number that a gate can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GateMetric {
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

impl GateMetric {
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
    pub(super) fn refuses(self, value: f64) -> Option<&'static str> {
        match self {
            Self::LatencyP50 | Self::LatencyP95 if value <= 0.0 => Some("milliseconds above 0"),
            Self::DistractorAbove if value < 0.0 || value.fract() != 0.0 => Some("a number of cases: 0, 1, 2 …"),
            Self::LatencyP50 | Self::LatencyP95 | Self::DistractorAbove => None,
            _ if (0.0..=1.0).contains(&value) => None,
            _ => Some("a number from 0 to 1"),
        }
    }

    /// True if the threshold is a ceiling, not a floor.
    #[must_use]
    pub fn at_most(self) -> bool {
        matches!(self, Self::DistractorAbove | Self::LatencyP50 | Self::LatencyP95)
    }
}

impl fmt::Display for GateMetric {
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
