//! Passages as vectors: asked of a model once, kept beside the index, and searched exactly.
//!
//! What is embedded of a chunk is its title, `Document › Heading › Sub-heading`, a line end, and its text: what the keyword index
//! searches too, so that a passage that only makes sense under its heading has it in both.

mod cache;
mod error;
mod fill;
mod matrix;
#[cfg(test)]
mod tests;

use std::{collections::HashMap, sync::Arc};

use futures_util::future::BoxFuture;

pub use error::VectorError;
pub use fill::{Progress, open};
pub use matrix::Matrix;

use crate::{
    domain::{
        asker::{Access, Asker},
        chunk::{Chunk, ChunkId},
    },
    engine::{client::CallError, embed::Embeddings},
};

/// A model that turns texts into vectors.
pub trait Embed: Send + Sync {
    /// Its name in the settings.
    fn name(&self) -> &str;

    /// All that the vector of a passage depends on beside its text, for people; without secrets.
    fn about(&self) -> String;

    /// How many passages are sent at once, at least 1.
    fn batch(&self) -> usize;

    /// How many such requests may be open, at least 1.
    fn concurrency(&self) -> usize;

    /// One vector for each passage, in order.
    fn passages<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, CallError>>;

    /// The vector of a question.
    fn query<'a>(&'a self, text: &'a str) -> BoxFuture<'a, Result<Vec<f32>, CallError>>;
}

impl Embed for Embeddings {
    fn name(&self) -> &str {
        &self.spec().name
    }

    fn about(&self) -> String {
        let spec = self.spec();
        let about = serde_json::json!({
            "url": spec.endpoint.url,
            "shape": format!("{:?}", spec.shape),
            "model": spec.model,
            "dimensions": spec.dimensions,
            "passage_prefix": spec.passage_prefix,
        });
        about.to_string()
    }

    fn batch(&self) -> usize {
        self.spec().batch.max(1)
    }

    fn concurrency(&self) -> usize {
        self.client().limits().concurrency.max(1)
    }

    fn passages<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, CallError>> {
        Box::pin(Self::passages(self, texts))
    }

    fn query<'a>(&'a self, text: &'a str) -> BoxFuture<'a, Result<Vec<f32>, CallError>> {
        Box::pin(async move { Ok(self.queries(&[text.to_owned()]).await?.into_iter().next().unwrap_or_default()) })
    }
}

/// What is embedded of a chunk, and what a rerank endpoint is shown of it.
#[must_use]
pub fn passage(chunk: &Chunk) -> String {
    let mut passage = chunk.title();
    if !chunk.text.is_empty() {
        passage.push('\n');
        passage.push_str(&chunk.text);
    }
    passage
}

/// The passages of a corpus as vectors of one model.
#[derive(Debug)]
pub struct Vectors {
    ids: Vec<ChunkId>,
    /// Which of `scopes` each chunk has.
    scope: Vec<u32>,
    /// The different scopes; there are few.
    scopes: Vec<Vec<String>>,
    rows: Matrix,
    /// How many passages were sent to the model; the rest was kept from before.
    pub sent: usize,
    /// What was odd, as sentences.
    pub notes: Vec<String>,
}

impl Vectors {
    /// Vectors of `chunks`, a row each.
    fn new(chunks: &[Arc<Chunk>], rows: Matrix) -> Self {
        let mut known: HashMap<&[String], u32> = HashMap::new();
        let mut scopes = Vec::new();
        let scope = chunks.iter().map(|chunk| {
            *known.entry(&chunk.scope).or_insert_with(|| {
                scopes.push(chunk.scope.clone());
                u32::try_from(scopes.len() - 1).unwrap_or(u32::MAX)
            })
        });
        let scope = scope.collect();
        let ids = chunks.iter().map(|chunk| chunk.id.clone()).collect();
        Self { ids, scope, scopes, rows, sent: 0, notes: Vec::new() }
    }

    /// How many chunks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True if there is no chunk.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// How many numbers a vector has.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.rows.dims()
    }

    /// The `limit` chunks nearest to `query` of those that `asker` may read, with their cosines (-1 to 1), nearest first; of equals
    /// the first in the source comes first. None where `query` has not [`Vectors::dims`] numbers.
    #[must_use]
    pub fn nearest(&self, query: &[f32], asker: &Asker, limit: usize) -> Vec<(ChunkId, f64)> {
        let may: Vec<bool> = self.scopes.iter().map(|scope| asker.access_to(scope) == Access::May).collect();
        let may = |at: usize| may.get(self.scope[at] as usize).copied().unwrap_or(false);
        let found = self.rows.nearest(query, limit, may);
        found.into_iter().map(|(at, cosine)| (self.ids[at].clone(), f64::from(cosine))).collect()
    }
}
