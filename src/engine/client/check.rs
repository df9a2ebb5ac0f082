//! Whether an address or a header can be sent at all, said while the settings are read: their templates are not filled yet.

use reqwest::{
    Url,
    header::{HeaderName, HeaderValue},
};

use super::request::address;
use crate::engine::secret::Secrets;

/// The headers that a connection sets itself: another value makes a server wait, refuse, or read half of the question.
const OWN: [&str; 10] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Refuses what is no address of a server, and one that holds credentials, which would stand in everything that names it.
/// `{{ … }}` and `${NAME}` stand for some value.
pub fn check_url(url: &str) -> Result<(), String> {
    let filled = filled(url);
    if !filled.starts_with("http://") && !filled.starts_with("https://") {
        return Err(format!("`{}` is no address that begins with http:// or https://", shown(url)));
    }
    let rest = filled.split_once("//").map_or("", |(_, rest)| rest);
    let host = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        return Err(format!(
            "`{}` holds a name or password, which would be kept with every run: write it as \
             `headers = {{ Authorization = \"Basic ${{…}}\" }}`",
            shown(url)
        ));
    }
    if let Some(blank) = filled.chars().find(|c| c.is_whitespace() || c.is_control()) {
        let sign = if blank == ' ' { "a blank".to_owned() } else { format!("{blank:?}") };
        return Err(format!("`{}` is no address, for {sign} is in it: take it out, or write it as %20", shown(url)));
    }
    match Url::parse(&filled) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("`{}` is no address ({error}), expected http://HOST/PATH", shown(url))),
    }
}

/// Refuses a header that HTTP does not allow, or that the connection sets itself.
pub fn check_header(name: &str, value: &str) -> Result<(), String> {
    let Ok(header) = HeaderName::from_bytes(name.as_bytes()) else {
        return Err(format!("`{}` is no name of a header: it is letters, digits and `-`", shown(name)));
    };
    if OWN.contains(&header.as_str()) {
        return Err(format!("the header {name} is set by the connection itself: leave it out"));
    }
    match HeaderValue::from_bytes(filled(value).as_bytes()) {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("the value of the header {name} has a line end or another control character in it")),
    }
}

fn shown(text: &str) -> String {
    address(text, &Secrets::default())
}

/// A text with a digit, which may stand anywhere in an address, in place of each template and secret.
fn filled(text: &str) -> String {
    let mut filled = text.to_owned();
    for (open, close) in [("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("${", "}")] {
        while let Some(begin) = filled.find(open) {
            let Some(length) = filled[begin..].find(close) else { break };
            filled.replace_range(begin..begin + length + close.len(), "1");
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_parses_names_no_one_and_may_have_templates_anywhere() {
        for fine in [
            "http://127.0.0.1:8080/a?q={{ question }}&key=${KEY}",
            "https://h/{{ params.tenant | default('a b') }}/x#y",
            "http://{{ params.host }}:{{ params.port }}/",
            "http://[::1]:1/@me?mail=a@b",
        ] {
            assert_eq!(check_url(fine), Ok(()), "{fine}");
        }
        for (wrong, expected) in [
            (
                "http://user:pass@h/",
                "`http://…@h/` holds a name or password, which would be kept with every run: write it as `headers = { Authorization = \"Basic ${…}\" }`",
            ),
            ("http://user@h", "`http://…@h` holds a name or password"),
            ("http://{{ params.user }}:x@h\\y", "holds a name or password"),
            ("http://", "`http://` is no address (empty host), expected http://HOST/PATH"),
            ("http://h:99999/", "`http://h:99999/` is no address (invalid port number)"),
            ("http://h/a b", "`http://h/a b` is no address, for a blank is in it"),
            (" http://h/", "is no address that begins with http:// or https://"),
            ("http://h/\n", "is no address, for '\\n' is in it"),
            ("ftp://h/", "`ftp://h/` is no address that begins with http:// or https://"),
        ] {
            let error = check_url(wrong).err().unwrap_or_default();
            assert!(error.contains(expected) && !error.contains("pass@"), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_header_is_one_of_http_and_none_of_the_connections_own() {
        assert_eq!(check_header("X-User", "{{ asker.name }} é ${KEY}"), Ok(()));
        for (name, value, expected) in [
            ("X Y", "1", "`X Y` is no name of a header"),
            ("X:", "1", "`X:` is no name of a header"),
            ("X", "1\n2", "the value of the header X has a line end"),
            ("Content-Length", "5", "the header Content-Length is set by the connection itself: leave it out"),
            ("HOST", "h", "the header HOST is set by the connection itself"),
            ("transfer-encoding", "chunked", "the header transfer-encoding is set by"),
            ("Connection", "close", "the header Connection is set by"),
        ] {
            let error = check_header(name, value).err().unwrap_or_default();
            assert!(error.starts_with(expected), "{name}: {error}");
        }
    }
}
