//! What is said of an answer that is none.

use std::net::TcpListener;

use super::*;

async fn error(answers: Vec<Answer>, limits: Limits) -> CallError {
    let result = outcome(answers, limits).await.0;
    result.unwrap_err()
}

/// The reason without the address, which is another one each time.
fn said(error: &CallError) -> &str {
    error.reason.split_once("/search: ").map_or(&error.reason, |(_, said)| said)
}

#[tokio::test]
async fn a_page_instead_of_an_answer_is_one_line_with_its_beginning_and_the_rest_on_request() {
    let page = format!(
        "<!DOCTYPE html><html><head>\r\n  <title>502 Bad\tGateway\u{1b}[2J</title>{}",
        "<p>filler</p>\n".repeat(400)
    );
    let error = error(vec![http("502 Bad Gateway", &["Content-Type: text/html; charset=utf-8"], &page)], once()).await;
    assert_eq!(
        said(&error),
        "502 Bad Gateway, text/html: <!DOCTYPE html><html><head> <title>502 Bad Gateway␛[2J</title><p>filler</p> <p>f…"
    );
    let detail = error.detail.unwrap();
    assert!(
        detail.starts_with("<!DOCTYPE html><html><head>\n  <title>502 Bad Gateway␛[2J</title><p>filler</p>\n<p>"),
        "{detail}"
    );
    assert_eq!(detail.chars().count(), 2001);
    assert!(!detail.chars().any(|c| c.is_control() && c != '\n'));
}

#[tokio::test]
async fn a_page_with_a_status_of_success_is_no_answer_either_and_is_not_repeated() {
    let page = r#"<html><body><form action="/login">Please sign in</form></body></html>"#;
    let (reply, _, requests) = outcome(vec![http("200 OK", &["Content-Type: text/html"], page)], retrying()).await;
    let error = reply.unwrap().json().unwrap_err();
    assert_eq!(requests, 1);
    assert_eq!(
        said(&error),
        format!("200, text/html: expected JSON, and this is a page, such as one to log in or one of a proxy: {page}")
    );
    assert_eq!(error.detail, None);
}

#[tokio::test]
async fn what_is_no_json_is_named_with_its_place() {
    for (body, expected) in [
        ("", "200, application/json: the body is empty, expected JSON"),
        (
            r#"{"score":1e400}"#,
            "200, application/json: this is no JSON: number out of range at line 1 column 14: {\"score\":1e400}",
        ),
        (
            r#"{"score":NaN}"#,
            "200, application/json: this is no JSON: expected value at line 1 column 10: {\"score\":NaN}",
        ),
    ] {
        let error = outcome(vec![ok(body)], once()).await.0.unwrap().json().unwrap_err();
        assert_eq!(said(&error), expected);
    }
}

#[tokio::test]
async fn each_fault_of_a_connection_has_its_own_sentence() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let client = Client::new(&once(), Secrets::default()).unwrap();
    let refused = client.send(&post(&format!("http://127.0.0.1:{closed}/search")), &|_| ()).await.unwrap_err();
    assert_eq!(
        said(&refused),
        "connection refused: nothing listens there; is the server started, and is the port right?"
    );
    let hanging = error(vec![Answer::Hang], Limits { timeout: Duration::from_millis(100), ..retrying() }).await;
    assert_eq!(said(&hanging), "no whole answer within 0.1 s: look why the server is slow, or raise `timeout`");
    let cut = Answer::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{".to_vec());
    let cut = error(vec![cut], once()).await;
    assert!(said(&cut).starts_with("the connection broke before the answer was whole ("), "{}", cut.reason);
    let garbage = error(vec![Answer::Raw(b"SSH-2.0-OpenSSH Connection: close\r\n\r\n".to_vec())], once()).await;
    assert!(said(&garbage).starts_with("the connection broke before the answer was whole ("), "{}", garbage.reason);
    let unknown = client.send(&post("http://no-such-host.invalid/search"), &|_| ()).await.unwrap_err();
    assert!(said(&unknown).starts_with("no host is called `no-such-host.invalid` ("), "{}", unknown.reason);
}

#[tokio::test]
async fn a_body_that_begins_and_does_not_end_is_a_time_out() {
    let stub = Stub::new(vec![Answer::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".to_vec())]);
    let client = Client::new(&Limits { timeout: Duration::from_millis(200), ..once() }, Secrets::default()).unwrap();
    let error = client.send(&post(&stub.url("/search")), &|_| ()).await.unwrap_err();
    assert!(said(&error).starts_with("no whole answer within 0.2 s"), "{}", error.reason);
}

#[tokio::test]
async fn what_cannot_be_sent_is_said_before_anything_is() {
    let client = Client::new(&once(), Secrets::default()).unwrap();
    let mut header = post("http://127.0.0.1:1/search");
    header.headers.push(("X Y".to_owned(), "1".to_owned()));
    let mut value = post("http://127.0.0.1:1/search");
    value.headers.push(("X".to_owned(), "1\n2".to_owned()));
    let mut method = post("http://127.0.0.1:1/search");
    method.method = "PO ST".to_owned();
    for (call, expected) in [
        (post("/search"), "POST /search: this is no address (relative URL without a base), expected http://HOST/PATH"),
        (post("ftp://a/search"), "POST ftp://a/search: `ftp` cannot be asked, only http and https"),
        (header, "POST http://127.0.0.1:1/search: `X Y` is no name of a header"),
        (value, "POST http://127.0.0.1:1/search: the value of the header X has a line end in it"),
        (method, "PO ST http://127.0.0.1:1/search: `PO ST` is no method, expected GET or POST"),
    ] {
        assert_eq!(client.send(&call, &|_| ()).await.unwrap_err().reason, expected);
    }
}

/// 4096 zero bytes, compressed.
const ZEROS: &[u8] = &[
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 1, 13, 0, 0, 0, 194, 160, 247, 79, 109, 15, 7, 20, 0, 0, 0, 240, 110,
    17, 0, 28, 199, 0, 16, 0, 0,
];

#[tokio::test]
async fn a_body_is_read_only_up_to_its_limit_after_decompression() {
    let zeros = || http("200 OK", &["Content-Encoding: gzip"], ZEROS);
    let fits = outcome(vec![zeros()], Limits { max_bytes: 4096, ..once() }).await.0.unwrap();
    assert_eq!(fits.body, [0; 4096]);
    let error = error(vec![zeros()], Limits { max_bytes: 4095, ..once() }).await;
    assert_eq!(said(&error), "200 OK, a body of more than 4095 bytes: ask for less, or raise `max_bytes`");
    let endless = [b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", &[b' '; 10_000][..]].concat();
    let error = super::faults::error(vec![Answer::Raw(endless)], Limits { max_bytes: 4096, ..once() }).await;
    assert!(said(&error).starts_with("200 OK, a body of more than 4096 bytes"), "{}", error.reason);
}

#[tokio::test]
async fn what_says_that_it_is_compressed_and_is_not_is_a_fault_of_its_own() {
    let error = error(vec![http("200 OK", &["Content-Encoding: gzip"], "{}")], retrying()).await;
    assert!(said(&error).starts_with("the body cannot be decompressed ("), "{}", error.reason);
}

#[tokio::test]
async fn chunks_that_are_none_are_no_matter_of_compression() {
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n{}\r\n0\r\n\r\n";
    let error = error(vec![Answer::Raw(chunked.to_vec())], once()).await;
    assert!(said(&error).starts_with("the answer breaks the rules of HTTP ("), "{}", error.reason);
}

#[tokio::test]
async fn a_body_that_is_packed_in_an_unknown_way_or_no_utf_8_is_named() {
    let reply = |headers: &'static [&'static str], body: Vec<u8>| async move {
        outcome(vec![http("200 OK", headers, body)], once()).await.0.unwrap().json()
    };
    let packed = reply(&["Content-Encoding: br"], b"\x0b\x01\x80{}\x03".to_vec()).await.unwrap_err();
    assert_eq!(said(&packed), "200: the body is packed as `br`, and only gzip is asked for and can be unpacked");
    let mislabelled = reply(&["Content-Encoding: utf-8"], b"{}".to_vec()).await;
    assert_eq!(mislabelled, Ok(json!({})), "what can be read is read");
    let utf16 = |mark: &str| format!("{mark}{{}}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for mark in ["\u{feff}", ""] {
        let error = reply(&[], utf16(mark)).await.unwrap_err();
        assert_eq!(said(&error), "200: the body is UTF-16, and JSON is sent as UTF-8");
    }
    assert_eq!(reply(&[], "\u{feff}{}".as_bytes().to_vec()).await, Ok(json!({})));
    let failed = error(vec![http("500 Internal Server Error", &["Content-Encoding: br"], b"\x0b\x01")], once()).await;
    assert_eq!(said(&failed), "500 Internal Server Error, packed as `br`, which cannot be unpacked");
}
