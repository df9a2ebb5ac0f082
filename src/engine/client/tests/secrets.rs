//! No secret is in anything that the client says or hands on.

use super::*;
use crate::engine::testing::{KEY, TOKEN, client, send};

fn endpoint(stub: &Stub) -> Endpoint {
    let headers = vec![("Authorization".to_owned(), "Bearer ${TOKEN}".to_owned())];
    Endpoint { headers, ..stub.endpoint("/search?key=${KEY}") }
}

fn assert_clean(text: &str) {
    for value in [TOKEN, KEY, "k%2B%2F%22%26%20%3C%C3%A9%3E", "do_not_show", "dG9rX0VYQU1QTEVfZG9fbm90X3Nob3"] {
        assert!(!text.contains(value), "{value}: {text}");
    }
}

#[tokio::test]
async fn they_reach_the_server_in_headers_and_the_query() {
    let stub = Stub::new(vec![ok("{}")]);
    send(&endpoint(&stub), json!({})).await.unwrap();
    let request = &stub.requests()[0];
    assert!(request.starts_with("POST /search?key=k%2B%2F%22%26%20%3C%C3%A9%3E HTTP/1.1\r\n"), "{request}");
    assert!(request.contains(&format!("authorization: Bearer {TOKEN}\r\n")), "{request}");
}

#[tokio::test]
async fn an_error_that_echoes_them_is_shown_without_them() {
    let key = serde_json::Value::from(KEY).to_string();
    let sent = format!(r#"{{"authorization":"Bearer {TOKEN}","key":{key}}}"#);
    let body = format!(r#"{{"error":"bad credentials","you_sent":{sent},"trace":"{}"}}"#, "0".repeat(200));
    let stub = Stub::new(vec![http("401 Unauthorized", &[&format!("Content-Type: application/{TOKEN}")], body)]);
    let error = send(&endpoint(&stub), json!({})).await.unwrap_err();
    let address = stub.url("/search?key=${KEY}");
    assert!(
        error.reason.starts_with(&format!("POST {address}: 401 Unauthorized, application/${{token}}: ")),
        "{}",
        error.reason
    );
    assert!(
        error
            .reason
            .contains(r#"{"error":"bad credentials","you_sent":{"authorization":"Bearer ${TOKEN}","key":"${KEY}"}"#),
        "{}",
        error.reason
    );
    assert_clean(&error.reason);
    let detail = error.detail.unwrap();
    assert!(detail.contains(r#""authorization":"Bearer ${TOKEN}","key":"${KEY}"}"#), "{detail}");
    assert_clean(&detail);
}

#[tokio::test]
async fn a_value_at_the_edge_of_what_is_shown_leaves_no_half() {
    for before in 40..180 {
        // Of JSON more is shown.
        let first = if before < 100 { "x" } else { "{" };
        let stub = Stub::new(vec![http(
            "400 Bad Request",
            &[],
            format!("{first}{}{TOKEN} {}", "x".repeat(before), "y".repeat(3000)),
        )]);
        let error = send(&endpoint(&stub), json!({})).await.unwrap_err();
        assert!(!error.reason.contains("tok_"), "{before}: {}", error.reason);
    }
    let long = format!("{}{}", "x".repeat(64 * 1024 - 10), TOKEN.repeat(100));
    let stub = Stub::new(vec![http("400 Bad Request", &[], long)]);
    let error = send(&endpoint(&stub), json!({})).await.unwrap_err();
    assert!(!error.detail.unwrap().contains("tok_"));
}

#[tokio::test]
async fn a_good_answer_and_what_is_said_of_it_hold_none() {
    let stub = Stub::new(vec![ok(&format!(r#"{{"hits":[],"debug":"{TOKEN}"}}"#))]);
    let reply = send(&endpoint(&stub), json!({})).await.unwrap();
    assert_eq!(reply.json().unwrap()["debug"], "${TOKEN}");
    assert_clean(&reply.unusable(&format!("no hits at {TOKEN}")).reason);
    assert_clean(&format!("{reply:?}"));
}

#[tokio::test]
async fn an_address_in_a_redirect_is_shown_without_them() {
    let location = format!("Location: http://user:{TOKEN}@127.0.0.1:1/v2?key=k%2b%2F%22%26+%3C%C3%A9%3E&t={TOKEN}");
    let stub = Stub::new(vec![http("302 Found", &[&location, "Connection: close"], "")]);
    let error = send(&endpoint(&stub), json!({})).await.unwrap_err();
    assert!(
        error.reason.contains("302 Found to http://…@127.0.0.1:1/v2?key=${KEY}&t=${TOKEN}: set `url`"),
        "{}",
        error.reason
    );
}

#[tokio::test]
async fn a_connection_that_fails_names_the_address_without_them() {
    let stub = Stub::new(vec![Answer::Close]);
    let mut endpoint = endpoint(&stub);
    endpoint.url = endpoint.url.replace("http://", "http://me:hunter22@");
    let client = client(&endpoint);
    let error = client.send(&endpoint.post(json!({})), &|_| ()).await.unwrap_err();
    assert!(
        error.reason.starts_with(&format!("POST http://…@127.0.0.1:{}/search?key=${{KEY}}: the", stub.port)),
        "{}",
        error.reason
    );
    assert!(!error.reason.contains("hunter22"));
}

#[tokio::test]
async fn a_name_where_no_secret_may_stand_is_refused_before_the_first_request() {
    let of = |url: &str, header: &str| {
        let headers = vec![(header.to_owned(), "x".to_owned())];
        let endpoint = Endpoint { url: url.to_owned(), headers, limits: once() };
        Client::of("retrievers.a", &endpoint, &|_| Some("abcdefgh".to_owned())).err().map(|error| error.to_string())
    };
    assert_eq!(of("http://a/?k=${A}", "X"), None);
    assert!(of("http://${A}/", "X").is_some_and(|error| error.starts_with("${A} may not stand in retrievers.a.url")));
    assert!(
        of("http://a/", "X-${A}")
            .is_some_and(|error| error.starts_with("${A} may not stand in retrievers.a.headers.X-"))
    );
}
