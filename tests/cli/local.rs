//! The embedded retriever with an embeddings and a rerank endpoint: what is sent, what is kept, and what comes of it.

mod stub;

use self::stub::Stub;
use crate::support::Place;

/// Three pages; keyword search finds `payment` in the first two alone, by letters the third is nearest to a text of many `z`.
fn place(stub: &Stub, params: &str) -> Place {
    let settings = format!(
        "default_config = \"what-if\"\n\n[corpus]\nsource = \"../docs\"\n\n[askers.hr]\ngroups = [\"hr\"]\n\n\
         [embeddings.tiny]\nurl = \"{0}/v1/embeddings\"\nbatch = 2\nretries = 0\n\n\
         [rerankers.cross]\nurl = \"{0}/rerank\"\nshape = \"tei\"\nretries = 0\n\n\
         [configs.keyword]\nretriever = \"local\"\nk = 3\n\n\
         [configs.what-if]\nretriever = \"local\"\nk = 3\nparams = {{ {params} }}\n",
        stub.url()
    );
    Place::empty()
        .file("cases/caselight.toml", &settings)
        .file("docs/a.md", "---\ntitle: Terms\n---\nA payment is due at once.\n")
        .file("docs/b.md", "---\ntitle: Fees\n---\nNo payment, no goods.\n")
        .file("docs/c.md", "---\ntitle: Naps\n---\nzzz zzz zzz\n")
        .file("docs/d.md", "---\ntitle: Pay\nscope: [hr]\n---\nzzzz\n")
        .file("cases/q.yaml", "- question_id: nap\n  question: payment zzzzzz\n  supporting:\n    - document: Naps\n")
}

const HYBRID: &str = "mode = \"hybrid\", embeddings = \"tiny\"";

#[test]
fn passages_are_embedded_at_the_first_run_and_afterwards_only_what_changed() {
    let stub = Stub::start();
    let place = place(&stub, HYBRID);
    let first = place.caselight(["run"]);
    assert_eq!((first.status, first.stderr.as_str()), (Some(0), ""), "{first}");
    assert!(first.stdout.contains("baseline, not production"), "{first}");
    assert_eq!(
        stub.embedded(),
        [
            "Fees\nNo payment, no goods.",
            "Naps\nzzz zzz zzz",
            "Pay\nzzzz",
            "Terms\nA payment is due at once.",
            "payment zzzzzz"
        ]
    );
    place.caselight(["run"]).success();
    assert_eq!(stub.embedded(), ["payment zzzzzz"], "the passages are kept");
    let place = place.file("docs/b.md", "---\ntitle: Fees\n---\nNo payment, nothing.\n");
    place.caselight(["compare", "keyword", "what-if"]);
    assert_eq!(stub.embedded(), ["Fees\nNo payment, nothing.", "payment zzzzzz"]);
}

#[test]
fn the_index_can_embed_ahead_of_time_and_says_what_was_sent() {
    let stub = Stub::start();
    let place = place(&stub, HYBRID);
    let printed = place.caselight(["index", "--embed", "tiny"]).success();
    assert!(printed.ends_with("\n4 vectors of 26 numbers by tiny: 4 passages embedded now\n"), "{printed}");
    let again = place.caselight(["index", "--embed", "tiny"]).success();
    assert!(again.ends_with("\n4 vectors of 26 numbers by tiny: 0 passages embedded now\n"), "{again}");
    assert_eq!(stub.embedded().len(), 4);
    let unknown = place.caselight(["index", "--embed", "tinny"]);
    assert_eq!(unknown.status, Some(2), "{unknown}");
    assert!(unknown.stderr.contains("no [embeddings.tinny]: did you mean `tiny`?"), "{unknown}");
}

#[test]
fn vectors_find_what_keyword_search_misses_and_never_what_the_asker_may_not_read() {
    let stub = Stub::start();
    let place = place(&stub, "mode = \"vector\", embeddings = \"tiny\"");
    let results = |place: &Place, config: &str| {
        let report = place.caselight(["run", "--config", config, "--format", "json"]).json();
        let results = report["cases"][0]["results"].as_array().unwrap().clone();
        results.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (keyword, vector) = (results(&place, "keyword"), results(&place, "what-if"));
    // An id begins with the name of its page.
    let has = |ids: &[String], page: char| ids.iter().any(|id| id.starts_with(page));
    assert!(vector[0].starts_with('c') && !has(&keyword, 'c'), "{vector:?} {keyword:?}");
    assert!(vector.len() == 3 && !has(&vector, 'd'), "{vector:?}");
    let place = place.file(
        "cases/q.yaml",
        "- question_id: nap\n  question: payment zzzzzz\n  asker: hr\n  supporting:\n    - document: Naps\n",
    );
    assert!(has(&results(&place, "what-if"), 'd'), "somebody who may read it finds it");
}

#[test]
fn a_rerank_endpoint_orders_the_candidates_and_is_a_stage() {
    let stub = Stub::start();
    let place = place(&stub, &format!("{HYBRID}, rerank = \"cross\", cap = 1, dedupe = true"));
    let report = place.caselight(["run", "--format", "json"]).json();
    let stages = report["cases"][0]["labels"][0]["stages"].as_array().unwrap().iter();
    let stages: Vec<_> = stages.map(|stage| (stage["stage"].as_str().unwrap(), stage["rank"].as_u64())).collect();
    // The stub likes the last best: the first of three becomes the last.
    let ranks = [
        ("keyword", None),
        ("vector", Some(1)),
        ("fuse", Some(3)),
        ("rerank", Some(1)),
        ("dedupe", Some(1)),
        ("cap", Some(1)),
    ];
    assert_eq!(stages, ranks);
    assert_eq!(stub.reranked(), 1);
}

#[test]
fn a_server_that_is_down_stops_the_run_before_the_first_question_and_names_it() {
    let stub = Stub::start();
    let place = place(&stub, HYBRID);
    drop(stub);
    let output = place.caselight(["run"]);
    assert_eq!(output.status, Some(2), "{output}");
    assert_eq!(output.stdout, "", "{output}");
    assert!(
        output.stderr.contains("the passages could not be embedded by `tiny` (0 of 4 are done and kept): "),
        "{output}"
    );
}

#[test]
fn names_that_the_settings_do_not_define_are_refused_with_those_they_do() {
    let stub = Stub::start();
    for (params, said) in [
        ("mode = \"hybrid\", embeddings = \"huge\"", "the settings define no [embeddings.huge]: there is tiny"),
        ("rerank = \"crosss\"", "the settings define no [rerankers.crosss]: did you mean `cross`?"),
        ("mode = \"hybrid\"", "\"hybrid\" needs `embeddings = \"NAME\"`"),
    ] {
        let output = place(&stub, params).caselight(["run"]);
        assert_eq!(output.status, Some(2), "{output}");
        assert!(output.stderr.contains(said), "{output}");
    }
    assert!(stub.embedded().is_empty());
}
