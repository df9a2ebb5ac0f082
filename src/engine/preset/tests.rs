//! Each engine's request, and an answer of the shape that its documentation shows.

use serde_json::{Value, json};

use super::{ENGINES, Engine, Options};
use crate::engine::{client::Call, shape::Reading, template::Values};

fn options() -> Options {
    Options {
        url: "http://127.0.0.1:1".to_owned(),
        collection: "chunks".to_owned(),
        id_field: Some("chunk_id".to_owned()),
        text_field: "text".to_owned(),
        document_field: Some("doc".to_owned()),
        scope_field: Some("scope".to_owned()),
        ..Options::default()
    }
}

fn values(groups: Option<&[&str]>) -> Values {
    Values::new("what \"is\" it?\n", &[], 10, &serde_json::Map::new())
        .asked_by(Some("lead"), Some("lead"), groups)
        .with("vector", json!([0.5, -1.0]))
        .with("lookup", json!("0f-uuid"))
}

fn call(engine: &str, mode: &str) -> Call {
    let spec = Engine::find(engine).expect(engine).spec(&options(), mode);
    let prepared = spec.prepare().unwrap_or_else(|error| panic!("{engine} {mode}: {error}"));
    prepared.call(&values(Some(&["warehouse"])), &[]).unwrap_or_else(|error| panic!("{engine} {mode}: {error}"))
}

fn body(engine: &str, mode: &str) -> Value {
    call(engine, mode).body.unwrap_or_default()
}

fn read(engine: &str, mode: &str, answer: &Value) -> Result<Reading, String> {
    Engine::find(engine).expect(engine).spec(&options(), mode).shape.read(answer, true)
}

/// Ids, the first text and document, and why it is partial.
fn told(reading: &Reading) -> (Vec<&str>, Option<&str>, Option<&str>, Option<&str>) {
    let first = reading.hits.first().map(|hit| &hit.passage);
    (
        reading.hits.iter().filter_map(|hit| hit.passage.id.as_deref()).collect(),
        first.and_then(|passage| passage.text.as_deref()),
        first.and_then(|passage| passage.document.as_deref()),
        reading.partial.as_deref(),
    )
}

#[test]
fn every_engine_can_be_asked_in_each_of_its_modes() {
    for engine in ENGINES {
        for mode in engine.modes {
            let spec = engine.spec(&options(), mode);
            let prepared = spec.prepare().unwrap_or_else(|error| panic!("{} {mode}: {error}", engine.name));
            assert_eq!(prepared.uses().has("vector"), *mode != "keyword", "{} {mode}", engine.name);
            assert_eq!(prepared.uses().has("asker.groups"), engine.scoped, "{} {mode}", engine.name);
            assert!(prepared.uses().has("question") || *mode == "vector", "{} {mode}", engine.name);
            assert!(call(engine.name, mode).body.is_some());
        }
    }
}

#[test]
fn a_filter_by_groups_that_are_not_known_is_an_error() {
    for engine in ENGINES.iter().filter(|engine| engine.scoped) {
        let prepared = engine.spec(&options(), engine.modes[0]).prepare().expect("it can be prepared");
        let error = prepared.call(&values(None), &[]).expect_err(engine.name);
        assert!(error.reason.contains("groups of this asker are not known"), "{}: {error}", engine.name);
    }
}

#[test]
fn opensearch() {
    let filter = json!({"bool": {"minimum_should_match": 1, "should": [
        {"terms": {"scope": ["warehouse"]}}, {"bool": {"must_not": [{"exists": {"field": "scope"}}]}},
    ]}});
    let expected = json!({
        "query": {"bool": {"must": [{"match": {"text": {"query": "what \"is\" it?\n"}}}], "filter": [filter]}},
        "size": 10, "_source": ["text", "chunk_id", "doc"], "track_scores": true,
        "sort": ["_score", {"chunk_id": {"order": "asc", "unmapped_type": "keyword"}}],
    });
    assert_eq!(body("opensearch", "keyword"), expected);
    assert_eq!(call("opensearch", "keyword").url, "http://127.0.0.1:1/chunks/_search?search_type=dfs_query_then_fetch");
    // https://docs.opensearch.org/latest/api-reference/search-apis/search/
    let answer = |failed: u64| {
        json!({"took": 3, "timed_out": false, "_shards": {"total": 3, "successful": 3 - failed, "skipped": 0, "failed": failed,
        "failures": [{"shard": 1, "reason": {"type": "node_not_connected_exception", "reason": "node left"}}]},
        "hits": {"total": {"value": 2, "relation": "eq"}, "max_score": 0.37, "hits": [
            {"_index": "chunks", "_id": "a", "_score": 0.37, "_source": {"chunk_id": "c-1", "doc": "Manual", "text": "hello"}},
            {"_index": "chunks", "_id": "b", "_score": null, "_source": {"chunk_id": 7, "doc": "Manual", "text": "refunds"}},
        ]}})
    };
    let reading = read("opensearch", "keyword", &answer(0)).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["c-1", "7"], Some("hello"), Some("Manual"), None));
    let partial = read("opensearch", "keyword", &answer(1)).expect("it is an answer").partial;
    assert_eq!(partial.as_deref(), Some("node left (`$._shards.failed` is 1, expected 0)"));
}

#[test]
fn elasticsearch() {
    // https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search
    assert!(call("elasticsearch", "keyword").url.ends_with("/_search?search_type=dfs_query_then_fetch"));
    // https://github.com/elastic/elasticsearch/blob/main/server/src/main/java/org/elasticsearch/rest/action/search/RestSearchAction.java
    // refuses a search type beside `knn`.
    assert_eq!(call("elasticsearch", "vector").url, "http://127.0.0.1:1/chunks/_search");
    let vector = body("elasticsearch", "vector");
    assert_eq!(vector["knn"]["query_vector"], json!([0.5, -1.0]));
    assert_eq!(vector["knn"]["num_candidates"], json!(100));
    let hybrid = body("elasticsearch", "hybrid");
    assert_eq!(hybrid["retriever"]["rrf"]["retrievers"][1]["knn"]["k"], json!(100));
}

#[test]
fn qdrant() {
    let expected = json!({
        "query": [0.5, -1.0], "limit": 10, "with_payload": true,
        "filter": {"should": [{"key": "scope", "match": {"any": ["warehouse"]}}, {"is_empty": {"key": "scope"}}]},
    });
    assert_eq!(body("qdrant", "vector"), expected);
    // https://api.qdrant.tech/api-reference/search/query-points
    let answer = json!({"result": {"points": [
        {"id": "5c56c793-69f3-4fbf-87e6-c4bf54c28c26", "version": 3, "score": 0.75, "payload": {"chunk_id": "a", "text": "t", "doc": "Manual"}},
        {"id": 42, "version": 3, "score": 0.5, "payload": {"chunk_id": 215_250_709_085_334_181_u64, "text": "u"}},
    ]}, "status": "ok", "time": 0.001, "usage": null});
    let reading = read("qdrant", "vector", &answer).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["a", "215250709085334181"], Some("t"), Some("Manual"), None));
    let failed = json!({"status": {"error": "Not found: Collection `x` doesn't exist!"}, "time": 0.0});
    let error = read("qdrant", "vector", &failed).expect_err("it is an error");
    assert!(error.contains("Collection `x` doesn't exist!"), "{error}");
}

#[test]
fn weaviate() {
    let query = body("weaviate", "hybrid")["query"].as_str().unwrap_or_default().to_owned();
    let expected = "{ Get { chunks(hybrid: {query: \"what \\\"is\\\" it?\\n\", vector: [0.5, -1.0]}, where: {operator: Or, operands: [\
        {path: [\"scope\"], operator: ContainsAny, valueText: [\"warehouse\"]}, \
        {path: [\"scope\"], operator: IsNull, valueBoolean: true}]}, limit: 10) { text chunk_id doc _additional { id score } } } }";
    assert_eq!(query, expected);
    // https://docs.weaviate.io/weaviate/api/graphql/search-operators
    let answer = json!({"data": {"Get": {"chunks": [
        {"_additional": {"id": "0b1c…", "score": "0.0163"}, "chunk_id": "a", "doc": "Manual", "text": "t"},
    ]}}});
    let reading = read("weaviate", "hybrid", &answer).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["a"], Some("t"), Some("Manual"), None));
    assert_eq!(reading.hits[0].score, Some(0.0163));
    let failed = json!({"data": {"Get": {"chunks": null}}, "errors": [{"message": "no such prop", "path": ["Get"]}]});
    let error = read("weaviate", "keyword", &failed).expect_err("it is an error");
    assert_eq!(error, "the server answers with an error: no such prop");
}

#[test]
fn chroma() {
    let call = call("chroma", "vector");
    let collections = "/api/v2/tenants/default_tenant/databases/default_database/collections/";
    assert_eq!(call.url, format!("http://127.0.0.1:1{collections}0f-uuid/query"));
    let body = call.body.unwrap_or_default();
    assert_eq!(body["query_embeddings"], json!([[0.5, -1.0]]));
    // https://docs.trychroma.com/reference/where-filter
    let listed = json!([{"scope": {"$contains": "warehouse"}}, {"scope": {"$contains": "everybody"}}]);
    let expected = json!({"$or": [{"scope": {"$in": ["warehouse", "everybody", ""]}}, {"$or": listed}]});
    assert_eq!(body["where"], expected);
    // As version 1.5.9 answers, https://docs.trychroma.com/docs/querying-collections/query-and-get
    let answer = json!({"ids": [["x", "y"]], "embeddings": null, "documents": [["hello", "mixed"]], "uris": null,
        "metadatas": [[{"chunk_id": "a", "doc": "Manual"}, {"chunk_id": "b"}]], "distances": [[0.004, 0.22]],
        "include": ["documents", "metadatas", "distances"]});
    let reading = read("chroma", "vector", &answer).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["a", "b"], Some("hello"), Some("Manual"), None));
}

#[test]
fn milvus() {
    let body = body("milvus", "vector");
    assert_eq!(body["data"], json!([[0.5, -1.0]]));
    assert_eq!(body["filter"], json!("array_length(scope) == 0 or array_contains_any(scope, [\"warehouse\"])"));
    // https://milvus.io/api-reference/restful/v2.4.x/v2/Vector%20(v2)/Search.md
    let answer = json!({"code": 0, "cost": 0, "data": [{"chunk_id": "a", "distance": 1, "id": 470_831_070_694_080_530_u64, "text": "t"}]});
    let reading = read("milvus", "vector", &answer).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["a"], Some("t"), None, None));
    let failed = json!({"code": 100, "message": "collection not found[collection=chunks]"});
    let error = read("milvus", "vector", &failed).expect_err("it is an error with status 200");
    assert!(error.contains("collection not found[collection=chunks] (`$.code` is 100, expected 0)"), "{error}");
}

#[test]
fn meilisearch() {
    let body = body("meilisearch", "hybrid");
    assert_eq!(body["hybrid"], json!({"embedder": "default", "semanticRatio": 0.5}));
    assert_eq!(body["filter"], json!("scope IN [\"warehouse\"] OR scope IS EMPTY OR scope NOT EXISTS"));
    // https://www.meilisearch.com/docs/capabilities/full_text_search/relevancy/ranking_score
    let answer = json!({"hits": [{"chunk_id": "a", "text": "t", "doc": "Manual", "_rankingScore": 0.95}], "query": "q",
        "processingTimeMs": 1, "limit": 10, "offset": 0, "estimatedTotalHits": 1});
    let reading = read("meilisearch", "keyword", &answer).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["a"], Some("t"), Some("Manual"), None));
    assert_eq!(reading.hits[0].score, Some(0.95));
}

#[test]
fn typesense() {
    let search = body("typesense", "hybrid")["searches"][0].clone();
    assert_eq!(search["vector_query"], json!("embedding:([0.5, -1.0], k: 100)"));
    assert_eq!(search["filter_by"], json!("scope:=[`everybody`, `warehouse`]"));
    assert_eq!(search["query_by"], json!("text"));
    // https://typesense.org/docs/29.0/api/search.html
    let answer = json!({"results": [{"facet_counts": [], "found": 1, "hits": [
        {"document": {"id": "124", "chunk_id": "a", "text": "t", "doc": "Manual"}, "highlights": [], "text_match": 1_234_567},
    ], "out_of": 3, "page": 1, "search_cutoff": false, "search_time_ms": 1}]});
    let reading = read("typesense", "keyword", &answer).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["a"], Some("t"), Some("Manual"), None));
    let failed = json!({"results": [{"code": 404, "error": "Not found."}]});
    let error = read("typesense", "keyword", &failed).expect_err("it is an error with status 200");
    assert_eq!(error, "the server answers with an error: Not found.");
}

#[test]
fn vespa() {
    let body = body("vespa", "hybrid");
    let yql = "select text, chunk_id, doc from chunks where (({targetHits: 100}nearestNeighbor(embedding, q)) or userQuery()) \
        and scope in (\"everybody\", \"warehouse\")";
    assert_eq!(body["yql"], json!(yql));
    assert_eq!(body["input.query(q)"], json!([0.5, -1.0]));
    // https://docs.vespa.ai/en/reference/querying/default-result-format.html
    let answer = |full: bool| {
        json!({"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 1},
            "coverage": {"coverage": 100, "documents": 3, "full": full, "nodes": 1, "results": 1, "resultsFull": 1},
            "children": [{"id": "index:chunks/0/c4ca", "relevance": 0.3, "source": "chunks", "fields": {"chunk_id": "a", "text": "t", "doc": "Manual"}}]}})
    };
    let reading = read("vespa", "keyword", &answer(true)).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["a"], Some("t"), Some("Manual"), None));
    let partial = read("vespa", "keyword", &answer(false)).expect("it is an answer").partial;
    assert_eq!(partial.as_deref(), Some("`$.root.coverage.full` is false, expected true"));
    let none =
        json!({"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}, "coverage": {"full": true}}});
    assert_eq!(read("vespa", "keyword", &none).map(|reading| reading.hits.len()), Ok(0));
}

#[test]
fn lynsedb() {
    assert_eq!(body("lynsedb", "vector")["database_name"], json!("default"));
    // As version 0.9.0 answers.
    let answer = json!({"status": "success", "params": {"items": {"k": 3, "ids": ["c0", "c4"], "scores": [1.0, 0.91],
        "fields": [{"chunk_id": "a", "doc": "d0", "text": "t"}, {"chunk_id": "b", "doc": "d1", "text": "u"}]}}});
    let reading = read("lynsedb", "vector", &answer).expect("it is an answer");
    assert_eq!(told(&reading), (vec!["a", "b"], Some("t"), Some("d0"), None));
    let failed = json!({"status": "error", "error": "remote HTTP request failed"});
    let error = read("lynsedb", "vector", &failed).expect_err("it is an error");
    assert!(error.contains("remote HTTP request failed"), "{error}");
}
