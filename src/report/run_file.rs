//! A run as lines of JSON: first what it was made with, then one line for each finished case; this file owns their form.
//!
//! Fields stand in a fixed order and ids are always text, so that the same answers make the same bytes but for `latency_ms`
//! and the time in the first line. Fields that this version does not know are left alone.

use std::{borrow::Cow, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    domain::chunk::ChunkId,
    eval::{
        asked::Cut,
        run::{Header, LabeledChunk, Labels, RunCase, RunHit, RunOutcome},
    },
};

/// The version of this form; it rises when a field changes its meaning or goes. Every version up to it is read.
pub const VERSION: u64 = 1;

/// Why a line cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The first line does not begin a run.
    #[error(
        "this is no run: its first line must be an object with `caselight_run`, the version of the form; `caselight run \
         --out FILE` writes one"
    )]
    NoRun,
    /// The run was written by a newer Caselight.
    #[error("a run in the form of version {version}; this Caselight reads up to version {VERSION}: use a newer one")]
    Newer {
        /// The version that the file says.
        version: String,
    },
    /// The line is not what it must be.
    #[error("{}{reason}", column.map(|column| format!("column {column}: ")).unwrap_or_default())]
    Broken {
        /// The column in bytes, from 1; `None` where the line as a whole is wrong.
        column: Option<usize>,
        /// What is wrong.
        reason: String,
    },
}

/// The first line of a run, with its line end.
#[must_use]
pub fn header_line(header: &Header) -> String {
    line(&HeaderLine {
        caselight_run: VERSION,
        tool: text(&header.tool),
        started: text(&header.started),
        commit: header.commit.as_deref().map(text),
        config: text(&header.config),
        retriever: text(&header.retriever),
        baseline: header.baseline,
        k: header.cut.k,
        depth: header.cut.depth,
        recall_at: header.cut.recall_at.clone(),
        params: serde_json::from_str(&header.params).unwrap_or_default(),
        reach: header.reach.as_deref().and_then(|reach| serde_json::from_str(reach).ok()),
        cases: text(&header.cases),
        labels: text(&header.labels),
        corpus: text(&header.corpus),
    })
}

/// The line of a finished case, with its line end.
#[must_use]
pub fn case_line(case: &RunCase) -> String {
    let (error, latency, partial, results) = match &case.outcome {
        RunOutcome::Failed(reason) => (Some(text(reason)), None, None, None),
        RunOutcome::Answered { results, latency, partial } => {
            (None, Some(ms(*latency)), partial.as_deref().map(text), Some(results.iter().map(hit).collect()))
        }
    };
    let ids = |ids: &'_ [ChunkId]| ids.iter().map(|id| Cow::Owned(id.to_string())).collect();
    line(&CaseLine {
        id: text(&case.id),
        question: text(&case.question),
        tags: case.tags.iter().map(|tag| text(tag)).collect(),
        asker: text(&case.asker),
        answerable: case.labels.answerable,
        needed: case.labels.needed.iter().map(|any_of| ids(any_of)).collect(),
        distractors: ids(&case.labels.distractors),
        verdict: case.verdict.as_ref().map(|(kind, said)| VerdictLine { kind: text(kind), text: text(said) }),
        error,
        latency_ms: latency,
        partial,
        chunks: case.chunks.iter().map(chunk).collect(),
        results,
    })
}

/// Reads the first line of a run.
pub fn header(line: &str) -> Result<Header, LineError> {
    #[derive(Deserialize)]
    struct Version {
        caselight_run: Value,
    }
    let version: Version = serde_json::from_str(line).map_err(|_| LineError::NoRun)?;
    match version.caselight_run.as_u64() {
        Some(1..=VERSION) => {}
        _ => return Err(LineError::Newer { version: version.caselight_run.to_string() }),
    }
    let read: HeaderLine<'_> = serde_json::from_str(line).map_err(|error| broken(&error))?;
    let cut = Cut { k: read.k, depth: read.depth, recall_at: read.recall_at };
    if cut.k == 0 || cut.depth < cut.k || cut.recall_at.contains(&0) {
        let reason = format!("`k` must be at least 1, `depth` at least `k`, and no K of `recall_at` 0: {cut:?}");
        return Err(LineError::Broken { column: None, reason });
    }
    Ok(Header {
        tool: read.tool.into_owned(),
        config: read.config.into_owned(),
        retriever: read.retriever.into_owned(),
        baseline: read.baseline,
        params: read.params.to_string(),
        reach: read.reach.map(|reach| reach.to_string()),
        cut,
        cases: read.cases.into_owned(),
        labels: read.labels.into_owned(),
        corpus: read.corpus.into_owned(),
        commit: read.commit.map(Cow::into_owned),
        started: read.started.into_owned(),
    })
}

/// Reads the line of a finished case.
pub fn case(line: &str) -> Result<RunCase, LineError> {
    let read: CaseLine<'_> = serde_json::from_str(line).map_err(|error| broken(&error))?;
    let outcome = match (read.error, read.results) {
        (Some(reason), _) => RunOutcome::Failed(reason.into_owned()),
        (None, Some(results)) => RunOutcome::Answered {
            results: results.into_iter().map(HitLine::read).collect(),
            latency: latency(read.latency_ms)?,
            partial: read.partial.map(Cow::into_owned),
        },
        (None, None) => {
            let reason = "a case has `results`, be it an empty list, or an `error`; this line has neither".to_owned();
            return Err(LineError::Broken { column: None, reason });
        }
    };
    let ids = |ids: Vec<Cow<'_, str>>| ids.into_iter().map(ChunkId::from).collect();
    Ok(RunCase {
        id: read.id.into_owned(),
        question: read.question.into_owned(),
        tags: read.tags.into_iter().map(Cow::into_owned).collect(),
        asker: read.asker.into_owned(),
        labels: Labels {
            needed: read.needed.into_iter().map(ids).collect(),
            distractors: ids(read.distractors),
            answerable: read.answerable,
        },
        outcome,
        chunks: read.chunks.into_iter().map(ChunkLine::read).collect(),
        verdict: read.verdict.map(|verdict| (verdict.kind.into_owned(), verdict.text.into_owned())),
    })
}

/// The id of the case that a line is about, without reading the rest where the line begins with it, as every line does that
/// [`case_line`] made. `None` for a line that no case can be read from.
#[must_use]
pub fn case_id(line: &str) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Id<'a> {
        #[serde(borrow)]
        id: Cow<'a, str>,
    }
    let plain = line.strip_prefix(r#"{"id":""#).and_then(|rest| rest.split_once('"')).map(|(id, _)| id);
    match plain {
        Some(id) if !id.contains('\\') => Some(Cow::Borrowed(id)),
        _ => serde_json::from_str::<Id<'_>>(line).ok().map(|read| read.id),
    }
}

#[derive(Serialize, Deserialize)]
struct HeaderLine<'a> {
    caselight_run: u64,
    #[serde(borrow)]
    tool: Cow<'a, str>,
    started: Cow<'a, str>,
    commit: Option<Cow<'a, str>>,
    config: Cow<'a, str>,
    retriever: Cow<'a, str>,
    baseline: bool,
    k: usize,
    depth: usize,
    recall_at: Vec<usize>,
    params: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reach: Option<Value>,
    cases: Cow<'a, str>,
    labels: Cow<'a, str>,
    corpus: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
struct CaseLine<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    question: Cow<'a, str>,
    tags: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    asker: Cow<'a, str>,
    answerable: bool,
    needed: Vec<Vec<Cow<'a, str>>>,
    distractors: Vec<Cow<'a, str>>,
    verdict: Option<VerdictLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    latency_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Cow<'a, str>>,
    chunks: Vec<ChunkLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<HitLine<'a>>>,
}

#[derive(Serialize, Deserialize)]
struct VerdictLine<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
struct ChunkLine<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    text: Option<Cow<'a, str>>,
    ranks: Vec<(Cow<'a, str>, Option<usize>)>,
}

impl ChunkLine<'_> {
    fn read(self) -> LabeledChunk {
        LabeledChunk {
            id: self.id.into(),
            text: self.text.map(Cow::into_owned),
            ranks: self.ranks.into_iter().map(|(stage, rank)| (stage.into_owned(), rank)).collect(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct HitLine<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    score: Option<f64>,
    /// `null`: not known.
    leaked: Option<bool>,
    /// Whether the corpus had it; left out where `leaked` tells as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<bool>,
}

impl HitLine<'_> {
    fn read(self) -> RunHit {
        let known = self.known.unwrap_or(self.leaked.is_some());
        RunHit { id: self.id.into(), score: self.score, leaked: self.leaked, known }
    }
}

fn hit(hit: &RunHit) -> HitLine<'_> {
    let known = (hit.known != hit.leaked.is_some()).then_some(hit.known);
    HitLine { id: text(hit.id.as_str()), score: hit.score.and_then(plain), leaked: hit.leaked, known }
}

fn chunk(chunk: &LabeledChunk) -> ChunkLine<'_> {
    ChunkLine {
        id: text(chunk.id.as_str()),
        text: chunk.text.as_deref().map(text),
        ranks: chunk.ranks.iter().map(|(stage, rank)| (text(stage), *rank)).collect(),
    }
}

fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

fn line(value: &impl Serialize) -> String {
    // Text, numbers, lists and structs of them always have a JSON form.
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

/// A score to 15 significant digits, which are read back as they were written; `None` for one that is no number.
fn plain(score: f64) -> Option<f64> {
    score.is_finite().then(|| format!("{score:.14e}").parse().unwrap_or(score))
}

/// Milliseconds to the microsecond.
fn ms(latency: Duration) -> f64 {
    (latency.as_secs_f64() * 1e6).round() / 1e3
}

fn latency(ms: Option<f64>) -> Result<Duration, LineError> {
    let ms = ms.unwrap_or_default();
    Duration::try_from_secs_f64(ms / 1e3).map_err(|_| LineError::Broken {
        column: None,
        reason: format!("`latency_ms` must be a number of milliseconds from 0, and is {ms}"),
    })
}

fn broken(error: &serde_json::Error) -> LineError {
    let said = error.to_string();
    // It is one line: the column is enough.
    let reason = said.rsplit_once(" at line ").map_or(said.as_str(), |(reason, _)| reason).to_owned();
    LineError::Broken { column: Some(error.column()), reason }
}

#[cfg(test)]
mod tests;
