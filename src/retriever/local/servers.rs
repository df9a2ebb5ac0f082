//! The servers that a config of the embedded retriever may name.

use std::{path::Path, sync::Arc};

use futures_util::future::BoxFuture;

use crate::{
    corpus::vectors::Embed,
    engine::{client::CallError, rerank::Reranker},
};

/// Finds servers by their names in the settings. An error is a sentence that says which names there are, or what a server lacks.
pub trait Servers {
    /// The model of that name.
    fn embeddings(&self, name: &str) -> Result<Arc<dyn Embed>, String>;

    /// The rerank endpoint of that name.
    fn reranker(&self, name: &str) -> Result<Arc<dyn Scorer>, String>;

    /// The folder of the index, where vectors are kept.
    fn folder(&self) -> &Path;
}

/// Scores passages against a question.
pub trait Scorer: Send + Sync {
    /// Its name in the settings.
    fn name(&self) -> &str;

    /// The score of each passage in order, higher is better; `None` where it was left out.
    fn scores<'a>(
        &'a self,
        question: &'a str,
        passages: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Option<f64>>, CallError>>;
}

impl Scorer for Reranker {
    fn name(&self) -> &str {
        &self.spec().name
    }

    fn scores<'a>(
        &'a self,
        question: &'a str,
        passages: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Option<f64>>, CallError>> {
        Box::pin(async move {
            let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
            self.rerank(question, &passages).await
        })
    }
}
