//! One engine over HTTP: its address, and JSON to and fro.

use serde_json::Value;

use crate::engine::{
    client::{Call, CallError, Client, Endpoint},
    secret::Secrets,
};

/// An engine that is spoken to.
#[derive(Clone)]
pub(super) struct Server {
    client: Client,
    endpoint: Endpoint,
}

impl Server {
    pub(super) fn new(endpoint: &Endpoint, secrets: &Secrets) -> Result<Self, CallError> {
        let client = Client::new(&endpoint.limits, secrets.clone())?;
        Ok(Self { client, endpoint: endpoint.clone() })
    }

    /// Asks `path` below the server's address; the answer has to be JSON.
    pub(super) async fn call(&self, method: &str, path: &str, body: Option<Value>) -> Result<Value, CallError> {
        let call = Call {
            method: method.to_owned(),
            url: format!("{}{path}", self.endpoint.url.trim_end_matches('/')),
            headers: self.endpoint.headers.clone(),
            body,
        };
        self.client.send(&call, &|_| ()).await?.json()
    }
}

/// A name as a part of a path.
pub(super) fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.*,".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// An error that a look into the answer brings up.
pub(super) fn wrong(name: &str, what: impl std::fmt::Display) -> CallError {
    CallError { reason: format!("{name}: {what}"), detail: None }
}
