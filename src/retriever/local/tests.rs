#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

mod pipeline;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

use serde_json::json;

use super::*;
use crate::{
    corpus::vectors::Embed,
    domain::asker::Access,
    engine::client::CallError,
    retriever::run::{RunEvent, start},
};

/// Finds all its chunks for any question, in their order, and notes what it was asked.
#[derive(Default)]
struct Shelf {
    chunks: Vec<Arc<Chunk>>,
    asked: Mutex<Vec<(String, Asker, usize)>>,
}

impl SearchIndex for Shelf {
    fn keyword(&self, question: &str, asker: &Asker, limit: usize) -> Result<Vec<(Arc<Chunk>, f64)>, String> {
        assert!(question != "panic", "the index broke");
        if question == "fail" {
            return Err("segment missing".to_owned());
        }
        self.asked.lock().unwrap().push((question.to_owned(), asker.clone(), limit));
        let may = self.chunks.iter().filter(|chunk| asker.access(chunk) == Access::May);
        Ok(may.take(limit).enumerate().map(|(n, chunk)| (Arc::clone(chunk), 60.0 - n as f64)).collect())
    }

    fn chunk(&self, id: &ChunkId) -> Result<Option<Arc<Chunk>>, String> {
        Ok(self.chunks.iter().find(|chunk| &chunk.id == id).cloned())
    }

    fn chunks(&self) -> Result<Vec<Arc<Chunk>>, String> {
        Ok(self.chunks.clone())
    }
}

fn chunk(id: &str, document: &str, heading: &str, text: &str) -> Chunk {
    Chunk {
        id: id.into(),
        document: document.to_owned(),
        heading: vec![heading.to_owned()],
        text: text.to_owned(),
        position: 0,
        section: 0,
        scope: Vec::new(),
        origin: None,
        fields: Vec::new(),
    }
}

/// 60 chunks, of which the 7th and the 25th have a heading that a question repeats.
fn sixty() -> Shelf {
    let heading = |n| if n == 7 || n == 25 { "Escalation path" } else { "Contacts" };
    Shelf {
        chunks: (0..60).map(|n| Arc::new(chunk(&format!("c{n}"), "Policy", heading(n), ""))).collect(),
        ..Shelf::default()
    }
}

/// The servers `tiny` and `cross`, which note what they were asked, and none else.
struct Fakes {
    folder: PathBuf,
    noted: Arc<Noted>,
}

#[derive(Default)]
struct Noted {
    passages: Mutex<Vec<String>>,
    questions: Mutex<Vec<String>>,
    reranked: Mutex<Vec<Vec<String>>>,
}

impl Fakes {
    fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), noted: Arc::default() }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}

impl Servers for Fakes {
    fn embeddings(&self, name: &str) -> Result<Arc<dyn Embed>, String> {
        if name == "tiny" { Ok(Arc::clone(&self.noted) as _) } else { Err(format!("no [embeddings.{name}]")) }
    }

    fn reranker(&self, name: &str) -> Result<Arc<dyn Scorer>, String> {
        if name == "cross" { Ok(Arc::clone(&self.noted) as _) } else { Err(format!("no [rerankers.{name}]")) }
    }

    fn folder(&self) -> &Path {
        &self.folder
    }
}

/// How often each letter from `a` to `z` stands in a text.
fn letters(text: &str) -> Vec<f32> {
    let count = |letter| text.chars().filter(|&c| c == letter).count();
    ('a'..='z').map(|letter| f32::from(u16::try_from(count(letter)).unwrap())).collect()
}

impl Embed for Noted {
    fn name(&self) -> &'static str {
        "tiny"
    }

    fn about(&self) -> String {
        "letters".to_owned()
    }

    fn batch(&self) -> usize {
        8
    }

    fn concurrency(&self) -> usize {
        2
    }

    fn passages<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, CallError>> {
        Box::pin(async move {
            locked(&self.passages).extend_from_slice(texts);
            // Only the text counts here, which stands below the title.
            Ok(texts.iter().map(|text| letters(text.split_once('\n').map_or("", |(_, text)| text))).collect())
        })
    }

    fn query<'a>(&'a self, text: &'a str) -> BoxFuture<'a, Result<Vec<f32>, CallError>> {
        Box::pin(async move {
            locked(&self.questions).push(text.to_owned());
            match text {
                "down" => Err(CallError { reason: "503 Service Unavailable".to_owned(), detail: None }),
                "short" => Ok(vec![1.0]),
                _ => Ok(letters(text)),
            }
        })
    }
}

impl Scorer for Noted {
    fn name(&self) -> &'static str {
        "cross"
    }

    /// The last passage is best; the second is left out.
    fn scores<'a>(
        &'a self,
        question: &'a str,
        passages: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Option<f64>>, CallError>> {
        Box::pin(async move {
            locked(&self.reranked).push(passages.to_vec());
            if question == "down" {
                return Err(CallError {
                    reason: "503 Service Unavailable".to_owned(),
                    detail: Some("busy".to_owned()),
                });
            }
            Ok((0..passages.len()).map(|at| (at != 1).then_some(at as f64 - 3.0)).collect())
        })
    }
}

fn request(question: &str) -> Request {
    Request { question: question.to_owned(), depth: 6, ..Request::default() }
}

async fn ask_all(local: Local, requests: Vec<Request>) -> Vec<Result<Answer, RetrieverError>> {
    let mut answers: Vec<Option<_>> = requests.iter().map(|_| None).collect();
    let mut events = start(Arc::new(local), requests, 4);
    while let Some(event) = events.recv().await {
        if let RunEvent::Answered { index, result } = event {
            answers[index] = Some(result);
        }
    }
    answers.into_iter().map(Option::unwrap).collect()
}

/// Asks one question of a retriever that has the parameters of the request.
async fn ask(index: Arc<Shelf>, request: Request) -> Result<Answer, RetrieverError> {
    let folder = tempfile::tempdir().unwrap();
    let local = Local::new(index, &request.params, &Fakes::new(folder.path()))?;
    ask_all(local, vec![request]).await.remove(0)
}

fn ids(hits: &[crate::domain::ranking::Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

#[tokio::test]
async fn the_list_is_the_head_of_the_keyword_stage_which_tells_more() {
    for (depth, told) in [(6, 50), (10, 50), (12, 60)] {
        let answer = ask(Arc::new(sixty()), Request { depth, ..request("q") }).await.unwrap();
        assert_eq!((answer.results.len(), answer.stages.len()), (depth, 1));
        assert_eq!((answer.stages[0].name.as_str(), answer.stages[0].ranking.len()), ("keyword", told));
        assert_eq!(answer.results, answer.stages[0].ranking[..depth]);
    }
}

#[tokio::test]
async fn the_last_two_turns_stand_before_the_question_and_the_asker_goes_along() {
    let index = Arc::new(sixty());
    let asker = Asker { name: Some("lead".to_owned()), id: None, groups: Some(["warehouse".to_owned()].into()) };
    let context = ["one", "two", "three"].map(str::to_owned).to_vec();
    ask(index.clone(), Request { asker: asker.clone(), context, ..request("and now") }).await.unwrap();
    assert_eq!(*locked(&index.asked), [("two\nthree\nand now".to_owned(), asker, 50)]);
}

#[tokio::test]
async fn what_goes_wrong_inside_is_an_error_with_its_reason() {
    let error = |question: &'static str| async move {
        ask(Arc::new(sixty()), request(question)).await.unwrap_err().to_string()
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
        let answer = ask(Arc::new(sixty()), Request { params, ..request("escalation path") }).await.unwrap();
        let names: Vec<&str> = answer.stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!(names, ["keyword", "rerank"]);
        assert_eq!(ids(&answer.results)[..3], first);
        let ranking = &answer.stages[1].ranking;
        assert_eq!(ranking.len(), 50, "what is not reranked follows");
        assert_eq!(ranking.iter().filter(|hit| hit.score.is_some()).count(), scored);
    }
}

#[tokio::test]
async fn a_parameter_that_means_nothing_is_refused_and_not_ignored() {
    for (params, said) in [
        (json!({"vectors": true}), "the parameter `vectors` of this config: its parameters are `mode`"),
        (
            json!({"candidates": 5}),
            "the parameter `candidates` of this config: it only means something beside `rerank`",
        ),
        (json!({"mode": "vector", "embeddings": "huge"}), "retriever `local`: no [embeddings.huge]"),
        (json!({"rerank": "huge"}), "retriever `local`: no [rerankers.huge]"),
    ] {
        let params = params.as_object().unwrap().clone();
        let error = ask(Arc::new(sixty()), Request { params, ..request("q") }).await.unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
