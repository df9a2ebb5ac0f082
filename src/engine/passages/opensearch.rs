//! `OpenSearch` and Elasticsearch: a whole index by scroll, words by `multi_match`, documents and chunks by their names.

mod search;

use serde_json::{Map, Value, json};

pub use self::search::Mapping;

use super::{
    Read, Reader, complete,
    fields::{Fields, Passage},
    server::{Server, encoded, wrong},
};
use crate::engine::{
    client::{CallError, Endpoint},
    secret::Secrets,
};

/// How many documents come at once.
const PAGE: usize = 1000;
/// How long the engine keeps a scroll between two pages.
const KEPT: &str = "2m";

/// An index, an alias, or several by a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// The cluster.
    pub endpoint: Endpoint,
    /// Its name there.
    pub index: String,
    /// What is where in its documents.
    pub fields: Fields,
}

/// An index that is spoken to.
#[derive(Clone)]
pub struct Open {
    pub(super) server: Server,
    pub(super) index: Index,
}

impl Index {
    /// Speaks to it with these secrets. Asks nothing yet.
    pub fn open(&self, secrets: &Secrets) -> Result<Open, CallError> {
        Ok(Open { server: Server::new(&self.endpoint, secrets)?, index: self.clone() })
    }
}

impl Open {
    /// Reads every passage of the index.
    pub async fn each(&self, read: &mut Reader<'_>) -> Result<(), CallError> {
        self.scroll(json!({ "match_all": {} }), read).await
    }

    /// Reads every passage that `query` finds, in no order, as they were when it began.
    pub(super) async fn scroll(&self, query: Value, read: &mut Reader<'_>) -> Result<(), CallError> {
        let path = self.path(&format!("_search?scroll={KEPT}&allow_partial_search_results=false"));
        let body = json!({
            "size": PAGE,
            // The order in which they lie: nothing is sorted or scored.
            "sort": ["_doc"],
            "query": query,
            "track_total_hits": true,
            "_source": self.index.fields.names(),
        });
        let mut page = self.server.call("POST", &path, Some(body)).await?;
        let total = page["hits"]["total"]["value"].as_u64().or_else(|| page["hits"]["total"].as_u64());
        let total =
            total.ok_or_else(|| self.wrong("the answer has no `hits.total`: is this OpenSearch or Elasticsearch?"))?;
        read(Read::Total(total))?;
        let mut came = 0;
        let mut outcome = Ok(());
        let mut scroll = Value::Null;
        loop {
            if page["_scroll_id"].is_string() {
                scroll = page["_scroll_id"].take();
            }
            match self.passages(&mut page) {
                Ok(passages) if passages.is_empty() => break,
                Ok(passages) => {
                    came += passages.len() as u64;
                    outcome = passages.into_iter().try_for_each(|(passage, _)| read(Read::Passage(passage)));
                }
                Err(error) => outcome = Err(error),
            }
            if outcome.is_err() || came >= total {
                break;
            }
            let body = json!({ "scroll": KEPT, "scroll_id": scroll });
            match self.server.call("POST", "/_search/scroll", Some(body)).await {
                Ok(next) => page = next,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        if scroll.is_string() {
            // It ends by itself soon; not to end it now costs the engine some memory for that long.
            let _ = self.server.call("DELETE", "/_search/scroll", Some(json!({ "scroll_id": [scroll] }))).await;
        }
        outcome.and_then(|()| complete(&self.name(), came, total))
    }

    /// The passages of a page of hits, each with its score; an error where the page is not whole.
    pub(super) fn passages(&self, page: &mut Value) -> Result<Vec<(Passage, f64)>, CallError> {
        self.whole(page)?;
        let Value::Array(hits) = page["hits"]["hits"].take() else {
            return Err(self.wrong("the answer has no `hits.hits`: is this OpenSearch or Elasticsearch?"));
        };
        hits.into_iter()
            .map(|mut hit| {
                let score = hit["_score"].as_f64().unwrap_or(0.0);
                let source = match hit["_source"].take() {
                    Value::Object(source) => source,
                    _ => Map::new(),
                };
                let id = hit["_id"].as_str().unwrap_or_default();
                let passage = self.index.fields.passage(id, source).map_err(|what| self.wrong(what))?;
                Ok((passage, score))
            })
            .collect()
    }

    /// An answer without some shards, or after the engine's own time limit, is not the answer.
    pub(super) fn whole(&self, answer: &Value) -> Result<(), CallError> {
        let shards = &answer["_shards"];
        let failed = shards["failed"].as_u64().unwrap_or(0);
        if failed > 0 {
            let reason = shards["failures"][0]["reason"]["reason"].as_str().unwrap_or("the engine does not say why");
            let of = shards["total"].as_u64().unwrap_or(failed);
            return Err(self.wrong(format!("{failed} of {of} shards did not answer: {reason}")));
        }
        if answer["timed_out"] == true {
            return Err(self.wrong("the engine stopped at its own time limit and answered only in part"));
        }
        Ok(())
    }

    pub(super) fn path(&self, rest: &str) -> String {
        format!("/{}/{rest}", encoded(&self.index.index))
    }

    pub(super) fn name(&self) -> String {
        format!("the index `{}`", self.index.index)
    }

    pub(super) fn wrong(&self, what: impl std::fmt::Display) -> CallError {
        wrong(&self.name(), what)
    }
}
