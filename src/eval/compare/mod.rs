//! Two runs side by side, paired by case: which cases improved and regressed, and which stage is why.
//!
//! With a few dozen cases a difference of means is noise. What a reader can act on is which cases changed.

mod differences;
mod flagged;
mod moves;
#[cfg(test)]
mod tests;
mod why;

use std::collections::{HashMap, HashSet};

use self::why::{Pipeline, Way};
pub use self::{
    differences::Difference,
    flagged::Flagged,
    moves::{Move, Standing, moves},
    why::{Cause, Why},
};
use super::{
    evaluate::{CaseResult, Scores},
    metric::{self, TOLERANCE},
    run::{Header, Run, RunCase},
    stats::{self, Finding, Interval, TOO_FEW},
};

/// At the same recall, a case changed if its mrr moved by more than this. To move by exactly this much, within
/// [`TOLERANCE`], is not more: from rank 5 to 10 a case is unchanged.
pub const MRR_STEP: f64 = 0.1;

/// Two runs side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What the first run was made with.
    pub a: Header,
    /// What the second run was made with.
    pub b: Header,
    /// What is to be known of the first run beside its numbers.
    pub flagged_a: Flagged,
    /// What is to be known of the second run beside its numbers.
    pub flagged_b: Flagged,
    /// What is not the same, what bars a fair comparison first.
    pub differences: Vec<Difference>,
    /// How many cases are scored in both runs: what the means and the finding are over.
    pub pairs: usize,
    /// Those whose recall rose, or whose mrr rose by more than [`MRR_STEP`] at the same recall; in the second run's order.
    pub improved: Vec<Change>,
    /// Those whose recall or mrr fell likewise.
    pub regressed: Vec<Change>,
    /// Cases of both runs that are not scored in both, in the second run's order.
    pub unscored: Vec<Unscored>,
    /// Cases of the first run alone, in its order.
    pub only_a: Vec<String>,
    /// Cases of the second run alone, in its order.
    pub only_b: Vec<String>,
    /// Mean recall over the pairs; `None` without one.
    pub recall: Option<Means>,
    /// Mean mrr over the pairs; `None` without one.
    pub mrr: Option<Means>,
    /// What so many pairs show.
    pub finding: Finding,
}

/// A metric's mean over the same cases in two runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Means {
    /// In the first run.
    pub a: f64,
    /// In the second run.
    pub b: f64,
    /// 95 % interval of `b - a`; `None` below [`TOO_FEW`] pairs.
    pub interval: Option<Interval>,
}

/// A case that improved or regressed.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// `question_id`.
    pub id: String,
    /// The question, as the second run asked it.
    pub question: String,
    /// Its tags in the second run.
    pub tags: Vec<String>,
    /// What it scored in the first run.
    pub a: Scores,
    /// What it scored in the second run.
    pub b: Scores,
    /// Its labeled chunks, those of the second run first.
    pub moves: Vec<Move>,
    /// Why it changed; `None` where no supporting chunk is in either list.
    pub why: Option<Why>,
    /// Its labels, question or asker are not the same in the two runs.
    pub redefined: bool,
}

/// A case of both runs that is not scored in both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unscored {
    /// `question_id`.
    pub id: String,
    /// What it came to in the first run; see [`super::evaluate::State::word`].
    pub a: &'static str,
    /// What it came to in the second run.
    pub b: &'static str,
}

impl Unscored {
    /// True if one run scored it, or a call failed: something that a reader should know of.
    #[must_use]
    pub fn matters(&self) -> bool {
        self.a != self.b || self.a == "error"
    }
}

impl Comparison {
    /// False if the runs differ in something that bars a fair comparison.
    #[must_use]
    pub fn comparable(&self) -> bool {
        !self.differences.iter().any(Difference::bars)
    }

    /// How many more cases improved than regressed; negative where more regressed.
    #[must_use]
    pub fn net(&self) -> i64 {
        let count = |changes: &[Change]| i64::try_from(changes.len()).unwrap_or(i64::MAX);
        count(&self.improved) - count(&self.regressed)
    }

    /// How many pairs neither improved nor regressed.
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.pairs - self.improved.len() - self.regressed.len()
    }
}

/// Compares run `b` with run `a`, each scored anew under its own cut. Cases are paired by id; cases of one run alone are named
/// and enter no mean.
#[must_use]
pub fn compare(a: &Run, b: &Run) -> Comparison {
    let in_a: HashMap<&str, &RunCase> = a.cases.iter().map(|case| (case.id.as_str(), case)).collect();
    let in_b: HashSet<&str> = b.cases.iter().map(|case| case.id.as_str()).collect();
    let paired: Vec<(&RunCase, &RunCase)> =
        b.cases.iter().filter_map(|case| Some((*in_a.get(case.id.as_str())?, case))).collect();
    let pipelines = (Pipeline::new(a), Pipeline::new(b));
    let mut comparison = Comparison {
        a: a.header.clone(),
        b: b.header.clone(),
        flagged_a: Flagged::new(a),
        flagged_b: Flagged::new(b),
        differences: differences::differences(&a.header, &b.header, &paired),
        pairs: 0,
        improved: Vec::new(),
        regressed: Vec::new(),
        unscored: Vec::new(),
        only_a: names(&a.cases, |id| !in_b.contains(id)),
        only_b: names(&b.cases, |id| !in_a.contains_key(id)),
        recall: None,
        mrr: None,
        finding: Finding::new(0, 0, 0),
    };
    let mut recall = Vec::new();
    let mut mrr = Vec::new();
    for (case_a, case_b) in paired {
        let (result_a, result_b) = (case_a.result(&a.header.cut), case_b.result(&b.header.cut));
        let (Some(was), Some(is)) = (result_a.scores(), result_b.scores()) else {
            let word = |result: &CaseResult| result.state.word();
            let unscored = Unscored { id: case_b.id.clone(), a: word(&result_a), b: word(&result_b) };
            comparison.unscored.push(unscored);
            continue;
        };
        recall.push((was.recall, is.recall));
        mrr.push((was.mrr, is.mrr));
        if let Some(way) = way(was, is) {
            let change = change(way, (a, case_a, was, &pipelines.0), (b, case_b, is, &pipelines.1));
            match way {
                Way::Up => comparison.improved.push(change),
                Way::Down => comparison.regressed.push(change),
            }
        }
    }
    comparison.pairs = recall.len();
    comparison.recall = means(&recall);
    comparison.mrr = means(&mrr);
    comparison.finding = Finding::new(comparison.pairs, comparison.improved.len(), comparison.regressed.len());
    comparison
}

/// Recall decides; at the same recall, mrr by more than [`MRR_STEP`].
fn way(a: &Scores, b: &Scores) -> Option<Way> {
    let (recall, mrr) = (b.recall - a.recall, b.mrr - a.mrr);
    if recall.abs() > TOLERANCE {
        Some(if recall > 0.0 { Way::Up } else { Way::Down })
    } else if mrr.abs() > MRR_STEP + TOLERANCE {
        Some(if mrr > 0.0 { Way::Up } else { Way::Down })
    } else {
        None
    }
}

/// A run, one of its cases, what that scored, and how the run's stages feed each other.
type Side<'a> = (&'a Run, &'a RunCase, &'a Scores, &'a Pipeline<'a>);

fn change(way: Way, a: Side<'_>, b: Side<'_>) -> Change {
    let ((run_a, case_a, was, _), (run_b, case_b, is, _)) = (a, b);
    let moves = moves::moves(case_a, case_b);
    // The chunk that decided it: where the case did better, the best supporting one.
    let better = if way == Way::Down { case_a } else { case_b };
    let hits = better.hits();
    let decided = metric::rank(&hits, &better.resolved().supporting).map(|rank| &hits[rank - 1].id);
    let why = decided.and_then(|id| moves.iter().find(|moved| &moved.chunk == id)).map(|moved| {
        let (k_a, k_b) = (run_a.header.cut.k, run_b.header.cut.k);
        let cause = match (moved.a.rank, moved.b.rank) {
            (Some(rank), Some(same)) if rank == same && k_a != k_b => Cause::Window { rank, a: k_a, b: k_b },
            (was, is) if was == is => Cause::Relabeled,
            _ => why::cause(way, (a.3, &moved.a), (b.3, &moved.b)),
        };
        Why { chunk: moved.chunk.clone(), cause, text_changed: moved.text_changed }
    });
    Change {
        id: case_b.id.clone(),
        question: case_b.question.clone(),
        tags: case_b.tags.clone(),
        a: was.clone(),
        b: is.clone(),
        moves,
        why,
        redefined: case_a.labels != case_b.labels || case_a.question != case_b.question || case_a.asker != case_b.asker,
    }
}

fn means(pairs: &[(f64, f64)]) -> Option<Means> {
    let differences: Vec<f64> = pairs.iter().map(|(a, b)| b - a).collect();
    Some(Means {
        a: metric::mean(pairs.iter().map(|(a, _)| *a))?,
        b: metric::mean(pairs.iter().map(|(_, b)| *b))?,
        interval: if pairs.len() < TOO_FEW { None } else { stats::mean_difference(&differences) },
    })
}

fn names(cases: &[RunCase], wanted: impl Fn(&str) -> bool) -> Vec<String> {
    cases.iter().map(|case| &case.id).filter(|id| wanted(id)).cloned().collect()
}
