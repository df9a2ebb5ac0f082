use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use super::{Http, Setup};
use crate::{
    domain::{asker::Asker, ranking::Answer},
    engine::{
        client::{Endpoint, Limits},
        shape::{Path, Shape},
        spec::{Lookup, Spec, native_body},
    },
    retriever::{Request, Retriever as _, RetrieverError, Watch},
};

/// What a stub was sent: the first line, the headers in small letters, and the body.
type Seen = Arc<Mutex<Vec<(String, String, String)>>>;

/// A server on loopback that answers `bodies` one after another, the last one again and again. It ends with the test's runtime.
async fn stub(bodies: Vec<String>) -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback can be listened on");
    let address = listener.local_addr().expect("it has an address");
    let seen = Seen::default();
    let told = Arc::clone(&seen);
    tokio::spawn(async move {
        let mut next = 0;
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut text = String::new();
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                text.push_str(&String::from_utf8_lossy(&buffer[..read]));
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                let length = head.to_ascii_lowercase();
                let length = length.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
                if body.len() >= length.unwrap_or(0_usize) {
                    break;
                }
            }
            let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
            let (first, headers) = head.split_once("\r\n").unwrap_or_default();
            told.lock().expect("nobody panicked").push((
                first.to_owned(),
                headers.to_ascii_lowercase(),
                body.to_owned(),
            ));
            let body = &bodies[next.min(bodies.len() - 1)];
            next += 1;
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
        }
    });
    (format!("http://{address}"), seen)
}

fn spec(url: String) -> Spec {
    let headers = vec![("Authorization".to_owned(), "Bearer ${TOKEN}".to_owned())];
    let limits = Limits { retries: 0, ..Limits::default() };
    let endpoint = Endpoint { url, headers, limits };
    Spec { method: "POST".to_owned(), endpoint, body: Some(native_body()), lookup: None, shape: Shape::default() }
}

fn setup() -> Setup {
    let headers = vec![("Authorization".to_owned(), "Bearer ${LEAD_TOKEN}".to_owned())];
    let askers = BTreeMap::from([("lead".to_owned(), headers)]);
    Setup { name: "production".to_owned(), askers, recognise: None, embed: None, rerank: None }
}

fn lookup(name: &str) -> Option<String> {
    ["TOKEN", "LEAD_TOKEN", "KEY"].contains(&name).then(|| format!("secret-{}", name.to_ascii_lowercase()))
}

async fn ask(http: &Http, request: &Request) -> Result<Answer, RetrieverError> {
    http.retrieve(request, &Watch::default()).await
}

fn ids(answer: &Answer) -> Vec<&str> {
    answer.results.iter().map(|hit| hit.id.as_str()).collect()
}

fn question() -> Request {
    Request { question: "Who pays?".to_owned(), depth: 5, ..Request::default() }
}

#[tokio::test]
async fn ids_come_back_exact_in_the_servers_order_whatever_the_scores_are() {
    let body = r#"{"results":[{"id":7,"score":3},{"id":215250709085334181,"score":"2.5"},{"id":"007","score":null},{"id":123456789012345678901234567890}]}"#;
    let (url, seen) = stub(vec![body.to_owned()]).await;
    let http = Http::new(&spec(url), setup(), &lookup).expect("it can be reached");
    let answer = ask(&http, &question()).await.expect("it answers");
    assert_eq!(ids(&answer), ["7", "215250709085334181", "007", "123456789012345678901234567890"]);
    let seen = seen.lock().expect("nobody panicked").clone();
    assert!(seen[0].0.starts_with("POST / "), "{seen:?}");
    assert!(seen[0].1.contains("authorization: bearer secret-token"), "{seen:?}");
    let sent: Value = serde_json::from_str(&seen[0].2).expect("it is JSON");
    let expected = json!({
        "question": "Who pays?", "asker": {"id": null, "groups": []}, "context": [], "limit": 5, "params": {},
    });
    assert_eq!(sent, expected);
}

#[tokio::test]
async fn numbers_that_json_has_not_are_an_error_with_their_place() {
    for (body, place) in [
        (r#"{"results":[{"id":"c1","score":NaN},{"id":"c2","score":-Infinity}]}"#, "line 1 column 32"),
        (r#"{"results":[{"id":"c1","score":1e400},{"id":"c2","score":-0.0}]}"#, "line 1 column 36"),
    ] {
        let (url, _) = stub(vec![body.to_owned()]).await;
        let http = Http::new(&spec(url), setup(), &lookup).expect("it can be reached");
        let error = ask(&http, &question()).await.expect_err("it is no JSON").to_string();
        assert!(error.contains(place), "{error}");
    }
}

#[tokio::test]
async fn an_error_of_the_own_form_counts_also_where_there_are_hits() {
    for (body, said) in [
        (r#"{"error":"shard 2 is down","results":["a"]}"#, Some("the server answers with an error: shard 2 is down")),
        (r#"{"error":{"code":7},"results":["a"]}"#, Some("the server answers with an error: {\"code\":7}")),
        (r#"{"error":null,"results":["a"]}"#, None),
    ] {
        let (url, _) = stub(vec![body.to_owned()]).await;
        let spec = Spec { shape: crate::retriever::native::shape(), ..spec(url) };
        let http = Http::new(&spec, setup(), &lookup).expect("it can be reached");
        let error = ask(&http, &question()).await.err().map(|error| error.to_string());
        assert_eq!(error.is_some(), said.is_some(), "{body}: {error:?}");
        assert!(error.unwrap_or_default().contains(said.unwrap_or_default()), "{body}");
    }
}

#[tokio::test]
async fn an_asker_is_told_by_headers_of_their_own() {
    let (url, seen) = stub(vec![json!({"results": []}).to_string()]).await;
    let http = Http::new(&spec(url), setup(), &lookup).expect("it can be reached");
    let asker = Asker { name: Some("lead".to_owned()), id: Some("u-7".to_owned()), groups: None };
    let answer = ask(&http, &Request { asker, ..question() }).await.expect("it answers");
    assert_eq!(answer.results, []);
    let seen = seen.lock().expect("nobody panicked").clone();
    assert!(seen[0].1.contains("authorization: bearer secret-lead_token"), "{seen:?}");
    assert!(!seen[0].1.contains("secret-token"), "{seen:?}");
    assert!(seen[0].2.contains(r#""asker":{"id":"u-7","groups":null}"#), "{seen:?}");
}

#[tokio::test]
async fn a_secret_that_the_server_echoes_is_nowhere_in_what_comes_of_it() {
    let echo = json!({"results": [{"id": "a", "text": "you sent Bearer secret-token"}], "partial": "secret-token", "stages": [
        {"name": "secret-token", "ranking": ["secret-token"], "dropped": [{"id": "b", "why": "secret-token"}]},
    ]});
    for body in [echo, json!({"error": "secret-token is not allowed"}), json!("secret-token")] {
        let (url, _) = stub(vec![body.to_string()]).await;
        let http = Http::new(&spec(format!("{url}/?key=${{KEY}}")), setup(), &lookup).expect("it can be reached");
        let outcome = format!("{:?} {:?}", ask(&http, &question()).await, http.reach());
        assert!(!outcome.contains("secret-token"), "{outcome}");
        assert!(!outcome.contains("secret-key"), "{outcome}");
    }
}

#[tokio::test]
async fn a_value_that_the_server_knows_is_asked_for_once() {
    let (url, seen) = stub(vec![json!({"id": "0f-uuid"}).to_string(), json!({"results": ["a"]}).to_string()]).await;
    let path = Path::known("$.id");
    let first = Some(Lookup { url: format!("{url}/collections/chunks"), path });
    let spec = Spec { lookup: first, ..spec(format!("{url}/collections/{{{{ lookup }}}}/query")) };
    let http = Http::new(&spec, setup(), &lookup).expect("it can be reached");
    for _ in 0..2 {
        assert_eq!(ids(&ask(&http, &question()).await.expect("it answers")), ["a"]);
    }
    let asked: Vec<String> = seen.lock().expect("nobody panicked").iter().map(|(first, ..)| first.clone()).collect();
    let query = "POST /collections/0f-uuid/query HTTP/1.1";
    assert_eq!(asked, ["GET /collections/chunks HTTP/1.1", query, query]);
}

#[test]
fn a_secret_that_is_not_set_stops_before_anything_is_sent() {
    let error = Http::new(&spec("http://127.0.0.1:9/".to_owned()), setup(), &|_| None).err().expect("TOKEN is not set");
    assert!(error.to_string().contains("TOKEN"), "{error}");
    assert!(error.to_string().contains("retrievers.production.headers"), "{error}");
}

#[test]
fn a_template_that_needs_a_vector_says_so() {
    let spec = Spec { body: Some(json!({"vector": "{{ vector }}"})), ..spec("http://127.0.0.1:9/".to_owned()) };
    let error = Http::new(&spec, setup(), &lookup).err().expect("there is no vector");
    assert!(error.to_string().contains("embed = \"NAME\""), "{error}");
}
