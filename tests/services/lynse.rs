//! A cluster of `LynseDB`.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::servers::{Chunk, Lynse, http::Answer};

const QUESTION: [f32; 3] = [1.0, 0.1, 0.0];
const WHOLE: [&str; 3] = ["refund", "returns", "damage"];

#[test]
fn a_cluster_gathers_what_its_shards_find() {
    let Some(cluster) = Lynse::shared() else { return };
    cluster.load("gather", &Chunk::three());
    let found = cluster.search("gather", &QUESTION, 3).ok();
    assert_eq!(found["params"]["items"]["ids"], json!(WHOLE));
    assert_eq!(found["params"]["items"]["fields"][2]["scope"], json!(["warehouse"]));
    assert_eq!(cluster.nearest("gather", &[QUESTION.to_vec()], 2), [["refund", "returns"]]);
}

#[test]
fn a_cluster_without_a_primary_fails_until_the_replica_is_promoted_and_never_gives_a_part() {
    let Some(mut cluster) = Lynse::start() else { return };
    cluster.load("promoted", &Chunk::three());
    cluster.kill_primary(1);
    let since = Instant::now();
    let mut refused = 0;
    loop {
        let answer = cluster.search("promoted", &QUESTION, 3);
        if answer.status == 200 {
            assert_eq!(answer.json()["params"]["items"]["ids"], json!(WHOLE));
            break;
        }
        assert_error(&answer);
        refused += 1;
        assert!(since.elapsed() < Duration::from_mins(1), "still {refused} refusals later: {}", answer.body);
        thread::sleep(Duration::from_millis(50));
    }
    assert!(refused > 0, "the first search after the kill was answered");
}

#[test]
fn a_cluster_without_a_shard_refuses_every_search() {
    let Some(mut cluster) = Lynse::start() else { return };
    cluster.load("lost", &Chunk::three());
    cluster.kill_shard(1);
    assert_error(&cluster.search("lost", &QUESTION, 3));
}

fn assert_error(answer: &Answer) {
    assert_eq!(answer.status, 500, "{}", answer.body);
    assert_eq!(answer.json()["status"], "error");
}
