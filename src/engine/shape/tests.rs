use serde_json::{Value, json};

use super::{Check, Found, HitShape, Hits, Path, Reading, Shape};

fn path(written: &str) -> Path {
    Path::new(written).expect(written)
}

fn read(shape: &Shape, body: &Value) -> Result<Reading, String> {
    shape.read(body, true)
}

fn ids(hits: &[Found]) -> Vec<&str> {
    hits.iter().filter_map(|hit| hit.passage.id.as_deref()).collect()
}

#[test]
fn without_any_path_the_own_form_is_read() {
    let body = json!({
        "results": [
            {"id": 7, "score": 3, "text": "t", "document": "Manual", "heading": ["Fees", "Late"]},
            {"id": 215_250_709_085_334_181_u64, "score": "2.5", "heading": "Fees"},
            {"id": "007", "score": null},
            "bare",
            12,
        ],
        "stages": [
            {"name": "keyword", "ranking": [{"id": "a", "score": 2}, "b", 3]},
            {"name": "cap", "ranking": ["a"], "dropped": [{"id": "b", "why": "cap"}, "c"]},
        ],
        "partial": "shard 2 is down",
    });
    let reading = read(&Shape::default(), &body).expect("it is well formed");
    assert_eq!(ids(&reading.hits), ["7", "215250709085334181", "007", "bare", "12"]);
    let scores: Vec<_> = reading.hits.iter().map(|hit| hit.score).collect();
    assert_eq!(scores, [Some(3.0), Some(2.5), None, None, None]);
    assert_eq!(reading.hits[0].passage.heading, ["Fees", "Late"]);
    assert_eq!(reading.hits[1].passage.heading, ["Fees"]);
    assert_eq!(ids(&reading.stages[0].ranking), ["a", "b", "3"]);
    let dropped: Vec<_> =
        reading.stages[1].dropped.iter().map(|(found, why)| (found.passage.id.as_deref(), &**why)).collect();
    assert_eq!(dropped, [(Some("b"), "cap"), (Some("c"), "")]);
    assert_eq!(reading.partial.as_deref(), Some("shard 2 is down"));
}

#[test]
fn an_answer_without_its_list_is_an_error_and_an_empty_list_is_none() {
    let shape = |hits: &str| Shape { hits: Hits::Rows(path(hits)), ..Shape::default() };
    for (hits, body, expected) in [
        ("$.results[*]", json!({"results": []}), Ok(0)),
        ("$.hits.hits", json!({"hits": {"hits": []}}), Ok(0)),
        ("$.hits.hits", json!({"hits": {"hits": ["a", "b"]}}), Ok(2)),
        ("$.rows[?@.id]", json!({"rows": []}), Ok(0)),
        ("$", json!(["a"]), Ok(1)),
        (
            "$.results[*]",
            json!({"error": "who are you?"}),
            Err("the answer has nothing at `$.results[*]`: `$` has: error"),
        ),
        (
            "$.data.Get.Chunk[*]",
            json!({"data": {"Get": {"Chunk": null}}, "errors": []}),
            Err("the answer has nothing at `$.data.Get.Chunk[*]`: `$.data.Get.Chunk` is null"),
        ),
        ("$.results", json!({}), Err("the answer has nothing at `$.results`: `$` is an empty object")),
        ("$.results[*]", json!({"results": "none"}), Err("`$.results` is \"none\", expected a list")),
        (
            "$.results[*]",
            json!({"results": [{"id": 1.5}]}),
            Err("`results[0].id` is 1.5, expected an id: a text or a whole number"),
        ),
        (
            "$.results[*]",
            json!({"results": ["a", {}]}),
            Err("`results[1].id` is missing, expected an id: a text or a whole number"),
        ),
    ] {
        let found = read(&shape(hits), &body).map(|reading| reading.hits.len());
        assert_eq!(found, expected.map_err(str::to_owned), "{hits} {body}");
    }
}

#[test]
fn parallel_lists_are_one_hit_for_each_place() {
    let columns = ["ids", "distances", "documents", "metadatas"];
    let columns = columns.map(|name| (name.to_owned(), path(&format!("$.{name}[0]")))).to_vec();
    let hit = HitShape {
        id: path("$.ids"),
        score: path("$.distances"),
        text: path("$.documents"),
        document: path("$.metadatas.doc"),
        ..HitShape::default()
    };
    let shape = Shape { hits: Hits::Columns(columns), hit, ..Shape::default() };
    // Chroma 1.5.9: https://docs.trychroma.com/docs/querying-collections/query-and-get
    let body = json!({
        "ids": [["a", "c"]], "embeddings": null, "documents": [["hello world", "mixed"]],
        "metadatas": [[{"doc": "d1"}, null]], "distances": [[0.004, 0.22]],
    });
    let reading = read(&shape, &body).expect("it is well formed");
    assert_eq!(ids(&reading.hits), ["a", "c"]);
    assert_eq!(reading.hits[0].passage.document.as_deref(), Some("d1"));
    assert_eq!(reading.hits[1].passage.text.as_deref(), Some("mixed"));
    assert_eq!(reading.hits[1].score, Some(0.22));
    let unequal = json!({"ids": [["a", "c"]], "distances": [[0.004]]});
    let error = read(&shape, &unequal).expect_err("the lists are unequal");
    assert_eq!(error, "`$.distances[0]` has 1 values and `$.ids[0]` 2: which belongs to which is not known");
    let empty = read(&shape, &json!({"ids": [[]], "documents": null})).expect("nothing was found");
    assert_eq!(empty.hits, []);
}

#[test]
fn an_error_with_a_status_of_success_is_an_error_and_a_failed_shard_is_said() {
    let check = |at: &str, equals: Value| Check { path: path(at), equals, message: Some(path("$.message")) };
    let shape = Shape {
        success: vec![check("$.code", json!(0))],
        whole: vec![check("$.timed_out", json!(false)), check("$.shards.failed", json!(0))],
        ..Shape::default()
    };
    let body = |code: i64, failed: i64| json!({"code": code, "message": "collection not found", "timed_out": false, "shards": {"failed": failed}, "results": ["a"]});
    assert_eq!(read(&shape, &body(0, 0)).map(|reading| reading.partial), Ok(None));
    let partial = read(&shape, &body(0, 1)).expect("it is an answer").partial;
    assert_eq!(partial.as_deref(), Some("collection not found (`$.shards.failed` is 1, expected 0)"));
    let error = read(&shape, &body(100, 0)).expect_err("it is an error");
    assert_eq!(error, "the server answers with an error: collection not found (`$.code` is 100, expected 0)");
    let error = read(&shape, &json!({"results": []})).expect_err("nothing says that it is one");
    assert!(error.contains("`$.code` is missing"), "{error}");
}

#[test]
fn a_hit_without_an_id_is_read_where_something_else_tells_it() {
    let body = json!({"results": [{"text": "words"}]});
    assert!(Shape::default().read(&body, true).is_err());
    let reading = Shape::default().read(&body, false).expect("an id is not needed");
    assert_eq!(reading.hits[0].passage.id, None);
}

#[test]
fn a_path_that_someone_wrote_and_that_no_hit_has_is_named_with_what_the_hits_have() {
    let hit = |key: &str, written: &str| {
        let mut hit = HitShape { id: path("$.uid"), ..HitShape::default() };
        *match key {
            "id" => &mut hit.id,
            "score" => &mut hit.score,
            "text" => &mut hit.text,
            "document" => &mut hit.document,
            _ => &mut hit.heading,
        } = path(written);
        Shape { hit, ..Shape::default() }
    };
    let body =
        json!({"results": [{"uid": "a", "w": 2, "body": {"raw": "t"}, "none": null}, {"uid": "b", "late": "t"}]});
    for (key, written) in
        [("id", "$.ref"), ("score", "$.s"), ("text", "$.txt"), ("document", "$.doc"), ("heading", "$.h")]
    {
        let expected = format!("`{key} = \"{written}\"` is in no hit: the first one has: body, none, uid, w");
        let error = read(&hit(key, written), &body).expect_err(key);
        assert_eq!(error.replace("uid, w, body, none", "body, none, uid, w"), expected);
        assert_eq!(read(&hit(key, written), &json!({"results": []})).map(|reading| reading.hits), Ok(vec![]));
    }
    for (key, written) in [("score", "$.none"), ("text", "$.none"), ("text", "$.late"), ("heading", "$.none")] {
        assert_eq!(read(&hit(key, written), &body).map(|reading| reading.hits.len()), Ok(2), "{key} {written}");
    }
    let error = read(&hit("text", "$.body"), &body).expect_err("it is an object");
    assert_eq!(error, "`text = \"$.body\"` is an object in each hit, expected a text");
    let error = read(&Shape::default(), &body).expect_err("nothing says where the id stands");
    assert_eq!(
        error.replace("uid, w, body, none", "body, none, uid, w"),
        "no hit has an id at `$.id`: the first one has: body, none, uid, w"
    );
}

#[test]
fn hits_that_are_lists_are_told_how_the_path_ends() {
    let shape = |hits: &str| Shape { hits: Hits::Rows(path(hits)), ..Shape::default() };
    let body = json!({"groups": [{"docs": [{"id": "a"}]}, {"docs": [{"id": "b"}]}]});
    let error = read(&shape("$.groups[*].docs"), &body).expect_err("each hit is a list");
    let expected =
        "`hits = \"$.groups[*].docs\"`: each hit is a list; end the path with `[*]`, as in `$.groups[*].docs[*]`";
    assert_eq!(error, expected);
    assert_eq!(read(&shape("$.groups[*].docs[*]"), &body).map(|reading| reading.hits.len()), Ok(2));
    // A row may be a list, where a path says what of it is what.
    let hit = HitShape { id: path("$[0]"), score: path("$[1]"), ..HitShape::default() };
    let rows = read(&Shape { hit, ..Shape::default() }, &json!({"results": [["a", 2]]})).expect("its id is the first");
    assert_eq!(ids(&rows.hits), ["a"]);
}

#[test]
fn the_paths_within_a_stage_are_held_as_those_of_the_hits_are() {
    let stage = |hits: &str, score: &str| {
        let mut stage = super::StageShape { hits: path(hits), ..super::StageShape::default() };
        stage.hit.score = path(score);
        Shape { stage, ..Shape::default() }
    };
    let body = json!({"results": [], "stages": [{"name": "keyword", "hits": [{"id": "a", "w": 1}]}, {"name": "cut", "hits": []}]});
    assert_eq!(read(&stage("$.hits[*]", "$.w"), &body).map(|reading| reading.stages.len()), Ok(2));
    let error = read(&stage("$.hits[*]", "$.s"), &body).expect_err("no hit has it");
    assert_eq!(error, "`stage.score = \"$.s\"` is in no hit: the first one has: id, w");
    let error = read(&stage("$.ranks[*]", "$.w"), &body).expect_err("no stage has it");
    assert!(error.starts_with("`stage.hits = \"$.ranks[*]\"` is not in each stage: one has: "), "{error}");
}
