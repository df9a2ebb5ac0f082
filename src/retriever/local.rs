//! The embedded retriever: BM25 over the local index, then the stages that its config names. A baseline, never production.

pub mod rerank;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::{Request, Retriever, RetrieverError, Watch, run};
use crate::{
    corpus::Index,
    domain::{
        asker::Asker,
        chunk::Chunk,
        ranking::{Answer, Hit, Stage},
    },
};

/// What the embedded retriever needs of an index.
pub trait KeywordIndex: Send + Sync {
    /// The best `limit` chunks for whole words of `question` that `asker` may read, best first; or why it cannot be searched.
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<(Arc<Chunk>, f64)>, String>;
}

impl KeywordIndex for Index {
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<(Arc<Chunk>, f64)>, String> {
        let found = Self::keyword(self, question, Some(asker), limit).map_err(|error| error.to_string())?;
        Ok(found.into_iter().map(|found| (found.chunk, f64::from(found.score))).collect())
    }
}

/// How many of the last turns of a conversation are joined to the question.
const TURNS: usize = 2;
/// Each stage tells its ranking to this many times depth …
const TOLD: usize = 5;
/// … and to this many places at least, so that a chunk below the list still has a rank.
const TOLD_AT_LEAST: usize = 50;
/// How many candidates are reranked where the config does not say.
const CANDIDATES: usize = 20;

/// BM25 over the local index, and a lexical rerank where the config asks for it.
pub struct Local {
    index: Arc<dyn KeywordIndex>,
    /// How many of the first candidates are reranked; `None` reranks none.
    rerank: Option<usize>,
}

impl Local {
    /// Its name, in settings and reports.
    pub const NAME: &'static str = "local";

    /// A retriever over `index` with the parameters of a config: `rerank = "lexical"`, and `candidates = N` for how many of the
    /// first candidates that stage sees (20 without it).
    pub fn new(index: Arc<dyn KeywordIndex>, params: &Map<String, Value>) -> Result<Self, RetrieverError> {
        let wrong = |param: &str, known: &str| {
            let (retriever, param, known) = (Self::NAME.to_owned(), param.to_owned(), known.to_owned());
            Err(RetrieverError::WrongParam { retriever, param, known })
        };
        let mut rerank = None;
        let mut candidates = None;
        for (name, value) in params {
            match (name.as_str(), value) {
                ("rerank", Value::String(kind)) if kind == "lexical" => rerank = Some(CANDIDATES),
                ("candidates", value) if value.as_u64().is_some_and(|n| n > 0) => {
                    candidates = value.as_u64().and_then(|n| usize::try_from(n).ok());
                }
                ("rerank", _) => return wrong("rerank", "it may only be \"lexical\""),
                ("candidates", _) => return wrong("candidates", "it is how many candidates are reranked, at least 1"),
                (other, _) => return wrong(other, "its parameters are `rerank` and `candidates`"),
            }
        }
        match (rerank, candidates) {
            (None, Some(_)) => wrong("candidates", "it only means something beside `rerank`"),
            (rerank, candidates) => Ok(Self { index, rerank: rerank.map(|first| candidates.unwrap_or(first)) }),
        }
    }
}

impl Retriever for Local {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn is_baseline(&self) -> bool {
        true
    }

    fn retrieve<'a>(&'a self, request: &'a Request, _: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        Box::pin(async move {
            let (index, joined, asker) = (Arc::clone(&self.index), question(request), request.asker.clone());
            let told = request.depth.saturating_mul(TOLD).max(TOLD_AT_LEAST);
            let rerank = self.rerank;
            // Search is work for a processor, not a wait: off the threads that drive everything else.
            let searched = tokio::task::spawn_blocking(move || {
                let found = index.keyword(&joined, &asker, told)?;
                Ok(stages(&joined, &found, rerank))
            })
            .await;
            let retriever = Self::NAME.to_owned();
            let stages = match searched {
                Ok(stages) => stages.map_err(|reason| RetrieverError::Index { retriever, reason })?,
                Err(error) => {
                    let reason = match error.try_into_panic() {
                        Ok(panic) => run::message(panic.as_ref()),
                        Err(error) => error.to_string(),
                    };
                    return Err(RetrieverError::Panicked { retriever, reason });
                }
            };
            let last = stages.last().map_or(&[][..], |stage| &stage.ranking);
            let results = last.iter().take(request.depth).cloned().collect();
            Ok(Answer { results, stages, ..Answer::default() })
        })
    }
}

/// The keyword stage and, with `rerank`, the stage that orders its first candidates anew.
fn stages(question: &str, found: &[(Arc<Chunk>, f64)], rerank: Option<usize>) -> Vec<Stage> {
    let hit = |(chunk, score): &(Arc<Chunk>, f64)| Hit::new(chunk.id.clone(), Some(*score));
    let keyword: Vec<Hit> = found.iter().map(hit).collect();
    let mut stages = vec![Stage { name: "keyword".to_owned(), ranking: keyword, dropped: Vec::new() }];
    if let Some(candidates) = rerank {
        let (first, rest) = found.split_at(candidates.min(found.len()));
        let mut first: Vec<(Arc<Chunk>, f64)> =
            first.iter().map(|(chunk, _)| (Arc::clone(chunk), rerank::score(question, chunk))).collect();
        // The sort is stable: what scores the same stays in the order of the keyword stage.
        first.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        // What was not reranked follows without a score, for its keyword score means something else.
        let unscored = rest.iter().map(|(chunk, _)| Hit::new(chunk.id.clone(), None));
        let ranking = first.iter().map(hit).chain(unscored).collect();
        stages.push(Stage { name: "rerank".to_owned(), ranking, dropped: Vec::new() });
    }
    stages
}

/// The last turns and the question, as one text to search for.
fn question(request: &Request) -> String {
    let skipped = request.context.len().saturating_sub(TURNS);
    let turns = request.context.iter().skip(skipped).chain([&request.question]);
    turns.map(String::as_str).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
