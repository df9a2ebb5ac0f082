//! A corpus that stays in its engine.

use std::sync::Arc;

use caselight::{
    corpus::{self, Corpus, Index, Source, remote::Remote},
    domain::{chunk::ChunkId, outline::Outline, resolve},
    project::Project,
};

use crate::{
    corpus::demo_over,
    servers::{Chunk, Osmem, http},
    support::Place,
};

/// The lines of `[corpus.source]` for an index of osmem, which stays there.
fn stays(osmem: &Osmem, index: &str) -> String {
    let url = osmem.url();
    format!("engine = \"opensearch\"\nurl = \"{url}\"\nindex = \"{index}\"\nheading_separator = \" › \"\nretries = 0")
}

/// The place, opened as the program does it.
pub(super) fn open(place: &Place) -> (Project, Corpus) {
    let project = Project::open(&place.path("cases")).unwrap();
    let corpus = project.corpus(&|_| ()).unwrap();
    (project, corpus)
}

pub(super) fn local() -> (tempfile::TempDir, Arc<Index>) {
    let documents = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus-index/documents");
    let folder = tempfile::tempdir().unwrap();
    let index = corpus::open(&Source::detect(&documents).unwrap(), folder.path(), &|_| ()).unwrap();
    (folder, Arc::new(index))
}

pub(super) fn search(remote: &Remote, typed: &str) -> Vec<ChunkId> {
    let (asked, typed) = (remote.clone(), typed.to_owned());
    let found = remote.wait(async move { asked.search(typed, 10).await }).unwrap();
    found.into_iter().map(|found| found.chunk.id.clone()).collect()
}

#[test]
fn the_references_of_the_demo_mean_the_same_chunks_as_in_an_index_of_our_own() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("resolved", &Chunk::demo());
    let place = demo_over(&stays(osmem, "resolved"));
    let (project, corpus) = open(&place);
    let cases: Vec<_> = project.store.cases().cloned().collect();
    let (_folder, index) = local();
    let (whole, part) = (index.outline().unwrap(), corpus.outline(&cases).unwrap());
    assert!(part.is_partial() && part.len() < whole.len(), "{} of {}", part.len(), whole.len());
    let mut references = 0;
    for case in &cases {
        let (there, here) = (resolve::resolve(case, &part), resolve::resolve(case, &whole));
        assert_eq!(there, here, "{}", case.id);
        references += here.supporting.len();
        for id in here.supporting.iter().flat_map(|needed| &needed.any_of) {
            let (there, here) = (part.chunk(id).unwrap(), whole.chunk(id).unwrap());
            assert_eq!((&there.text, &there.scope, &there.heading), (&here.text, &here.scope, &here.heading));
        }
    }
    assert!(references > 50, "{references}");
    assert!(!place.path("corpus-index").exists(), "nothing is kept here");
}

#[test]
fn a_search_finds_what_the_engines_own_client_finds_and_first_what_our_index_finds_first() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("searched", &Chunk::demo());
    let (_, corpus) = open(&demo_over(&stays(osmem, "searched")));
    let remote = corpus.remote().unwrap();
    let (_folder, index) = local();
    for words in ["SKU-4411", "hazardous goods shipping label", "probation period notice", "pallet jack maintenance"] {
        let there = search(remote, &format!("{words} "));
        let best = osmem.best("searched", words, 50);
        assert!(there.iter().all(|id| best.iter().any(|best| best == id.as_str())), "{words}: {there:?}, {best:?}");
        let here = index.search(&format!("{words} "), 10).unwrap();
        let first = &here[0].chunk.id;
        assert!(there.iter().take(3).any(|id| id == first), "{words}: {first} is not among {there:?}");
    }
    let begun = search(remote, "maintenan");
    let texts = index.outline().unwrap();
    let has = |id: &ChunkId| {
        texts
            .chunk(id)
            .is_some_and(|chunk| format!("{} {}", chunk.title(), chunk.text).to_lowercase().contains("maintenan"))
    };
    assert!(
        begun.first().is_some_and(has) && search(remote, "maintenan ").is_empty(),
        "the last word goes on: {begun:?}"
    );
    for syntax in ["text:refund AND (", "\"unbalanced", "a* OR _exists_:x", "{\"match_all\":{}}"] {
        search(remote, syntax);
    }
}

#[test]
fn ids_that_a_retriever_gives_are_looked_up_and_unknown_ones_stay_unknown() {
    let Some(osmem) = Osmem::shared() else { return };
    let mut chunks = Chunk::three();
    chunks[0].scope = vec!["board".to_owned()];
    osmem.load("ids", &chunks);
    let (_, corpus) =
        open(&Place::empty().file("cases/caselight.toml", &format!("[corpus.source]\n{}\n", stays(osmem, "ids"))));
    let outline = Outline::part([], []);
    let ids: Vec<ChunkId> = ["refund", "nobody", "returns", "refund"].map(ChunkId::from).to_vec();
    let found = corpus.lacking(&outline, &ids).unwrap();
    let outline = outline.and(&[], &found);
    assert_eq!(outline.chunk(&chunks[0].id.as_str().into()).unwrap().scope, ["board"]);
    assert!(outline.chunk(&"nobody".into()).is_none() && outline.len() == 2);
    assert!(corpus.lacking(&outline, &ids[..1]).unwrap().is_empty());
}

#[test]
fn check_names_the_nearest_of_what_a_reference_may_have_meant() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("near", &Chunk::demo());
    let case = |document: &str| {
        format!("{{\"q\": \"q\", \"supporting\": [{{\"document\": \"{document}\", \"heading\": [\"Exceptions\"]}}]}}\n")
    };
    let check = |document: &str| {
        let source = stays(osmem, "near");
        let place = Place::empty().file("cases/caselight.toml", &format!("[corpus.source]\n{source}\n"));
        place.file("cases/one.jsonl", &case(document)).caselight(["check"])
    };
    let printed = check("Return Policy");
    assert_eq!(printed.status, Some(2), "{printed}");
    assert!(printed.stdout.contains("the corpus has no document “Return Policy”"), "{printed}");
    assert!(printed.stdout.contains("nearest: Returns Policy › Exceptions"), "{printed}");
    assert_eq!(check("returns policy").status, Some(0), "upper and lower case do not matter here either");
}

#[test]
fn the_embedded_retriever_says_that_it_has_no_index_and_coverage_what_it_cannot_know() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("honest", &Chunk::demo());
    let place = demo_over(&stays(osmem, "honest"));
    let failed = place.caselight(["run"]);
    assert_eq!(failed.status, Some(2), "{failed}");
    assert!(failed.stderr.contains("retriever `local`: it searches an index on this machine"), "{failed}");
    let printed = place.caselight(["coverage"]).success();
    assert!(printed.contains("documents without any case: not known"), "{printed}");
    let json = place.caselight(["coverage", "--format", "json"]).json();
    assert_eq!(json["documents"], serde_json::json!({ "all": null, "without_case": null }));
    let printed = place.caselight(["index"]).success();
    assert!(printed.contains("they stay there") && !place.path("corpus-index").exists(), "{printed}");
}

#[test]
fn a_fingerprint_changes_with_the_corpus() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("changing", &Chunk::three());
    let place =
        Place::empty().file("cases/caselight.toml", &format!("[corpus.source]\n{}\n", stays(osmem, "changing")));
    let now = || open(&place).1.fingerprint().unwrap();
    let first = now();
    assert_eq!(first, now());
    let line = "{\"index\":{\"_id\":\"refund\"}}\n{\"document\":\"Policies\",\"text\":\"other words\"}\n";
    http::send(osmem.port(), "POST", "/changing/_bulk?refresh=true", "application/x-ndjson", line).unwrap().ok();
    assert_ne!(first, now(), "a passage was changed in place");
}

#[test]
fn an_engine_that_is_down_or_lacks_a_field_is_an_error_that_names_it() {
    let Some(osmem) = Osmem::start() else { return };
    osmem.load("chunks", &Chunk::three());
    let source = stays(&osmem, "chunks");
    let place =
        |more: &str| Place::empty().file("cases/caselight.toml", &format!("[corpus.source]\n{source}\n{more}\n"));
    for (more, said) in [
        ("document_field = \"title\"", "its field `title`, the setting `document_field`, is not there as a keyword"),
        ("text_field = \"body\"", "it has no field `body`: name another as `text_field`"),
        ("document_field = \"heading\"", "is only searched by words: it needs a sub-field `keyword`"),
    ] {
        let failed = place(more).caselight(["check"]);
        assert!(failed.status == Some(2) && failed.stderr.contains(said), "{failed}");
    }
    drop(osmem);
    let place = place("");
    let failed = place.caselight(["check"]);
    assert_eq!(failed.status, Some(2), "{failed}");
    assert!(failed.stderr.contains("the corpus in the index `chunks` at http://127.0.0.1:"), "{failed}");
}
