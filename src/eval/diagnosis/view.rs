//! Everything that is known of a case's chunks, from the answer, the probes and the baseline, and the verdict that it leads to.

use super::{
    Basis, Candidates, Evidence, Fell, Kind, Probed,
    probe::{Probe, ProbeKind},
    trace::{Fall, Trace},
};
use crate::{
    domain::{
        asker::{Access, Asker},
        chunk::ChunkId,
        ranking::rank,
    },
    eval::{asked::Asked, metric},
};

/// What is known of a case's chunks.
pub(super) struct View<'a> {
    pub(super) asked: Asked<'a>,
    pub(super) trace: Trace<'a>,
    evidence: &'a Evidence,
}

impl<'a> View<'a> {
    pub(super) fn new(asked: Asked<'a>, trace: Trace<'a>, evidence: &'a Evidence) -> Self {
        Self { asked, trace, evidence }
    }

    /// What a verdict rests on that needs nothing else.
    pub(super) fn basis(&self) -> Basis {
        if self.traced() {
            Basis::Trace
        } else if self.evidence.probes.iter().any(|put| put.result.is_ok()) {
            self.experiment()
        } else {
            Basis::List { depth: self.asked.cut.depth }
        }
    }

    fn traced(&self) -> bool {
        !self.trace.stages.is_empty()
    }

    fn experiment(&self) -> Basis {
        Basis::Experiment { requests: self.evidence.probes.len() }
    }

    /// The requirements that the window does not satisfy, as the chunks of each that the asker may read.
    pub(super) fn missing(&self) -> Vec<Vec<&'a ChunkId>> {
        let window = crate::domain::ranking::window(self.trace.hits, self.asked.cut.k);
        let missing = self.asked.resolved.supporting.iter().filter(|needed| !metric::satisfied(window, needed));
        let readable = missing.map(|needed| needed.any_of.iter().filter(|id| !self.forbidden(id)).collect());
        readable.filter(|set: &Vec<_>| !set.is_empty()).collect()
    }

    /// The rank of the first supporting chunk in the list.
    pub(super) fn best_rank(&self) -> Option<usize> {
        metric::rank(self.trace.hits, &self.asked.resolved.supporting)
    }

    /// The rank of a chunk in the list.
    pub(super) fn rank(&self, id: &ChunkId) -> Option<usize> {
        rank(self.trace.hits, id)
    }

    /// The probe that went deeper, if it was answered in full.
    pub(super) fn deeper(&self) -> Option<&'a Probed> {
        let deeper = |put: &&Probed| put.probe.kind == ProbeKind::Deeper && put.is_whole();
        self.evidence.probes.iter().find(deeper)
    }

    /// What came of this probe, if it was put.
    pub(super) fn put(&self, probe: &Probe) -> Option<&'a Probed> {
        let same = |put: &&Probed| put.probe.kind == probe.kind && put.probe.asker == probe.asker;
        self.evidence.probes.iter().find(same)
    }

    /// What came of the chunk's own words, asked as `asker`.
    pub(super) fn own_words(&self, id: &ChunkId, asker: &Asker) -> Option<&'a Probed> {
        self.all_own_words(id).find(|put| &put.probe.asker == asker)
    }

    fn all_own_words(&self, id: &ChunkId) -> impl Iterator<Item = &'a Probed> {
        let own = move |put: &&Probed| matches!(&put.probe.kind, ProbeKind::OwnWords { chunk, .. } if chunk == id);
        self.evidence.probes.iter().filter(own)
    }

    /// The probes that switched a stage off, in the order of the pipeline.
    fn switched(&self) -> impl Iterator<Item = (&'a str, &'a Probed)> {
        let probes = if self.traced() { &[][..] } else { &self.evidence.probes };
        probes.iter().filter_map(|put| match &put.probe.kind {
            ProbeKind::Without { stage } => Some((stage.as_str(), put)),
            _ => None,
        })
    }

    fn forbidden(&self, id: &ChunkId) -> bool {
        self.asked.outline.chunk(id).is_some_and(|chunk| self.asked.asker.is_forbidden(chunk))
    }

    /// The rank of a chunk in the list, else in the deeper one.
    fn place(&self, id: &ChunkId) -> Option<usize> {
        let deeper = || self.evidence.probes.iter().find(|put| put.probe.kind == ProbeKind::Deeper)?.rank(id);
        self.rank(id).or_else(|| if self.traced() { None } else { deeper() })
    }

    /// True if the question reaches the chunk as this asker: in the list, deeper, at a stage, or without a stage.
    pub(super) fn knows(&self, id: &ChunkId) -> bool {
        self.trace.knows(id) || self.place(id).is_some() || self.switched().any(|(_, put)| put.rank(id).is_some())
    }

    /// Whoever may read everything gets this chunk, and the asker does not.
    pub(super) fn hidden(&self, id: &ChunkId) -> bool {
        self.seen_by(id).is_some()
    }

    /// Who gets a chunk that the asker does not get.
    fn seen_by(&self, id: &ChunkId) -> Option<&'a Asker> {
        let asker = self.asked.asker;
        if self.knows(id) || self.own_words(id, asker).is_some_and(|put| put.knows(id)) {
            return None;
        }
        let by_question =
            self.evidence.probes.iter().find(|put| put.probe.kind == ProbeKind::Unscoped && put.knows(id));
        let by_words = || {
            let denied = self.own_words(id, asker).is_some_and(|put| put.denies(id));
            self.all_own_words(id).find(|put| denied && &put.probe.asker != asker && put.knows(id))
        };
        by_question.or_else(by_words).map(|put| &put.probe.asker)
    }

    /// As whom the chunk's own words were asked for without finding it, where that asker would have got it.
    fn unindexed(&self, id: &ChunkId) -> Option<&'a Asker> {
        if self.all_own_words(id).any(|put| put.knows(id) || put.drops(id)) {
            return None;
        }
        let may = |asker: &Asker| {
            let own = self.asked.outline.chunk(id).is_some_and(|chunk| asker.access(chunk) == Access::May);
            own || asker != self.asked.asker
        };
        self.all_own_words(id).find(|put| put.denies(id) && may(&put.probe.asker)).map(|put| &put.probe.asker)
    }

    /// The first verdict that tells where a set of chunks was lost, and what it rests on; `None` if one of them is in the window
    /// and none fell on its way.
    pub(super) fn lost(&self, chunks: &[&ChunkId]) -> Option<(Kind, Basis)> {
        let (k, trace) = (self.asked.cut.k, &self.trace);
        let told = |kind| Some((kind, self.basis()));
        // The chunk of the set that stands best, else the first that may be read.
        let best = chunks.iter().copied().filter_map(|id| Some((self.place(id)?, id))).min();
        let first = || chunks.iter().copied().find(|id| !self.forbidden(id)).or_else(|| chunks.first().copied());
        let spoken = best.map_or_else(first, |(_, id)| Some(id))?;

        if chunks.iter().all(|id| self.forbidden(id)) {
            let (chunk, asker) = (spoken.clone(), self.asked.asker.label().to_owned());
            return told(Kind::OutOfScope { chunk, asker, rank: best.map(|(rank, _)| rank), gets: None });
        }
        if !chunks.iter().any(|id| self.knows(id)) {
            return Some(self.nowhere(chunks, spoken));
        }
        if best.is_none_or(|(rank, _)| rank > k) {
            let dropped = chunks.iter().copied().find_map(|id| Some((id, trace.dropped(id)?)));
            if let Some((chunk, (stage, why))) = dropped {
                return told(Kind::Dropped { chunk: chunk.clone(), stage: stage.to_owned(), why: why.to_owned() });
            }
        }
        if best.is_none()
            && let Some(dropped) = self.gone_with(chunks)
        {
            return told(dropped);
        }
        let reached = best.map(|(rank, _)| rank);
        if let Some((chunk, fall)) = self.fall(chunks, reached) {
            return told(Kind::Demoted { chunk: chunk.clone(), fell: fall.at, from: fall.from, to: fall.to });
        }
        match best {
            Some((rank, chunk)) if rank > k => told(Kind::BelowWindow { chunk: chunk.clone(), rank, stage: None, k }),
            Some(_) => None,
            None => {
                let seen = chunks.iter().copied().filter_map(|id| Some((id, trace.last_seen(id)?)));
                let (chunk, (stage, rank, next)) = seen.min_by_key(|(_, (_, rank, _))| *rank)?;
                told(if rank > k {
                    Kind::BelowWindow { chunk: chunk.clone(), rank, stage: Some(stage.to_owned()), k }
                } else {
                    Kind::Demoted { chunk: chunk.clone(), fell: next, from: rank, to: None }
                })
            }
        }
    }

    /// The stage without which a chunk comes back that no list has. A stage before the one that threw it away may make room for
    /// it too, one after it cannot: of several, it is the last of the pipeline.
    fn gone_with(&self, chunks: &[&ChunkId]) -> Option<Kind> {
        let back = |(stage, put): (&'a str, &'a Probed)| {
            let (rank, id) = chunks.iter().filter_map(|id| Some((put.rank(id)?, *id))).min()?;
            Some((stage, rank, id.clone()))
        };
        let (stage, rank, chunk) = self.switched().filter_map(back).last()?;
        let ends = self.trace.hits.len() < self.asked.cut.depth || self.deeper().is_some();
        Some(if ends || rank > self.asked.cut.k {
            let why = format!("without that stage it stands at rank {rank}");
            Kind::Dropped { chunk, stage: stage.to_owned(), why }
        } else {
            Kind::Demoted { chunk, fell: Fell::Stage(stage.to_owned()), from: rank, to: None }
        })
    }

    /// The fall that cost the set of chunks most: at a stage, else since the baseline.
    fn fall<'c>(&self, chunks: &[&'c ChunkId], reached: Option<usize>) -> Option<(&'c ChunkId, Fall)> {
        let k = self.asked.cut.k;
        let costs = |from: usize| from <= k && reached.is_none_or(|reached| reached > from);
        let best = |falls: Vec<(&'c ChunkId, Fall)>| falls.into_iter().min_by_key(|(_, fall)| fall.from);
        let each = chunks.iter().copied();
        let traced = best(each.clone().filter_map(|id| Some((id, self.trace.fall(id, k, reached)?))).collect());
        // Of stages that cost the same, the last: see `gone_with`.
        let switched: Vec<(&str, &Probed)> = self.switched().collect();
        let switched = switched.into_iter().rev().flat_map(|(stage, put)| {
            let fell = Fell::Stage(stage.to_owned());
            each.clone()
                .filter_map(move |id| Some((id, Fall { at: fell.clone(), from: put.rank(id)?, to: self.place(id) })))
        });
        let switched = best(switched.filter(|(_, fall)| costs(fall.from)).collect());
        let stage = traced.or(switched);
        let since = self.evidence.baseline.as_ref().and_then(|before| {
            let fall = |id| {
                Some((id, Fall { at: Fell::Baseline(before.run.clone()), from: before.rank(id)?, to: self.place(id) }))
            };
            best(each.clone().filter_map(fall).filter(|(_, fall)| costs(fall.from)).collect())
        });
        match (stage, since) {
            (Some(stage), Some(since)) if since.1.loss() > stage.1.loss() => Some(since),
            (stage, since) => stage.or(since),
        }
    }

    /// The verdict on chunks that the question does not reach.
    fn nowhere(&self, chunks: &[&ChunkId], spoken: &ChunkId) -> (Kind, Basis) {
        let readable: Vec<&ChunkId> = chunks.iter().copied().filter(|id| !self.forbidden(id)).collect();
        let hidden = readable.iter().find_map(|id| Some((*id, self.seen_by(id)?)));
        if let Some((chunk, other)) = hidden {
            let (asker, gets) = (self.asked.asker.label().to_owned(), Some(other.label().to_owned()));
            return (Kind::OutOfScope { chunk: chunk.clone(), asker, rank: None, gets }, self.experiment());
        }
        let unindexed: Option<Vec<&Asker>> = readable.iter().map(|id| self.unindexed(id)).collect();
        if let Some([asker, ..]) = unindexed.as_deref() {
            let stages_known = self.traced() || self.switched().any(|(_, put)| put.is_whole());
            let (chunk, asker) = (spoken.clone(), asker.label().to_owned());
            return (Kind::NotIndexed { chunk, asker, stages_known }, self.experiment());
        }
        let basis = self.basis();
        // By the list alone nobody can say that it was never a candidate, only that it was one before.
        if let (Basis::List { .. }, Some((chunk, fall))) = (basis, self.fall(chunks, None)) {
            return (Kind::Demoted { chunk: chunk.clone(), fell: fall.at, from: fall.from, to: None }, basis);
        }
        let found = readable.iter().find_map(|id| {
            let rank = self.all_own_words(id).filter_map(|put| put.rank(id)).min()?;
            Some((*id, rank))
        });
        let (chunk, words) = found.map_or((spoken, None), |(id, rank)| (id, Some(rank)));
        let (among, known) = self.candidates();
        (Kind::NeverCandidate { chunk: chunk.clone(), among, known, words }, basis)
    }

    fn candidates(&self) -> (usize, Candidates) {
        if self.traced() {
            return (self.trace.candidates(), Candidates::Told);
        }
        let (among, depth) = match self.deeper() {
            Some(Probed { probe, result: Ok(answer) }) => (answer.results.len(), probe.depth),
            _ => (self.trace.hits.len(), self.asked.cut.depth),
        };
        (among, if among < depth { Candidates::All } else { Candidates::First })
    }
}
