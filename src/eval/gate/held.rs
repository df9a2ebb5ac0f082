//! One threshold held to the numbers of its subset: the value, the cases behind it, and how much room is left.

use super::{
    ALL,
    threshold::{Metric, Threshold},
};
use crate::eval::{
    aggregate::{self, Bound, Latency, Subset, Summary},
    evaluate::{CaseResult, Scores},
    metric::TOLERANCE,
    stats::{self, Interval},
};

/// A threshold that could be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The subset.
    pub subset: String,
    /// The number and its bound.
    pub threshold: Threshold,
    /// The number today.
    pub value: f64,
    /// How many scored cases it is over; for latency, how many answers.
    pub n: usize,
    /// The cases that pull it down: those without recall, with less mrr, precision or completeness than the bound, with a
    /// distractor above, or slower than the bound.
    pub cases: Vec<String>,
    /// 95 % interval, for recall: [`stats::wilson`].
    pub interval: Option<Interval>,
    /// The settings do not name it: it holds wherever a case carries the tag.
    pub implied: bool,
}

/// How much worse a number may become before its threshold fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Room {
    /// So many more cases: further misses, or distractors above.
    Cases(usize),
    /// So much in the metric's own unit.
    Margin(f64),
}

impl From<&Held> for Bound {
    fn from(held: &Held) -> Self {
        Self {
            subset: held.subset.clone(),
            metric: held.threshold.metric.to_string(),
            value: held.value,
            threshold: held.threshold.value,
            met: held.met(),
        }
    }
}

impl Held {
    /// True if the value meets the bound.
    #[must_use]
    pub fn met(&self) -> bool {
        self.threshold.met(self.value)
    }

    /// The room left; `None` where the bound is not met.
    #[must_use]
    pub fn room(&self) -> Option<Room> {
        let Threshold { metric, value: bound } = self.threshold;
        let margin = if metric.at_most() { bound - self.value } else { self.value - bound };
        let cases = match metric {
            Metric::Recall | Metric::RecallAt(_) => Some((margin + TOLERANCE) * self.n as f64),
            Metric::DistractorAbove => Some(margin + TOLERANCE),
            _ => None,
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of cases, not negative")]
        let room = cases.map_or(Room::Margin(margin.max(0.0)), |cases| Room::Cases(cases.max(0.0) as usize));
        self.met().then_some(room)
    }
}

/// The subset of that name in a summary.
pub(super) fn subset<'a>(summary: &'a Summary, name: &str) -> Option<&'a Subset> {
    if name == ALL { Some(&summary.all) } else { summary.subsets.iter().find(|subset| subset.name == name) }
}

/// Holds one threshold; `None` where nobody knows the number, as of recall@K above depth.
pub(super) fn held(subset: &Subset, results: &[CaseResult], threshold: Threshold, implied: bool) -> Option<Held> {
    let within = |result: &&CaseResult| subset.name == ALL || result.tags.contains(&subset.name);
    let latency = aggregate::latency(results.iter().filter(within));
    let value = value(subset, latency, threshold.metric)?;
    let behind = |result: &&CaseResult| behind(result, threshold);
    Some(Held {
        subset: subset.name.clone(),
        threshold,
        value,
        n: match threshold.metric {
            Metric::LatencyP50 | Metric::LatencyP95 => latency?.n,
            _ => subset.n,
        },
        cases: results.iter().filter(within).filter(behind).map(|result| result.id.clone()).collect(),
        interval: threshold.metric.is_recall().then(|| stats::wilson(hits(value, subset.n), subset.n)).flatten(),
        implied,
    })
}

/// A number of a subset, as every report has it.
pub(super) fn value(subset: &Subset, latency: Option<Latency>, metric: Metric) -> Option<f64> {
    let numbers = subset.numbers.as_ref()?;
    Some(match metric {
        Metric::Recall => numbers.recall,
        Metric::RecallAt(k) => numbers.recall_at(k)?,
        Metric::Mrr => numbers.mrr,
        Metric::Precision => numbers.precision,
        Metric::Completeness => numbers.completeness,
        Metric::DistractorAbove => numbers.distractor_above as f64,
        Metric::LatencyP50 => latency?.p50.as_secs_f64() * 1000.0,
        Metric::LatencyP95 => latency?.p95.as_secs_f64() * 1000.0,
    })
}

/// How many of `n` cases a mean recall stands for.
pub(super) fn hits(recall: f64, n: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count, not negative")]
    let hits = (recall * n as f64).round() as usize;
    hits
}

fn behind(result: &CaseResult, threshold: Threshold) -> bool {
    let below = |scores: &Scores| {
        let value = match threshold.metric {
            Metric::Recall => scores.recall,
            Metric::RecallAt(k) => return recall_at(scores, k).is_some_and(|recall| recall < 1.0 - TOLERANCE),
            Metric::Mrr => scores.mrr,
            Metric::Precision => scores.precision,
            Metric::Completeness => scores.completeness,
            Metric::DistractorAbove => return scores.distractor_above,
            Metric::LatencyP50 | Metric::LatencyP95 => return false,
        };
        !threshold.met(value)
    };
    match threshold.metric {
        Metric::LatencyP50 | Metric::LatencyP95 => {
            result.latency.is_some_and(|latency| !threshold.met(latency.as_secs_f64() * 1000.0))
        }
        _ => result.scores().is_some_and(below),
    }
}

fn recall_at(scores: &Scores, k: usize) -> Option<f64> {
    scores.recall_at.iter().find(|(at, _)| *at == k).and_then(|(_, value)| *value)
}
