//! Chroma: a collection by pages of its `get`.

use serde_json::{Map, Value, json};

use super::{
    Read, Reader, complete,
    fields::Fields,
    server::{Server, encoded, wrong},
};
use crate::engine::{
    client::{CallError, Endpoint},
    secret::Secrets,
};

/// How many passages come at once.
const PAGE: usize = 500;

/// A collection. Its documents are the text; everything else is in their metadata.
#[derive(Debug, Clone, PartialEq)]
pub struct Collection {
    /// The server.
    pub endpoint: Endpoint,
    /// The tenant, `default_tenant` by default.
    pub tenant: String,
    /// Its database, `default_database` by default.
    pub database: String,
    /// The collection's name.
    pub collection: String,
    /// What is where in the metadata; `text` is where the document itself is put.
    pub fields: Fields,
}

impl Collection {
    /// Reads every passage.
    pub(super) async fn each(&self, secrets: &Secrets, read: &mut Reader<'_>) -> Result<(), CallError> {
        let name = format!("the collection `{}`", self.collection);
        let server = Server::new(&self.endpoint, secrets)?;
        let (tenant, database) = (encoded(&self.tenant), encoded(&self.database));
        let collections = format!("/api/v2/tenants/{tenant}/databases/{database}/collections");
        let about = server.call("GET", &format!("{collections}/{}", encoded(&self.collection)), None).await?;
        let id = about["id"].as_str().ok_or_else(|| wrong(&name, "the answer has no `id`: is this Chroma?"))?;
        let path = format!("{collections}/{}", encoded(id));
        let count = server.call("GET", &format!("{path}/count"), None).await?;
        let total = count.as_u64().ok_or_else(|| wrong(&name, format!("`count` answered {count}, not a number")))?;
        read(Read::Total(total))?;
        let mut came = 0;
        loop {
            let body = json!({ "limit": PAGE, "offset": came, "include": ["documents", "metadatas"] });
            let mut page = server.call("POST", &format!("{path}/get"), Some(body)).await?;
            let Value::Array(ids) = page["ids"].take() else {
                return Err(wrong(&name, "a page has no `ids`"));
            };
            for (at, id) in ids.iter().enumerate() {
                let mut fields = match page["metadatas"][at].take() {
                    Value::Object(metadata) => metadata,
                    _ => Map::new(),
                };
                if let Value::String(text) = page["documents"][at].take() {
                    fields.insert(self.fields.text.clone(), Value::from(text));
                }
                let id = id.as_str().unwrap_or_default();
                let passage = self.fields.passage(id, fields).map_err(|what| wrong(&name, what))?;
                read(Read::Passage(passage))?;
            }
            came += ids.len() as u64;
            if ids.is_empty() || came >= total {
                break;
            }
        }
        complete(&name, came, total)
    }
}
