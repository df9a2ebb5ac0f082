//! Why one request failed, whether another may succeed, and what to do about it.

use std::{error::Error, io, time::Duration};

use reqwest::{StatusCode, Url};

use super::{CallError, request::shown};
use crate::engine::secret::Secrets;

/// Why one request failed.
#[derive(Debug)]
pub(super) struct Fault {
    /// In few words: `502 Bad Gateway`.
    pub(super) what: String,
    /// What follows them in a message.
    pub(super) rest: String,
    pub(super) detail: Option<String>,
    /// Whether the same request may succeed a little later.
    pub(super) again: bool,
    /// How long the server asks to wait.
    pub(super) after: Option<Duration>,
}

impl Fault {
    /// A fault that no repetition helps.
    pub(super) fn new(what: String, rest: &str) -> Self {
        Self { what, rest: rest.to_owned(), detail: None, again: false, after: None }
    }

    /// The same fault of a request that was redirected to `address`.
    pub(super) fn redirected(mut self, address: &str, without_headers: bool) -> Self {
        let without = if without_headers { ", another host, where no header of the settings goes" } else { "" };
        self.rest = format!(" (redirected to {address}{without}){}", self.rest);
        self
    }

    pub(super) fn timeout(timeout: Duration) -> Self {
        let what = format!("no whole answer within {} s", timeout.as_secs_f64());
        Self::new(what, ": look why the server is slow, or raise `timeout`")
    }

    /// The fault of a connection to the host of `url`.
    pub(super) fn of(error: &reqwest::Error, url: &Url) -> Self {
        let host = url.host_str().unwrap_or_default();
        let again = |what: &str, rest: &str| Self { again: true, ..Self::new(what.to_owned(), rest) };
        let cause = innermost(error);
        let because = |advice: &str| format!(" ({cause}){advice}");
        if let Some(error) = tls(error) {
            return Self::new(format!("no safe connection to {host}"), &format!(" ({error}){}", tls_advice(error)));
        }
        if error.is_dns() {
            let advice = ": look for a slip in the address, or whether this machine has a network";
            return again(&format!("no host is called `{host}`"), &because(advice));
        }
        match io_kind(error) {
            Some(io::ErrorKind::ConnectionRefused) => {
                again("connection refused", ": nothing listens there; is the server started, and is the port right?")
            }
            _ if error.is_connect() => again("no connection", &because("")),
            // Also a connection that breaks is an error of decoding for the client below.
            Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) if is_http(error) => {
                Self::new("the answer breaks the rules of HTTP".to_owned(), &because(""))
            }
            Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) if error.is_decode() => {
                Self::new("the body cannot be decompressed".to_owned(), &because(""))
            }
            _ if error.is_builder() => Self::new("this cannot be sent".to_owned(), &because("")),
            _ => again("the connection broke before the answer was whole", &because("")),
        }
    }

    /// In few words, on one line.
    pub(super) fn what(&self, secrets: &Secrets) -> String {
        shown(&self.what, secrets)
    }

    /// The error of the whole call; `ending` says why it is not repeated.
    pub(super) fn error(&self, secrets: &Secrets, asked: &str, ending: &str) -> CallError {
        let said = shown(&format!("{}{}", self.what, self.rest), secrets);
        CallError { reason: format!("{asked}: {said}{ending}"), detail: self.detail.clone() }
    }
}

/// Whether a status may be another one a little later. The standard has 501 and 505 mean that it will not.
pub(super) fn may_pass(status: StatusCode) -> bool {
    let never = [StatusCode::NOT_IMPLEMENTED, StatusCode::HTTP_VERSION_NOT_SUPPORTED];
    let busy = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
    busy.contains(&status) || status.is_server_error() && !never.contains(&status)
}

/// What to do about a status, where there is something to say.
pub(super) fn advice(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 | 403 => "; look at the headers that say who asks",
        404 => "; look at the path of `url`",
        405 => "; look at `method`",
        407 => "; the proxy of the environment wants credentials",
        _ => "",
    }
}

/// The errors from the outer to the inner, also those that an I/O error holds.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(held) => Some(held as &(dyn Error + 'static)),
        None => error.source(),
    })
}

fn tls(error: &reqwest::Error) -> Option<&rustls::Error> {
    chain(error).find_map(<dyn Error>::downcast_ref)
}

/// True if it is an error of the protocol, such as a chunk without a length, and not one of what the body holds.
fn is_http(error: &reqwest::Error) -> bool {
    chain(error).any(<dyn Error>::is::<hyper::Error>)
}

fn io_kind(error: &reqwest::Error) -> Option<io::ErrorKind> {
    chain(error).filter_map(<dyn Error>::downcast_ref::<io::Error>).map(io::Error::kind).last()
}

fn innermost(error: &reqwest::Error) -> String {
    chain(error).last().map(ToString::to_string).unwrap_or_default()
}

fn tls_advice(error: &rustls::Error) -> &'static str {
    use rustls::CertificateError::{Expired, ExpiredContext, NotValidForName, NotValidForNameContext, UnknownIssuer};
    match error {
        rustls::Error::InvalidCertificate(UnknownIssuer) => {
            ": nobody who is trusted here signed its certificate; name the PEM file of your own authority as `ca`"
        }
        rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. }) => {
            ": its certificate is for another name; use that one in `url`"
        }
        rustls::Error::InvalidCertificate(Expired | ExpiredContext { .. }) => ": its certificate has expired",
        rustls::Error::InvalidMessage(_) => ": it may not speak TLS; try http:// in `url`",
        _ => "",
    }
}
