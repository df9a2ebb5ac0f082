//! One case evaluated: what the retriever returned, what each result is, what it scores, and why.

use std::{sync::Arc, time::Duration};

pub use super::asked::{Asked, Cut, Outcome};
use super::{
    diagnosis::{self, Diagnosis},
    metric,
};
use crate::domain::{
    asker::Access,
    case::Labeled,
    chunk::ChunkId,
    ranking::{Hit, Stage, window},
    resolve::Resolved,
};

/// One case evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseResult {
    /// `question_id`.
    pub id: String,
    /// The question.
    pub question: String,
    /// The case's tags.
    pub tags: Vec<String>,
    /// The asker's name, or `anonymous`.
    pub asker: String,
    /// Scored, or why it is not.
    pub state: State,
    /// The results to depth, in the retriever's order; empty unless it answered.
    pub results: Vec<Row>,
    /// Every labeled chunk, supporting ones first, returned or not.
    pub labels: Vec<(ChunkId, Mark)>,
    /// The retriever's own stage trace.
    pub stages: Vec<Stage>,
    /// Why the answer is partial, in the retriever's words; `None` for a whole one.
    pub partial: Option<String>,
    /// The rank, from 1, of the first supporting chunk in the whole list.
    pub rank: Option<usize>,
    /// How long the retriever took; `None` unless it answered.
    pub latency: Option<Duration>,
    /// Why somebody holds its labels to be wrong; it is scored all the same.
    pub label_wrong: Option<String>,
    /// Why the case stands as it does; `None` where there is nothing to explain (unlabeled, not run).
    pub diagnosis: Option<Diagnosis>,
}

impl CaseResult {
    /// The scores of a scored case.
    #[must_use]
    pub fn scores(&self) -> Option<&Scores> {
        match &self.state {
            State::Scored(scores) => Some(scores),
            _ => None,
        }
    }

    /// True if the retriever answered with an empty list. What is scored was answered, be it by somebody who kept no time.
    #[must_use]
    pub fn no_results(&self) -> bool {
        (self.latency.is_some() || self.scores().is_some()) && self.results.is_empty()
    }

    /// True if its label is broken, its call failed, it leaked, its answer was partial, or it was asked and is not right: a part
    /// of the answer is not in the window, or a distractor stands above it.
    #[must_use]
    pub fn needs_a_look(&self) -> bool {
        let wrong = match &self.state {
            State::Scored(scores) => scores.completeness < 1.0 || scores.distractor_above,
            State::Unanswerable { distracted } => *distracted,
            State::Error(_) | State::Broken => true,
            State::Unlabeled | State::NotRun => false,
        };
        wrong || self.leaks() > 0 || self.partial.is_some()
    }

    /// How many results its asker may not read.
    #[must_use]
    pub fn leaks(&self) -> usize {
        self.leaked().count()
    }

    /// The results that its asker may not read, best first.
    pub fn leaked(&self) -> impl Iterator<Item = &Row> {
        self.results.iter().filter(|row| row.leaked)
    }

    /// Of how many results nobody knows whether the asker may read them.
    #[must_use]
    pub fn scope_unknown(&self) -> usize {
        self.results.iter().filter(|row| row.scope_unknown).count()
    }

    /// The first `k` rows.
    #[must_use]
    pub fn window(&self, k: usize) -> &[Row] {
        &self.results[..k.min(self.results.len())]
    }
}

/// What a case came to. No two of these words mean the same.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// It was asked and has labels. *No results* is scored 0, see [`CaseResult::no_results`].
    Scored(Scores),
    /// Nothing in the corpus answers: out of recall, counted apart.
    Unanswerable {
        /// A distractor stands in the window.
        distracted: bool,
    },
    /// It has no supporting reference yet: asked, never scored.
    Unlabeled,
    /// A label does not resolve: never scored. A run refuses to start on one; a single case may still be looked at.
    Broken,
    /// The call failed, with the reason: not scored, not 0.
    Error(String),
    /// It was not asked.
    NotRun,
}

impl State {
    /// The word for people and files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Scored(_) => "scored",
            Self::Unanswerable { .. } => "unanswerable",
            Self::Unlabeled => "unlabeled",
            Self::Broken => "broken label",
            Self::Error(_) => "error",
            Self::NotRun => "not run",
        }
    }
}

/// The metrics of one case, each in `0.0..=1.0`.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// See [`metric::recall`].
    pub recall: f64,
    /// See [`metric::mrr`].
    pub mrr: f64,
    /// See [`metric::precision`].
    pub precision: f64,
    /// See [`metric::precision_ceiling`].
    pub precision_ceiling: f64,
    /// See [`metric::completeness`].
    pub completeness: f64,
    /// See [`metric::distractor_above`].
    pub distractor_above: bool,
    /// recall@K by K; `None` above depth.
    pub recall_at: Vec<(usize, Option<f64>)>,
    /// MRR over the first maxK results; `None` above depth.
    pub mrr_at_max: Option<f64>,
}

/// One result of a case.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and any of them may hold together")]
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The chunk.
    pub id: ChunkId,
    /// Its place in the list, from 1.
    pub rank: usize,
    /// The retriever's own score, for display only.
    pub score: Option<f64>,
    /// What the labels say of it.
    pub mark: Mark,
    /// The corpus has no chunk of this id.
    pub unknown: bool,
    /// Whether the asker may read it is not known: the corpus does not have it, or only production knows the asker's groups.
    pub scope_unknown: bool,
    /// The passage as the retriever sent it, if it did.
    pub text: Option<Arc<str>>,
    /// The asker certainly may not read it.
    pub leaked: bool,
    /// The same chunk stands above it already.
    pub repeat: bool,
}

/// What the labels say of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It answers, or is part of the answer.
    Supporting,
    /// It looks right and is wrong.
    Distractor,
    /// The labels say nothing of it.
    Unjudged,
}

impl Mark {
    /// The word for people and files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Supporting => "supporting",
            Self::Distractor => "distractor",
            Self::Unjudged => "unjudged",
        }
    }
}

/// Evaluates one case.
#[must_use]
pub fn evaluate(asked: &Asked<'_>, outcome: Outcome<'_>) -> CaseResult {
    let Asked { case, resolved, asker, .. } = *asked;
    let answer = outcome.answer();
    let hits = asked.hits(outcome);
    CaseResult {
        id: case.id.clone(),
        question: case.question.clone(),
        tags: case.tags.clone(),
        asker: asker.label().to_owned(),
        state: state(asked, outcome),
        results: rows(asked, hits),
        labels: labels(resolved),
        stages: answer.map_or_else(Vec::new, |answer| answer.stages.clone()),
        partial: answer.and_then(|answer| answer.partial.clone()),
        rank: metric::rank(hits, &resolved.supporting),
        latency: answer.map(|answer| answer.latency),
        label_wrong: case.label_wrong.clone(),
        diagnosis: diagnosis::diagnose(asked, outcome),
    }
}

fn state(asked: &Asked<'_>, outcome: Outcome<'_>) -> State {
    let Asked { case, resolved, cut, .. } = *asked;
    let hits = match outcome {
        Outcome::NotRun => return State::NotRun,
        Outcome::Failed(reason) => return State::Error(reason.to_owned()),
        Outcome::Answered(_) => asked.hits(outcome),
    };
    if !resolved.problems.is_empty() {
        return State::Broken;
    }
    match case.labeled() {
        Labeled::Yes if resolved.supporting.is_empty() => State::Broken,
        Labeled::Yes => State::Scored(score(hits, resolved, cut)),
        Labeled::No => State::Unlabeled,
        Labeled::Unanswerable => State::Unanswerable {
            distracted: window(hits, cut.k).iter().any(|hit| resolved.distractors.contains(&hit.id)),
        },
    }
}

/// The metrics of one list of results.
#[must_use]
pub fn score(hits: &[Hit], resolved: &Resolved, cut: &Cut) -> Scores {
    let needed = &resolved.supporting;
    let at = |&k: &usize| (k, metric::recall_at(hits, needed, k, cut.depth));
    Scores {
        recall: metric::recall(hits, needed, cut.k),
        mrr: metric::mrr(hits, needed, cut.k),
        precision: metric::precision(hits, needed, cut.k),
        precision_ceiling: metric::precision_ceiling(hits, needed, cut.k),
        completeness: metric::completeness(hits, needed, cut.k),
        distractor_above: metric::distractor_above(hits, needed, &resolved.distractors),
        recall_at: cut.recall_at.iter().map(at).collect(),
        mrr_at_max: metric::mrr_at(hits, needed, cut.max_k(), cut.depth),
    }
}

fn rows(asked: &Asked<'_>, hits: &[Hit]) -> Vec<Row> {
    let Asked { resolved, asker, outline, .. } = *asked;
    let repeats = metric::repeats(hits);
    let row = |(at, (hit, repeat)): (usize, (&Hit, bool))| {
        let access = outline.chunk(&hit.id).map(|chunk| asker.access(chunk));
        Row {
            id: hit.id.clone(),
            rank: at + 1,
            score: hit.score,
            mark: mark(resolved, &hit.id),
            unknown: access.is_none(),
            leaked: access == Some(Access::MayNot),
            scope_unknown: matches!(access, None | Some(Access::Unknown)),
            text: hit.text.clone(),
            repeat,
        }
    };
    hits.iter().zip(repeats).enumerate().map(row).collect()
}

/// Every labeled chunk with its mark, supporting ones first.
pub(super) fn labels(resolved: &Resolved) -> Vec<(ChunkId, Mark)> {
    let supporting = resolved.supporting.iter().flat_map(|requirement| &requirement.any_of);
    let marked = supporting.map(|id| (id, Mark::Supporting));
    let mut labels: Vec<(ChunkId, Mark)> = Vec::new();
    for (id, mark) in marked.chain(resolved.distractors.iter().map(|id| (id, Mark::Distractor))) {
        if labels.iter().all(|(labeled, _)| labeled != id) {
            labels.push((id.clone(), mark));
        }
    }
    labels
}

/// What the labels say of a chunk.
pub(super) fn mark(resolved: &Resolved, id: &ChunkId) -> Mark {
    if metric::supports(&resolved.supporting, id) {
        Mark::Supporting
    } else if resolved.distractors.contains(id) {
        Mark::Distractor
    } else {
        Mark::Unjudged
    }
}

#[cfg(test)]
mod tests;
