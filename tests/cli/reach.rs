//! Production over HTTP, as the command line meets it: a loopback server of the test's own behind `type = "http"`.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
};

use serde_json::{Value, json};

use crate::support::Place;

/// Answers every request by what `answer` makes of its body, until the test's process ends.
fn serve(answer: impl Fn(&Value) -> Value + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut text = String::new();
            let mut buffer = [0; 4096];
            let body = loop {
                let read = stream.read(&mut buffer).unwrap_or(0);
                text.push_str(&String::from_utf8_lossy(&buffer[..read]));
                let body = text.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok());
                if body.is_some() || read == 0 {
                    break body.unwrap_or_default();
                }
            };
            let body = answer(&body).to_string();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length:";
            let _ = stream.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes());
        }
    });
    format!("http://{address}/retrieve")
}

fn place(url: &str, retriever: &str) -> Place {
    let settings = format!(
        "[corpus]\nsource = \"../chunks.jsonl\"\n\n[askers.lead]\nid = \"u-7\"\ngroups = []\n\n[retrievers.production]\n\
         type = \"http\"\nurl = \"{url}\"\n{retriever}\n[configs.live]\nretriever = \"production\"\nk = 2\nparams = {{ mode = \"hybrid\" }}\n"
    );
    let chunk =
        |id: &str, text: &str| json!({"id": id, "document": "Manual", "heading": [id], "text": text}).to_string();
    let chunks = [
        chunk("7", "Late pick-ups cost twelve euros for each pallet and each begun day."),
        chunk("215250709085334181", "A damaged shipment goes to the shift lead before it goes to the carrier desk."),
        chunk("007", "Spring water is delivered on the first Monday of the month by the north gate."),
    ];
    let cases = "{\"q\": \"number\", \"chunks\": [\"7\"]}\n{\"q\": \"large\", \"chunks\": [\"215250709085334181\"], \"asker\": \"lead\"}\n{\"q\": \"text\", \"chunks\": [\"007\"]}\n";
    Place::empty()
        .file("chunks.jsonl", &chunks.join("\n"))
        .file("cases/caselight.toml", &settings)
        .file("cases/cases.jsonl", cases)
}

fn kept(place: &Place) -> Vec<Value> {
    let run = fs::read_dir(place.path("corpus-index/runs")).unwrap().next().unwrap().unwrap().path();
    fs::read_to_string(run).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn ids_are_exact_and_the_run_says_how_production_was_reached() {
    let url = serve(|_| {
        json!({"results": [{"id": 7, "score": 3}, {"id": 215_250_709_085_334_181_u64, "score": "2.5"}, {"id": "007", "score": null}],
            "stages": [{"name": "keyword", "ranking": ["007", 7]}]})
    });
    let place = place(&url, "");
    let report = place.caselight(["run", "--format", "json"]).json();
    let recalls: Vec<Value> = report["cases"].as_array().unwrap().iter().map(|case| case["recall"].clone()).collect();
    assert_eq!(recalls, [json!(1.0), json!(1.0), json!(0.0)], "{report}");
    let lines = kept(&place);
    assert_eq!(lines[0]["baseline"], json!(false));
    assert_eq!(lines[0]["reach"]["url"], json!(url));
    assert_eq!(lines[1]["chunks"][0]["ranks"], json!([["keyword", 2]]));
    assert_eq!(lines[1]["results"][1]["id"], json!("215250709085334181"));
}

#[test]
fn hits_without_the_corpus_ids_are_known_by_their_text_and_others_stay_readable() {
    let url = serve(|body| {
        assert_eq!(body["who"], if body["q"] == "large" { json!("u-7") } else { Value::Null });
        json!({"rows": [
            {"uid": 7, "passage": "A damaged shipment goes to the shift lead before it goes to the carrier desk. See also the handbook."},
            {"uid": 8, "passage": "Nothing of the corpus stands in this row, whoever looks for it."},
        ]})
    });
    let shape = "body = { q = \"{{ question }}\", who = \"{{ asker.id }}\", mode = \"{{ params.mode }}\" }\nhits = \"$.rows[*]\"\n\
        id = \"$.uid\"\ntext = \"$.passage\"\nrecognise = \"text\"\n";
    let place = place(&url, shape);
    place.caselight(["run"]);
    let lines = kept(&place);
    for case in &lines[1..] {
        assert_eq!(case["results"][0]["id"], json!("215250709085334181"), "{case}");
        assert_eq!(case["results"][1]["id"], json!("8"), "{case}");
    }
}

#[test]
fn a_secret_that_the_environment_has_not_stops_before_the_first_request() {
    let url = serve(|_| panic!("nothing may be asked"));
    let place = place(&url, "headers = { Authorization = \"Bearer ${CASELIGHT_TEST_UNSET}\" }\n");
    let run = place.caselight(["run"]);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("CASELIGHT_TEST_UNSET"), "{}", run.stderr);
}

#[test]
fn an_answer_without_hits_where_they_should_stand_is_an_error_of_the_case() {
    let url = serve(|_| json!({"matches": []}));
    let run = place(&url, "").caselight(["run"]);
    assert_eq!(run.status, Some(3), "{}", run.stderr);
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(said.contains("nothing at `$.results[*]`: `$` has: matches"), "{said}");
}

#[test]
fn ids_that_the_corpus_does_not_have_are_said_and_where_all_are_others_nothing_more_is_asked() {
    let url = serve(|_| json!({"results": [1108, 1109]}));
    let case = "- {question_id: q1, question: x, supporting: [{chunk: '7'}]}\n";
    let place = place(&url, "").file("cases/c.yaml", case);
    let run = place.caselight(["run"]);
    let inspected = place.caselight(["inspect", "q1"]);
    let said = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ids = "returned ids: the retriever returns 1108, 1109, the corpus has 7, 215250709085334181; index the chunks";
    assert!(said(&run.stderr).contains(ids), "{run}");
    assert!(said(&inspected.stdout).contains(&format!("the corpus knows none of the 2 {ids}")), "{inspected}");
    assert!(!inspected.stdout.contains("asked beside it") && !inspected.stdout.contains("next:"), "{inspected}");
    assert!(inspected.stdout.contains("? unknown    1108"), "{inspected}");

    let url = serve(|_| json!({"results": [1108, 7]}));
    let place = self::place(&url, "");
    for format in ["table", "markdown", "html", "junit"] {
        let run = place.caselight(["run", "--format", format]);
        let expected = "3 of 6 returned ids are not in the corpus, for example 1108: they can match no label";
        assert!(run.stdout.contains(expected), "{format}: {run}");
    }
    let report = place.caselight(["run", "--format", "json"]).json();
    assert_eq!(
        (&report["summary"]["counts"]["unknown"], &report["summary"]["counts"]["unknown_id"]),
        (&json!(3), &json!("1108"))
    );
}
