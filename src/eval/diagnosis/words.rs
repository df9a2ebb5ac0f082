//! The verdicts and causes in plain English.

use super::{
    Basis, Candidates, Cause, Diagnosis, Fell, Kind, Probed,
    probe::{LeftOut, Probe, ProbeKind},
};
use crate::domain::chunk::ChunkId;

impl Kind {
    /// The verdict's name, in reports and files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::LabelBroken { .. } => "label_broken",
            Self::RetrieverError { .. } => "retriever_error",
            Self::OutOfScope { .. } => "out_of_scope",
            Self::NotIndexed { .. } => "not_indexed",
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
            | Self::NotIndexed { chunk, .. }
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
            Self::OutOfScope { chunk, asker, gets: Some(other), .. } => {
                format!("{asker} does not get {}, which {other} gets", name(chunk))
            }
            Self::OutOfScope { chunk, asker, rank: None, .. } => format!("{asker} may not read {}", name(chunk)),
            Self::OutOfScope { chunk, asker, rank: Some(rank), .. } => {
                format!("{asker} may not read {}, yet it was returned at rank {rank}: a leak", name(chunk))
            }
            Self::NotIndexed { chunk, asker, stages_known } => {
                let or = if *stages_known { "" } else { ": the index lacks it, or a stage always removes it" };
                format!("not even its own words, asked as {asker}, find {}{or}", name(chunk))
            }
            Self::NeverCandidate { chunk, among, known, words } => {
                let among = match known {
                    _ if *among == 0 => "was not found: no results".to_owned(),
                    Candidates::Told => format!("is not among the {among} candidates that the retriever told of"),
                    Candidates::All => format!("is not in the list, which ends at {among}"),
                    // A full list says nothing about what comes after it.
                    Candidates::First => format!("is not among the first {among}"),
                };
                let words = words.map_or_else(String::new, |rank| format!("; its own words find it at rank {rank}"));
                format!("{} {among}{words}", name(chunk))
            }
            Self::Dropped { chunk, stage, why } => format!("{stage} dropped {} ({why})", name(chunk)),
            Self::Demoted { chunk, fell: Fell::Baseline(run), from, to } => match to {
                Some(to) => format!("{} fell from {from} in {run} to {to}", name(chunk)),
                None => format!("{} is gone, which stood at {from} in {run}", name(chunk)),
            },
            Self::Demoted { chunk, fell, from, to } => {
                let stage = if let Fell::Stage(stage) = fell { stage } else { "the step after the last stage" };
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
            Self::RetrieverError { reason } if may_pass(reason) => {
                "run the case again; the call failed, so nothing is known about the ranking"
            }
            Self::RetrieverError { .. } => {
                "mend what the reason says, then run again; the call failed, so nothing is known about the ranking"
            }
            Self::OutOfScope { rank: Some(_), .. } => {
                "close the leak first: the retriever must filter by the asker's groups"
            }
            Self::OutOfScope { gets: Some(_), .. } => {
                "see whether this asker should read it; then give the case another asker, or open it in production"
            }
            Self::OutOfScope { .. } => "give the case an asker who may read it, or correct the chunk's groups",
            Self::NotIndexed { stages_known: false, .. } => {
                "name the stages in `[configs.NAME.without]` and ask again; if none of them removes it, see why the index lacks it"
            }
            Self::NotIndexed { .. } => {
                "see why production's index lacks it: the last indexing, its filters, the id that it has there"
            }
            Self::NeverCandidate { words: Some(_), .. } => {
                "it is indexed; look at how a person would ask for it: synonyms, vectors, more candidates"
            }
            Self::NeverCandidate { .. } => {
                "see whether the retriever's index has it (search for its own words), then how a person would ask for it"
            }
            Self::Dropped { stage, .. } => {
                return format!("look at the limits of {stage}: cap, floor and removal of duplicates");
            }
            Self::Demoted { fell: Fell::Stage(stage), .. } => {
                return format!("look at what {stage} saw of this pair of question and chunk");
            }
            Self::Demoted { fell: Fell::AfterStages, .. } => "look at what happens to the list after its last stage",
            Self::Demoted { fell: Fell::Baseline(_), .. } => "look at what differs since: config, corpus, the chunk's text",
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

/// True if the reason of a failed call is one that may not be there the next time: a busy server, a time-out, a connection.
fn may_pass(reason: &str) -> bool {
    let passing = ["connection", "timed out", "timeout", "time-out", " answer within "];
    let lower = reason.to_lowercase();
    let mut before = ":";
    let busy = |word: &str| matches!(word.parse(), Ok(408 | 429 | 500 | 502..=504 | 506..=599));
    let status = reason.split_whitespace().any(|word| {
        let opens = before.ends_with(':') || before.eq_ignore_ascii_case("http") || before == "status";
        before = word;
        opens && busy(word.trim_end_matches([':', ',', ';', '.']))
    });
    status || passing.iter().any(|words| lower.contains(words))
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

impl Probe {
    /// The word for files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.kind {
            ProbeKind::Deeper => "deeper",
            ProbeKind::Without { .. } => "without",
            ProbeKind::Unscoped => "unscoped",
            ProbeKind::OwnWords { .. } => "own_words",
        }
    }

    /// What is asked, beside the case's own request; `name` gives a chunk's title.
    #[must_use]
    pub fn asks(&self, name: &dyn Fn(&ChunkId) -> String) -> String {
        let (asker, depth) = (self.asker.label(), self.depth);
        match &self.kind {
            ProbeKind::Deeper => format!("the same, {depth} results deep"),
            ProbeKind::Without { stage } => format!("the same without {stage}, {depth} results deep"),
            ProbeKind::Unscoped => format!("the same as {asker}, {depth} results deep"),
            ProbeKind::OwnWords { chunk, .. } => format!("the own words of {} as {asker}", name(chunk)),
        }
    }

    /// What it is to find out.
    #[must_use]
    pub fn why(&self) -> &'static str {
        match self.kind {
            ProbeKind::Deeper => "does it stand further down?",
            ProbeKind::Without { .. } => "is it this stage that moves or drops it?",
            ProbeKind::Unscoped => "is it hidden from the asker?",
            ProbeKind::OwnWords { .. } => "is it indexed at all, and for this asker?",
        }
    }
}

impl LeftOut {
    /// What would tell more, a sentence each; `asker` is who asks the case.
    #[must_use]
    pub fn explain(&self, asker: &str) -> Vec<String> {
        let cut = self.limit.map(|limit| {
            let requests = if limit == 1 { "1 request".to_owned() } else { format!("{limit} requests") };
            format!("cut short: another request would tell more, and `probes` in [diagnosis] allows {requests}")
        });
        let unscoped = self.unscoped.then(|| {
            format!(
                "only production knows {asker}'s groups, so whether it is hidden from {asker} or not indexed is not told: \
                 name an `unscoped_asker` in [diagnosis], who may read everything, and it is"
            )
        });
        cut.into_iter().chain(unscoped).collect()
    }
}

impl Probed {
    /// That a chunk is not in its list of so many results.
    fn absent(&self, results: usize) -> String {
        match results {
            0 => "not found, no results".to_owned(),
            n if n < self.probe.depth => format!("not found, the list ends at {n}"),
            n => format!("not in {n}"),
        }
    }

    /// What came, for each of these chunks that it was about.
    #[must_use]
    pub fn came(&self, chunks: &[ChunkId], name: &dyn Fn(&ChunkId) -> String) -> String {
        let answer = match &self.result {
            Err(reason) => return format!("failed, which says nothing: {reason}"),
            Ok(answer) => answer,
        };
        let about = |id: &&ChunkId| !matches!(&self.probe.kind, ProbeKind::OwnWords { chunk, .. } if chunk != *id);
        let places = chunks.iter().filter(about).map(|id| match self.rank(id) {
            Some(rank) => format!("{} at {rank}", name(id)),
            None => format!("{} {}", name(id), self.absent(answer.results.len())),
        });
        let partial = answer.partial.as_ref().map(|why| format!("only a part was answered: {why}"));
        places.chain(partial).collect::<Vec<_>>().join("; ")
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
        match (&self.kind, self.basis) {
            (Kind::NeverCandidate { words: None, .. }, Basis::List { .. }) => {
                "`caselight inspect ID` asks further (e in the screens): deeper, and for its own words".to_owned()
            }
            (kind, _) => kind.next_step(),
        }
    }
}
