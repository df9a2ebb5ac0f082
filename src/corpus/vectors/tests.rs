#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

use super::*;

/// A model of two numbers, which notes what it was sent, and fails after so many requests.
struct Model {
    about: &'static str,
    dims: usize,
    requests: Mutex<Vec<Vec<String>>>,
    fails_after: usize,
}

impl Model {
    fn new() -> Self {
        Self { about: "model", dims: 2, requests: Mutex::default(), fails_after: usize::MAX }
    }

    fn sent(&self) -> Vec<String> {
        self.requests.lock().unwrap().drain(..).flatten().collect()
    }
}

impl Embed for Model {
    fn name(&self) -> &'static str {
        "tiny"
    }

    fn about(&self) -> String {
        self.about.to_owned()
    }

    fn batch(&self) -> usize {
        2
    }

    fn concurrency(&self) -> usize {
        1
    }

    fn passages<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, CallError>> {
        Box::pin(async move {
            let mut requests = self.requests.lock().unwrap();
            if requests.len() == self.fails_after {
                return Err(CallError { reason: "503 Service Unavailable".to_owned(), detail: None });
            }
            requests.push(texts.to_vec());
            Ok(texts.iter().map(|text| vector(text, self.dims)).collect())
        })
    }

    fn query<'a>(&'a self, text: &'a str) -> BoxFuture<'a, Result<Vec<f32>, CallError>> {
        Box::pin(async move { Ok(vector(text, self.dims)) })
    }
}

/// The same text has the same direction, another text most likely another one.
fn vector(text: &str, dims: usize) -> Vec<f32> {
    let angle = f32::from(blake3::hash(text.as_bytes()).as_bytes()[0]) / 100.0;
    let mut vector = vec![0.0; dims];
    (vector[0], vector[1]) = (3.0 * angle.cos(), 3.0 * angle.sin());
    vector
}

fn chunk(id: &str, text: &str, scope: &[&str]) -> Arc<Chunk> {
    Arc::new(Chunk {
        id: id.into(),
        document: "Policy".to_owned(),
        heading: vec!["Policy".to_owned(), "Damage".to_owned()],
        text: text.to_owned(),
        position: 0,
        section: 0,
        scope: scope.iter().map(|&group| group.to_owned()).collect(),
        origin: None,
        fields: Vec::new(),
    })
}

fn chunks(texts: &[&str]) -> Vec<Arc<Chunk>> {
    texts.iter().enumerate().map(|(at, text)| chunk(&format!("c{at}"), text, &[])).collect()
}

async fn opened(folder: &Path, model: &Model, texts: &[&str]) -> Result<Vectors, VectorError> {
    open(folder, model, chunks(texts), &|_| ()).await
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in fs::read_dir(folder.join("vectors-v1")).into_iter().flatten() {
        let entries = fs::read_dir(folder.unwrap().path()).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "vec")));
    }
    files
}

/// The nearest of all to the passage of that text.
fn nearest(vectors: &Vectors, text: &str) -> String {
    let query = vector(&passage(&chunk("q", text, &[])), vectors.dims());
    vectors.nearest(&query, &Asker::default(), 1)[0].0.to_string()
}

#[tokio::test]
async fn title_and_text_of_every_passage_are_sent_once_and_never_again() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Model::new());
    let told = Mutex::new(Vec::new());
    let all = chunks(&["one", "two", "three", "one", ""]);
    let vectors = open(folder.path(), &model, all, &|at| told.lock().unwrap().push((at.done, at.total))).await.unwrap();
    let title = "Policy › Damage";
    assert_eq!(
        model.sent(),
        [format!("{title}\none"), format!("{title}\ntwo"), format!("{title}\nthree"), title.to_owned()]
    );
    assert_eq!(*told.lock().unwrap(), [(1, 5), (3, 5), (5, 5)]);
    assert_eq!((vectors.len(), vectors.dims(), vectors.sent, vectors.notes.len()), (5, 2, 4, 0));
    assert_eq!(files(folder.path()).len(), 1, "the batches are one file in the end");
    for text in ["two", "three"] {
        assert_eq!(nearest(&vectors, text), if text == "two" { "c1" } else { "c2" });
    }
    let again = opened(folder.path(), &model, &["one", "two", "three", "one", ""]).await.unwrap();
    assert_eq!((model.sent().len(), again.sent), (0, 0));
    assert_eq!(again.rows, vectors.rows);
}

#[tokio::test]
async fn only_changed_passages_are_sent_and_what_comes_back_is_still_there() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Model::new());
    opened(folder.path(), &model, &["one", "two", "three"]).await.unwrap();
    model.sent();
    let vectors = opened(folder.path(), &model, &["zero", "one", "TWO", "three"]).await.unwrap();
    assert_eq!(model.sent(), ["Policy › Damage\nzero", "Policy › Damage\nTWO"]);
    assert_eq!(["zero", "one", "TWO", "three"].map(|text| nearest(&vectors, text)), ["c0", "c1", "c2", "c3"]);
    opened(folder.path(), &model, &["one", "two", "three"]).await.unwrap();
    assert_eq!(model.sent(), [""; 0]);
    let other = Model { about: "another model", ..Model::new() };
    opened(folder.path(), &other, &["one"]).await.unwrap();
    assert_eq!(other.sent().len(), 1, "each model has its own vectors");
}

#[tokio::test]
async fn an_interrupted_run_keeps_its_finished_batches() {
    let folder = tempfile::tempdir().unwrap();
    let failing = Model { fails_after: 2, ..Model::new() };
    let texts = ["one", "two", "three", "four", "five", "six"];
    let error = opened(folder.path(), &failing, &texts).await.unwrap_err().to_string();
    assert!(error.contains("by `tiny` (4 of 6 are done and kept): 503 Service Unavailable"), "{error}");
    assert_eq!(files(folder.path()).len(), 2);
    let model = Model::new();
    opened(folder.path(), &model, &texts).await.unwrap();
    assert_eq!(model.sent(), ["Policy › Damage\nfive", "Policy › Damage\nsix"]);
}

#[tokio::test]
async fn a_damaged_file_is_made_anew_and_told() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Model::new());
    let texts = ["one", "two", "three"];
    let vectors = opened(folder.path(), &model, &texts).await.unwrap();
    model.sent();
    let path = files(folder.path())[0].clone();
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for (damaged, why) in [
        (flipped, "its check sum is wrong"),
        (whole[..whole.len() - 3].to_vec(), "its check sum is wrong"),
        (whole[..20].to_vec(), "it is cut short"),
        (Vec::new(), "it is cut short"),
        ([b"something else..".as_slice(), &whole[16..]].concat(), "it is no file of vectors"),
    ] {
        fs::write(&path, damaged).unwrap();
        let again = opened(folder.path(), &model, &texts).await.unwrap();
        assert_eq!((model.sent().len(), again.notes.len()), (3, 1), "{why}");
        assert!(
            again.notes[0].contains(why) && again.notes[0].ends_with("3 passages were embedded anew"),
            "{:?}",
            again.notes
        );
        assert_eq!(again.rows, vectors.rows);
        assert_eq!(files(folder.path()), std::slice::from_ref(&path));
        assert!(opened(folder.path(), &model, &texts).await.unwrap().notes.is_empty(), "it is told once");
    }
}

#[tokio::test]
async fn vectors_of_another_length_than_before_are_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    opened(folder.path(), &Model::new(), &["one"]).await.unwrap();
    let longer = Model { dims: 3, ..Model::new() };
    let error = opened(folder.path(), &longer, &["one", "two"]).await.unwrap_err().to_string();
    assert!(error.contains("`tiny` gives vectors of 3 numbers, and the ones kept in"), "{error}");
    assert!(error.contains("have 2: it is another model under the same name; delete that folder"), "{error}");
}

#[tokio::test]
async fn what_the_corpus_lost_is_kept_until_it_is_more_than_the_corpus() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Model::new());
    let many: Vec<String> = (0..40).map(|n| n.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    opened(folder.path(), &model, &many).await.unwrap();
    let full = fs::metadata(&files(folder.path())[0]).unwrap().len();
    opened(folder.path(), &model, &["new", "0", "1", "2"]).await.unwrap();
    let less = fs::metadata(&files(folder.path())[0]).unwrap().len();
    let row = 16 + 2 * 4;
    assert_eq!((full - less) / row, 40 - 8, "4 of the corpus and 4 of before");
}

#[tokio::test]
async fn while_one_process_asks_another_waits_and_then_asks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let model = Model::new();
    let lock = cache::Cache::new(folder.path(), &blake3::hash(b"model").to_hex()[..32]).try_lock("model").unwrap();
    let held = Mutex::new(lock);
    // The first word that it waits lets it go on.
    let waited = |at: Progress| {
        if at.waiting {
            held.lock().unwrap().take();
        }
    };
    open(folder.path(), &model, chunks(&["one"]), &waited).await.unwrap();
    assert!(held.lock().unwrap().is_none(), "it waited");
    let (a, b) = (Model::new(), Model::new());
    let texts = ["one", "two", "three", "four"];
    let (first, second) = tokio::join!(opened(folder.path(), &a, &texts), opened(folder.path(), &b, &texts));
    assert_eq!(first.unwrap().sent + second.unwrap().sent, 3, "both together sent each passage once");
}

#[tokio::test]
async fn an_asker_never_finds_what_it_may_not_read_however_near_it_is() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Model::new());
    let all = vec![
        chunk("secret", "salary", &["hr"]),
        chunk("shared", "salary", &["hr", "staff"]),
        chunk("open", "holidays", &[]),
        chunk("other", "salary", &["legal"]),
    ];
    let vectors = open(folder.path(), &model, all, &|_| ()).await.unwrap();
    let query = vector(&passage(&chunk("q", "salary", &[])), 2);
    let found = |groups: Option<&[&str]>, limit: usize| {
        let groups = groups.map(|groups| groups.iter().map(|&group| group.to_owned()).collect());
        let asker = Asker { groups, ..Asker::default() };
        vectors.nearest(&query, &asker, limit).into_iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found(Some(&["hr"]), 9), ["secret", "shared", "open"]);
    assert_eq!(found(Some(&["staff"]), 9), ["shared", "open"]);
    assert_eq!(found(Some(&[]), 9), ["open"]);
    assert_eq!(found(None, 9), ["open"], "where only production knows the groups, what is for some is not found");
    assert_eq!(found(Some(&[]), 1), ["open"], "the limit counts what may be read");
}
