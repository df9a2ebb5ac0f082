//! What came back: its body within a limit, and errors that say what it is instead of what was expected.

use std::time::SystemTime;

use reqwest::{
    Response,
    header::{CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER},
};

use super::{
    CallError,
    fault::{self, Fault},
    request::{Request, cut, shown},
    retry,
};
use crate::engine::secret::Secrets;

/// What came back with a status of success, or with one that was accepted.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The media type in small letters, without parameters; empty where the server says none.
    pub content_type: String,
    /// The body, decompressed, and with every secret of at least 8 characters cut out.
    pub body: Vec<u8>,
    /// How the body is still packed, though nobody asked for it: `br`; empty where it is not.
    packed: String,
    asked: String,
    secrets: Secrets,
}

impl Reply {
    /// A reply that no server gave, for a test of what reads it.
    #[must_use]
    pub fn of(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let (content_type, asked) = (content_type.to_owned(), "GET nowhere".to_owned());
        Self { status, content_type, body: body.into(), packed: String::new(), asked, secrets: Secrets::default() }
    }

    /// The body as JSON; an error names the status, the media type and the beginning of what came instead.
    pub fn json(&self) -> Result<serde_json::Value, CallError> {
        // Some programs of Windows begin every text with it.
        let body = self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body);
        serde_json::from_slice(body).map_err(|error| {
            if !self.packed.is_empty() {
                let packed = &self.packed;
                let what = format!("the body is packed as `{packed}`, and only gzip is asked for and can be unpacked");
                return CallError { detail: None, reason: format!("{}: {}: {what}", self.asked, self.status) };
            }
            if is_utf16(body) {
                let what = "the body is UTF-16, and JSON is sent as UTF-8";
                return CallError { detail: None, reason: format!("{}: {}: {what}", self.asked, self.status) };
            }
            if self.body.trim_ascii().is_empty() {
                return self.unusable("the body is empty, expected JSON");
            }
            if self.content_type.contains("html") {
                return self.unusable("expected JSON, and this is a page, such as one to log in or one of a proxy");
            }
            self.unusable(&format!("this is no JSON: {error}"))
        })
    }

    /// The error of a reply that cannot be used because of `what`, which is shown with the beginning of the body.
    #[must_use]
    pub fn unusable(&self, what: &str) -> CallError {
        let (begin, detail) = excerpt(&self.body, false, &self.secrets);
        let kind = kind(&self.content_type);
        let reason = format!("{}: {}{kind}: {}{begin}", self.asked, self.status, shown(what, &self.secrets));
        CallError { reason, detail }
    }
}

/// Replies are the same where the server sent the same.
impl PartialEq for Reply {
    fn eq(&self, other: &Self) -> bool {
        (self.status, &self.content_type, &self.body) == (other.status, &other.content_type, &other.body)
    }
}

impl Eq for Reply {}

/// True if a text begins as UTF-16 does, with its mark or with the zero bytes of its plain letters.
fn is_utf16(body: &[u8]) -> bool {
    matches!(body, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=255, ..] | [1..=255, 0, ..])
}

/// How much of the body of an error is read, in bytes.
const MOST_OF_AN_ERROR: usize = 64 * 1024;

/// Reads `response` to the end; a status that is no success and not accepted is a fault.
pub(super) async fn read(
    mut response: Response,
    request: &Request,
    accepted: &[u16],
    max_bytes: usize,
    secrets: &Secrets,
) -> Result<Reply, Fault> {
    let status = response.status();
    let good = status.is_success() || accepted.contains(&status.as_u16());
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let content_type = content_type.split(';').next().unwrap_or_default().trim();
    // In small letters a secret would not be found any more.
    let content_type = cut(&shown(content_type, secrets), 60).to_ascii_lowercase();
    // What was unpacked has lost this header.
    let packed = response.headers().get(CONTENT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = if packed.trim().eq_ignore_ascii_case("identity") { "" } else { packed.trim() };
    let packed = cut(&shown(packed, secrets), 60);
    let after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let after = after.and_then(|value| retry::asked(value, SystemTime::now()));
    let mut body = Vec::new();
    let mut whole = true;
    loop {
        match response.chunk().await {
            Ok(None) => break,
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Err(error) if good => return Err(Fault::of(&error, &request.url)),
            Err(_) => {
                whole = false;
                break;
            }
        }
        if good && body.len() > max_bytes {
            let what = format!("{status}{}, a body of more than {max_bytes} bytes", kind(&content_type));
            return Err(Fault::new(what, ": ask for less, or raise `max_bytes`"));
        }
        if !good && body.len() > MOST_OF_AN_ERROR {
            whole = false;
            break;
        }
    }
    if good {
        let body = secrets.redact_body(body);
        let (asked, secrets) = (request.asked.clone(), secrets.clone());
        return Ok(Reply { status: status.as_u16(), content_type, body, packed, asked, secrets });
    }
    let (begin, detail) = if packed.is_empty() {
        excerpt(&body, !whole, secrets)
    } else {
        (format!(", packed as `{packed}`, which cannot be unpacked"), None)
    };
    let begin = if begin.is_empty() { ", no body".to_owned() } else { begin };
    let rest = format!("{}{begin}{}", kind(&content_type), fault::advice(status));
    Err(Fault { again: fault::may_pass(status), after, detail, ..Fault::new(status.to_string(), &rest) })
}

/// `, text/html`, or nothing.
fn kind(content_type: &str) -> String {
    if content_type.is_empty() { String::new() } else { format!(", {content_type}") }
}

/// How much of a body stands in a message, in characters.
const ON_ONE_LINE: usize = 80;

/// The same of a body of JSON, in which what is wrong often stands behind a code and a type.
const JSON_ON_ONE_LINE: usize = 160;

/// How much of a body can be looked at, in characters.
const IN_DETAIL: usize = 2000;

/// The beginning of a body: `: ` and one line of it, and more with its lines where there is more.
fn excerpt(body: &[u8], cut_off: bool, secrets: &Secrets) -> (String, Option<String>) {
    // A secret is cut out before the text is cut, so that no half of it is left.
    let read = &body[..body.len().min(MOST_OF_AN_ERROR)];
    let text = String::from_utf8_lossy(read);
    let text = if cut_off || read.len() < body.len() { secrets.redact_cut(&text) } else { secrets.redact(&text) };
    let lines = text.lines().map(|line| crate::domain::text::clean(line).into_owned()).collect::<Vec<_>>().join("\n");
    let words = lines.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return (String::new(), None);
    }
    let begin = cut(&words, if words.starts_with('{') { JSON_ON_ONE_LINE } else { ON_ONE_LINE });
    let detail = (begin != words || lines.trim().contains('\n')).then(|| cut(lines.trim_end(), IN_DETAIL));
    (format!(": {begin}"), detail)
}
