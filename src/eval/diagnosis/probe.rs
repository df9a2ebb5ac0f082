//! Experiments: further requests that tell where a chunk was lost, where the retriever does not tell it itself.
//!
//! [`next`] says what to ask next, given what came of the probes before it; it never asks what is known already, and never more
//! than it may. Whoever puts the probe adds what came of it to the [`Evidence`] and asks again.

use super::{Evidence, Trace, View};
use crate::{
    domain::{
        asker::{Access, Asker},
        case::Labeled,
        chunk::ChunkId,
    },
    eval::asked::{Asked, Cut, Outcome},
};

/// A request beside the case's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// In what it is another request than the case's own.
    pub kind: ProbeKind,
    /// As whom it is asked.
    pub asker: Asker,
    /// How many results are asked for.
    pub depth: usize,
}

impl Probe {
    fn new(kind: ProbeKind, asker: &Asker, depth: usize) -> Self {
        Self { kind, asker: asker.clone(), depth }
    }
}

/// In what a probe is another request than the case's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeKind {
    /// More results are asked for.
    Deeper,
    /// A stage is switched off.
    Without {
        /// The stage, as the settings name it.
        stage: String,
    },
    /// Somebody asks who may read everything.
    Unscoped,
    /// The chunk's own words are asked for, without earlier turns.
    OwnWords {
        /// The chunk.
        chunk: ChunkId,
        /// Its last heading and its first words.
        words: String,
    },
}

/// What may be asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Means {
    /// The stages that can be switched off, in the order of the pipeline.
    pub without: Vec<String>,
    /// Somebody who may read everything.
    pub unscoped: Option<Asker>,
    /// How many probes may be put for one case.
    pub limit: usize,
}

/// How many times k a probe asks for …
const DEEPER: usize = 5;
/// … and how many words of a chunk make a question.
const WORDS: usize = 40;

/// How deep a probe asks: five times k, or, where the case's own request goes as deep already, five times that.
#[must_use]
pub fn deeper(cut: &Cut) -> usize {
    let least = cut.k.saturating_mul(DEEPER);
    if least > cut.depth { least } else { cut.depth.saturating_mul(DEEPER) }
}

/// The next request that would tell more; `None` if there is none, or as many were put as may be.
#[must_use]
pub fn next(asked: &Asked<'_>, outcome: Outcome<'_>, means: &Means, evidence: &Evidence) -> Option<Probe> {
    let answer = outcome.answer()?;
    let resolved = asked.resolved;
    let sound = resolved.problems.is_empty() && !resolved.supporting.is_empty();
    if evidence.probes.len() >= means.limit || asked.case.labeled() != Labeled::Yes || !sound {
        return None;
    }
    // Of ids that the corpus does not know no request finds a labeled chunk.
    if is_foreign(asked, outcome) {
        return None;
    }
    let view = View::new(*asked, Trace::new(&answer.stages, asked.hits(outcome)), evidence);
    let plan = Plan { sets: view.missing(), view, means };
    plan.deeper().or_else(|| plan.without()).or_else(|| plan.elsewhere())
}

/// True if there are results and the corpus knows none of them: they are another corpus's.
fn is_foreign(asked: &Asked<'_>, outcome: Outcome<'_>) -> bool {
    let hits = asked.hits(outcome);
    !hits.is_empty() && hits.iter().all(|hit| asked.outline.chunk(&hit.id).is_none())
}

/// What an experiment left out that would tell more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// There were further requests to put, and this is how many may be put.
    pub limit: Option<usize>,
    /// Nobody is named who may read everything, and whether the asker may read the chunk is not known: without the one, nobody
    /// knows whether it is hidden or not indexed.
    pub unscoped: bool,
}

/// What would have told more of a case and was not asked, for want of requests or of somebody who may read everything.
#[must_use]
pub fn left_out(asked: &Asked<'_>, outcome: Outcome<'_>, means: &Means, evidence: &Evidence) -> LeftOut {
    let more = Means { limit: usize::MAX, ..means.clone() };
    let cut = evidence.probes.len() >= means.limit && next(asked, outcome, &more, evidence).is_some();
    let Some(answer) = outcome.answer().filter(|_| !is_foreign(asked, outcome)) else {
        return LeftOut::default();
    };
    let view = View::new(*asked, Trace::new(&answer.stages, asked.hits(outcome)), evidence);
    let unsure = |id: &&ChunkId| {
        let unknown = asked.outline.chunk(id).is_some_and(|chunk| asked.asker.access(chunk) == Access::Unknown);
        unknown && !view.knows(id) && !view.own_words(id, asked.asker).is_some_and(|put| put.knows(id))
    };
    let unscoped = means.unscoped.is_none() && view.missing().iter().any(|set| set.iter().all(unsure));
    LeftOut { limit: cut.then_some(means.limit), unscoped }
}

struct Plan<'a> {
    view: View<'a>,
    means: &'a Means,
    /// The requirements that the window does not satisfy, as the chunks of which one is enough and that the asker may read.
    sets: Vec<Vec<&'a ChunkId>>,
}

impl Plan<'_> {
    /// Only a full list has something below it.
    fn deeper(&self) -> Option<Probe> {
        let View { asked, trace, .. } = &self.view;
        let absent = |set: &Vec<&ChunkId>| set.iter().all(|id| self.view.rank(id).is_none());
        let full = trace.hits.len() >= asked.cut.depth;
        (trace.stages.is_empty() && full && self.sets.iter().any(absent))
            .then(|| Probe::new(ProbeKind::Deeper, asked.asker, deeper(asked.cut)))
            .filter(|probe| !self.was_put(probe))
    }

    /// A stage may have cost something wherever the best chunk is not the first.
    fn without(&self) -> Option<Probe> {
        let View { asked, trace, .. } = &self.view;
        if !trace.stages.is_empty() || (self.sets.is_empty() && self.view.best_rank().is_none_or(|rank| rank == 1)) {
            return None;
        }
        let stages = self.means.without.iter();
        let probes = stages.map(|stage| {
            let kind = ProbeKind::Without { stage: stage.clone() };
            Probe::new(kind, asked.asker, self.depth())
        });
        probes.into_iter().find(|probe| !self.was_put(probe))
    }

    /// Chunks that nothing has: hidden from the asker, or not indexed at all?
    fn elsewhere(&self) -> Option<Probe> {
        let unknown = self.sets.iter().filter(|set| !set.iter().any(|id| self.view.knows(id)));
        unknown.into_iter().find_map(|set| self.seek(set))
    }

    fn seek(&self, set: &[&ChunkId]) -> Option<Probe> {
        let asker = self.view.asked.asker;
        let other = self.means.unscoped.as_ref().filter(|other| *other != asker);
        if let Some(other) = other {
            let probe = Probe::new(ProbeKind::Unscoped, other, self.depth());
            if !self.was_put(&probe) {
                return Some(probe);
            }
            if set.iter().any(|id| self.view.hidden(id)) {
                return None;
            }
        }
        let depth = deeper(self.view.asked.cut);
        for id in set {
            // Whoever may read everything says whether it is indexed; the asker, whether it may be read as well.
            for asker in [other, Some(asker)].into_iter().flatten() {
                let Some(words) = self.words(id) else { continue };
                let kind = ProbeKind::OwnWords { chunk: (*id).clone(), words };
                let probe = Probe::new(kind, asker, depth);
                match self.view.put(&probe) {
                    None => return Some(probe),
                    Some(put) if put.knows(id) => {}
                    Some(_) => break,
                }
            }
            if self.view.own_words(id, asker).is_some_and(|put| put.knows(id)) {
                return None;
            }
        }
        None
    }

    fn words(&self, id: &ChunkId) -> Option<String> {
        let chunk = self.view.asked.outline.chunk(id)?;
        let heading = chunk.heading.last().unwrap_or(&chunk.document);
        let words: Vec<&str> = heading.split_whitespace().chain(chunk.text.split_whitespace()).take(WORDS).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// As deep as the deepest list of the case's own question.
    fn depth(&self) -> usize {
        self.view.deeper().map_or(self.view.asked.cut.depth, |put| put.probe.depth)
    }

    fn was_put(&self, probe: &Probe) -> bool {
        self.view.put(probe).is_some()
    }
}

#[cfg(test)]
mod tests;
