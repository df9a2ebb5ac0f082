//! The embedded retriever: BM25 over the local index. A baseline, never production.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{Request, Retriever, RetrieverError, run};
use crate::{
    corpus::Index,
    domain::{
        asker::Asker,
        ranking::{Answer, Hit, Stage},
    },
};

/// What the embedded retriever needs of an index.
pub trait KeywordIndex: Send + Sync {
    /// The best `limit` chunks for whole words of `question` that `asker` may read, best first; or why it cannot be searched.
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<Hit>, String>;
}

impl KeywordIndex for Index {
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<Hit>, String> {
        let found = Self::keyword(self, question, Some(asker), limit).map_err(|error| error.to_string())?;
        Ok(found.iter().map(|found| Hit { id: found.chunk.id.clone(), score: Some(f64::from(found.score)) }).collect())
    }
}

/// How many of the last turns of a conversation are joined to the question.
const TURNS: usize = 2;
/// The keyword stage tells its ranking to this many times depth …
const TOLD: usize = 5;
/// … and to this many places at least, so that a chunk below the list still has a rank.
const TOLD_AT_LEAST: usize = 50;

/// BM25 over the local index.
pub struct Local {
    index: Arc<dyn KeywordIndex>,
}

impl Local {
    /// Its name, in settings and reports.
    pub const NAME: &'static str = "local";

    /// A retriever over `index`.
    #[must_use]
    pub fn new(index: Arc<dyn KeywordIndex>) -> Self {
        Self { index }
    }
}

impl Retriever for Local {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn is_baseline(&self) -> bool {
        true
    }

    fn retrieve<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        Box::pin(async move {
            if let Some(param) = request.params.keys().next() {
                let (retriever, param, known) = (Self::NAME.to_owned(), param.clone(), "it takes none".to_owned());
                return Err(RetrieverError::UnknownParam { retriever, param, known });
            }
            let (index, question, asker) = (Arc::clone(&self.index), question(request), request.asker.clone());
            let told = request.depth.saturating_mul(TOLD).max(TOLD_AT_LEAST);
            // Search is work for a processor, not a wait: off the threads that drive everything else.
            let searched = tokio::task::spawn_blocking(move || index.keyword(&question, &asker, told)).await;
            let retriever = Self::NAME.to_owned();
            let ranking = match searched {
                Ok(found) => found.map_err(|reason| RetrieverError::Index { retriever, reason })?,
                Err(error) => {
                    let reason = match error.try_into_panic() {
                        Ok(panic) => run::message(panic.as_ref()),
                        Err(error) => error.to_string(),
                    };
                    return Err(RetrieverError::Panicked { retriever, reason });
                }
            };
            let results = ranking.iter().take(request.depth).cloned().collect();
            let keyword = Stage { name: "keyword".to_owned(), ranking, dropped: Vec::new() };
            Ok(Answer { results, stages: vec![keyword], ..Answer::default() })
        })
    }
}

/// The last turns and the question, as one text to search for.
fn question(request: &Request) -> String {
    let skipped = request.context.len().saturating_sub(TURNS);
    let turns = request.context.iter().skip(skipped).chain([&request.question]);
    turns.map(String::as_str).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
