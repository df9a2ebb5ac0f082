//! The HTTP client that every adapter shares: retries, limits, redirects, and no secret in what it tells.

use std::time::Duration;

use super::secret::{SecretError, Secrets};

/// How politely, how long and how much is asked of one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// How long one request may take, redirects included.
    pub timeout: Duration,
    /// How often a request is repeated after 429, 5xx or a fault of the connection; 0 means one request.
    pub retries: u32,
    /// The longest single wait before a repetition; a server that asks for more is given up at once.
    pub longest_wait: Duration,
    /// How many requests are open at once, at least 1.
    pub concurrency: usize,
    /// How many requests begin in one second; `None` is no limit.
    pub rate: Option<f64>,
    /// The largest body that is read, in bytes after decompression.
    pub max_bytes: usize,
    /// A file of certificates in PEM to trust beside the system's.
    pub ca: Option<std::path::PathBuf>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            retries: 2,
            longest_wait: Duration::from_secs(60),
            concurrency: 8,
            rate: None,
            max_bytes: 64 * 1024 * 1024,
            ca: None,
        }
    }
}

/// A server by its address, with what every request to it carries. `${NAME}` is not expanded yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Endpoint {
    /// The address; `${NAME}` may stand in the values of its query.
    pub url: String,
    /// Further headers, in the order of the settings; `${NAME}` may stand in their values.
    pub headers: Vec<(String, String)>,
    /// How it is asked.
    pub limits: Limits,
}

impl Endpoint {
    /// A `POST` of JSON to it.
    #[must_use]
    pub fn post(&self, body: serde_json::Value) -> Call {
        let headers = self.headers.clone();
        Call { method: "POST".to_owned(), url: self.url.clone(), headers, body: Some(body) }
    }
}

/// Why a server cannot even be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A `${NAME}` is not set, or is where none may be.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The client cannot be made.
    #[error(transparent)]
    Client(#[from] CallError),
}

/// One request, its secrets not expanded yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// `GET`, `POST` …
    pub method: String,
    /// The whole address.
    pub url: String,
    /// The headers in order.
    pub headers: Vec<(String, String)>,
    /// The body as JSON; `None` sends none.
    pub body: Option<serde_json::Value>,
}

/// A pause before a request is repeated.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// How long.
    pub pause: Duration,
    /// Which repetition comes, from 1.
    pub attempt: u32,
    /// Why, on one line: `503 Service Unavailable`.
    pub reason: String,
}

/// Why a call brought no answer. Every text is free of secrets and control characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct CallError {
    /// One line: what was asked, what came back, what to do.
    pub reason: String,
    /// The rest, to show on request: the beginning of the body.
    pub detail: Option<String>,
}

/// What came back with a status of success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status, 200 to 299.
    pub status: u16,
    /// The media type, without parameters; empty where the server says none.
    pub content_type: String,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

/// A client of one server, or of several that share limits and secrets. Connections are kept and reused.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    secrets: Secrets,
    limits: Limits,
}

impl Client {
    /// A client with these limits. Fails where the certificates cannot be read.
    pub fn new(limits: &Limits, secrets: Secrets) -> Result<Self, CallError> {
        // The first provider that is installed stays; every later call finds it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().timeout(limits.timeout).build();
        let http = http.map_err(|error| CallError { reason: error.to_string(), detail: None })?;
        Ok(Self { http, secrets, limits: limits.clone() })
    }

    /// A client of one server that the settings name at `place`, as in `embeddings.e5`; `lookup` knows the environment.
    pub fn of(place: &str, endpoint: &Endpoint, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let keys: Vec<String> = endpoint.headers.iter().map(|(name, _)| format!("{place}.headers.{name}")).collect();
        let url = format!("{place}.url");
        let values = keys.iter().zip(&endpoint.headers).map(|(key, (_, value))| (key.as_str(), value.as_str()));
        let secrets = Secrets::collect(values.chain([(url.as_str(), endpoint.url.as_str())]), lookup)?;
        Ok(Self::new(&endpoint.limits, secrets)?)
    }

    /// Its limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Its secrets, to cut them out of what is made of an answer.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Sends one call, again where that may help, and tells `waiting` of each pause. Any status but success is an error.
    pub async fn send(&self, call: &Call, waiting: &(dyn Fn(Waiting) + Send + Sync)) -> Result<Reply, CallError> {
        self.send_accepting(call, &[], waiting).await
    }

    /// As [`Client::send`], and a status among `accepted` is a reply too.
    pub async fn send_accepting(
        &self,
        call: &Call,
        accepted: &[u16],
        waiting: &(dyn Fn(Waiting) + Send + Sync),
    ) -> Result<Reply, CallError> {
        let _ = waiting;
        let failed =
            |error: &reqwest::Error| CallError { reason: self.secrets.redact(&error.to_string()), detail: None };
        let method = reqwest::Method::from_bytes(call.method.as_bytes());
        let method = method.map_err(|error| CallError { reason: error.to_string(), detail: None })?;
        let mut request = self.http.request(method, self.secrets.expand(&call.url));
        for (name, value) in &call.headers {
            request = request.header(name, self.secrets.expand(value));
        }
        if let Some(body) = &call.body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let reply = request.send().await.map_err(|error| failed(&error))?;
        let status = reply.status();
        let body = reply.bytes().await.map_err(|error| failed(&error))?.to_vec();
        if !status.is_success() && !accepted.contains(&status.as_u16()) {
            return Err(CallError { reason: format!("{} {}: {status}", call.method, call.url), detail: None });
        }
        Ok(Reply { status: status.as_u16(), content_type: String::new(), body })
    }

    /// The body of the reply to `call` as JSON; an error says what was asked and what came instead.
    pub fn json(&self, call: &Call, reply: &Reply) -> Result<serde_json::Value, CallError> {
        reply.json().map_err(|error| self.unusable(call, reply, &error.reason))
    }

    /// The error of a reply that cannot be used, because of `what`.
    #[must_use]
    pub fn unusable(&self, call: &Call, reply: &Reply, what: &str) -> CallError {
        let reason = self.secrets.redact(&format!("{} {}: {}: {what}", call.method, call.url, reply.status));
        CallError { reason, detail: None }
    }
}

impl Reply {
    /// The body as JSON; an error names the status, the media type and the beginning of what came instead.
    pub fn json(&self) -> Result<serde_json::Value, CallError> {
        serde_json::from_slice(&self.body)
            .map_err(|error| CallError { reason: format!("the answer is no JSON: {error}"), detail: None })
    }
}
