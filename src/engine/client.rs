//! The HTTP client that every adapter shares: retries, limits, redirects, and no secret in what it tells.

mod check;
mod fault;
mod gate;
mod redirect;
mod reply;
mod request;
mod retry;
#[cfg(test)]
mod tests;
mod transport;

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::secret::{SecretError, Secrets};
pub use check::{check_header, check_url};
use fault::Fault;
use gate::Gate;
pub use reply::Reply;
use request::Request;
use transport::Transport;

/// How politely, how long and how much is asked of one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// How long one request may take, its redirects and its body included; waiting for a turn is not counted.
    pub timeout: Duration,
    /// How often a request is repeated after 408, 429, 5xx (but 501 and 505) or a fault of the connection; 0 means one request.
    /// Asking a retriever changes nothing, so a `POST` is repeated too. A time-out is not: the next try would take as long.
    pub retries: u32,
    /// The longest single wait before a repetition; a server that asks for more is given up at once.
    pub longest_wait: Duration,
    /// How many calls are open at once, at least 1; a call that waits for its repetition is open.
    pub concurrency: usize,
    /// How many requests begin in one second, evenly spread, repetitions and redirects included; `None` is no limit.
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
            longest_wait: Duration::from_mins(1),
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
    /// The headers; of two with the same name the later one counts. All are private: a redirect to another host carries none.
    pub headers: Vec<(String, String)>,
    /// The body as JSON; `None` sends none.
    pub body: Option<serde_json::Value>,
}

/// A pause before a request is repeated: what the server asks for, else longer each time and a little by chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// How long.
    pub pause: Duration,
    /// Which repetition comes, from 1.
    pub attempt: u32,
    /// Why, on one line: `503 Service Unavailable`.
    pub reason: String,
}

/// Why a call brought no answer. Every text is free of secrets and, but for the line ends of `detail`, of control characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct CallError {
    /// One line: what was asked, what came back, what to do.
    pub reason: String,
    /// The rest, to show on request: the beginning of the body, at most about 2 kB.
    pub detail: Option<String>,
}

/// A client of one server, or of several that share limits and secrets. Clones share connections, limits and turns.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    transport: Transport,
    secrets: Secrets,
    limits: Limits,
    gate: Gate,
}

/// How many redirects of one request are followed.
const MOST_REDIRECTS: usize = 5;

impl Client {
    /// A client with these limits. Fails where the certificates cannot be read.
    pub fn new(limits: &Limits, secrets: Secrets) -> Result<Self, CallError> {
        let (transport, gate) = (Transport::new(limits)?, Gate::new(limits));
        Ok(Self { shared: Arc::new(Shared { transport, secrets, limits: limits.clone(), gate }) })
    }

    /// A client of one server that the settings name at `place`, as in `embeddings.e5`; `lookup` knows the environment.
    pub fn of(place: &str, endpoint: &Endpoint, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let keys: Vec<String> = endpoint.headers.iter().map(|(name, _)| format!("{place}.headers.{name}")).collect();
        let url = format!("{place}.url");
        for (key, (name, _)) in keys.iter().zip(&endpoint.headers) {
            Secrets::check_place(key, name)?;
        }
        Secrets::check_url(&url, &endpoint.url)?;
        let values = keys.iter().zip(&endpoint.headers).map(|(key, (_, value))| (key.as_str(), value.as_str()));
        let secrets = Secrets::collect(values.chain([(url.as_str(), endpoint.url.as_str())]), lookup)?;
        Ok(Self::new(&endpoint.limits, secrets)?)
    }

    /// Its limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// Its secrets, to cut them out of what is made of an answer.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.shared.secrets
    }

    /// The proxy of the environment by which `url` is reached, without its credentials; `None` where it is reached directly, as
    /// this machine always is.
    #[must_use]
    pub fn proxy_for(&self, url: &str) -> Option<String> {
        self.shared.transport.proxy_for(url)
    }

    /// Sends one call, again where that may help, and tells `waiting` of each pause. Any status but success is an error.
    /// Dropping the future ends it at once.
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
        let Shared { secrets, limits, gate, .. } = &*self.shared;
        let request = Request::new(call, secrets)?;
        let _turn = gate.enter().await;
        let mut attempt = 0;
        loop {
            let fault = match self.attempt(&request, accepted).await {
                Ok(reply) => return Ok(reply),
                Err(fault) => fault,
            };
            let gave_up = |why: &str| fault.error(secrets, &request.asked, why);
            if !fault.again || limits.retries == 0 {
                return Err(gave_up(""));
            }
            if attempt == limits.retries {
                return Err(gave_up(&format!("; gave up after {} requests", attempt + 1)));
            }
            attempt += 1;
            let pause = match retry::pause(attempt, fault.after, limits.longest_wait, fastrand::f64()) {
                Ok(pause) => pause,
                Err(asked) => {
                    let longest = limits.longest_wait.as_secs_f64();
                    let asked = asked.as_secs();
                    return Err(gave_up(&format!("; it asks to wait {asked} s, and `longest_wait` is {longest} s")));
                }
            };
            waiting(Waiting { pause, attempt, reason: fault.what(secrets) });
            tokio::time::sleep(pause).await;
        }
    }

    /// One request with its redirects.
    async fn attempt(&self, request: &Request, accepted: &[u16]) -> Result<Reply, Fault> {
        let Shared { secrets, limits, gate, transport } = &*self.shared;
        let mut left = limits.timeout;
        let mut hop = request.clone();
        for _ in 0..=MOST_REDIRECTS {
            gate.turn().await;
            let begun = Instant::now();
            let exchange = async {
                let response = transport.send(&hop).await?;
                let status = response.status();
                if status.is_redirection() && !accepted.contains(&status.as_u16()) {
                    return redirect::next(&hop, &response, secrets).map(Err);
                }
                reply::read(response, &hop, accepted, limits.max_bytes, secrets).await.map(Ok)
            };
            let in_time = tokio::time::timeout(left, exchange).await;
            let done = in_time.unwrap_or_else(|_| Err(Fault::timeout(limits.timeout)));
            let there = |fault: Fault| {
                let other = hop.url.origin() != request.url.origin();
                fault.redirected(&request::address(hop.url.as_str(), secrets), other)
            };
            match done.map_err(|fault| if hop.url == request.url { fault } else { there(fault) })? {
                Ok(reply) => return Ok(reply),
                Err(next) => hop = next,
            }
            left = left.saturating_sub(begun.elapsed());
        }
        let last = request::address(hop.url.as_str(), secrets);
        let rest = format!(", at last to {last}: set `url` to the address that answers");
        Err(Fault::new(format!("it was redirected more than {MOST_REDIRECTS} times"), &rest))
    }
}
