//! Why a case stands as it does: one verdict for it, one for each requirement that the window does not satisfy, and the causes.
//!
//! A verdict speaks of a set of chunks of which one is enough: all supporting chunks for the case, the alternatives for a
//! requirement. Its kind is the first of [`Kind`]'s that holds. A cause is evidence beside it and never takes its place.

mod cause;
mod evidence;
mod kind;
pub mod probe;
mod trace;
mod view;
mod words;

pub use self::{
    cause::Cause,
    evidence::{Before, Evidence, Probed},
    kind::{Candidates, Fell, Kind},
};
use self::{trace::Trace, view::View};
use super::{
    asked::{Asked, Outcome},
    metric,
};
use crate::domain::{case::Labeled, chunk::ChunkId, ranking::window};

/// Why a case stands as it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// The verdict on the case.
    pub kind: Kind,
    /// One verdict for each requirement that the window does not satisfy.
    pub requirements: Vec<RequirementVerdict>,
    /// Evidence beside the verdicts.
    pub causes: Vec<Cause>,
    /// What the verdict on the case rests on.
    pub basis: Basis,
}

/// Why a requirement is not satisfied by the window.
#[derive(Debug, Clone, PartialEq)]
pub struct RequirementVerdict {
    /// Which of `Resolved::supporting`.
    pub needed: usize,
    /// Which entry of `Case::supporting` that comes from.
    pub requirement: usize,
    /// Where it was lost.
    pub kind: Kind,
    /// What this verdict rests on.
    pub basis: Basis,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The retriever's own stage trace.
    Trace,
    /// The returned list alone, to this many results: what happened before it is not known.
    List {
        /// How many results were asked for.
        depth: usize,
    },
    /// Further requests, see [`probe`].
    Experiment {
        /// How many were put beside the case's own.
        requests: usize,
    },
}

impl Basis {
    /// The word for files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::List { .. } => "list",
            Self::Experiment { .. } => "experiment",
        }
    }

    /// The words for people.
    #[must_use]
    pub fn explain(self) -> String {
        match self {
            Self::Trace => "by the retriever's own trace".to_owned(),
            Self::List { depth } => format!("by the list alone, {depth} results asked for"),
            Self::Experiment { requests: 1 } => "by experiment, 1 request beside the case's own".to_owned(),
            Self::Experiment { requests } => format!("by experiment, {requests} requests beside the case's own"),
        }
    }
}

/// Diagnoses one case by its answer alone; `None` where there is nothing to explain: unlabeled, or not run.
#[must_use]
pub fn diagnose(asked: &Asked<'_>, outcome: Outcome<'_>) -> Option<Diagnosis> {
    diagnose_with(asked, outcome, &Evidence::default())
}

/// Diagnoses one case by its answer and by what is known beside it.
#[must_use]
pub fn diagnose_with(asked: &Asked<'_>, outcome: Outcome<'_>, evidence: &Evidence) -> Option<Diagnosis> {
    let Asked { case, resolved, .. } = *asked;
    let stages = outcome.answer().map_or(&[][..], |answer| &answer.stages);
    let view = View::new(*asked, Trace::new(stages, asked.hits(outcome)), evidence);
    let basis = view.basis();
    let plain = |kind| Some(Diagnosis { kind, requirements: Vec::new(), causes: Vec::new(), basis });
    let labeled = case.labeled();
    if !resolved.problems.is_empty() || (labeled == Labeled::Yes && resolved.supporting.is_empty()) {
        return plain(Kind::LabelBroken { references: resolved.problems.len().max(1) });
    }
    match outcome {
        Outcome::NotRun => return None,
        Outcome::Failed(reason) => return plain(Kind::RetrieverError { reason: reason.to_owned() }),
        Outcome::Answered(_) => {}
    }
    match labeled {
        Labeled::No => None,
        Labeled::Unanswerable => plain(unanswerable(asked, &view.trace)),
        Labeled::Yes => Some(answerable(asked, &view)),
    }
}

fn unanswerable(asked: &Asked<'_>, trace: &Trace<'_>) -> Kind {
    let window = window(trace.hits, asked.cut.k);
    let distractor = window.iter().position(|hit| asked.resolved.distractors.contains(&hit.id));
    distractor
        .map_or(Kind::UnanswerableClean, |at| Kind::UnanswerableDistracted { by: window[at].id.clone(), rank: at + 1 })
}

fn answerable(asked: &Asked<'_>, view: &View<'_>) -> Diagnosis {
    let needed = &asked.resolved.supporting;
    let trace = &view.trace;
    let window = window(trace.hits, asked.cut.k);
    let mut requirements = Vec::new();
    let mut causes: Vec<Cause> = Vec::new();
    for (at, requirement) in needed.iter().enumerate() {
        if metric::satisfied(window, requirement) {
            continue;
        }
        let chunks: Vec<&ChunkId> = requirement.any_of.iter().collect();
        // A requirement always has a chunk, and one that is not in the window always has a verdict.
        let Some((kind, basis)) = view.lost(&chunks) else { continue };
        let missing = kind.chunk().filter(|_| !matches!(kind, Kind::OutOfScope { .. }));
        if let Some(chunk) = missing.and_then(|id| asked.outline.chunk(id)) {
            let found = cause::causes(asked, window, chunk);
            // One document crowds the window once, however much it keeps out.
            let crowded = causes.iter().any(|cause| matches!(cause, Cause::CrowdedOut { .. }));
            causes.extend(found.into_iter().filter(|cause| !(crowded && matches!(cause, Cause::CrowdedOut { .. }))));
        }
        requirements.push(RequirementVerdict { needed: at, requirement: requirement.requirement, kind, basis });
    }
    let mut chunks: Vec<&ChunkId> = Vec::new();
    for id in needed.iter().flat_map(|requirement| &requirement.any_of) {
        if !chunks.contains(&id) {
            chunks.push(id);
        }
    }
    let found = needed.len() - requirements.len();
    let (kind, basis) = view.lost(&chunks).unwrap_or_else(|| (reached(asked, trace, found), view.basis()));
    Diagnosis { kind, requirements, causes, basis }
}

/// The verdict on a case that has a supporting chunk in the window.
fn reached(asked: &Asked<'_>, trace: &Trace<'_>, found: usize) -> Kind {
    let needed = &asked.resolved.supporting;
    let rank = metric::rank(trace.hits, needed).unwrap_or_default();
    let distractor = trace.hits.iter().position(|hit| asked.resolved.distractors.contains(&hit.id));
    match distractor {
        Some(at) if at + 1 < rank => Kind::Outranked {
            chunk: trace.hits[rank - 1].id.clone(),
            rank,
            by: trace.hits[at].id.clone(),
            by_rank: at + 1,
        },
        _ if found < needed.len() => Kind::PartlyFound { found, of: needed.len() },
        _ => Kind::Found { rank },
    }
}

#[cfg(test)]
mod tests;
