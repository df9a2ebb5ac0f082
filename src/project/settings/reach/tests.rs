use std::path::Path;

use crate::project::settings::{RetrieverKind, Settings};

fn parse(text: &str) -> Result<Settings, String> {
    Settings::parse(text, Path::new("cases/caselight.toml")).map_err(|error| error.to_string())
}

const HTTP: &str = "[retrievers.production]\ntype = \"http\"\nurl = \"http://127.0.0.1:8080/retrieve\"\n";
const CONFIG: &str = "[configs.hybrid]\nretriever = \"production\"\nk = 6\n";

#[test]
fn an_endpoint_of_the_own_form_needs_its_address_only() {
    let settings = parse(&format!("{HTTP}{CONFIG}params = {{ anything = 1 }}\n")).expect("it is whole");
    let retriever = settings.retriever(&settings.configs[0]).expect("the config's retriever is there");
    let RetrieverKind::Http(reach) = &retriever.kind else { panic!("it is reached over HTTP") };
    let (mode, spec) = &reach.modes[0];
    assert_eq!((mode, spec.method.as_str()), (&None, "POST"));
    assert!(spec.body.is_some());
}

#[test]
fn askers_keep_the_headers_that_tell_who_they_are() {
    let headers = "[askers.lead]\nid = \"u-7\"\nheaders = { Authorization = \"Bearer ${LEAD}\" }\n";
    let settings = parse(&format!("{HTTP}{CONFIG}{headers}")).expect("it is whole");
    assert_eq!(settings.asker_headers["lead"], [("Authorization".to_owned(), "Bearer ${LEAD}".to_owned())]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of mistakes")]
fn what_cannot_be_filled_or_read_is_an_error_with_its_line() {
    let with = |further: &str, config: &str| format!("{HTTP}{further}{CONFIG}{config}");
    for (text, expected) in [
        (
            with("body = { q = \"{{ qestion }}\" }\n", ""),
            "toml:4:8: `retrievers.production.body`: the name `qestion` stands for nothing",
        ),
        (with("body = { q = \"{{ question\" }\n", ""), "toml:4:8: `retrievers.production.body`: `q`: syntax error"),
        (
            with("body = { token = \"${TOKEN}\" }\n", ""),
            "toml:4:8: `retrievers.production.body`: `${TOKEN}`: a `${NAME}` may only stand",
        ),
        (
            with("headers = { X = \"{{ who }}\" }\n", ""),
            "toml:4:11: `retrievers.production.headers`: `X`: the name `who` stands for nothing",
        ),
        (with("hits = \"results[*]\"\n", ""), "toml:4:8: `results[*]` is no JSONPath"),
        (
            with("columns = {}\n", ""),
            "toml:4:11: `retrievers.production.columns` is empty, so there would never be a hit",
        ),
        (
            with("body = { a = \"{{ params }}\" }\n", ""),
            "toml:1:1: [retrievers.production]: the question is never sent",
        ),
        (with("method = \"GET\"\n", ""), "[retrievers.production]: the question is never sent"),
        (
            with("headers = { Content-Length = \"3\" }\n", ""),
            "toml:4:30: `retrievers.production.headers`: the header Content-Length is set by the connection itself",
        ),
        (
            with("headers = { \"X Y\" = \"3\" }\n", ""),
            "toml:4:21: `retrievers.production.headers`: `X Y` is no name of a header",
        ),
        (
            with("body = { q = \"{{ question }}\", a = [{ w = nan }] }\n", ""),
            "toml:4:43: `retrievers.production.body.a[0].w` is nan, expected a finite number",
        ),
        (with("", "params = { w = -inf }\n"), "toml:7:16: `configs.hybrid.params.w` is -inf, expected a finite number"),
        (
            with("body = { q = { \"{{ question }}\" = \"{{ question }}\" } }\n", ""),
            "toml:4:8: `retrievers.production.body`: `q`: the key `{{ question }}` is sent as it is written",
        ),
        (
            with("body = { q = \"{{ question }}\", \"${KEY}\" = 1 }\n", ""),
            "toml:4:8: `retrievers.production.body`: the key `${KEY}` is sent as it is written",
        ),
        (
            with("lookup = { url = \"http://me:hunter22@h/\", path = \"$.id\" }\n", ""),
            "toml:4:18: `retrievers.production.lookup.url`: `http://…@h/` holds a name or password",
        ),
        (
            with("lookup = { url = \"http://h/{{ qestion }}\", path = \"$.id\" }\n", ""),
            "toml:4:18: `retrievers.production.lookup.url`: the name `qestion` stands for nothing",
        ),
        (
            with("lookup = { url = \"http://${HOST}/\", path = \"$.id\" }\n", ""),
            "toml:4:18: `retrievers.production.lookup.url`: `http://${HOST}/`: a `${NAME}` may only stand",
        ),
        (
            with("lookup = { url = \"http://h/\", path = \"id\" }\n", ""),
            "toml:4:38: `retrievers.production.lookup.path`: `id` is no JSONPath",
        ),
        (
            with(
                "body = { q = \"{{ question }}\", l = \"{{ lookup }}\" }\nlookup = { url = \"http://h/{{ params.c }}\", path = \"$.id\" }\n",
                "",
            ),
            "config `hybrid` does not fit retriever `production`: lookup.url: ",
        ),
        (
            with("hits = \"$.a\"\ncolumns = { id = \"$.b\" }\n", ""),
            "toml:5:11: `hits` and `columns` cannot both be said",
        ),
        (
            with("recognise = \"title\"\n", ""),
            "toml:4:13: `retrievers.production.recognise` is \"title\", expected \"id\", \"heading\" or \"text\"",
        ),
        (with("embed = \"e5\"\n", ""), "toml:4:9: unknown embeddings `e5`: none is defined"),
        (
            with("body = { v = \"{{ vector }}\" }\n", ""),
            "a vector of the question is needed: say with `embed = \"NAME\"`",
        ),
        (with("urls = 1\n", ""), "toml:4:1: unknown key `urls` in [retrievers.production]: did you mean `url`?"),
        (
            with("body = { q = \"{{ question }}\", r = \"{{ params.rerank }}\" }\n", ""),
            "config `hybrid` does not fit retriever `production`: body: `r`: ",
        ),
        (
            with("body = { q = \"{{ question }}\", r = \"{{ params.rerank }}\" }\n", ""),
            "(this config has no parameter `rerank`)",
        ),
        (
            with(
                "body = { q = \"{{ question }}\", r = \"{{ params.rerank }}\" }\n",
                "params = { rerank = true, rernak = 1 }\n",
            ),
            "toml:8:10: config `hybrid` does not fit retriever `production`: its templates never use the parameter `rernak`, which would change nothing: it uses rerank",
        ),
        (
            with("url2 = 1\n", "").replace("http://127", "ftp://127"),
            "is no address that begins with http:// or https://",
        ),
    ] {
        let error = parse(&text).expect_err(&text);
        // The first fault is told; the last row has two.
        assert!(error.contains(expected) || text.contains("url2"), "{text}\n{error}\n{expected}");
    }
    let guarded = with("body = { q = \"{{ question }}\", r = \"{{ params.rerank | default(false) }}\" }\n", "");
    assert!(parse(&guarded).is_ok(), "{:?}", parse(&guarded));
}

const QDRANT: &str =
    "[retrievers.production]\ntype = \"qdrant\"\nurl = \"http://127.0.0.1:6333/\"\ncollection = \"chunks\"\n";

#[test]
fn an_engine_is_reached_by_a_few_names_and_what_is_said_besides_takes_their_place() {
    let embeddings = "[embeddings.e5]\nurl = \"http://127.0.0.1:18100/v1/embeddings\"\n";
    let text = format!("{QDRANT}id_field = \"chunk_id\"\nembed = \"e5\"\nscore = \"$.other\"\n{CONFIG}{embeddings}");
    let settings = parse(&text).expect("it is whole");
    let RetrieverKind::Http(reach) = &settings.retrievers[0].kind else { panic!("it is reached over HTTP") };
    let (mode, spec) = &reach.modes[0];
    assert_eq!(mode.as_deref(), Some("vector"));
    assert_eq!(spec.endpoint.url, "http://127.0.0.1:6333/collections/chunks/points/query");
    assert_eq!(spec.shape.hit.id.written(), "$.payload[\"chunk_id\"]");
    assert_eq!(spec.shape.hit.score.written(), "$.other");
    let error = parse(&format!("{QDRANT}{CONFIG}")).expect_err("there is no vector");
    assert!(
        error.contains("config `hybrid` does not fit retriever `production`: a vector of the question is needed"),
        "{error}"
    );
    let error =
        parse(&text.replace("k = 6\n", "k = 6\nparams = { mode = \"hybrid\" }\n")).expect_err("Qdrant has one mode");
    assert!(error.contains("its `mode` is \"hybrid\", and can be \"vector\""), "{error}");
    let error = parse(&text.replace("\"qdrant\"", "\"quadrant\"")).expect_err("there is no such engine");
    assert!(error.contains("an engine: \"opensearch\", \"elasticsearch\", \"qdrant\""), "{error}");
}

#[test]
fn a_statement_of_ones_own_or_one_over_a_table() {
    let own = "[retrievers.production]\ntype = \"pgvector\"\nconnection = \"postgres://reader@127.0.0.1/rag\"\n";
    let embeddings = "[embeddings.e5]\nurl = \"http://127.0.0.1:18100/v1/embeddings\"\n";
    let table = format!(
        "{own}table = \"rag.chunks\"\nscope_field = \"groups\"\nembed = \"e5\"\nset = {{ \"hnsw.ef_search\" = 200 }}\n{CONFIG}{embeddings}"
    );
    let settings = parse(&table).expect("it is whole");
    let RetrieverKind::Sql(reach) = &settings.retrievers[0].kind else { panic!("it is a statement") };
    let spec = reach.spec(&serde_json::Map::new()).expect("a mode is the first one");
    let expected = "SELECT \"id\"::text AS id, \"text\" AS text, 1 - (\"embedding\" <=> $1::vector) AS score FROM \"rag\".\"chunks\" \
        WHERE (\"groups\" IS NULL OR cardinality(\"groups\") = 0 OR \"groups\"::text[] && $2::text[]) \
        ORDER BY (\"embedding\" <=> $1::vector), \"id\" LIMIT $3";
    assert_eq!(spec.statement.sql(), expected);
    assert_eq!(spec.set, [("hnsw.ef_search".to_owned(), "200".to_owned())]);
    for (further, expected) in [
        ("", "needs either `table = \"chunks\"`"),
        ("query = \"SELECT {{ nothing }}\"\n", "toml:4:9: `{{ nothing }}` is no name of a value"),
        ("query = \"SELECT {{ vector }}\"\n", "a vector of the question is needed"),
        ("query = \"SELECT {{ params.lang }}\"\n", "this config has no value for `{{ params.lang }}`"),
    ] {
        let error = parse(&format!("{own}{further}{CONFIG}")).expect_err(further);
        assert!(error.contains(expected), "{error}");
    }
}
