#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{fs, path::PathBuf, sync::Mutex};

use futures_util::future::BoxFuture;
use tempfile::TempDir;

use super::*;
use crate::{
    domain::ranking::{Answer, Hit},
    project::results,
    report::table,
    retriever::{Request, RetrieverError, Watch},
};

/// Finds chunk `a` for every question but the one that it fails at.
#[derive(Default)]
struct Scripted {
    fails_at: &'static str,
    asked: Mutex<Vec<String>>,
}

impl Retriever for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn is_baseline(&self) -> bool {
        false
    }

    fn retrieve<'a>(&'a self, request: &'a Request, _: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        Box::pin(async move {
            self.asked.lock().unwrap().push(request.question.clone());
            if request.question == self.fails_at {
                return Err(RetrieverError::Index { retriever: "scripted".to_owned(), reason: "time-out".to_owned() });
            }
            Ok(Answer { results: vec![Hit::new("a", Some(1.0))], ..Answer::default() })
        })
    }
}

impl Scripted {
    fn failing(fails_at: &'static str) -> Arc<Self> {
        Arc::new(Self { fails_at, ..Self::default() })
    }

    fn asked(&self) -> Vec<String> {
        let mut asked = self.asked.lock().unwrap().clone();
        asked.sort();
        asked
    }
}

/// Five cases, q1 to q5, each of which chunk `a` answers.
fn place() -> (TempDir, Ready) {
    let folder = TempDir::new().unwrap();
    let case = |n: u32| format!("{{\"q\":\"q{n}\",\"chunks\":[\"a\"],\"question_id\":\"c{n}\"}}\n");
    let cases = (1..=5).map(case).collect::<Vec<_>>().concat();
    let settings = "[corpus]\nsource = \"../chunks.jsonl\"\nindex = \"../local\"\n[configs.keyword]\nretriever = \"local\"\nk = 3\n";
    fs::create_dir(folder.path().join("cases")).unwrap();
    for (name, content) in [
        ("chunks.jsonl", "{\"id\":\"a\",\"text\":\"apples\"}\n"),
        ("cases/caselight.toml", settings),
        ("cases/cases.jsonl", &cases),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let ready = Ready::open(&folder.path().join("cases"), &Selection::default()).unwrap();
    (folder, ready)
}

/// As `caselight run` with these arguments evaluates by `retriever`.
fn run(ready: &Ready, retriever: &Arc<Scripted>, arguments: &[&str]) -> anyhow::Result<Evaluation> {
    #[derive(clap::Parser)]
    struct Arguments {
        #[command(flatten)]
        keep: Keep,
    }
    let keep = <Arguments as clap::Parser>::try_parse_from([&["run"], arguments].concat())?.keep;
    ready.evaluate_by(Arc::clone(retriever) as Arc<_>, &ready.config(None, None)?, Some(&keep))
}

fn newest(ready: &Ready) -> PathBuf {
    results::list(&ready.project)[0].path.clone()
}

/// The file without what may differ between the same runs: latency and the time in the first line.
fn timeless(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        for name in ["latency_ms", "started"] {
            fields.entry(name).and_modify(|value| *value = serde_json::Value::Null);
        }
        lines.push(serde_json::Value::Object(fields).to_string());
    }
    lines.join("\n")
}

#[test]
fn one_call_that_fails_is_one_error_and_the_mean_is_over_the_others() {
    let (_folder, ready) = place();
    let evaluation = run(&ready, &Scripted::failing("q3"), &[]).unwrap();
    let counts = &evaluation.summary.counts;
    assert_eq!((counts.scored, counts.errors, evaluation.summary.all.n), (4, 1, 4));
    let table = table::table(&evaluation.report());
    assert!(table.contains("\n5 cases: 4 scored, 1 error (not scored)\n"), "{table}");
    assert!(table.contains("\nall                 4    1.00   1.00"), "{table}");
    let stored = results::read(&newest(&ready)).unwrap();
    assert_eq!(
        stored.run.results().iter().map(|result| result.state.word()).collect::<Vec<_>>(),
        ["scored", "scored", "error", "scored", "scored"]
    );
    assert_eq!(
        aggregate::summarize(&stored.run.results(), &stored.run.header.cut, &ready.project.settings.subset_order())
            .counts,
        *counts
    );
}

#[test]
fn resume_asks_only_what_is_missing_or_failed_and_ends_like_a_run_that_was_not_broken_off() {
    let (folder, ready) = place();
    let whole = folder.path().join("whole.jsonl");
    run(&ready, &Scripted::failing(""), &["--out", whole.to_str().unwrap()]).unwrap();
    run(&ready, &Scripted::failing("q2"), &[]).unwrap();
    let path = newest(&ready);
    // As after a kill in the middle of the line of the fourth case.
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.find("{\"id\":\"c4\"").unwrap() + 40]).unwrap();
    let retriever = Scripted::failing("");
    let evaluation = run(&ready, &retriever, &["--resume"]).unwrap();
    assert_eq!(retriever.asked(), ["q2", "q4", "q5"]);
    assert_eq!(evaluation.summary.counts.scored, 5);
    assert_eq!(
        evaluation.results.iter().map(|result| result.id.as_str()).collect::<Vec<_>>(),
        ["c1", "c2", "c3", "c4", "c5"]
    );
    assert_eq!(results::list(&ready.project).len(), 1);
    assert_eq!(timeless(&path), timeless(&whole));
    let retriever = Scripted::failing("");
    run(&ready, &retriever, &["--resume", whole.to_str().unwrap()]).unwrap();
    assert_eq!(retriever.asked(), [""; 0], "nothing was missing");
}

#[test]
fn the_same_answers_make_the_same_bytes_but_for_latency_and_time() {
    let (folder, ready) = place();
    let out = |name: &str| folder.path().join(name);
    for name in ["a.jsonl", "b.jsonl"] {
        run(&ready, &Scripted::failing("q4"), &["--out", out(name).to_str().unwrap()]).unwrap();
    }
    assert_eq!(timeless(&out("a.jsonl")), timeless(&out("b.jsonl")));
}

#[test]
fn a_run_over_other_cases_is_not_resumed() {
    let (folder, ready) = place();
    run(&ready, &Scripted::failing("q1"), &[]).unwrap();
    let one = Selection { ids: vec!["c1".to_owned()], ..Selection::default() };
    let narrow = Ready::open(&folder.path().join("cases"), &one).unwrap();
    let retriever = Scripted::failing("");
    let error = run(&narrow, &retriever, &["--resume"]).err().unwrap().to_string();
    assert!(error.contains("it is over another selection of cases"), "{error}");
    assert_eq!(retriever.asked(), [""; 0]);
}
