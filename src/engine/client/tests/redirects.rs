//! A redirect keeps the question, and tells nobody else who asks.

use super::*;

fn moved(status: &str, location: &str) -> Answer {
    http(status, &[&format!("Location: {location}"), "Connection: close"], "")
}

fn with_headers(url: &str) -> Call {
    let headers = [("Authorization", "Bearer abc"), ("Cookie", "a=b"), ("X-User", "lead"), ("Accept", "text/plain")];
    Call { headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(), ..post(url) }
}

async fn asked(stub: &Stub, call: &Call) -> Result<Reply, CallError> {
    let _ = stub;
    Client::new(&once(), Secrets::default()).unwrap().send(call, &|_| ()).await
}

#[tokio::test]
async fn a_post_that_would_lose_its_body_is_an_error_that_names_the_new_address() {
    for status in ["301 Moved Permanently", "302 Found", "303 See Other"] {
        let stub = Stub::new(vec![moved(status, "/v2/search"), ok("{}")]);
        let error = asked(&stub, &with_headers(&stub.url("/search"))).await.unwrap_err();
        let (from, to) = (stub.url("/search"), stub.url("/v2/search"));
        let expected = format!(
            "POST {from}: {status} to {to}: set `url` to that address, because a POST that is redirected so loses its body"
        );
        assert_eq!(error.reason, expected);
        assert_eq!(stub.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_get_is_followed_and_a_307_or_308_keeps_method_body_and_headers() {
    for (status, method) in [
        ("301 Moved Permanently", "GET"),
        ("302 Found", "GET"),
        ("303 See Other", "GET"),
        ("307 Temporary Redirect", "POST"),
        ("308 Permanent Redirect", "POST"),
    ] {
        let stub = Stub::new(vec![moved(status, "../v2/search?a=1"), ok("{}")]);
        let mut call = with_headers(&stub.url("/v1/search"));
        method.clone_into(&mut call.method);
        call.body = call.body.filter(|_| method == "POST");
        asked(&stub, &call).await.unwrap();
        let requests = stub.requests();
        assert_eq!(requests[1], requests[0].replace("/v1/search", "/v2/search?a=1"), "{status}");
        assert!(requests[1].contains("authorization: Bearer abc"), "{}", requests[1]);
    }
}

#[tokio::test]
async fn another_host_gets_no_header_of_the_settings() {
    let stub = Stub::new(vec![moved("307 Temporary Redirect", "http://localhost:@PORT@/v2/search"), ok("{}")]);
    asked(&stub, &with_headers(&stub.url("/search"))).await.unwrap();
    let request = &stub.requests()[1];
    assert!(
        request.starts_with("POST /v2/search HTTP/1.1\r\n") && request.ends_with("{\"question\":\"why?\"}"),
        "{request}"
    );
    assert!(request.contains("content-type: application/json\r\n") && request.contains("accept: application/json\r\n"));
    for private in ["authorization", "cookie", "x-user", "text/plain"] {
        assert!(!request.contains(private), "{private}: {request}");
    }
}

#[tokio::test]
async fn another_port_is_another_host_and_an_error_from_there_says_so() {
    let other = Stub::new(vec![http("401 Unauthorized", &[], "who?")]);
    let stub = Stub::new(vec![moved("308 Permanent Redirect", &other.url("/x"))]);
    let error = asked(&stub, &with_headers(&stub.url("/search"))).await.unwrap_err();
    let expected = format!(
        "POST {}: 401 Unauthorized (redirected to {}, another host, where no header of the settings goes): who?; look at the headers that say who asks",
        stub.url("/search"),
        other.url("/x"),
    );
    assert_eq!(error.reason, expected);
    assert!(!other.requests()[0].contains("authorization"));
}

#[tokio::test]
async fn a_redirect_that_leads_nowhere_or_round_in_circles_ends() {
    let nowhere = |answer: Answer, expected: &'static str| async move {
        let stub = Stub::new(vec![answer]);
        let reason = asked(&stub, &post(&stub.url("/search"))).await.unwrap_err().reason;
        assert!(reason.contains(expected), "{reason}");
        stub.requests().len()
    };
    let looping = nowhere(moved("307 Temporary Redirect", "/search"), "it was redirected more than 5 times").await;
    assert_eq!(looping, 6);
    nowhere(http("307 Temporary Redirect", &["Connection: close"], ""), "with no address in `Location`").await;
    nowhere(moved("308 Permanent Redirect", "http://["), "to `http://[`, which is no address").await;
    nowhere(moved("308 Permanent Redirect", "file:///etc/passwd"), "to file:///etc/passwd, which is not as safe").await;
    nowhere(moved("300 Multiple Choices", "/a"), "300 Multiple Choices to http://127.0.0.1").await;
}

#[tokio::test]
async fn credentials_of_a_redirect_are_never_sent() {
    for there in ["http://other:hunter22@127.0.0.1:@PORT@/x", "http://other:hunter22@localhost:@PORT@/x"] {
        let stub = Stub::new(vec![moved("307 Temporary Redirect", there), ok("{}")]);
        asked(&stub, &post(&stub.url("/search"))).await.unwrap();
        let request = &stub.requests()[1];
        assert!(request.starts_with("POST /x ") && !request.contains("authorization"), "{request}");
        let stub = Stub::new(vec![moved("307 Temporary Redirect", there), ok("{}")]);
        asked(&stub, &with_headers(&stub.url("/search"))).await.unwrap();
        let request = &stub.requests()[1];
        assert_eq!(request.contains("authorization: Bearer abc"), there.contains("127.0.0.1"), "{request}");
    }
}
