//! Answers of engines that do not run here, or do not fail on demand, as their documentation has them.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    thread,
};

use serde_json::{Value, json};

use crate::support::{CommandOutput, Place};

/// A server that gives these answers in turn, one to a connection; each must be asked for at a path with that part. Its address, and
/// the bodies that came once all is asked.
fn scripted(answers: Vec<(&'static str, Value)>) -> (String, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let mut bodies = Vec::new();
        for (part, answer) in answers {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut line, mut length) = (String::new(), 0);
            reader.read_line(&mut line).unwrap();
            assert!(line.contains(part), "expected {part}, came {line}");
            loop {
                let mut header = String::new();
                reader.read_line(&mut header).unwrap();
                if header.trim().is_empty() {
                    break;
                }
                if let Some(("content-length", value)) = header.to_ascii_lowercase().split_once(':') {
                    length = value.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            bodies.push(String::from_utf8(body).unwrap());
            let answer = answer.to_string();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length:";
            write!(&stream, "{head} {}\r\n\r\n{answer}", answer.len()).unwrap();
        }
        bodies
    });
    (url, served)
}

fn with_source(source: &str) -> Place {
    Place::empty().file("cases/caselight.toml", &format!("[corpus.source]\nretries = 0\n{source}\n"))
}

fn hits(shards: &Value, hits: &Value) -> Value {
    json!({ "timed_out": false, "_shards": shards, "_scroll_id": "s", "hits": { "total": { "value": 2 }, "hits": hits } })
}

fn fails(failed: &CommandOutput, said: &str) {
    assert!(failed.status == Some(2) && failed.stderr.contains(said), "{failed}");
}

#[test]
fn points_of_qdrant_are_fetched_page_by_page() {
    let point = |id: Value, text: &str| json!({ "id": id, "payload": { "chunk": format!("c{id}"), "text": text, "document": "D" } });
    let (url, served) = scripted(vec![
        ("POST /collections/chunks/points/count", json!({ "result": { "count": 2 }, "status": "ok" })),
        (
            "POST /collections/chunks/points/scroll",
            json!({ "result": { "points": [point(json!(1), "one")], "next_page_offset": 2 }, "status": "ok" }),
        ),
        (
            "POST /collections/chunks/points/scroll",
            json!({ "result": { "points": [point(json!(2), "two")], "next_page_offset": null }, "status": "ok" }),
        ),
    ]);
    let place =
        with_source(&format!("engine = \"qdrant\"\nurl = \"{url}\"\ncollection = \"chunks\"\nid_field = \"chunk\""));
    let printed = place.caselight(["index"]).success();
    assert!(printed.starts_with("2 chunks fetched from the collection `chunks`"), "{printed}");
    let bodies = served.join().unwrap();
    assert!(!bodies[1].contains("offset") && bodies[2].contains("\"offset\":2"), "{bodies:?}");
}

#[test]
fn a_corpus_that_came_in_part_is_not_put_in_place_of_the_one_before() {
    let hit = json!({ "_id": "a", "_source": { "text": "one" } });
    let whole = json!({ "total": 3, "successful": 3, "failed": 0 });
    let failures = json!([{ "reason": { "reason": "node left" } }]);
    let broken = json!({ "total": 3, "successful": 2, "failed": 1, "failures": failures });
    for (answers, said) in [
        (
            vec![("/chunks/_search?scroll", hits(&broken, &json!([hit]))), ("DELETE", json!({}))],
            "1 of 3 shards did not answer: node left",
        ),
        (
            vec![
                ("/chunks/_search?scroll", hits(&whole, &json!([hit]))),
                ("/_search/scroll", hits(&whole, &json!([]))),
                ("DELETE", json!({})),
            ],
            "said it has 2 passages, and 1 came",
        ),
        (
            vec![("/chunks/_search?scroll", json!({ "status": "ok" }))],
            "the answer has no `hits.total`: is this OpenSearch",
        ),
    ] {
        let (url, served) = scripted(answers);
        let place = with_source(&format!("engine = \"opensearch\"\nurl = \"{url}\"\nindex = \"chunks\"\ncopy = true"));
        fails(&place.caselight(["index"]), said);
        served.join().unwrap();
        let left: Vec<_> = std::fs::read_dir(place.path("corpus-index/fetched")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn an_answer_of_some_shards_is_no_answer_to_a_reference() {
    let field = |kind: &str| json!({ kind: { "type": kind, "searchable": true } });
    let fields = json!({ "fields": { "document": field("keyword"), "text": field("text") } });
    let shards =
        json!({ "total": 2, "successful": 1, "failed": 1, "failures": [{ "reason": { "reason": "shard is gone" } }] });
    let (url, served) = scripted(vec![
        ("/chunks/_count", json!({ "count": 7, "_shards": { "failed": 0 } })),
        ("/chunks/_field_caps", fields),
        ("/chunks/_settings", json!({})),
        ("/chunks/_search?scroll", hits(&shards, &json!([]))),
        ("DELETE", json!({})),
    ]);
    let case = "{\"q\": \"q\", \"supporting\": [{\"document\": \"D\", \"heading\": []}]}\n";
    let place = with_source(&format!("engine = \"elasticsearch\"\nurl = \"{url}\"\nindex = \"chunks\""));
    let place = place.file("cases/one.jsonl", case);
    fails(&place.caselight(["check"]), "1 of 2 shards did not answer: shard is gone");
    served.join().unwrap();
}

#[test]
fn settings_of_an_engine_say_what_is_wrong_with_them() {
    for (source, said) in [
        ("url = \"http://x\"", "has no `engine`: say which"),
        ("engine = \"solr\"", "expected \"opensearch\", \"elasticsearch\", \"chroma\", \"qdrant\" or \"postgres\""),
        ("engine = \"opensearch\"\nurl = \"http://x\"", "has no `index`"),
        (
            "engine = \"opensearch\"\nurl = \"http://x\"\nindex = \"a\"\ntext_feild = \"b\"",
            "did you mean `text_field`?",
        ),
        ("engine = \"chroma\"\nurl = \"http://x\"\ncollection = \"a\"\ncopy = false", "leave `copy` out"),
        ("engine = \"postgres\"\nconnection = \"host=db\"", "needs either `table = \"chunks\"`"),
        (
            "engine = \"postgres\"\nconnection = \"host=db\"\nquery = \"q\"\npassword = \"${NOT_SET_HERE}\"",
            "NOT_SET_HERE",
        ),
    ] {
        let settings = format!("[corpus.source]\n{source}\n");
        fails(&Place::empty().file("cases/caselight.toml", &settings).caselight(["index"]), said);
    }
}
