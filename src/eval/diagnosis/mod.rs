//! Why a case stands as it does: one verdict for it, one for each requirement that the window does not satisfy, and the causes.
//!
//! A verdict speaks of a set of chunks of which one is enough: all supporting chunks for the case, the alternatives for a
//! requirement. Its kind is the first of [`Kind`]'s that holds. A cause is evidence beside it and never takes its place.

mod cause;
mod trace;
mod words;

pub use cause::Cause;

use self::trace::{Fall, Trace};
use super::{
    asked::{Asked, Outcome},
    metric,
};
use crate::domain::{
    case::Labeled,
    chunk::ChunkId,
    ranking::{rank, window},
};

/// Why a case stands as it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// The verdict on the case.
    pub kind: Kind,
    /// One verdict for each requirement that the window does not satisfy.
    pub requirements: Vec<RequirementVerdict>,
    /// Evidence beside the verdicts.
    pub causes: Vec<Cause>,
    /// What the verdicts rest on.
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
}

impl Basis {
    /// The words for people.
    #[must_use]
    pub fn explain(self) -> String {
        match self {
            Self::Trace => "by the retriever's own trace".to_owned(),
            Self::List { depth } => format!("by the list alone, {depth} results asked for"),
        }
    }
}

/// The verdicts, in the order in which they are tried.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A label does not resolve.
    LabelBroken {
        /// How many references of the case.
        references: usize,
    },
    /// The call failed.
    RetrieverError {
        /// Why.
        reason: String,
    },
    /// The asker may not read any of the chunks.
    OutOfScope {
        /// The one that stands nearest.
        chunk: ChunkId,
        /// Who may not read it.
        asker: String,
        /// Its rank if it was returned all the same: a leak.
        rank: Option<usize>,
    },
    /// None of the chunks is in the list or in any stage.
    NeverCandidate {
        /// The first of them.
        chunk: ChunkId,
        /// How many candidates are known: those of the stages, else the list's results.
        among: usize,
        /// Whether the candidates are the retriever's own or only the list.
        basis: Basis,
    },
    /// A stage threw it away.
    Dropped {
        /// The chunk.
        chunk: ChunkId,
        /// The stage.
        stage: String,
        /// The retriever's word for it: `cap`, `floor`, `dedupe` …
        why: String,
    },
    /// It stood in the window and fell at a stage, be it to a lower place in the window.
    Demoted {
        /// The chunk.
        chunk: ChunkId,
        /// The stage at which it fell; `None` is the step from the last stage to the list.
        stage: Option<String>,
        /// Its rank before.
        from: usize,
        /// Its rank after; `None` if it is gone.
        to: Option<usize>,
    },
    /// It stands below the window.
    BelowWindow {
        /// The chunk.
        chunk: ChunkId,
        /// Its rank, from 1.
        rank: usize,
        /// The stage whose ranking has that rank, where the list ends above it.
        stage: Option<String>,
        /// The window's size.
        k: usize,
    },
    /// It is in the window, and a distractor stands above it.
    Outranked {
        /// The best supporting chunk.
        chunk: ChunkId,
        /// Its rank.
        rank: usize,
        /// The best distractor.
        by: ChunkId,
        /// Its rank.
        by_rank: usize,
    },
    /// A part of the answer is in the window; `Diagnosis::requirements` has what is missing.
    PartlyFound {
        /// How many requirements the window satisfies.
        found: usize,
        /// Of how many.
        of: usize,
    },
    /// All that the answer needs is in the window.
    Found {
        /// The rank of the first supporting chunk.
        rank: usize,
    },
    /// Nothing answers, and no distractor is in the window.
    UnanswerableClean,
    /// Nothing answers, and a distractor is in the window.
    UnanswerableDistracted {
        /// The best distractor.
        by: ChunkId,
        /// Its rank.
        rank: usize,
    },
}

/// Diagnoses one case; `None` where there is nothing to explain: unlabeled, or not run.
#[must_use]
pub fn diagnose(asked: &Asked<'_>, outcome: Outcome<'_>) -> Option<Diagnosis> {
    let Asked { case, resolved, cut, .. } = *asked;
    let basis = match outcome.answer() {
        Some(answer) if !answer.stages.is_empty() => Basis::Trace,
        _ => Basis::List { depth: cut.depth },
    };
    let plain = |kind| Some(Diagnosis { kind, requirements: Vec::new(), causes: Vec::new(), basis });
    let labeled = case.labeled();
    if !resolved.problems.is_empty() || (labeled == Labeled::Yes && resolved.supporting.is_empty()) {
        return plain(Kind::LabelBroken { references: resolved.problems.len().max(1) });
    }
    let answer = match outcome {
        Outcome::NotRun => return None,
        Outcome::Failed(reason) => return plain(Kind::RetrieverError { reason: reason.to_owned() }),
        Outcome::Answered(answer) => answer,
    };
    let trace = Trace::new(&answer.stages, asked.hits(outcome));
    match labeled {
        Labeled::No => None,
        Labeled::Unanswerable => plain(unanswerable(asked, &trace)),
        Labeled::Yes => Some(answerable(asked, &trace, basis)),
    }
}

fn unanswerable(asked: &Asked<'_>, trace: &Trace<'_>) -> Kind {
    let window = window(trace.hits, asked.cut.k);
    let distractor = window.iter().position(|hit| asked.resolved.distractors.contains(&hit.id));
    distractor
        .map_or(Kind::UnanswerableClean, |at| Kind::UnanswerableDistracted { by: window[at].id.clone(), rank: at + 1 })
}

fn answerable(asked: &Asked<'_>, trace: &Trace<'_>, basis: Basis) -> Diagnosis {
    let needed = &asked.resolved.supporting;
    let window = window(trace.hits, asked.cut.k);
    let mut requirements = Vec::new();
    let mut causes: Vec<Cause> = Vec::new();
    for (at, requirement) in needed.iter().enumerate() {
        if metric::satisfied(window, requirement) {
            continue;
        }
        let chunks: Vec<&ChunkId> = requirement.any_of.iter().collect();
        // A requirement always has a chunk, and one that is not in the window always has a verdict.
        let Some(kind) = lost(asked, trace, basis, &chunks) else { continue };
        let missing = kind.chunk().filter(|_| !matches!(kind, Kind::OutOfScope { .. }));
        if let Some(chunk) = missing.and_then(|id| asked.outline.chunk(id)) {
            let found = cause::causes(asked, window, chunk);
            // One document crowds the window once, however much it keeps out.
            let crowded = causes.iter().any(|cause| matches!(cause, Cause::CrowdedOut { .. }));
            causes.extend(found.into_iter().filter(|cause| !(crowded && matches!(cause, Cause::CrowdedOut { .. }))));
        }
        requirements.push(RequirementVerdict { needed: at, requirement: requirement.requirement, kind });
    }
    let mut chunks: Vec<&ChunkId> = Vec::new();
    for id in needed.iter().flat_map(|requirement| &requirement.any_of) {
        if !chunks.contains(&id) {
            chunks.push(id);
        }
    }
    let kind =
        lost(asked, trace, basis, &chunks).unwrap_or_else(|| reached(asked, trace, needed.len() - requirements.len()));
    Diagnosis { kind, requirements, causes, basis }
}

/// The first verdict that tells where a set of chunks was lost; `None` if one of them is in the window and none fell on its way.
fn lost(asked: &Asked<'_>, trace: &Trace<'_>, basis: Basis, chunks: &[&ChunkId]) -> Option<Kind> {
    let k = asked.cut.k;
    let forbidden = |id: &ChunkId| asked.outline.chunk(id).is_some_and(|chunk| asked.asker.is_forbidden(chunk));
    // The chunk of the set that stands best in the list, else the first that may be read.
    let best = chunks.iter().copied().filter_map(|id| Some((rank(trace.hits, id)?, id))).min();
    let first = || chunks.iter().copied().find(|id| !forbidden(id)).or_else(|| chunks.first().copied());
    let spoken = best.map_or_else(first, |(_, id)| Some(id))?;

    if chunks.iter().all(|id| forbidden(id)) {
        let rank = best.map(|(rank, _)| rank);
        return Some(Kind::OutOfScope { chunk: spoken.clone(), asker: asked.asker.label().to_owned(), rank });
    }
    if !chunks.iter().any(|id| trace.knows(id)) {
        return Some(Kind::NeverCandidate { chunk: spoken.clone(), among: trace.candidates(), basis });
    }
    if best.is_none_or(|(rank, _)| rank > k) {
        let dropped = chunks.iter().copied().find_map(|id| Some((id, trace.dropped(id)?)));
        if let Some((chunk, (stage, why))) = dropped {
            return Some(Kind::Dropped { chunk: chunk.clone(), stage: stage.to_owned(), why: why.to_owned() });
        }
    }
    let reached = best.map(|(rank, _)| rank);
    let falls = chunks.iter().copied().filter_map(|id| Some((id, trace.fall(id, k, reached)?)));
    if let Some((chunk, Fall { stage, from, to })) = falls.min_by_key(|(_, fall)| fall.from) {
        return Some(Kind::Demoted { chunk: chunk.clone(), stage, from, to });
    }
    match best {
        Some((rank, chunk)) if rank > k => Some(Kind::BelowWindow { chunk: chunk.clone(), rank, stage: None, k }),
        Some(_) => None,
        None => {
            let seen = chunks.iter().copied().filter_map(|id| Some((id, trace.last_seen(id)?)));
            let (chunk, (stage, rank, next)) = seen.min_by_key(|(_, (_, rank, _))| *rank)?;
            Some(if rank > k {
                Kind::BelowWindow { chunk: chunk.clone(), rank, stage: Some(stage.to_owned()), k }
            } else {
                Kind::Demoted { chunk: chunk.clone(), stage: next, from: rank, to: None }
            })
        }
    }
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
