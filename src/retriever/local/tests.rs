#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::sync::Mutex;

use serde_json::{Map, json};

use super::*;
use crate::retriever::run::{RunEvent, start};

/// Has 60 chunks for any question and notes what it was asked.
#[derive(Default)]
struct Index(Mutex<Vec<(String, Asker, usize)>>);

impl KeywordIndex for Index {
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<Hit>, String> {
        assert!(question != "panic", "the index broke");
        if question == "fail" {
            return Err("segment missing".to_owned());
        }
        self.0.lock().unwrap().push((question.to_owned(), asker.clone(), limit));
        Ok((0..60.min(limit)).map(|n| Hit { id: format!("c{n}").into(), score: None }).collect())
    }
}

fn request(question: &str) -> Request {
    Request { question: question.to_owned(), depth: 6, ..Request::default() }
}

async fn ask(index: Arc<Index>, request: Request) -> Result<Answer, RetrieverError> {
    let mut events = start(Arc::new(Local::new(index)), vec![request], 1);
    match events.recv().await.unwrap() {
        RunEvent::Answered { result, .. } => result,
        RunEvent::Finished => panic!("nothing was answered"),
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
    let asker = Asker { name: Some("lead".to_owned()), groups: ["warehouse".to_owned()].into() };
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
async fn a_parameter_is_refused_and_not_ignored() {
    let params = Map::from_iter([("rerank".to_owned(), json!(true))]);
    let error = ask(Arc::new(Index::default()), Request { params, ..request("q") }).await.unwrap_err();
    assert_eq!(error.to_string(), "retriever `local` has no parameter `rerank`; it takes none");
}
