//! The verdicts and causes in plain English.

use super::{Basis, Cause, Diagnosis, Kind};
use crate::domain::chunk::ChunkId;

impl Kind {
    /// The verdict's name, in reports and files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::LabelBroken { .. } => "label_broken",
            Self::RetrieverError { .. } => "retriever_error",
            Self::OutOfScope { .. } => "out_of_scope",
            Self::NeverCandidate { .. } => "never_candidate",
            Self::Dropped { .. } => "dropped",
            Self::Demoted { .. } => "demoted",
            Self::BelowWindow { .. } => "below_window",
            Self::Outranked { .. } => "outranked",
            Self::PartlyFound { .. } => "partly_found",
            Self::Found { .. } => "found",
            Self::UnanswerableClean => "unanswerable_clean",
            Self::UnanswerableDistracted { .. } => "unanswerable_distracted",
        }
    }

    /// The chunk that the verdict speaks of.
    #[must_use]
    pub fn chunk(&self) -> Option<&ChunkId> {
        match self {
            Self::OutOfScope { chunk, .. }
            | Self::NeverCandidate { chunk, .. }
            | Self::Dropped { chunk, .. }
            | Self::Demoted { chunk, .. }
            | Self::BelowWindow { chunk, .. }
            | Self::Outranked { chunk, .. } => Some(chunk),
            Self::LabelBroken { .. }
            | Self::RetrieverError { .. }
            | Self::PartlyFound { .. }
            | Self::Found { .. }
            | Self::UnanswerableClean
            | Self::UnanswerableDistracted { .. } => None,
        }
    }

    /// What happened, as a clause without the kind's name; `name` gives a chunk's title.
    #[must_use]
    pub fn explain(&self, name: &dyn Fn(&ChunkId) -> String) -> String {
        match self {
            Self::LabelBroken { references: 1 } => "a reference of this case resolves to nothing certain".to_owned(),
            Self::LabelBroken { references } => {
                format!("{references} references of this case resolve to nothing certain")
            }
            Self::RetrieverError { reason } => reason.clone(),
            Self::OutOfScope { chunk, asker, rank: None } => format!("{asker} may not read {}", name(chunk)),
            Self::OutOfScope { chunk, asker, rank: Some(rank) } => {
                format!("{asker} may not read {}, yet it was returned at rank {rank}: a leak", name(chunk))
            }
            Self::NeverCandidate { chunk, among: 0, .. } => format!("{} was not found: no results", name(chunk)),
            Self::NeverCandidate { chunk, among, basis: Basis::Trace } => {
                format!("{} is not among the {among} candidates that the retriever told of", name(chunk))
            }
            // A list that ends above depth is all there is; a full one says nothing about what comes after it.
            Self::NeverCandidate { chunk, among, basis: Basis::List { depth } } if among < depth => {
                format!("{} is not in the list, which ends at {among}", name(chunk))
            }
            Self::NeverCandidate { chunk, among, basis: Basis::List { .. } } => {
                format!("{} is not among the first {among}", name(chunk))
            }
            Self::Dropped { chunk, stage, why } => format!("{stage} dropped {} ({why})", name(chunk)),
            Self::Demoted { chunk, stage, from, to } => {
                let stage = stage.as_deref().unwrap_or("the step after the last stage");
                match to {
                    Some(to) => format!("{stage} moved {} from {from} to {to}", name(chunk)),
                    None => format!("{stage} lost {}, which stood at {from}", name(chunk)),
                }
            }
            Self::BelowWindow { chunk, rank, stage, k } => {
                let place = stage.as_ref().map_or_else(String::new, |stage| format!(" of stage {stage}"));
                format!("{} stands at rank {rank}{place}, below the window of {k}", name(chunk))
            }
            Self::Outranked { chunk, rank, by, by_rank } => {
                format!("{}, a distractor, stands at rank {by_rank}, above {} at {rank}", name(by), name(chunk))
            }
            Self::PartlyFound { found, of } => {
                format!("{found} of {of} things that the answer needs are in the window")
            }
            Self::Found { rank } => format!("the answer is in the window, first at rank {rank}"),
            Self::UnanswerableClean => "nothing answers, and no distractor is in the window".to_owned(),
            Self::UnanswerableDistracted { by, rank } => {
                format!("nothing answers, and {}, a distractor, stands at rank {rank}", name(by))
            }
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn next_step(&self) -> String {
        match self {
            Self::LabelBroken { .. } => "relink the reference to what it means today",
            Self::RetrieverError { .. } => "run the case again; the call failed, so nothing is known about the ranking",
            Self::OutOfScope { rank: Some(_), .. } => {
                "close the leak first: the retriever must filter by the asker's groups"
            }
            Self::OutOfScope { .. } => "give the case an asker who may read it, or correct the chunk's groups",
            Self::NeverCandidate { .. } => {
                "see whether the retriever's index has it (search for its own words), then how a person would ask for it"
            }
            Self::Dropped { stage, .. } => {
                return format!("look at the limits of {stage}: cap, floor and removal of duplicates");
            }
            Self::Demoted { stage: Some(stage), .. } => {
                return format!("look at what {stage} saw of this pair of question and chunk");
            }
            Self::Demoted { .. } => "look at what happens to the list after its last stage",
            Self::BelowWindow { .. } => "look at what stands above it; a rerank or a larger window may reach it",
            Self::Outranked { .. } => "look at what tells the two apart, and whether the retriever sees it",
            Self::PartlyFound { .. } => "look at the verdict on each missing part",
            Self::Found { .. } => "retrieval is fine, look downstream",
            Self::UnanswerableClean => "retrieval is fine; see that the model abstains",
            Self::UnanswerableDistracted { .. } => "see that the model abstains although this looks like an answer",
        }
        .to_owned()
    }
}

impl Cause {
    /// The cause as a clause; `name` gives a chunk's title.
    #[must_use]
    pub fn explain(&self, name: &dyn Fn(&ChunkId) -> String) -> String {
        match self {
            Self::CrowdedOut { document, chunks, .. } => {
                format!("crowded out: {chunks} places of the window are of {document}")
            }
            Self::NoCommonWord { .. } => {
                "no telling word in common with the question: only vectors can find it".to_owned()
            }
            Self::ExactTokenIgnored { token, .. } => {
                format!("{token} stands in it and in nothing in the window: the retriever ignored an exact token")
            }
            Self::Twin { twin, rank, .. } => format!("a near-identical twin stands at rank {rank}: {}", name(twin)),
        }
    }
}

impl Diagnosis {
    /// The verdict in one sentence, with its kind: `below_window: Returns › Who pays stands at rank 9, below the window of 6`.
    #[must_use]
    pub fn sentence(&self, name: &dyn Fn(&ChunkId) -> String) -> String {
        format!("{}: {}", self.kind.word(), self.kind.explain(name))
    }

    /// What to do about it.
    #[must_use]
    pub fn next_step(&self) -> String {
        self.kind.next_step()
    }
}
