//! The embedded retriever: keyword search over the local index, vectors beside it where a config asks for them, then the stages that
//! the config names. A baseline, never production: it answers what another stage would change.
//!
//! The stages, in this order, each only where the config asks for it: `keyword`, `vector`, `fuse`, `rerank`, `dedupe`, `floor`, `cap`.

pub mod fuse;
mod meaning;
mod params;
mod refine;
pub mod rerank;
mod servers;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

pub use self::servers::{Scorer, Servers};
use self::{
    meaning::Meaning,
    params::{Params, Search},
    refine::Candidate,
};
use super::{Preparing, Request, Retriever, RetrieverError, Watch, run};
use crate::{
    corpus::{Index, vectors::passage},
    domain::{
        asker::Asker,
        chunk::{Chunk, ChunkId},
        ranking::{Answer, Stage},
    },
};

/// What the embedded retriever needs of an index. Each says why where it cannot be searched.
pub trait SearchIndex: Send + Sync {
    /// The best `limit` chunks for whole words of `question` that `asker` may read, best first.
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<(Arc<Chunk>, f64)>, String>;

    /// The chunk of that id.
    fn chunk(&self, id: &ChunkId) -> Result<Option<Arc<Chunk>>, String>;

    /// Every chunk, in the source's order.
    fn chunks(&self) -> Result<Vec<Arc<Chunk>>, String>;
}

impl SearchIndex for Index {
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<(Arc<Chunk>, f64)>, String> {
        let found = Self::keyword(self, question, Some(asker), limit).map_err(|error| error.to_string())?;
        Ok(found.into_iter().map(|found| (found.chunk, f64::from(found.score))).collect())
    }

    fn chunk(&self, id: &ChunkId) -> Result<Option<Arc<Chunk>>, String> {
        Self::chunk(self, id).map_err(|error| error.to_string())
    }

    fn chunks(&self) -> Result<Vec<Arc<Chunk>>, String> {
        let outline = self.outline().map_err(|error| error.to_string())?;
        Ok(outline.documents().iter().flat_map(|document| &document.chunks).cloned().collect())
    }
}

/// How many of the last turns of a conversation are joined to the question.
const TURNS: usize = 2;
/// Each stage tells its ranking to this many times depth …
const TOLD: usize = 5;
/// … and to this many places at least, so that a chunk below the list still has a rank.
const TOLD_AT_LEAST: usize = 50;

/// The embedded retriever under one config.
pub struct Local {
    index: Arc<dyn SearchIndex>,
    params: Params,
    /// The vector search, where the config asks for it.
    meaning: Option<Arc<Meaning>>,
    /// The rerank endpoint, where the config names one.
    scorer: Option<Arc<dyn Scorer>>,
}

impl Local {
    /// Its name, in settings and reports.
    pub const NAME: &'static str = "local";

    /// A retriever over `index` with the parameters of a config and the servers that they name. Nothing is sent yet.
    ///
    /// The parameters are `mode`, `embeddings`, `pool`, `rrf_k`, `rerank`, `candidates`, `dedupe`, `floor` and `cap`; one that is
    /// wrong, unknown or in contradiction to another is an error that says what it may be.
    pub fn new(
        index: Arc<dyn SearchIndex>,
        params: &Map<String, Value>,
        servers: &dyn Servers,
    ) -> Result<Self, RetrieverError> {
        let params = Params::read(params).map_err(|(param, known)| {
            let retriever = Self::NAME.to_owned();
            RetrieverError::WrongParam { retriever, param, known }
        })?;
        let unusable = |reason| RetrieverError::Unusable { retriever: Self::NAME.to_owned(), reason };
        let meaning = match &params.search {
            Search::Keyword => None,
            Search::Vector { embeddings } | Search::Hybrid { embeddings, .. } => {
                let model = servers.embeddings(embeddings).map_err(unusable)?;
                Some(Arc::new(Meaning::new(Arc::clone(&index), model, servers.folder().to_owned())))
            }
        };
        let scorer = params.rerank.as_ref().and_then(|rerank| rerank.by.as_deref());
        let scorer = scorer.map(|name| servers.reranker(name)).transpose().map_err(unusable)?;
        Ok(Self { index, params, meaning, scorer })
    }

    async fn answer(&self, request: &Request) -> Result<Answer, RetrieverError> {
        let question = question(request);
        let told = request.depth.saturating_mul(TOLD).max(TOLD_AT_LEAST);
        let mut stages = Vec::new();
        let mut candidates = self.search(&question, request, told, &mut stages).await?;
        if let Some(rerank) = &self.params.rerank {
            let first = rerank.candidates.min(candidates.len());
            self.rerank(&question, &mut candidates, first).await?;
            stages.push(stage("rerank", &candidates));
        }
        if self.params.dedupe {
            stages.push(refine::dedupe(&mut candidates));
        }
        if let Some(floor) = self.params.floor {
            stages.push(refine::floor(&mut candidates, floor));
        }
        if let Some(cap) = self.params.cap {
            stages.push(refine::cap(&mut candidates, cap));
        }
        candidates.truncate(request.depth);
        Ok(Answer { results: refine::ranking(&candidates), stages, ..Answer::default() })
    }

    /// The candidates of the searches, and their stages.
    async fn search(
        &self,
        question: &str,
        request: &Request,
        told: usize,
        stages: &mut Vec<Stage>,
    ) -> Result<Vec<Candidate>, RetrieverError> {
        let (pool, rrf_k) = match self.params.search {
            Search::Keyword | Search::Vector { .. } => (0, 0.0),
            Search::Hybrid { pool, rrf_k, .. } => (pool.max(request.depth), rrf_k),
        };
        let limit = told.max(pool);
        let keyword = async {
            if matches!(self.params.search, Search::Vector { .. }) {
                Ok(None)
            } else {
                self.keyword(question, &request.asker, limit).await.map(Some)
            }
        };
        let vector = async {
            let Some(meaning) = &self.meaning else { return Ok(None) };
            let nearest = meaning.nearest(question, &request.asker, limit).await.map_err(failed)?;
            self.load(nearest).await.map(Some)
        };
        let (keyword, vector) = futures_util::try_join!(keyword, vector)?;
        for (name, found) in [("keyword", &keyword), ("vector", &vector)] {
            stages.extend(found.as_ref().map(|found| stage(name, found)));
        }
        match (keyword, vector) {
            (Some(keyword), Some(vector)) => {
                let fused = fused(&[keyword, vector], pool, rrf_k);
                stages.push(stage("fuse", &fused));
                Ok(fused)
            }
            (found, None) | (None, found) => Ok(found.unwrap_or_default()),
        }
    }

    async fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<Candidate>, RetrieverError> {
        let (index, question, asker) = (Arc::clone(&self.index), question.to_owned(), asker.clone());
        let found = aside(move || index.keyword(&question, &asker, limit)).await?;
        Ok(found.into_iter().map(|(chunk, score)| Candidate { chunk, score: Some(score) }).collect())
    }

    /// The chunks of these ids.
    async fn load(&self, found: Vec<(ChunkId, f64)>) -> Result<Vec<Candidate>, RetrieverError> {
        let index = Arc::clone(&self.index);
        aside(move || {
            let load = |(id, score): (ChunkId, f64)| {
                let chunk = index.chunk(&id)?.ok_or_else(|| format!("it has no chunk `{id}` any more"))?;
                Ok(Candidate { chunk, score: Some(score) })
            };
            found.into_iter().map(load).collect()
        })
        .await
    }

    /// Orders the first `first` candidates anew. What was not scored follows in its old order, without a score: that of the stage
    /// before means something else.
    async fn rerank(&self, question: &str, candidates: &mut [Candidate], first: usize) -> Result<(), RetrieverError> {
        let scores: Vec<Option<f64>> = match &self.scorer {
            None => {
                candidates[..first].iter().map(|candidate| Some(rerank::score(question, &candidate.chunk))).collect()
            }
            // A server may refuse an empty list, and there is nothing to ask.
            Some(_) if first == 0 => Vec::new(),
            Some(scorer) => {
                let passages: Vec<String> =
                    candidates[..first].iter().map(|candidate| passage(&candidate.chunk)).collect();
                let answer = scorer.scores(question, &passages).await;
                answer.map_err(|error| {
                    let (retriever, detail) = (Self::NAME.to_owned(), error.detail);
                    let reason =
                        format!("the candidates could not be reranked by `{}`: {}", scorer.name(), error.reason);
                    RetrieverError::Failed { retriever, reason, detail }
                })?
            }
        };
        let scores = scores.into_iter().chain(std::iter::repeat(None));
        candidates.iter_mut().zip(scores).for_each(|(candidate, score)| candidate.score = score);
        // The sort is stable: what scores the same stays in the order of the stage before.
        let score = |candidate: &Candidate| candidate.score.unwrap_or(f64::NEG_INFINITY);
        candidates.sort_by(|a, b| score(b).total_cmp(&score(a)));
        Ok(())
    }
}

impl Retriever for Local {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn is_baseline(&self) -> bool {
        true
    }

    fn prepare<'a>(
        &'a self,
        told: &'a (dyn Fn(Preparing) + Send + Sync),
    ) -> BoxFuture<'a, Result<Vec<String>, RetrieverError>> {
        Box::pin(async move {
            let Some(meaning) = &self.meaning else { return Ok(Vec::new()) };
            let told = |progress: crate::corpus::vectors::Progress| {
                let what = progress.what(meaning.name());
                told(Preparing { what, done: progress.done, total: progress.total });
            };
            let unusable = |reason| RetrieverError::Unusable { retriever: Self::NAME.to_owned(), reason };
            Ok(meaning.passages(&told).await.map_err(unusable)?.notes.clone())
        })
    }

    fn retrieve<'a>(&'a self, request: &'a Request, _: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        Box::pin(self.answer(request))
    }
}

/// The first `pool` of each ranking, fused.
fn fused(rankings: &[Vec<Candidate>], pool: usize, rrf_k: f64) -> Vec<Candidate> {
    let ids =
        |ranking: &Vec<Candidate>| ranking.iter().take(pool).map(|candidate| candidate.chunk.id.clone()).collect();
    let ids: Vec<Vec<ChunkId>> = rankings.iter().map(ids).collect();
    let ids: Vec<&[ChunkId]> = ids.iter().map(Vec::as_slice).collect();
    let chunks: std::collections::HashMap<&ChunkId, &Arc<Chunk>> =
        rankings.iter().flatten().map(|candidate| (&candidate.chunk.id, &candidate.chunk)).collect();
    let fused = fuse::reciprocal_rank(&ids, rrf_k).into_iter();
    let fused =
        fused.filter_map(|(id, score)| Some(Candidate { chunk: Arc::clone(chunks.get(&id)?), score: Some(score) }));
    fused.collect()
}

/// A stage that drops nothing.
fn stage(name: &str, candidates: &[Candidate]) -> Stage {
    Stage { name: name.to_owned(), ranking: refine::ranking(candidates), dropped: Vec::new() }
}

/// The last turns and the question, as one text to search for.
fn question(request: &Request) -> String {
    let skipped = request.context.len().saturating_sub(TURNS);
    let turns = request.context.iter().skip(skipped).chain([&request.question]);
    turns.map(String::as_str).collect::<Vec<_>>().join("\n")
}

fn failed(reason: String) -> RetrieverError {
    RetrieverError::Failed { retriever: Local::NAME.to_owned(), reason, detail: None }
}

/// Search is work for a processor, not a wait: off the threads that drive everything else.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, RetrieverError> {
    let retriever = Local::NAME.to_owned();
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|reason| RetrieverError::Index { retriever, reason }),
        Err(error) => {
            let reason = match error.try_into_panic() {
                Ok(panic) => run::message(panic.as_ref()),
                Err(error) => error.to_string(),
            };
            Err(RetrieverError::Panicked { retriever, reason })
        }
    }
}

#[cfg(test)]
mod tests;
