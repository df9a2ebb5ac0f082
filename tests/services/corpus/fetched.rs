use std::fs;

use crate::{
    corpus::{demo_over, report},
    servers::{Chroma, Chunk, Osmem, Postgres, http},
    support::Place,
};

/// The demo's chunks, in an order in which no document stays together.
fn shuffled() -> Vec<Chunk> {
    let mut chunks = Chunk::demo();
    chunks.sort_by_key(|chunk| blake3::hash(chunk.id.as_bytes()).to_hex().to_string());
    chunks
}

fn opensearch(osmem: &Osmem, index: &str, more: &str) -> String {
    let url = osmem.url();
    format!("engine = \"opensearch\"\nurl = \"{url}\"\nindex = \"{index}\"\nheading_separator = \" › \"\n{more}")
}

#[test]
fn an_index_that_is_fetched_gives_the_numbers_of_its_documents() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("fetched", &shuffled());
    let place = demo_over(&opensearch(osmem, "fetched", "copy = true"));
    let demo = Place::demo();
    assert_eq!(report(&place, &[]), report(&demo, &[]));
    assert!(place.caselight(["check"]).success().ends_with("all resolve\n"));
}

#[test]
fn index_alone_fetches_anew_and_says_how_many_came() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("anew", &Chunk::three());
    let place = Place::empty()
        .file("cases/caselight.toml", &format!("[corpus.source]\n{}\n", opensearch(osmem, "anew", "copy = true")));
    let printed = place.caselight(["index"]).success();
    let first = format!("3 chunks fetched from the index `anew` at {}\n", osmem.url());
    assert!(printed.starts_with(&first), "{printed}");
    let more = Chunk { id: "more".to_owned(), ..Chunk::three().remove(0) };
    let line = format!(
        "{{\"index\":{{\"_id\":\"more\"}}}}\n{}\n",
        serde_json::json!({ "document": "New", "text": more.text })
    );
    http::send(osmem.port(), "POST", "/anew/_bulk?refresh=true", "application/x-ndjson", &line).unwrap().ok();
    let known = |place: &Place| place.caselight(["check"]).success();
    assert!(known(&place).contains("fetched"), "{}", known(&place));
    let copies = || fs::read_dir(place.path("corpus-index/fetched")).unwrap().map(|entry| entry.unwrap().path());
    let lines = || fs::read_to_string(copies().next().unwrap()).unwrap().lines().count();
    assert_eq!((copies().count(), lines()), (1, 3));
    assert!(place.caselight(["index"]).success().starts_with("4 chunks fetched from "));
    assert_eq!((copies().count(), lines()), (1, 4));
}

#[test]
fn an_engine_that_is_not_there_leaves_the_copy_as_it_was() {
    let Some(osmem) = Osmem::start() else { return };
    osmem.load("chunks", &Chunk::three());
    let place = Place::empty().file(
        "cases/caselight.toml",
        &format!("[corpus.source]\nretries = 0\n{}\n", opensearch(&osmem, "chunks", "copy = true")),
    );
    place.caselight(["index"]).success();
    drop(osmem);
    let failed = place.caselight(["index"]);
    assert_eq!(failed.status, Some(2), "{failed}");
    assert!(
        failed.stderr.contains("the corpus was not fetched from the index `chunks` at http://127.0.0.1:"),
        "{failed}"
    );
    assert_eq!(place.caselight(["check"]).status, Some(0), "the copy is still used");
}

#[test]
fn an_index_that_is_not_there_and_a_field_that_is_not_there_are_named() {
    let Some(osmem) = Osmem::shared() else { return };
    osmem.load("named", &Chunk::three());
    let index = |source: &str| {
        let settings = format!("[corpus.source]\n{source}\n");
        Place::empty().file("cases/caselight.toml", &settings).caselight(["index"])
    };
    let failed = index(&opensearch(osmem, "nowhere", "copy = true"));
    assert!(failed.status == Some(2) && failed.stderr.contains("nowhere") && failed.stderr.contains("404"), "{failed}");
    let failed = index(&opensearch(osmem, "named", "copy = true\ntext_field = \"body\""));
    assert!(failed.status == Some(2) && failed.stderr.contains("has no field `body`"), "{failed}");
}

#[test]
fn a_collection_of_chroma_is_fetched() {
    let Some(chroma) = Chroma::shared() else { return };
    let chunks: Vec<Chunk> = shuffled().into_iter().map(|chunk| Chunk { vector: vec![1.0, 0.0], ..chunk }).collect();
    chroma.load("fetched", &chunks);
    let source = format!(
        "engine = \"chroma\"\nurl = \"{}\"\ncollection = \"fetched\"\nheading_separator = \" › \"",
        chroma.url()
    );
    assert_eq!(report(&demo_over(&source), &[]), report(&Place::demo(), &[]));
}

#[test]
fn a_query_of_postgres_is_fetched_in_its_order() {
    let Some(postgres) = Postgres::shared() else { return };
    let connection = postgres.database("fetched");
    let chunks: Vec<Chunk> = Chunk::demo().into_iter().map(|chunk| Chunk { vector: vec![1.0], ..chunk }).collect();
    postgres.load("fetched", &chunks);
    postgres.sql("fetched", "ALTER TABLE chunks ADD COLUMN n serial");
    let query = "select id, document, heading, text, scope from chunks order by n;";
    let source = format!(
        "engine = \"postgres\"\nconnection = \"{connection}\"\nquery = \"{query}\"\nheading_separator = \" › \""
    );
    assert_eq!(report(&demo_over(&source), &[]), report(&Place::demo(), &[]));
}

#[test]
fn postgres_only_reads_and_says_where_a_query_is_wrong() {
    let Some(postgres) = Postgres::shared() else { return };
    let connection = postgres.database("reading");
    postgres.sql("reading", "CREATE TABLE chunks (id int, body text); INSERT INTO chunks VALUES (1, 'one')");
    postgres.sql("reading", "CREATE FUNCTION eat() RETURNS int LANGUAGE sql AS 'DELETE FROM chunks RETURNING id'");
    let index = |query: &str, more: &str| {
        let settings = format!(
            "[corpus.source]\nengine = \"postgres\"\nconnection = \"{connection}\"\nquery = \"\"\"{query}\"\"\"\n{more}\n"
        );
        Place::empty().file("cases/caselight.toml", &settings).caselight(["index"])
    };
    let wrong = |query: &str, more: &str| {
        let failed = index(query, more);
        assert_eq!(failed.status, Some(2), "{failed}");
        failed.stderr
    };
    let said = wrong("select id, body from chunks", "");
    assert!(said.contains("gives no column `text`: name one so with AS; its columns: id, body"), "{said}");
    let said = wrong("select id, body as text\n  frm chunks", "");
    assert!(said.contains("at line 2, column"), "{said}");
    let said = wrong("select eat() as id, 'x' as text", "");
    assert!(said.contains("read-only"), "{said}");
    let said = wrong("delete from chunks returning id, body as text", "");
    assert!(said.contains("syntax error") || said.contains("read-only"), "{said}");
    let said = wrong("select 1 as id, pg_sleep(20)::text as text", "timeout = 0.2");
    assert!(said.contains("timeout") && said.contains("0.2 s"), "{said}");
    assert_eq!(postgres.sql("reading", "SELECT count(*) FROM chunks"), [["1"]]);
    let printed = index("select id, body as text from chunks -- all of them", "").success();
    assert!(printed.starts_with("1 chunk fetched from "), "{printed}");
}
