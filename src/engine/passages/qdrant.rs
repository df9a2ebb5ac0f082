//! Qdrant: a collection by its scroll.

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

/// How many points come at once.
const PAGE: usize = 500;

/// A collection. All that is read stands in the payload of its points.
#[derive(Debug, Clone, PartialEq)]
pub struct Collection {
    /// The server.
    pub endpoint: Endpoint,
    /// The collection's name.
    pub collection: String,
    /// What is where in the payload.
    pub fields: Fields,
}

impl Collection {
    /// Reads every passage.
    pub(super) async fn each(&self, secrets: &Secrets, read: &mut Reader<'_>) -> Result<(), CallError> {
        let name = format!("the collection `{}`", self.collection);
        let server = Server::new(&self.endpoint, secrets)?;
        let path = format!("/collections/{}/points", encoded(&self.collection));
        let count = server.call("POST", &format!("{path}/count"), Some(json!({ "exact": true }))).await?;
        let total = count["result"]["count"].as_u64();
        let total = total.ok_or_else(|| wrong(&name, "the answer has no `result.count`: is this Qdrant?"))?;
        read(Read::Total(total))?;
        let (mut came, mut offset) = (0, Value::Null);
        loop {
            let mut body = json!({ "limit": PAGE, "with_payload": true, "with_vector": false });
            if !offset.is_null() {
                body["offset"] = offset.take();
            }
            let mut page = server.call("POST", &format!("{path}/scroll"), Some(body)).await?;
            let Value::Array(points) = page["result"]["points"].take() else {
                return Err(wrong(&name, "a page has no `result.points`"));
            };
            came += points.len() as u64;
            for mut point in points {
                let payload = match point["payload"].take() {
                    Value::Object(payload) => payload,
                    _ => Map::new(),
                };
                // A number, or a UUID as text.
                let id = match &point["id"] {
                    Value::String(id) => id.clone(),
                    id => id.to_string(),
                };
                let passage = self.fields.passage(&id, payload).map_err(|what| wrong(&name, what))?;
                read(Read::Passage(passage))?;
            }
            offset = page["result"]["next_page_offset"].take();
            if offset.is_null() {
                break;
            }
        }
        complete(&name, came, total)
    }
}
