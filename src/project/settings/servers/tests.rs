//! Which servers beside the retrievers a settings file may name.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use super::*;
use crate::{engine::client::Limits, project::settings::Settings};

fn parse(text: &str) -> Result<Settings, String> {
    Settings::parse(text, Path::new("cases/caselight.toml")).map_err(|error| error.to_string())
}

#[test]
fn every_key_of_an_embeddings_endpoint_is_read() {
    let text = r#"
[embeddings.e5]
url = "http://127.0.0.1:18100/v1/embeddings?key=${KEY}"
headers = { Authorization = "Bearer ${TOKEN}" }
timeout = 5
retries = 0
longest_wait = 1.5
concurrency = 2
rate = 0.5
max_bytes = 1000
ca = "ca.pem"
shape = "openai"
model = "e5-passage"
query_model = "e5-query"
dimensions = 384
query_prefix = "query: "
passage_prefix = "passage: "
batch = 16
[embeddings.tei]
shape = "tei"
url = "http://a/embed"
"#;
    let embeddings = parse(text).unwrap().embeddings;
    let limits = Limits {
        timeout: Duration::from_secs(5),
        retries: 0,
        longest_wait: Duration::from_millis(1500),
        concurrency: 2,
        rate: Some(0.5),
        max_bytes: 1000,
        ca: Some("cases/ca.pem".into()),
    };
    let endpoint = crate::engine::client::Endpoint {
        url: "http://127.0.0.1:18100/v1/embeddings?key=${KEY}".to_owned(),
        headers: vec![("Authorization".to_owned(), "Bearer ${TOKEN}".to_owned())],
        limits,
    };
    let e5 = EmbedSpec {
        name: "e5".to_owned(),
        endpoint,
        model: Some("e5-passage".to_owned()),
        query_model: Some("e5-query".to_owned()),
        dimensions: Some(384),
        query_prefix: "query: ".to_owned(),
        passage_prefix: "passage: ".to_owned(),
        batch: 16,
        shape: EmbedShape::OpenAi,
    };
    assert_eq!(embeddings[0], e5);
    let tei = &embeddings[1];
    assert_eq!(
        (tei.name.as_str(), tei.shape, tei.batch, tei.dimensions),
        ("tei", EmbedShape::Tei, DEFAULT_BATCH, None)
    );
    assert_eq!((tei.query_prefix.as_str(), &tei.endpoint.limits), ("", &Limits::default()));
}

#[test]
fn a_reranker_has_a_shape_and_takes_as_many_documents_as_its_servers_do() {
    let text = r#"
[rerankers.cross]
shape = "cohere"
url = "https://api.example/v2/rerank"
model = "rerank-v3.5"
[rerankers.here]
shape = "tei"
url = "http://127.0.0.1:8080/rerank"
[rerankers.vllm]
shape = "jina"
url = "http://127.0.0.1:8000/v1/rerank"
batch = 7
"#;
    let rerankers = parse(text).unwrap().rerankers;
    let read: Vec<_> = rerankers.iter().map(|spec| (spec.name.as_str(), spec.shape, spec.batch)).collect();
    let expected =
        [("cross", RerankShape::Cohere, 1000), ("here", RerankShape::Tei, 32), ("vllm", RerankShape::Jina, 7)];
    assert_eq!(read, expected);
    assert_eq!(rerankers[0].model.as_deref(), Some("rerank-v3.5"));
}

#[test]
fn each_mistake_is_answered_with_its_place() {
    for (text, expected) in [
        ("[embeddings.a]", "1:1: [embeddings.a] has no `url`: say where the server is"),
        (
            "[embeddings.a]\nurl = \"http://a\"\nmodle = 1",
            "3:1: unknown key `modle` in [embeddings.a]: did you mean `model`?",
        ),
        (
            "[embeddings.a]\nurl = \"http://a\"\nshape = \"onnx\"",
            "3:9: `embeddings.a.shape` is \"onnx\", expected \"openai\" or \"tei\"",
        ),
        (
            "[embeddings.a]\nurl = \"http://a\"\nbatch = 0",
            "3:9: `embeddings.a.batch` is 0, expected a whole number from 1",
        ),
        (
            "[embeddings.a]\nurl = \"http://a\"\ndimensions = 70000",
            "3:14: `embeddings.a.dimensions` is 70000, expected a whole number from 1 to 65536",
        ),
        ("[embeddings.a]\nurl = \"http://${HOST}\"", "2:7: ${HOST} may not stand in `url`: only the value of a header"),
        ("[rerankers.a]\nurl = \"http://a\"", "1:1: [rerankers.a] has no `shape`: say how it is asked"),
        ("[rerankers.a]\nurl = \"http://a\"\ntop_n = 3", "3:1: unknown key `top_n` in [rerankers.a]"),
        (
            "[rerankers.a]\nurl = \"http://a\"\nshape = \"voyage\"",
            "3:9: `rerankers.a.shape` is \"voyage\", expected \"cohere\" or \"jina\" or \"tei\"",
        ),
        (
            "[embeddings.a]\nurl = \"http://me:hunter22@h/\"",
            "2:7: `embeddings.a.url`: `http://…@h/` holds a name or password, which would be kept with every run: write it as `headers = { Authorization = \"Basic ${…}\" }`",
        ),
        (
            "[rerankers.a]\nshape = \"tei\"\nurl = \"http://h:99999/\"",
            "3:7: `rerankers.a.url`: `http://h:99999/` is no address (invalid port number)",
        ),
        (
            "[rerankers.a]\nshape = \"tei\"\nurl = \"http://h/\"\nheaders = { \"X Y\" = \"1\" }",
            "4:21: `rerankers.a.headers`: `X Y` is no name of a header",
        ),
        (
            "[corpus.source]\nengine = \"qdrant\"\nurl = \"http://me:hunter22@h/\"\ncollection = \"c\"",
            "3:7: `corpus.source.url`: `http://…@h/` holds a name or password",
        ),
        ("embeddings = 3", "1:14: `embeddings` is 3, expected a table"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.starts_with(&format!("cases/caselight.toml:{expected}")), "{text:?}\n  says {error}");
    }
}
