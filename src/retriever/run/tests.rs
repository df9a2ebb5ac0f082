#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use futures_util::future::BoxFuture;

use super::*;
use crate::domain::ranking::Hit;

/// Answers with the question as the only id; `panic` and `fail` do that; counts who is inside.
#[derive(Default)]
struct Echo {
    now: AtomicUsize,
    most: AtomicUsize,
    begun: AtomicUsize,
}

impl Retriever for Echo {
    fn name(&self) -> &'static str {
        "echo"
    }

    fn is_baseline(&self) -> bool {
        false
    }

    fn retrieve<'a>(&'a self, request: &'a Request, _: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        assert!(request.question != "panic early", "before it waits");
        Box::pin(async move {
            self.begun.fetch_add(1, Ordering::SeqCst);
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(5)).await;
            self.now.fetch_sub(1, Ordering::SeqCst);
            assert!(request.question != "panic", "while it waits");
            if request.question == "fail" {
                return Err(RetrieverError::Index { retriever: "echo".to_owned(), reason: "gone".to_owned() });
            }
            let hit = Hit::new(request.question.as_str(), None);
            Ok(Answer { results: vec![hit], ..Answer::default() })
        })
    }
}

fn requests(questions: &[&str]) -> Vec<Request> {
    let request = |&question: &&str| Request { question: question.to_owned(), depth: 10, ..Request::default() };
    questions.iter().map(request).collect()
}

/// Every answer in the order of the requests, and whether the run said that it finished.
async fn collect(mut events: mpsc::Receiver<RunEvent>) -> (Vec<Result<Answer, RetrieverError>>, bool) {
    let (mut answers, mut finished) = (std::collections::BTreeMap::new(), false);
    while let Some(event) = events.recv().await {
        assert!(!finished, "`Finished` is the last event");
        match event {
            RunEvent::Answered { index, result } => {
                assert!(answers.insert(index, result).is_none(), "one answer a question");
            }
            RunEvent::Waiting { .. } => {}
            RunEvent::Finished => finished = true,
        }
    }
    (answers.into_values().collect(), finished)
}

#[tokio::test]
async fn every_question_is_answered_once_and_no_more_than_allowed_at_once() {
    let echo = Arc::new(Echo::default());
    let questions: Vec<String> = (0..40).map(|n| n.to_string()).collect();
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let (answers, finished) = collect(start(echo.clone(), requests(&questions), 8)).await;
    assert!(finished);
    let told: Vec<String> = answers.into_iter().map(|answer| answer.unwrap().results[0].id.to_string()).collect();
    assert_eq!(told, questions);
    assert_eq!(echo.most.load(Ordering::SeqCst), 8);
}

#[tokio::test]
async fn a_panic_or_an_error_is_that_questions_own() {
    let asked = requests(&["a", "panic", "fail", "panic early", "b"]);
    let (answers, finished) = collect(start(Arc::new(Echo::default()), asked, 2)).await;
    let panicked =
        |reason: &str| Err(RetrieverError::Panicked { retriever: "echo".to_owned(), reason: reason.to_owned() });
    let failed = Err(RetrieverError::Index { retriever: "echo".to_owned(), reason: "gone".to_owned() });
    assert!(finished && answers[0].is_ok() && answers[4].is_ok());
    assert_eq!(answers[1..4], [panicked("while it waits"), failed, panicked("before it waits")]);
}

#[tokio::test]
async fn the_latency_is_measured_here() {
    let (answers, _) = collect(start(Arc::new(Echo::default()), requests(&["a"]), 1)).await;
    let latency = answers[0].as_ref().unwrap().latency;
    assert!(latency >= Duration::from_millis(4) && latency < Duration::from_mins(1), "{latency:?}");
}

#[tokio::test]
async fn nothing_to_ask_finishes_and_a_concurrency_of_0_is_1() {
    assert_eq!(collect(start(Arc::new(Echo::default()), Vec::new(), 8)).await, (Vec::new(), true));
    let (answers, finished) = collect(start(Arc::new(Echo::default()), requests(&["a", "b"]), 0)).await;
    assert!(finished && answers.len() == 2);
}

#[tokio::test]
async fn a_reader_that_goes_away_cancels_what_is_left() {
    let echo = Arc::new(Echo::default());
    let mut events = start(echo.clone(), requests(&["x"; 1000]), 2);
    assert!(events.recv().await.is_some());
    drop(events);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let begun = echo.begun.load(Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(echo.begun.load(Ordering::SeqCst), begun, "nothing is asked any more");
    assert!(begun < 20, "{begun} were asked");
    assert_eq!(Arc::strong_count(&echo), 1, "no task holds the retriever");
}
