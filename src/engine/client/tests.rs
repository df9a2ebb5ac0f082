//! The client against a server that does what servers do on their bad days.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod faults;
mod redirects;
mod secrets;
mod tls;

use std::{
    sync::{Arc, Barrier, Mutex},
    time::Duration,
};

use serde_json::json;

use super::*;
use crate::engine::testing::{Answer, Stub, http, ok, once, post};

/// An answer that closes its connection, as the servers of many tests do.
fn closing(status: &str, headers: &[&str], body: &str) -> Answer {
    http(status, &[&["Content-Type: application/json", "Connection: close"], headers].concat(), body)
}

fn slow_down(retry_after: &str) -> Answer {
    closing("429 Too Many Requests", &[&format!("Retry-After: {retry_after}")], r#"{"error":"slow down"}"#)
}

/// What came of a call, the pauses before its repetitions, and the requests that the server saw.
async fn outcome(answers: Vec<Answer>, limits: Limits) -> (Result<Reply, CallError>, Vec<Waiting>, usize) {
    let stub = Stub::new(answers);
    let client = Client::new(&limits, Secrets::default()).unwrap();
    let pauses = Mutex::new(Vec::new());
    let told = |waiting: Waiting| pauses.lock().unwrap().push(waiting);
    let result = client.send(&post(&stub.url("/search")), &told).await;
    (result, pauses.into_inner().unwrap(), stub.requests().len())
}

fn retrying() -> Limits {
    Limits { retries: 2, longest_wait: Duration::from_mins(1), ..once() }
}

#[tokio::test]
async fn a_good_answer_is_read_and_the_connection_is_used_again() {
    let stub = Stub::new(vec![http("200 OK", &["Content-Type: Application/JSON; charset=utf-8"], r#"{"a":1}"#)]);
    let client = Client::new(&once(), Secrets::default()).unwrap();
    for _ in 0..5 {
        let reply = client.send(&post(&stub.url("/search?x=1")), &|_| ()).await.unwrap();
        assert_eq!((reply.status, &*reply.content_type), (200, "application/json"));
        assert_eq!(reply.json().unwrap(), json!({ "a": 1 }));
    }
    assert_eq!((stub.requests().len(), stub.connections()), (5, 1));
    let request = &stub.requests()[0];
    assert!(request.starts_with("POST /search?x=1 HTTP/1.1\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\n{\"question\":\"why?\"}"), "{request}");
    for header in [
        "accept: application/json",
        "content-type: application/json",
        "accept-encoding: gzip",
        "user-agent: caselight/",
    ] {
        assert_eq!(request.matches(header).count(), 1, "{header}: {request}");
    }
}

#[tokio::test]
async fn headers_of_the_settings_replace_our_own_and_the_later_one_counts() {
    let stub = Stub::new(vec![ok("{}")]);
    let mut call = post(&stub.url("/"));
    let headers = [("accept", "text/plain"), ("Content-Type", "application/vnd.api+json"), ("X-A", "1"), ("x-a", "2")];
    call.headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let client = Client::new(&once(), Secrets::default()).unwrap();
    client.send(&call, &|_| ()).await.unwrap();
    let request = &stub.requests()[0];
    for header in ["accept: text/plain\r\n", "content-type: application/vnd.api+json\r\n", "x-a: 2\r\n"] {
        assert!(request.contains(header), "{header}: {request}");
    }
    assert!(!request.contains("x-a: 1") && !request.contains("application/json"), "{request}");
}

#[tokio::test]
async fn no_more_calls_are_open_at_once_than_the_limit_says() {
    // Each three are answered together: fewer at once would wait for ever, and more are counted.
    let together =
        Answer::Together(Arc::new(Barrier::new(3)), b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".to_vec());
    let stub = Stub::new(vec![together]);
    let client = Client::new(&Limits { concurrency: 3, ..once() }, Secrets::default()).unwrap();
    let call = post(&stub.url("/"));
    let calls = (0..9).map(|_| client.send(&call, &|_| ()));
    for reply in futures_util::future::join_all(calls).await {
        reply.unwrap();
    }
    assert_eq!((stub.requests().len(), stub.most_open()), (9, 3));
}

#[tokio::test]
async fn a_server_in_trouble_is_asked_again_and_each_pause_is_told() {
    let (result, pauses, requests) =
        outcome(vec![closing("503 Service Unavailable", &[], ""), Answer::Close, ok("{}")], retrying()).await;
    result.unwrap();
    assert_eq!(requests, 3);
    assert_eq!(pauses.iter().map(|pause| pause.attempt).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(pauses[0].reason, "503 Service Unavailable");
    assert_eq!(pauses[1].reason, "the connection broke before the answer was whole");
    assert!(pauses[0].pause >= Duration::from_millis(250) && pauses[1].pause <= Duration::from_secs(1), "{pauses:?}");
}

#[tokio::test]
async fn retry_after_is_obeyed_as_seconds_or_a_date_and_ignored_where_it_is_nonsense() {
    for (header, least, most) in [
        ("1", 1000, 1000),
        // A date has no fractions of a second.
        ("@DATE+2@", 1, 2000),
        ("Mon, 01 Jan 2001 00:00:00 GMT", 250, 500),
        ("soon", 250, 500),
        ("0", 250, 500),
    ] {
        let (result, pauses, requests) = outcome(vec![slow_down(header), ok("{}")], retrying()).await;
        result.unwrap();
        let pause = pauses[0].pause.as_millis();
        assert!((least..=most).contains(&pause) && requests == 2, "{header}: {pause}");
        assert_eq!(pauses[0].reason, "429 Too Many Requests");
    }
}

#[tokio::test]
async fn a_server_that_asks_for_a_day_is_given_up_at_once() {
    let (result, pauses, requests) = outcome(vec![slow_down("86400"), ok("{}")], retrying()).await;
    let reason = result.unwrap_err().reason;
    let expected = ": 429 Too Many Requests, application/json: {\"error\":\"slow down\"}; it asks to wait 86400 s, and `longest_wait` is 60 s";
    assert!(reason.ends_with(expected), "{reason}");
    assert_eq!((pauses, requests), (vec![], 1));
}

#[tokio::test]
async fn without_retries_there_is_one_request_and_no_pause() {
    for answer in [slow_down("86400"), slow_down("1"), closing("503 Service Unavailable", &[], ""), Answer::Close] {
        let (result, pauses, requests) = outcome(vec![answer, ok("{}")], once()).await;
        assert!(result.is_err());
        assert_eq!((pauses, requests), (vec![], 1));
    }
}

#[tokio::test]
async fn only_what_may_pass_is_repeated_and_the_error_says_how_often() {
    let limits = Limits { longest_wait: Duration::from_millis(1), ..retrying() };
    for (status, expected) in [
        ("408 Request Timeout", 3),
        ("429 Too Many Requests", 3),
        ("500 Internal Server Error", 3),
        ("502 Bad Gateway", 3),
        ("503 Service Unavailable", 3),
        ("504 Gateway Timeout", 3),
        ("501 Not Implemented", 1),
        ("400 Bad Request", 1),
        ("401 Unauthorized", 1),
        ("404 Not Found", 1),
        ("304 Not Modified", 1),
    ] {
        let (result, pauses, requests) = outcome(vec![closing(status, &[], "")], limits.clone()).await;
        let reason = result.unwrap_err().reason;
        assert_eq!((requests, pauses.len()), (expected, expected - 1), "{status}");
        assert!(reason.contains(status), "{reason}");
        assert_eq!(reason.contains("gave up after 3 requests"), expected == 3, "{reason}");
    }
}

#[tokio::test]
async fn a_status_that_is_accepted_is_a_reply() {
    let stub = Stub::new(vec![closing("404 Not Found", &[], r#"{"error":"no such index"}"#)]);
    let client = Client::new(&once(), Secrets::default()).unwrap();
    let reply = client.send_accepting(&post(&stub.url("/")), &[404], &|_| ()).await.unwrap();
    assert_eq!((reply.status, reply.json().unwrap()), (404, json!({ "error": "no such index" })));
}

#[tokio::test]
async fn dropping_a_call_ends_it_at_once_also_in_a_pause() {
    for answers in [vec![Answer::Hang], vec![slow_down("50")]] {
        let stub = Stub::new(answers);
        let client = Client::new(&Limits { concurrency: 1, ..retrying() }, Secrets::default()).unwrap();
        let reached = tokio::sync::Notify::new();
        let call = post(&stub.url("/"));
        let told = |_| reached.notify_one();
        let asked = async {
            while stub.requests().is_empty() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = client.send(&call, &told) => panic!("nothing answers"),
            () = async { tokio::select! { () = reached.notified() => (), () = asked => () } } => (),
        }
        // Its turn is free again.
        let answering = Stub::new(vec![ok("{}")]);
        client.send(&post(&answering.url("/")), &|_| ()).await.unwrap();
    }
}

#[tokio::test]
async fn clones_share_connections_and_turns() {
    let stub = Stub::new(vec![ok("{}")]);
    let client = Client::new(&Limits { concurrency: 1, ..once() }, Secrets::default()).unwrap();
    let (call, other) = (post(&stub.url("/")), client.clone());
    let (first, second) = tokio::join!(client.send(&call, &|_| ()), other.send(&call, &|_| ()));
    first.unwrap();
    second.unwrap();
    assert_eq!((stub.connections(), stub.most_open()), (1, 1));
}
