//! Scores documents against a query at a rerank endpoint: Cohere's shape, Jina's (vLLM, Xinference, Infinity), or TEI's.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};

use super::{
    client::{Call, CallError, Client, Endpoint, SetupError, Waiting},
    embed::TOO_LARGE,
};

/// Which way of asking and answering a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RerankShape {
    /// `POST /v2/rerank`: `{"model", "query", "documents", "top_n"}` → `{"results": [{"index", "relevance_score"}]}`.
    Cohere,
    /// `POST /v1/rerank`: as Cohere's, and it is told not to send the documents back.
    Jina,
    /// `POST /rerank`: `{"query", "texts"}` → `[{"index", "score"}]`.
    Tei,
}

impl RerankShape {
    /// How many documents one request carries where the settings do not say: what the servers of this shape take by default.
    #[must_use]
    pub fn default_batch(self) -> usize {
        match self {
            Self::Cohere | Self::Jina => 1000,
            Self::Tei => 32,
        }
    }
}

/// A rerank endpoint as the settings have it; `${NAME}` is not expanded yet.
#[derive(Debug, Clone, PartialEq)]
pub struct RerankSpec {
    /// Its name in the settings.
    pub name: String,
    /// The server; the address is the whole one, as in `http://127.0.0.1:8080/rerank`.
    pub endpoint: Endpoint,
    /// The model that is named in each request; `None` names none.
    pub model: Option<String>,
    /// How the server is asked.
    pub shape: RerankShape,
    /// How many documents one request carries at most, at least 1. Scores of one query are compared across requests.
    pub batch: usize,
}

/// A rerank endpoint that can be asked. Clones share connections and limits.
#[derive(Clone)]
pub struct Reranker {
    spec: Arc<RerankSpec>,
    client: Client,
    told: Arc<dyn Fn(Waiting) + Send + Sync>,
}

impl Reranker {
    /// An endpoint whose `${NAME}` are looked up by `lookup`. Nothing is sent.
    pub fn new(spec: RerankSpec, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let client = Client::of(&format!("rerankers.{}", spec.name), &spec.endpoint, lookup)?;
        Ok(Self { spec: Arc::new(spec), client, told: Arc::new(|_| ()) })
    }

    /// The same endpoint, which tells `told` of each pause before a request is repeated.
    #[must_use]
    pub fn telling(&self, told: Arc<dyn Fn(Waiting) + Send + Sync>) -> Self {
        Self { told, ..self.clone() }
    }

    /// What the settings say of it.
    #[must_use]
    pub fn spec(&self) -> &RerankSpec {
        &self.spec
    }

    /// The client, to ask which proxy it uses or to cut secrets out of a text.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The score of each document, in their order, higher is better; it may be any finite number. `None` where the server left a
    /// document out.
    pub async fn rerank(&self, query: &str, documents: &[&str]) -> Result<Vec<Option<f64>>, CallError> {
        let batches = documents.chunks(self.spec.batch.max(1)).map(|batch| self.batch(query, batch));
        // A list of futures, for a lazy stream of them is not `Send` in the compiler's eyes.
        let batches: Vec<_> = batches.collect();
        let open = self.client.limits().concurrency.max(1);
        stream::iter(batches).buffered(open).try_concat().await
    }

    /// One request, or several where the server says that it is too large.
    async fn batch(&self, query: &str, documents: &[&str]) -> Result<Vec<Option<f64>>, CallError> {
        let mut scores = Vec::with_capacity(documents.len());
        let mut rest = vec![documents];
        while let Some(documents) = rest.pop() {
            let call = self.call(query, documents);
            let accepted: &[u16] = if documents.len() > 1 { &[TOO_LARGE] } else { &[] };
            let reply = self.client.send_accepting(&call, accepted, &*self.told).await?;
            if reply.status == TOO_LARGE {
                let (first, second) = documents.split_at(documents.len() / 2);
                rest.extend([second, first]);
                continue;
            }
            let body = reply.json()?;
            let read = read(&body, documents.len()).map_err(|what| reply.unusable(&what))?;
            scores.extend(read);
        }
        Ok(scores)
    }

    fn call(&self, query: &str, documents: &[&str]) -> Call {
        let count = documents.len();
        let mut body = match self.spec.shape {
            RerankShape::Cohere => json!({ "query": query, "documents": documents, "top_n": count }),
            RerankShape::Jina => {
                json!({ "query": query, "documents": documents, "top_n": count, "return_documents": false })
            }
            RerankShape::Tei => {
                json!({ "query": query, "texts": documents, "raw_scores": false, "return_text": false, "truncate": true })
            }
        };
        if let Some(model) = &self.spec.model {
            body["model"] = Value::from(model.as_str());
        }
        self.spec.endpoint.post(body)
    }
}

/// The scores by `index`, from `{"results": […]}` or a bare list; an error says what is wrong with the answer.
fn read(body: &Value, count: usize) -> Result<Vec<Option<f64>>, String> {
    let list = body.get("results").unwrap_or(body).as_array();
    let list = list.ok_or("expected `results`, a list of scores, or that list itself")?;
    let mut scores = vec![None; count];
    for (at, item) in list.iter().enumerate() {
        let index = item.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let place = index.and_then(|index| scores.get_mut(index));
        let highest = count.saturating_sub(1);
        let place = place.ok_or_else(|| format!("the `index` of result {at} is none of 0 to {highest}"))?;
        let score = item.get("relevance_score").or_else(|| item.get("score")).and_then(Value::as_f64);
        let score = score.filter(|score| score.is_finite());
        let score = score.ok_or_else(|| format!("result {at} has no number as `relevance_score` or `score`"))?;
        if place.replace(score).is_some() {
            return Err(format!("the `index` of result {at} stands there twice"));
        }
    }
    Ok(scores)
}
