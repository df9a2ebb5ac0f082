//! The team's own endpoint: each question is one request, made from the settings' templates, and its answer is read where they
//! say the hits stand.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::{
    Request, Retriever, RetrieverError, Watch,
    found::{self, Recognise},
    native, steps,
};
use crate::{
    domain::{asker::Asker, ranking::Answer, text::clean},
    engine::{
        client::{Call, CallError, Client, Reply},
        embed::Embeddings,
        exact,
        rerank::Reranker,
        secret::Secrets,
        shape::Shape,
        spec::{Prepared, Spec},
        template::Values,
    },
};

/// How much of an answer that cannot be read is shown, in characters.
const SHOWN: usize = 4_000;

/// Headers that tell production who asks, by the asker's name in the settings; `${NAME}` is not expanded yet.
pub type AskerHeaders = BTreeMap<String, Vec<(String, String)>>;

/// What an endpoint is besides what it is asked.
pub struct Setup {
    /// Its name in the settings.
    pub name: String,
    /// The headers of the askers.
    pub askers: AskerHeaders,
    /// Tells which chunk a hit is; `None` where the server's ids are the corpus's.
    pub recognise: Option<Arc<Recognise>>,
    /// Turns the question into `{{ vector }}`.
    pub embed: Option<Embeddings>,
    /// Orders the hits anew by their text, as the last stage of the pipeline.
    pub rerank: Option<Reranker>,
}

/// An endpoint that is asked over HTTP.
pub struct Http {
    setup: Setup,
    prepared: Prepared,
    shape: Shape,
    client: Client,
    needs_vector: bool,
    looked_up: OnceCell<Value>,
    told: String,
}

impl Http {
    /// An endpoint as `spec` describes it; `lookup` gives the values of `${NAME}`. Nothing is sent.
    pub fn new(spec: &Spec, setup: Setup, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, RetrieverError> {
        let unusable = |reason: String| RetrieverError::Unusable { retriever: setup.name.clone(), reason };
        let prepared = spec.prepare().map_err(|error| unusable(format!("`{}`: {error}", error.key)))?;
        let place = |key: &str| format!("retrievers.{}.{key}", setup.name);
        let own = spec.secret_texts().into_iter().map(|(key, text)| (place(key), text));
        let askers = setup.askers.iter().flat_map(|(name, headers)| {
            headers.iter().map(move |(_, value)| (format!("askers.{name}.headers"), value.as_str()))
        });
        let texts: Vec<(String, &str)> = own.chain(askers).collect();
        let texts = texts.iter().map(|(place, text)| (place.as_str(), *text));
        let secrets = Secrets::collect(texts, lookup).map_err(|error| unusable(error.to_string()))?;
        let client = Client::new(&spec.endpoint.limits, secrets).map_err(|error| unusable(error.reason))?;
        let needs_vector = prepared.uses().has("vector");
        if needs_vector && setup.embed.is_none() {
            let reason = "its template names `vector`: say with `embed = \"NAME\"` which [embeddings.NAME] makes it of the question";
            return Err(unusable(reason.to_owned()));
        }
        let mut told = spec.told();
        told["proxy"] = json!(client.proxy_for(&spec.endpoint.url));
        told["askers"] = json!(setup.askers);
        told["embed"] = json!(setup.embed.as_ref().map(|embed| embed.spec().name.clone()));
        told["rerank"] = json!(setup.rerank.as_ref().map(|rerank| rerank.spec().name.clone()));
        let (shape, told) = (spec.shape.clone(), told.to_string());
        Ok(Self { setup, prepared, shape, client, needs_vector, looked_up: OnceCell::new(), told })
    }

    async fn ask(&self, request: &Request, watch: &Watch) -> Result<Answer, RetrieverError> {
        let mut values = values(request);
        if let Some(embed) = self.setup.embed.as_ref().filter(|_| self.needs_vector) {
            let vector = steps::vector(embed, &request.question, watch).await.map_err(|error| self.failed(error))?;
            values = values.with("vector", json!(vector));
        }
        let headers = request.asker.name.as_ref().and_then(|name| self.setup.askers.get(name));
        let headers = headers.map_or(&[][..], Vec::as_slice);
        if let Some((call, path)) = self.prepared.lookup(&values, headers).map_err(|error| self.wrong(&error.reason))? {
            let looked_up = self.looked_up.get_or_try_init(|| async {
                let body = self.send(&call, watch).await?.1;
                let found = path.first(&body).cloned();
                found.ok_or_else(|| {
                    self.wrong(&format!("`lookup.path`: nothing at `{}` of the answer of {}", path.written(), call.url))
                })
            });
            values = values.with("lookup", looked_up.await?.clone());
        }
        let call = self.prepared.call(&values, headers).map_err(|error| self.wrong(&error.reason))?;
        let (reply, body) = self.send(&call, watch).await?;
        if let Some(error) = native::error(&body).filter(|_| native::has_form(&self.shape)) {
            let short: String = error.chars().take(SHOWN).collect();
            return Err(self.wrong(&format!("the server answers with an error: {short}")));
        }
        let recognise = self.setup.recognise.as_deref();
        let reading = self.shape.read(&body, recognise.is_none());
        let answer = reading.and_then(|reading| found::answer(reading, recognise, &self.shape.hit));
        let mut answer = answer.map_err(|reason| {
            let secrets = self.client.secrets();
            let detail = secrets.redact(&String::from_utf8_lossy(&reply.body)).chars().take(SHOWN).collect::<String>();
            // It may name what the server calls its entries.
            let reason = clean(&secrets.redact(&reason)).into_owned();
            self.failed(CallError { reason, detail: Some(clean(&detail).into_owned()) })
        })?;
        if let Some(rerank) = &self.setup.rerank {
            let reranked = steps::rerank(rerank, &request.question, &mut answer, watch).await;
            reranked.map_err(|error| self.failed(error))?;
        }
        Ok(answer)
    }

    async fn send(&self, call: &Call, watch: &Watch) -> Result<(Reply, Value), RetrieverError> {
        let sent = self.client.send(call, &|waiting| watch.waiting(waiting)).await;
        let mut reply = sent.map_err(|error| self.failed(error))?;
        // First as it came, so that an error tells the place in what the server sent.
        let mut body = reply.json().map_err(|error| self.failed(error))?;
        let exact = exact::long_numbers_as_text(&reply.body);
        if let std::borrow::Cow::Owned(exact) = exact {
            reply.body = exact;
            body = reply.json().map_err(|error| self.failed(error))?;
        }
        if self.client.secrets().names().next().is_some() {
            scrub(&mut body, self.client.secrets());
        }
        Ok((reply, body))
    }

    fn failed(&self, error: CallError) -> RetrieverError {
        RetrieverError::Failed { retriever: self.setup.name.clone(), reason: error.reason, detail: error.detail }
    }

    fn wrong(&self, reason: &str) -> RetrieverError {
        let reason = clean(&self.client.secrets().redact(reason)).into_owned();
        self.failed(CallError { reason, detail: None })
    }
}

impl Retriever for Http {
    fn name(&self) -> &str {
        &self.setup.name
    }

    fn is_baseline(&self) -> bool {
        false
    }

    fn reach(&self) -> Option<String> {
        Some(self.told.clone())
    }

    fn concurrency(&self) -> usize {
        self.client.limits().concurrency
    }

    fn retrieve<'a>(&'a self, request: &'a Request, watch: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        Box::pin(self.ask(request, watch))
    }
}

/// What the templates may name of a question.
pub(super) fn values(request: &Request) -> Values {
    let Asker { name, groups, .. } = &request.asker;
    let groups: Option<Vec<&str>> = groups.as_ref().map(|groups| groups.iter().map(String::as_str).collect());
    Values::new(&request.question, &request.context, request.depth, &request.params).asked_by(
        request.asker.identity(),
        name.as_deref(),
        groups.as_deref(),
    )
}

/// Cuts the secrets out of every text: a server may echo what it was sent.
pub(super) fn scrub(value: &mut Value, secrets: &Secrets) {
    match value {
        Value::String(text) => {
            let scrubbed = secrets.redact(text);
            if scrubbed != *text {
                *text = scrubbed;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| scrub(item, secrets)),
        Value::Object(entries) => entries.values_mut().for_each(|value| scrub(value, secrets)),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
