//! A corpus that stays in a table of Postgres.

use std::time::{Duration, Instant};

use caselight::{
    corpus::{Corpus, remote::Remote},
    domain::{chunk::ChunkId, outline::Outline, resolve},
};

use crate::{
    corpus::{
        demo_over,
        remote::{local, open, search},
    },
    servers::{Chunk, Postgres},
    support::Place,
};

/// What people were seen to type and to paste.
const ODD: [&str; 20] = [
    "https://intranet.example/reset?id=7",
    "\"unterminated phrase",
    "-starts with dash",
    "price:free",
    "c++ (2nd edition",
    "write failed {0} at [line]",
    ">>>",
    "battery AND",
    "*",
    "field:",
    "\\",
    "~ ^ ! ?",
    "pallet & | ! <-> 'jack':*",
    "it's \\'; DROP TABLE chunks; --",
    "or or \"\" - -",
    "what is it",
    "<b>refund</b> &amp;",
    "返品 ポリシー e\u{301}té \u{1F4E6}",
    "NUL \0 inside",
    "SKU-4411 a@b.example /var/log/x.log 3.5e7",
];

/// A database of its own with these chunks; the lines of `[corpus.source]` for it.
fn stays(postgres: &Postgres, name: &str, chunks: Vec<Chunk>) -> String {
    let connection = postgres.database(name);
    let chunks: Vec<Chunk> = chunks.into_iter().map(|chunk| Chunk { vector: vec![1.0], ..chunk }).collect();
    postgres.load(name, &chunks);
    format!("engine = \"postgres\"\nconnection = \"{connection}\"\ntable = \"chunks\"\nheading_separator = \" › \"")
}

fn place(source: &str) -> Place {
    Place::empty().file("cases/caselight.toml", &format!("[corpus.source]\n{source}\n"))
}

fn remote(place: &Place) -> (Corpus, Remote) {
    let corpus = open(place).1;
    let remote = corpus.remote().unwrap().clone();
    (corpus, remote)
}

fn fails(source: &str, said: &str) {
    let failed = place(source).caselight(["check"]);
    assert!(failed.status == Some(2) && failed.stderr.contains(said), "{failed}");
}

#[test]
fn the_references_of_the_demo_mean_the_same_chunks_as_in_an_index_of_our_own() {
    let Some(postgres) = Postgres::shared() else { return };
    let place = demo_over(&stays(postgres, "resolved", Chunk::demo()));
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
    assert!(place.caselight(["check"]).success().ends_with("all resolve\n"));
    assert!(!place.path("corpus-index").exists(), "nothing is kept here");
}

#[test]
fn what_is_found_has_the_words_and_a_word_is_found_while_it_is_typed() {
    let Some(postgres) = Postgres::shared() else { return };
    let source = stays(postgres, "searched", Chunk::demo());
    let (_folder, index) = local();
    let outline = index.outline().unwrap();
    for more in ["language = \"english\"", "language = \"english\"\ntsv_field = \"words\"", "language = \"simple\""] {
        let (_corpus, remote) = remote(&place(&format!("{source}\n{more}")));
        for words in
            ["SKU-4411", "hazardous goods shipping label", "probation period notice", "pallet jack maintenance"]
        {
            let there = search(&remote, &format!("{words} "));
            let first = &index.search(&format!("{words} "), 10).unwrap()[0].chunk.id;
            assert!(there.contains(first), "{more}: {words}: {first} is not among {there:?}");
        }
        let has = |id: &ChunkId, part: &str| {
            let chunk = outline.chunk(id).unwrap();
            format!("{} {}", chunk.title(), chunk.text).to_lowercase().contains(part)
        };
        for end in "maint".len().."maintenance".len() {
            let begun = &"maintenance"[..=end];
            let found = search(&remote, begun);
            assert!(found.first().is_some_and(|id| has(id, "mainten")), "{more}: {begun}: {found:?}");
        }
        assert!(search(&remote, "maintenan ").is_empty(), "a word that a blank ends does not go on");
    }
    let (_corpus, remote) = remote(&place(&format!("{source}\nlanguage = \"english\"")));
    // No chunk has all of it; what has some of it is shown all the same.
    let found = search(&remote, "probation xylophone notice zeppelin ");
    assert!(found.len() > 2 && !postgres_finds(postgres, "probation xylophone notice zeppelin"), "{found:?}");
}

/// True if the engine's own search for all words finds anything.
fn postgres_finds(postgres: &Postgres, typed: &str) -> bool {
    let sql = format!("SELECT count(*) FROM chunks WHERE words @@ websearch_to_tsquery('english', '{typed}')");
    postgres.sql("searched", &sql)[0][0] != "0"
}

#[test]
fn whatever_is_typed_or_pasted_is_no_error() {
    let Some(postgres) = Postgres::shared() else { return };
    let source = stays(postgres, "odd", Chunk::demo());
    let (_corpus, kept) = remote(&place(&format!("{source}\nlanguage = \"english\"\ntsv_field = \"words\"")));
    let (_corpus, made) = remote(&place(&format!("{source}\nlanguage = \"simple\"")));
    for line in ODD {
        for (at, c) in line.char_indices() {
            search(&kept, &line[..at + c.len_utf8()]);
        }
        search(&made, line);
    }
    for remote in [kept, made] {
        search(&remote, &"x".repeat(50_000));
        search(&remote, &format!("https://e.example/{} ", "é/".repeat(5000)));
        search(&remote, &"refund 'label' \\ ".repeat(5000));
    }
    assert_eq!(postgres.sql("odd", "SELECT count(*) > 50 FROM chunks"), [["t"]]);
}

#[test]
fn columns_of_any_type_and_parts_of_json_are_read_and_looked_up() {
    let Some(postgres) = Postgres::shared() else { return };
    let connection = postgres.database("types");
    postgres.sql(
        "types",
        r#"CREATE SCHEMA "my rag"; CREATE TABLE "my rag"."the ""chunks""" ("Key" int PRIMARY KEY, any_text varchar(200), "some" jsonb, path text[], n numeric);
           INSERT INTO "my rag"."the ""chunks""" VALUES
             (2, 'Ships later', '{"doc": {"title": "Shipping"}, "groups": ["board"]}', '{A,B}', 2),
             (10, 'Ships first', '{"doc": {"title": "Shipping"}}', '{A}', 1),
             (11, 'Alone here', '{}', '{}', 1)"#,
    );
    let fields = "table = 'my rag.the \"chunks\"'\nid_field = \"Key\"\ntext_field = \"any_text\"\ndocument_field = \"some.doc.title\"\n\
                  heading_field = \"path\"\nscope_field = \"some.groups\"\nposition_field = \"n\"";
    let source = format!("engine = \"postgres\"\nconnection = \"{connection}\"\n{fields}");
    let (corpus, remote) = remote(&place(&source));
    let asked = remote.clone();
    let found = remote.wait(async move { asked.documents(vec!["Shipping".to_owned()]).await }).unwrap();
    let seen: Vec<_> =
        found.iter().map(|chunk| (chunk.id.as_str(), chunk.heading.join("/"), chunk.scope.len())).collect();
    assert_eq!(seen, [("10", "A".to_owned(), 0), ("2", "A/B".to_owned(), 1)]);
    let ids: Vec<ChunkId> = ["2", "02", "nobody", "99999999999999999999", "11", "\0"].map(ChunkId::from).to_vec();
    let found = corpus.lacking(&Outline::part([], []), &ids).unwrap();
    let found: Vec<&str> = found.iter().map(|chunk| chunk.id.as_str()).collect();
    assert!(found.contains(&"2") && found.contains(&"11") && !found.contains(&"02"), "{found:?}");
    assert_eq!(search(&remote, "alone"), ["11".into()]);
    // The same is fetched where a copy is wanted.
    let copied = place(&format!("{source}\ncopy = true"));
    let printed = copied.caselight(["index"]).success();
    assert!(printed.starts_with("3 chunks fetched from the table `my rag.the \"chunks\"` of Postgres"), "{printed}");
}

#[test]
fn a_fingerprint_changes_with_the_table_and_a_view_has_none() {
    let Some(postgres) = Postgres::shared() else { return };
    let source = stays(postgres, "changing", Chunk::three());
    let now = || open(&place(&source)).1.fingerprint().unwrap();
    let mut seen = vec![now()];
    assert_eq!(seen[0], now());
    for change in [
        "UPDATE chunks SET text = 'other words' WHERE id = 'refund'",
        "UPDATE chunks SET text = 'A refund is paid within five days.' WHERE id = 'refund'",
        "DELETE FROM chunks WHERE id = 'damage'",
    ] {
        postgres.sql("changing", change);
        let after = now();
        assert!(!seen.contains(&after), "{change}");
        seen.push(after);
    }
    postgres.sql("changing", "CREATE VIEW seen AS SELECT * FROM chunks");
    let (_, corpus) = open(&place(&source.replace("\"chunks\"", "\"seen\"")));
    assert_eq!((corpus.fingerprint(), corpus.remote().unwrap().count()), (None, 2));
}

#[test]
fn a_table_a_column_or_a_language_that_is_not_there_is_named_with_those_that_are() {
    let Some(postgres) = Postgres::shared() else { return };
    let source = stays(postgres, "named", Chunk::three());
    fails(
        &source.replace("\"chunks\"", "\"chunk\""),
        "the table `chunk`: it is not there: name another as `table`; there are: chunks",
    );
    let there = "its columns: id, document, heading, text, scope, embedding, words";
    for key in
        ["id_field", "document_field", "heading_field", "text_field", "scope_field", "position_field", "tsv_field"]
    {
        let said = format!("it has no column `body`: name another as `{key}`; {there}");
        fails(&format!("{source}\n{key} = \"body\""), &said);
    }
    fails(&format!("{source}\ntsv_field = \"text\""), "the setting `tsv_field`, is of type text, not of tsvector");
    fails(&format!("{source}\nlanguage = \"klingon\""), "no `language` called `klingon`; there are: arabic,");
    fails(&format!("{source}\nquery = \"select 1\""), "needs either `table = \"chunks\"`");
    fails(&format!("{source}\ntabel = \"x\""), "did you mean `table`?");
    postgres.sql("named", "TRUNCATE chunks");
    fails(&source, "has no passage");
}

#[test]
fn a_server_that_is_down_is_named_and_one_that_is_back_is_asked_again() {
    let Some(postgres) = Postgres::start() else { return };
    let source = stays(&postgres, "gone", Chunk::three());
    let (_corpus, remote) = remote(&place(&source));
    let found = search(&remote, "refund");
    // As when the server was started anew.
    postgres.sql("postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'gone'");
    let again = || {
        let asked = remote.clone();
        remote.wait(async move { asked.search("refund ".to_owned(), 10).await })
    };
    // The end of the connection may be on its way.
    assert!(again().is_ok() || again().is_ok());
    assert_eq!(search(&remote, "refund"), found);
    drop(postgres);
    let error = again().unwrap_err().to_string();
    assert!(
        error.starts_with("the corpus in the table `chunks` of Postgres could not be asked: postgres at 127.0.0.1:"),
        "{error}"
    );
    fails(&source, "refused");
}

#[test]
fn a_search_ends_at_its_time_limit_and_in_the_server_too_once_nobody_waits_for_it() {
    let Some(postgres) = Postgres::shared() else { return };
    let source = stays(postgres, "slow", Chunk::three()).replace("\"chunks\"", "\"slow\"");
    postgres.sql(
        "slow",
        "CREATE FUNCTION slowly(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN $1; END';
         CREATE VIEW slow AS SELECT id, document, slowly(text) AS text FROM chunks",
    );
    let search = |more: &str, patience: Duration| {
        let (_corpus, remote) = remote(&place(&format!("{source}\n{more}")));
        let asked = remote.clone();
        let asking =
            async move { Ok(tokio::time::timeout(patience, asked.search("refund".to_owned(), 10)).await.ok()) };
        (remote.wait(asking).unwrap(), remote)
    };
    let error = search("timeout = 0.3", Duration::from_mins(1)).0.unwrap().unwrap_err().to_string();
    assert!(error.contains("statement timeout") && error.contains("0.3 s, as `timeout` says"), "{error}");
    let (found, _remote) = search("timeout = 600", Duration::from_millis(500));
    assert!(found.is_none(), "nobody waits for it");
    let is_running = || {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND application_name = 'caselight' AND datname = 'slow'";
        postgres.sql("slow", sql)[0][0] != "0"
    };
    let begun = Instant::now();
    while is_running() {
        assert!(begun.elapsed() < Duration::from_secs(30), "the server still searches");
        std::thread::sleep(Duration::from_millis(20));
    }
}
