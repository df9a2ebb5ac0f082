//! Turns texts into vectors at an embeddings endpoint: `OpenAI`'s shape, which most servers speak, or TEI's `/embed`.

mod answer;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};

use super::client::{Call, CallError, Client, Endpoint, SetupError, Waiting};

/// Which way of asking and answering a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EmbedShape {
    /// `{"model", "input": […]}` → `{"data": [{"index", "embedding"}]}`.
    #[default]
    OpenAi,
    /// `{"inputs": […]}` → `[[…], …]`.
    Tei,
}

/// How many texts one request carries where the settings do not say.
pub const DEFAULT_BATCH: usize = 32;

/// An embeddings endpoint as the settings have it; `${NAME}` is not expanded yet.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbedSpec {
    /// Its name in the settings.
    pub name: String,
    /// The server; the address is the whole one, as in `http://127.0.0.1:18100/v1/embeddings`.
    pub endpoint: Endpoint,
    /// The model that is named in each request; `None` names none.
    pub model: Option<String>,
    /// The model for queries, where it has another name than the one for passages.
    pub query_model: Option<String>,
    /// How many numbers a vector has: asked for and checked. `None` takes what the server gives, the same number each time.
    pub dimensions: Option<usize>,
    /// What stands before each query, as in `query: `.
    pub query_prefix: String,
    /// What stands before each passage, as in `passage: `.
    pub passage_prefix: String,
    /// How many texts one request carries at most, at least 1.
    pub batch: usize,
    /// How the server is asked.
    pub shape: EmbedShape,
}

/// An embeddings endpoint that can be asked. Clones share connections and limits.
#[derive(Clone)]
pub struct Embeddings {
    spec: Arc<EmbedSpec>,
    client: Client,
    /// The length of the first vector that came; every later one has the same.
    length: Arc<OnceLock<usize>>,
    told: Arc<dyn Fn(Waiting) + Send + Sync>,
}

impl Embeddings {
    /// An endpoint whose `${NAME}` are looked up by `lookup`. Nothing is sent.
    pub fn new(spec: EmbedSpec, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let client = Client::of(&format!("embeddings.{}", spec.name), &spec.endpoint, lookup)?;
        Ok(Self { spec: Arc::new(spec), client, length: Arc::default(), told: Arc::new(|_| ()) })
    }

    /// The same endpoint, which tells `told` of each pause before a request is repeated.
    #[must_use]
    pub fn telling(&self, told: Arc<dyn Fn(Waiting) + Send + Sync>) -> Self {
        Self { told, ..self.clone() }
    }

    /// What the settings say of it.
    #[must_use]
    pub fn spec(&self) -> &EmbedSpec {
        &self.spec
    }

    /// The client, to ask which proxy it uses or to cut secrets out of a text.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// One vector for each query, in order: finite numbers, all of one length.
    pub async fn queries(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, CallError> {
        let model = self.spec.query_model.as_deref().or(self.spec.model.as_deref());
        self.vectors(model, &self.spec.query_prefix, texts).await
    }

    /// One vector for each passage, in order: finite numbers, all of one length.
    pub async fn passages(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, CallError> {
        self.vectors(self.spec.model.as_deref(), &self.spec.passage_prefix, texts).await
    }

    async fn vectors(&self, model: Option<&str>, prefix: &str, texts: &[String]) -> Result<Vec<Vec<f32>>, CallError> {
        let batches = texts.chunks(self.spec.batch.max(1)).map(|batch| self.batch(model, prefix, batch));
        // A list of futures, for a lazy stream of them is not `Send` in the compiler's eyes.
        let batches: Vec<_> = batches.collect();
        let open = self.client.limits().concurrency.max(1);
        stream::iter(batches).buffered(open).try_concat().await
    }

    /// One request, or several where the server says that it is too large.
    async fn batch(&self, model: Option<&str>, prefix: &str, texts: &[String]) -> Result<Vec<Vec<f32>>, CallError> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut rest = vec![texts];
        while let Some(texts) = rest.pop() {
            let call = self.call(model, prefix, texts);
            let accepted: &[u16] = if texts.len() > 1 { &[TOO_LARGE] } else { &[] };
            let reply = self.client.send_accepting(&call, accepted, &*self.told).await?;
            if reply.status == TOO_LARGE {
                let (first, second) = texts.split_at(texts.len() / 2);
                rest.extend([second, first]);
                continue;
            }
            let wrong = |what: String| reply.unusable(&what);
            let body = reply.json()?;
            let read = answer::vectors(self.spec.shape, &body, texts.len()).map_err(&wrong)?;
            for vector in read {
                self.length_of(&vector).map_err(&wrong)?;
                vectors.push(vector);
            }
        }
        Ok(vectors)
    }

    fn length_of(&self, vector: &[f32]) -> Result<(), String> {
        let got = vector.len();
        match self.spec.dimensions {
            Some(asked) if asked != got => {
                return Err(format!("a vector has {got} numbers, and `dimensions` of `{}` is {asked}", self.spec.name));
            }
            _ => (),
        }
        let first = *self.length.get_or_init(|| got);
        if first == got { Ok(()) } else { Err(format!("a vector has {got} numbers, and one before it had {first}")) }
    }

    fn call(&self, model: Option<&str>, prefix: &str, texts: &[String]) -> Call {
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let mut body = match self.spec.shape {
            EmbedShape::OpenAi => json!({ "input": texts, "encoding_format": "float" }),
            EmbedShape::Tei => json!({ "inputs": texts, "truncate": true }),
        };
        if let Some(model) = model {
            body["model"] = Value::from(model);
        }
        if let Some(dimensions) = self.spec.dimensions {
            body["dimensions"] = Value::from(dimensions);
        }
        self.spec.endpoint.post(body)
    }
}

/// The status of a server for which a request is too large.
pub(super) const TOO_LARGE: u16 = 413;
