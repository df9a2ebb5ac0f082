//! A call made ready to be sent: its secrets in place, and its name for messages without them.

use reqwest::{
    Method, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};

use super::{Call, CallError};
use crate::{domain::text::clean, engine::secret::Secrets};

/// What is sent, each time anew. Holds secrets: nothing of it is shown but `asked`.
#[derive(Clone)]
pub(super) struct Request {
    /// `POST http://127.0.0.1:8080/search`, for messages.
    pub(super) asked: String,
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<String>,
}

impl Request {
    /// Fails where the method, the address or a header is none.
    pub(super) fn new(call: &Call, secrets: &Secrets) -> Result<Self, CallError> {
        let asked = format!("{} {}", shown(&call.method, secrets), address(&call.url, secrets));
        let wrong = |what: String| CallError { reason: format!("{asked}: {}", shown(&what, secrets)), detail: None };
        let method = Method::from_bytes(call.method.as_bytes());
        let method = method.map_err(|_| wrong(format!("`{}` is no method, expected GET or POST", call.method)))?;
        let url = Url::parse(&secrets.expand_url(&call.url));
        let url = url.map_err(|error| wrong(format!("this is no address ({error}), expected http://HOST/PATH")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(format!("`{}` cannot be asked, only http and https", url.scheme())));
        }
        let mut headers = HeaderMap::new();
        for (name, value) in &call.headers {
            let header = HeaderName::from_bytes(name.as_bytes());
            let header = header.map_err(|_| wrong(format!("`{name}` is no name of a header")))?;
            let value = HeaderValue::from_bytes(secrets.expand(value).as_bytes());
            let mut value = value.map_err(|_| wrong(format!("the value of the header {name} has a line end in it")))?;
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        let body = call.body.as_ref().map(ToString::to_string);
        let mut request = Self { asked, method, url, headers, body };
        request.with_own_headers();
        Ok(request)
    }

    /// The same request to another address, without what the settings or an asker put into its headers.
    pub(super) fn without_headers(&self, url: Url) -> Self {
        let mut request = Self { url, headers: HeaderMap::new(), ..self.clone() };
        request.with_own_headers();
        request
    }

    fn with_own_headers(&mut self) {
        let json = HeaderValue::from_static("application/json");
        self.headers.entry(ACCEPT).or_insert_with(|| json.clone());
        if self.body.is_some() {
            self.headers.entry(CONTENT_TYPE).or_insert(json);
        }
    }
}

/// A text of a server or case, as a message may show it.
pub(super) fn shown(text: &str, secrets: &Secrets) -> String {
    clean(&secrets.redact(text)).into_owned()
}

/// An address as a message may show it: no secret, no credentials before the host, and not longer than a line or two.
pub(super) fn address(url: &str, secrets: &Secrets) -> String {
    let mut url = url.to_owned();
    let host = url.find("//").map_or(0, |at| at + 2);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    if let Some(at) = url[host..end].rfind('@') {
        url.replace_range(host..host + at, "…");
    }
    cut(&shown(&url, secrets), 200)
}

/// The first `most` characters, with a mark where there are more.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
