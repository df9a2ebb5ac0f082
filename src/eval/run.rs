//! A run as it is kept: under which config it was made, and what came of each case, with the labels it was held against.
//!
//! A kept run is scored anew by the functions that scored it when it was made; no metric of it is ever read from a file.

use std::time::Duration;

use super::{
    asked::{Asked, Cut},
    diagnosis::{Before, Diagnosis},
    evaluate::{self, CaseResult, Mark, Row, State},
    metric,
};
use crate::domain::{
    chunk::ChunkId,
    ranking::{Hit, window},
    resolve::{Needed, Resolved},
};

/// What a run was made with. Two runs compare fairly only where labels, corpus and k are the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The version of Caselight that made it.
    pub tool: String,
    /// The config's name.
    pub config: String,
    /// The retriever's name.
    pub retriever: String,
    /// The retriever is the embedded one: a baseline, not production.
    pub baseline: bool,
    /// The rest of the config as resolved, without secrets, as JSON text.
    pub params: String,
    /// How the retriever was reached, without secrets, as JSON text; `None` for the embedded one.
    pub reach: Option<String>,
    /// Where lists were cut.
    pub cut: Cut,
    /// Fingerprint of the case files.
    pub cases: String,
    /// Fingerprint of all labels as chunks.
    pub labels: String,
    /// Fingerprint of the corpus.
    pub corpus: String,
    /// The commit of the repository that holds the cases, if it is one.
    pub commit: Option<String>,
    /// When it started, in UTC: `2026-11-30T23:44:58Z`.
    pub started: String,
}

/// A run as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What it was made with.
    pub header: Header,
    /// The finished cases, in the order of their files.
    pub cases: Vec<RunCase>,
}

/// One finished case.
#[derive(Debug, Clone, PartialEq)]
pub struct RunCase {
    /// `question_id`.
    pub id: String,
    /// The question as it was asked.
    pub question: String,
    /// The case's tags then.
    pub tags: Vec<String>,
    /// The asker's name, or `anonymous`.
    pub asker: String,
    /// The labels it was held against.
    pub labels: Labels,
    /// What came of asking.
    pub outcome: RunOutcome,
    /// Each labeled chunk: where it stood at every stage, and what its text was.
    pub chunks: Vec<LabeledChunk>,
    /// The verdict then: its kind's word, and the sentence for people.
    pub verdict: Option<(String, String)>,
}

/// Labels as chunks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// The requirements, each with its alternatives.
    pub needed: Vec<Vec<ChunkId>>,
    /// The chunks that look right and are wrong.
    pub distractors: Vec<ChunkId>,
    /// False: nothing in the corpus answers.
    pub answerable: bool,
}

/// What came of asking a case.
#[derive(Debug, Clone, PartialEq)]
pub enum RunOutcome {
    /// The retriever answered, be it with an empty list.
    Answered {
        /// The results to depth, in the order the retriever returned them.
        results: Vec<RunHit>,
        /// How long it took.
        latency: Duration,
        /// Why the answer is partial; `None` for a whole one.
        partial: Option<String>,
    },
    /// The call failed; why.
    Failed(String),
}

/// One result.
#[derive(Debug, Clone, PartialEq)]
pub struct RunHit {
    /// The chunk.
    pub id: ChunkId,
    /// The retriever's own score, for display only.
    pub score: Option<f64>,
    /// Whether the asker may not read it; `None` where that is not known.
    pub leaked: Option<bool>,
    /// Whether the corpus had it.
    pub known: bool,
}

/// A labeled chunk of a finished case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabeledChunk {
    /// The chunk.
    pub id: ChunkId,
    /// Fingerprint of its text then; `None` where the corpus did not know it.
    pub text: Option<String>,
    /// Its rank, from 1, at each stage in pipeline order; `None` where the stage does not have it.
    pub ranks: Vec<(String, Option<usize>)>,
}

impl RunCase {
    /// What is kept of a case that was just evaluated; `None` for one that was not asked.
    #[must_use]
    pub fn new(asked: &Asked<'_>, result: &CaseResult) -> Option<Self> {
        let outcome = match (&result.state, result.latency) {
            (State::Error(reason), _) => RunOutcome::Failed(reason.clone()),
            (_, Some(latency)) => RunOutcome::Answered {
                results: result.results.iter().map(hit).collect(),
                latency,
                partial: result.partial.clone(),
            },
            (_, None) => return None,
        };
        let ranks = |id: &ChunkId| result.stages.iter().map(|stage| (stage.name.clone(), stage.rank(id))).collect();
        let chunks = result.labels.iter().map(|(id, _)| LabeledChunk {
            id: id.clone(),
            text: asked.outline.chunk(id).map(|chunk| chunk.fingerprint()),
            ranks: ranks(id),
        });
        let name = |id: &ChunkId| asked.outline.chunk(id).map_or_else(|| id.to_string(), |chunk| chunk.title());
        let said = |diagnosis: &Diagnosis| (diagnosis.kind.word().to_owned(), diagnosis.sentence(&name));
        Some(Self {
            id: result.id.clone(),
            question: result.question.clone(),
            tags: result.tags.clone(),
            asker: result.asker.clone(),
            labels: Labels::new(asked.resolved, asked.case.answerable),
            outcome,
            chunks: chunks.collect(),
            verdict: result.diagnosis.as_ref().map(said),
        })
    }

    /// The labels in the form that metrics take.
    #[must_use]
    pub fn resolved(&self) -> Resolved {
        let needed = self.labels.needed.iter().enumerate();
        Resolved {
            supporting: needed.map(|(requirement, any_of)| Needed { any_of: any_of.clone(), requirement }).collect(),
            distractors: self.labels.distractors.clone(),
            problems: Vec::new(),
        }
    }

    /// The results; none where the call failed.
    #[must_use]
    pub fn hits(&self) -> Vec<Hit> {
        match &self.outcome {
            RunOutcome::Answered { results, .. } => {
                results.iter().map(|hit| Hit::new(hit.id.clone(), hit.score)).collect()
            }
            RunOutcome::Failed(_) => Vec::new(),
        }
    }

    /// The case scored anew under `cut`, which may be another one than the run was made with.
    #[must_use]
    pub fn result(&self, cut: &Cut) -> CaseResult {
        let resolved = self.resolved();
        let hits = self.hits();
        let hits = window(&hits, cut.depth);
        let state = match &self.outcome {
            RunOutcome::Failed(reason) => State::Error(reason.clone()),
            RunOutcome::Answered { .. } if !self.labels.answerable => State::Unanswerable {
                distracted: window(hits, cut.k).iter().any(|hit| resolved.distractors.contains(&hit.id)),
            },
            RunOutcome::Answered { .. } if resolved.supporting.is_empty() => State::Unlabeled,
            RunOutcome::Answered { .. } => State::Scored(evaluate::score(hits, &resolved, cut)),
        };
        CaseResult {
            id: self.id.clone(),
            question: self.question.clone(),
            tags: self.tags.clone(),
            asker: self.asker.clone(),
            state,
            results: self.rows(&resolved, hits),
            labels: evaluate::labels(&resolved),
            stages: Vec::new(),
            partial: match &self.outcome {
                RunOutcome::Answered { partial, .. } => partial.clone(),
                RunOutcome::Failed(_) => None,
            },
            rank: metric::rank(hits, &resolved.supporting),
            latency: match &self.outcome {
                RunOutcome::Answered { latency, .. } => Some(*latency),
                RunOutcome::Failed(_) => None,
            },
            label_wrong: None,
            diagnosis: None,
        }
    }

    fn rows(&self, resolved: &Resolved, hits: &[Hit]) -> Vec<Row> {
        let RunOutcome::Answered { results, .. } = &self.outcome else { return Vec::new() };
        let rows = results.iter().zip(metric::repeats(hits)).enumerate();
        rows.map(|(at, (hit, repeat))| Row {
            id: hit.id.clone(),
            rank: at + 1,
            score: hit.score,
            mark: evaluate::mark(resolved, &hit.id),
            unknown: !hit.known,
            scope_unknown: hit.leaked.is_none(),
            leaked: hit.leaked == Some(true),
            text: None,
            repeat,
        })
        .collect()
    }

    /// The case as a baseline for a diagnosis, `run` being what people call the run; `None` where the call failed.
    #[must_use]
    pub fn before(&self, run: &str) -> Option<Before> {
        match &self.outcome {
            RunOutcome::Answered { results, .. } => {
                Some(Before { run: run.to_owned(), results: results.iter().map(|hit| hit.id.clone()).collect() })
            }
            RunOutcome::Failed(_) => None,
        }
    }

    /// What a labeled chunk is.
    #[must_use]
    pub fn mark(&self, id: &ChunkId) -> Mark {
        evaluate::mark(&self.resolved(), id)
    }
}

impl Labels {
    /// The labels of a case as chunks.
    #[must_use]
    pub fn new(resolved: &Resolved, answerable: bool) -> Self {
        let needed = resolved.supporting.iter().map(|needed| needed.any_of.clone()).collect();
        Self { needed, distractors: resolved.distractors.clone(), answerable }
    }

    /// Text that is the same for the same labels, for a fingerprint.
    #[must_use]
    pub fn canonical(&self) -> String {
        format!("{:?} {:?} {}", self.needed, self.distractors, self.answerable)
    }
}

fn hit(row: &Row) -> RunHit {
    RunHit {
        id: row.id.clone(),
        score: row.score,
        leaked: (!row.scope_unknown).then_some(row.leaked),
        known: !row.unknown,
    }
}

impl Run {
    /// Every case scored anew.
    #[must_use]
    pub fn results(&self) -> Vec<CaseResult> {
        self.cases.iter().map(|case| case.result(&self.header.cut)).collect()
    }
}
