//! The HTTP client that every adapter shares: retries, limits, redirects, and no secret in what it tells.

use std::time::Duration;

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
