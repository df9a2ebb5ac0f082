#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::retriever::run::{RunEvent, start};

/// Has 60 chunks for any question and notes what it was asked.
#[derive(Default)]
struct Index(Mutex<Vec<(String, Asker, usize)>>);

impl KeywordIndex for Index {
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<(Arc<Chunk>, f64)>, String> {
        assert!(question != "panic", "the index broke");
        if question == "fail" {
            return Err("segment missing".to_owned());
        }
        self.0.lock().unwrap().push((question.to_owned(), asker.clone(), limit));
        Ok((0..60.min(limit)).map(|n| (Arc::new(chunk(n)), 60.0 - n as f64)).collect())
    }
}

/// The 7th and the 25th chunk have a heading that the question repeats.
fn chunk(n: usize) -> Chunk {
    let heading = if n == 7 || n == 25 { "Escalation path" } else { "Contacts" };
    Chunk {
        id: format!("c{n}").into(),
        document: "Policy".to_owned(),
        heading: vec![heading.to_owned()],
        text: String::new(),
        position: 0,
        section: 0,
        scope: Vec::new(),
        origin: None,
        fields: Vec::new(),
    }
}

fn request(question: &str) -> Request {
    Request { question: question.to_owned(), depth: 6, ..Request::default() }
}

async fn ask(index: Arc<Index>, request: Request) -> Result<Answer, RetrieverError> {
    let local = Local::new(index, &request.params)?;
    let mut events = start(Arc::new(local), vec![request], 1);
    match events.recv().await.unwrap() {
        RunEvent::Answered { result, .. } => result,
        RunEvent::Waiting { .. } | RunEvent::Finished => panic!("nothing was answered"),
    }
}

#[tokio::test]
async fn the_list_is_the_head_of_the_keyword_stage_which_tells_more() {
    for (depth, told) in [(6, 50), (10, 50), (12, 60)] {
        let answer = ask(Arc::new(Index::default()), Request { depth, ..request("q") }).await.unwrap();
        assert_eq!((answer.results.len(), answer.stages.len()), (depth, 1));
        assert_eq!((answer.stages[0].name.as_str(), answer.stages[0].ranking.len()), ("keyword", told));
        assert_eq!(answer.results, answer.stages[0].ranking[..depth]);
    }
}

#[tokio::test]
async fn the_last_two_turns_stand_before_the_question_and_the_asker_goes_along() {
    let index = Arc::new(Index::default());
    let asker = Asker { name: Some("lead".to_owned()), id: None, groups: Some(["warehouse".to_owned()].into()) };
    let context = ["one", "two", "three"].map(str::to_owned).to_vec();
    ask(index.clone(), Request { asker: asker.clone(), context, ..request("and now") }).await.unwrap();
    assert_eq!(*index.0.lock().unwrap(), [("two\nthree\nand now".to_owned(), asker, 50)]);
}

#[tokio::test]
async fn what_goes_wrong_inside_is_an_error_with_its_reason() {
    let error = |question: &'static str| async move {
        ask(Arc::new(Index::default()), request(question)).await.unwrap_err().to_string()
    };
    assert!(error("fail").await.contains("`local`: the index could not be searched: segment missing"));
    assert!(error("panic").await.contains("the index broke"));
}

#[tokio::test]
async fn the_rerank_stage_orders_the_first_candidates_anew_and_leaves_the_rest() {
    for (params, first, scored) in [
        (json!({"rerank": "lexical"}), ["c7", "c0", "c1"], 20),
        (json!({"rerank": "lexical", "candidates": 30}), ["c7", "c25", "c0"], 30),
        (json!({"rerank": "lexical", "candidates": 3}), ["c0", "c1", "c2"], 3),
    ] {
        let params = params.as_object().unwrap().clone();
        let answer = ask(Arc::new(Index::default()), Request { params, ..request("escalation path") }).await.unwrap();
        let names: Vec<&str> = answer.stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!(names, ["keyword", "rerank"]);
        let ids: Vec<&str> = answer.results.iter().take(3).map(|hit| hit.id.as_str()).collect();
        assert_eq!(ids, first);
        let ranking = &answer.stages[1].ranking;
        assert_eq!(ranking.len(), 50, "what is not reranked follows");
        assert_eq!(ranking.iter().filter(|hit| hit.score.is_some()).count(), scored);
    }
}

#[tokio::test]
async fn a_parameter_that_means_nothing_is_refused_and_not_ignored() {
    for (params, said) in [
        (
            json!({"vectors": true}),
            "the parameter `vectors` of this config: its parameters are `rerank` and `candidates`",
        ),
        (json!({"rerank": true}), "it may only be \"lexical\""),
        (json!({"rerank": "lexical", "candidates": 0}), "at least 1"),
        (json!({"candidates": 5}), "it only means something beside `rerank`"),
    ] {
        let params = params.as_object().unwrap().clone();
        let error = ask(Arc::new(Index::default()), Request { params, ..request("q") }).await.unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
