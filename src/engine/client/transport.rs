//! Connections: kept and reused, encrypted where the address says so, by a proxy where the environment says so.

use std::{
    net::IpAddr,
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use reqwest::{Certificate, Client, ClientBuilder, Proxy, Response, Url, redirect::Policy};

use super::{CallError, Limits, fault::Fault, request::Request};

/// How long an unused connection is kept: less than the five seconds of the commonest servers of Python and Node, so that no
/// request is sent into a connection that is being closed.
const IDLE: Duration = Duration::from_secs(4);

pub(super) struct Transport {
    /// For what is not encrypted: it needs no certificates, which a small container may not have.
    plain: Client,
    /// For what is encrypted, made when it is needed; reading the system's certificates takes a while.
    encrypted: OnceLock<Result<Client, String>>,
    authorities: Vec<Certificate>,
    proxies: Arc<Matcher>,
}

impl Transport {
    /// Fails where the certificates cannot be read.
    pub(super) fn new(limits: &Limits) -> Result<Self, CallError> {
        Self::by(Matcher::from_system(), limits)
    }

    pub(super) fn by(proxies: Matcher, limits: &Limits) -> Result<Self, CallError> {
        // The first provider that is installed stays; every later call finds it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let proxies = Arc::new(proxies);
        let authorities = limits.ca.as_deref().map(authorities).transpose()?.unwrap_or_default();
        let plain = builder(&proxies).tls_certs_only([]).build();
        let plain = plain.map_err(|error| CallError { reason: error.to_string(), detail: None })?;
        Ok(Self { plain, encrypted: OnceLock::new(), authorities, proxies })
    }

    /// Sends one request, and follows no redirect.
    pub(super) async fn send(&self, request: &Request) -> Result<Response, Fault> {
        let by_tls = request.url.scheme() == "https"
            || intercept(&self.proxies, &request.url).is_some_and(|proxy| proxy.uri().scheme_str() == Some("https"));
        let client = if by_tls { self.encrypted()? } else { &self.plain };
        let mut sent = client.request(request.method.clone(), request.url.clone()).headers(request.headers.clone());
        if let Some(body) = &request.body {
            sent = sent.body(body.clone());
        }
        sent.send().await.map_err(|error| Fault::of(&error.without_url(), &request.url))
    }

    fn encrypted(&self) -> Result<&Client, Fault> {
        let made = self.encrypted.get_or_init(|| {
            let builder = builder(&self.proxies).tls_certs_merge(self.authorities.clone());
            builder.build().map_err(|error| {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                cause.unwrap_or_else(|| error.to_string())
            })
        });
        made.as_ref().map_err(|cause| {
            Fault::new("no safe connection can be made".to_owned(), &format!(" ({cause}): name a PEM file as `ca`"))
        })
    }

    /// The proxy by which an address is reached, without credentials.
    pub(super) fn proxy_for(&self, url: &str) -> Option<String> {
        let proxy = intercept(&self.proxies, &Url::parse(url).ok()?)?;
        Some(proxy.uri().to_string().trim_end_matches('/').to_owned())
    }
}

fn builder(proxies: &Arc<Matcher>) -> ClientBuilder {
    let proxies = Arc::clone(proxies);
    let proxy = Proxy::custom(move |url| intercept(&proxies, url).as_ref().and_then(with_credentials));
    Client::builder()
        .user_agent(concat!("caselight/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .pool_idle_timeout(IDLE)
        .no_proxy()
        .proxy(proxy)
}

/// The proxy that the environment names for an address. This machine is never asked by way of another one.
fn intercept(proxies: &Matcher, url: &Url) -> Option<Intercept> {
    if is_here(url.host_str()?) { None } else { proxies.intercept(&url.as_str().parse().ok()?) }
}

fn is_here(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match ip.map(|ip| ip.to_canonical()) {
        Ok(ip) => ip.is_loopback() || ip.is_unspecified(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

/// The address of a proxy with its credentials in it, which is how they are told to the client.
fn with_credentials(proxy: &Intercept) -> Option<Url> {
    let mut url = Url::parse(&proxy.uri().to_string()).ok()?;
    if let Some(basic) = proxy.basic_auth() {
        let decoded = STANDARD.decode(basic.as_bytes().strip_prefix(b"Basic ")?).ok()?;
        let decoded = String::from_utf8(decoded).ok()?;
        let (user, password) = decoded.split_once(':')?;
        url.set_username(user).ok()?;
        url.set_password(Some(password)).ok()?;
    }
    Some(url)
}

/// The certificates of a PEM file.
fn authorities(path: &Path) -> Result<Vec<Certificate>, CallError> {
    let wrong = |what: String| CallError { reason: format!("`ca` {}: {what}", path.display()), detail: None };
    let pem = std::fs::read(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let all = Certificate::from_pem_bundle(&pem).map_err(|error| wrong(format!("is no PEM: {error}")))?;
    if all.is_empty() {
        return Err(wrong("holds no certificate, expected `-----BEGIN CERTIFICATE-----`".to_owned()));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_asked_directly_and_others_by_the_proxy_without_its_credentials_shown() {
        let proxies = || Matcher::builder().all("http://me:hunter22@proxy.example:3128").no("direct.example").build();
        let transport = Transport::by(proxies(), &Limits::default()).ok();
        let proxy = |url: &str| transport.as_ref().and_then(|transport| transport.proxy_for(url));
        for here in ["http://localhost:1/", "http://127.9.0.1/", "https://[::1]:8/x", "http://a.localhost./"] {
            assert_eq!(proxy(here), None, "{here}");
        }
        assert_eq!(proxy("http://direct.example/"), None);
        for away in ["http://example.com/?key=${KEY}", "https://10.0.0.1/", "http://localhost.example/"] {
            assert_eq!(proxy(away).as_deref(), Some("http://proxy.example:3128"), "{away}");
        }
        let url = Url::parse("http://example.com/").ok().and_then(|url| intercept(&proxies(), &url));
        let url = url.as_ref().and_then(with_credentials);
        assert_eq!(url.map(String::from).as_deref(), Some("http://me:hunter22@proxy.example:3128/"));
    }
}
