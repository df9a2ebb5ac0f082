//! The vector search of the embedded retriever: passages and questions as vectors of one model, each asked for once.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

use super::SearchIndex;
use crate::{
    corpus::vectors::{self, Embed, Progress, Vectors},
    domain::{asker::Asker, chunk::ChunkId},
};

/// A model over the chunks of an index.
pub(super) struct Meaning {
    index: Arc<dyn SearchIndex>,
    model: Arc<dyn Embed>,
    folder: PathBuf,
    passages: OnceCell<Arc<Vectors>>,
    questions: Mutex<HashMap<String, Arc<OnceCell<Vec<f32>>>>>,
}

impl Meaning {
    /// The chunks of `index` by `model`; their vectors are kept in `folder`.
    pub(super) fn new(index: Arc<dyn SearchIndex>, model: Arc<dyn Embed>, folder: PathBuf) -> Self {
        Self { index, model, folder, passages: OnceCell::new(), questions: Mutex::default() }
    }

    /// The model's name in the settings.
    pub(super) fn name(&self) -> &str {
        self.model.name()
    }

    /// The passages as vectors, embedded now if they never were. One question does this, all others wait for it.
    pub(super) async fn passages(&self, told: &(dyn Fn(Progress) + Send + Sync)) -> Result<&Arc<Vectors>, String> {
        let made = self.passages.get_or_try_init(|| async {
            let index = Arc::clone(&self.index);
            let chunks = tokio::task::spawn_blocking(move || index.chunks()).await;
            let chunks = chunks.map_err(|error| error.to_string())??;
            let opened = vectors::open(&self.folder, &*self.model, chunks, told).await;
            opened.map(Arc::new).map_err(|error| error.to_string())
        });
        made.await
    }

    /// The `limit` chunks nearest to `question` of those that `asker` may read, with their cosines, nearest first.
    pub(super) async fn nearest(
        &self,
        question: &str,
        asker: &Asker,
        limit: usize,
    ) -> Result<Vec<(ChunkId, f64)>, String> {
        let passages = self.passages(&|_| ()).await?;
        let cell = {
            let mut questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(questions.entry(question.to_owned()).or_default())
        };
        let query = cell.get_or_try_init(|| async {
            let vector = self.model.query(question).await;
            vector.map_err(|error| {
                format!("the question could not be embedded by `{}`: {}", self.model.name(), error.reason)
            })
        });
        let query = query.await?;
        if query.len() != passages.dims() && !passages.is_empty() {
            let (name, got, dims) = (self.model.name(), query.len(), passages.dims());
            return Err(format!(
                "the question as a vector of `{name}` has {got} numbers and the passages have {dims}: the models for questions and \
                 for passages do not belong together"
            ));
        }
        let (passages, query, asker) = (Arc::clone(passages), query.clone(), asker.clone());
        let found = tokio::task::spawn_blocking(move || passages.nearest(&query, &asker, limit)).await;
        found.map_err(|error| error.to_string())
    }
}
