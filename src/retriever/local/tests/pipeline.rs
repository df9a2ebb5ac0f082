//! Vectors, fusion and the stages after them.

use super::*;

/// Keyword search has them in this order; by letters `a`, those with most of them come first.
fn shelf() -> Shelf {
    let chunks = [
        chunk("k1", "Manual", "One", "zzz"),
        chunk("k2", "Manual", "Two", "zza"),
        chunk("k3", "Manual", "Three", "zaa"),
        chunk("v1", "Policy", "Four", "aaa"),
        chunk("v2", "Policy", "Five", "aaab"),
        Chunk { scope: vec!["hr".to_owned()], ..chunk("hr1", "Pay", "Six", "aa") },
    ];
    Shelf { chunks: chunks.map(Arc::new).to_vec(), ..Shelf::default() }
}

fn local(shelf: Shelf, fakes: &Fakes, params: &Value) -> Local {
    Local::new(Arc::new(shelf), params.as_object().unwrap(), fakes).unwrap()
}

async fn answer(params: Value, asked: Request) -> Result<Answer, RetrieverError> {
    let folder = tempfile::tempdir().unwrap();
    ask_all(local(shelf(), &Fakes::new(folder.path()), &params), vec![asked]).await.remove(0)
}

/// Each stage as `name: ids, dropped ids (why)`.
fn trace(answer: &Answer) -> Vec<String> {
    let line = |stage: &Stage| {
        let dropped = stage.dropped.iter().map(|gone| format!(" -{} ({})", gone.id, gone.why));
        format!("{}: {}{}", stage.name, ids(&stage.ranking).join(" "), dropped.collect::<String>())
    };
    answer.stages.iter().map(line).collect()
}

#[tokio::test]
async fn vector_mode_ranks_by_cosine_and_asks_no_keyword_search() {
    let answer = answer(json!({"mode": "vector", "embeddings": "tiny"}), request("a")).await.unwrap();
    assert_eq!(trace(&answer), ["vector: v1 v2 k3 k2 k1"]);
    assert_eq!(ids(&answer.results), ["v1", "v2", "k3", "k2", "k1"]);
    assert!((answer.results[0].score.unwrap() - 1.0).abs() < 1e-6);
}

#[tokio::test]
async fn hybrid_mode_fuses_both_rankings_by_their_ranks() {
    let answer = answer(json!({"mode": "hybrid", "embeddings": "tiny"}), request("a")).await.unwrap();
    // Ranks 4 and 1 make 0.03202, 1 and 5 0.03178, 2 and 4 0.03175, 3 and 3 0.03175 (a little less), 5 and 2 0.03151.
    assert_eq!(trace(&answer), ["keyword: k1 k2 k3 v1 v2", "vector: v1 v2 k3 k2 k1", "fuse: v1 k1 k2 k3 v2"]);
    let expected = 1.0 / 64.0 + 1.0 / 61.0;
    assert!((answer.results[0].score.unwrap() - expected).abs() < 1e-12);
}

#[tokio::test]
async fn the_pool_limits_what_each_search_brings_to_the_fusion() {
    let params = json!({"mode": "hybrid", "embeddings": "tiny", "pool": 1});
    let answer = answer(params, Request { depth: 2, ..request("a") }).await.unwrap();
    assert_eq!(trace(&answer), ["keyword: k1 k2 k3 v1 v2", "vector: v1 v2 k3 k2 k1", "fuse: k1 v1 k2 v2"]);
    assert_eq!(ids(&answer.results), ["k1", "v1"], "no fewer than are wanted");
}

#[tokio::test]
async fn every_stage_is_in_the_trace_in_order_with_what_it_dropped_and_why() {
    let params = json!({
        "mode": "hybrid", "embeddings": "tiny", "rerank": "cross", "candidates": 4, "dedupe": true, "floor": -2.5, "cap": 1,
    });
    let mut shelf = shelf();
    shelf.chunks.push(Arc::new(chunk("k4", "Copy", "One", "ZZZ")));
    let folder = tempfile::tempdir().unwrap();
    let fakes = Fakes::new(folder.path());
    let answer = ask_all(local(shelf, &fakes, &params), vec![request("a")]).await.remove(0).unwrap();
    assert_eq!(
        trace(&answer),
        [
            "keyword: k1 k2 k3 v1 v2 k4",
            "vector: v1 v2 k3 k2 k1 k4",
            "fuse: v1 k1 k2 k3 v2 k4",
            // The last of four is best (0), then the third (-1), the first (-3); what was not scored keeps its order behind them.
            "rerank: k3 k2 v1 k1 v2 k4",
            "dedupe: k3 k2 v1 k1 v2 -k4 (dedupe)",
            "floor: k3 k2 -v1 (floor) -k1 (floor) -v2 (floor)",
            "cap: k3 -k2 (cap)",
        ]
    );
    assert_eq!(ids(&answer.results), ["k3"]);
    let seen = &locked(&fakes.noted.reranked)[0];
    assert_eq!((seen.len(), seen[0].as_str()), (4, "Policy › Four\naaa"), "a reranker is shown title and text");
}

#[tokio::test]
async fn an_asker_never_gets_a_forbidden_chunk_from_vectors_and_the_limit_counts_what_it_may_read() {
    let hr = Asker { groups: Some(BTreeSet::from(["hr".to_owned()])), ..Asker::default() };
    for mode in ["vector", "hybrid"] {
        let params = json!({"mode": mode, "embeddings": "tiny"});
        let anonymous = answer(params.clone(), Request { depth: 1, ..request("a") }).await.unwrap();
        let told = anonymous.stages.iter().flat_map(|stage| &stage.ranking);
        assert!(told.chain(&anonymous.results).all(|hit| hit.id.as_str() != "hr1"), "{:?}", trace(&anonymous));
        assert_eq!(anonymous.results.len(), 1);
        let insider = answer(params, Request { asker: hr.clone(), ..request("a") }).await.unwrap();
        assert!(ids(&insider.results).contains(&"hr1"), "{:?}", trace(&insider));
    }
}

#[tokio::test]
async fn passages_and_each_question_are_sent_once_in_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let fakes = Fakes::new(folder.path());
    let params = json!({"mode": "hybrid", "embeddings": "tiny"});
    let asked = ["a", "b", "a", "a", "b"].map(request).to_vec();
    let answers = ask_all(local(shelf(), &fakes, &params), asked).await;
    assert!(answers.iter().all(Result::is_ok));
    let mut questions = locked(&fakes.noted.questions).clone();
    questions.sort();
    assert_eq!((questions, locked(&fakes.noted.passages).len()), (vec!["a".to_owned(), "b".to_owned()], 6));
    ask_all(local(shelf(), &fakes, &params), vec![request("a")]).await;
    assert_eq!(locked(&fakes.noted.passages).len(), 6, "the next run finds the passages kept");
}

#[tokio::test]
async fn preparing_embeds_the_passages_and_tells_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let fakes = Fakes::new(folder.path());
    let told = Mutex::new(Vec::new());
    let tell = |preparing: Preparing| locked(&told).push(preparing);
    let keyword = local(shelf(), &fakes, &json!({}));
    assert_eq!(keyword.prepare(&tell).await, Ok(Vec::new()));
    assert!(locked(&told).is_empty() && locked(&fakes.noted.passages).is_empty(), "keyword search needs no vectors");
    let vector = local(shelf(), &fakes, &json!({"mode": "vector", "embeddings": "tiny"}));
    assert_eq!(vector.prepare(&tell).await, Ok(Vec::new()));
    let what = "embedding passages by tiny".to_owned();
    assert_eq!(locked(&told).last(), Some(&Preparing { what, done: 6, total: 6 }));
}

#[tokio::test]
async fn a_server_that_fails_is_that_questions_error_and_names_the_server() {
    let embed = json!({"mode": "vector", "embeddings": "tiny"});
    let rerank = json!({"rerank": "cross"});
    for (params, question, said) in [
        (&embed, "down", "the question could not be embedded by `tiny`: 503 Service Unavailable"),
        (&embed, "short", "the question as a vector of `tiny` has 1 numbers and the passages have 26"),
        (&rerank, "down", "the candidates could not be reranked by `cross`: 503 Service Unavailable"),
    ] {
        let error = answer(params.clone(), request(question)).await.unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[tokio::test]
async fn it_is_always_a_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let local = local(shelf(), &Fakes::new(folder.path()), &json!({"mode": "hybrid", "embeddings": "tiny"}));
    assert!(local.is_baseline());
    assert_eq!(local.name(), "local");
}
