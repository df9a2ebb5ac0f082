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

/// So many cases, q1, q2 …, each of which chunk `a` answers.
fn place(cases: u32) -> (TempDir, Ready) {
    let folder = TempDir::new().unwrap();
    let case = |n: u32| format!("{{\"q\":\"q{n}\",\"chunks\":[\"a\"],\"question_id\":\"c{n}\"}}\n");
    let cases = (1..=cases).map(case).collect::<Vec<_>>().concat();
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
fn run<R: Retriever + 'static>(ready: &Ready, retriever: &Arc<R>, arguments: &[&str]) -> anyhow::Result<Evaluation> {
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
    let (_folder, ready) = place(5);
    let evaluation = run(&ready, &Scripted::failing("q3"), &[]).unwrap();
    let counts = &evaluation.summary.counts;
    assert_eq!((counts.scored, counts.errors, evaluation.summary.all.n), (4, 1, 4));
    let table = table::table(&evaluation.report());
    assert!(table.contains("\n5 cases: 4 scored, 1 error (not scored)\n"), "{table}");
    assert!(table.contains("\nthe means are over 4 of 5 labeled cases: 1 call failed\n"), "{table}");
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
    let (folder, ready) = place(5);
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
    let (folder, ready) = place(5);
    let out = |name: &str| folder.path().join(name);
    for name in ["a.jsonl", "b.jsonl"] {
        run(&ready, &Scripted::failing("q4"), &["--out", out(name).to_str().unwrap()]).unwrap();
    }
    assert_eq!(timeless(&out("a.jsonl")), timeless(&out("b.jsonl")));
}

#[test]
fn a_run_over_other_cases_is_not_resumed() {
    let (folder, ready) = place(5);
    run(&ready, &Scripted::failing("q1"), &[]).unwrap();
    let one = Selection { ids: vec!["c1".to_owned()], ..Selection::default() };
    let narrow = Ready::open(&folder.path().join("cases"), &one).unwrap();
    let retriever = Scripted::failing("");
    let error = run(&narrow, &retriever, &["--resume"]).err().unwrap().to_string();
    assert!(error.contains("it is over another selection of cases"), "{error}");
    assert_eq!(retriever.asked(), [""; 0]);
}

/// Answers as its function says.
struct By<F>(F, Mutex<Vec<String>>);

impl<F: Fn(&str) -> Result<Answer, String> + Send + Sync> Retriever for By<F> {
    fn name(&self) -> &'static str {
        "by"
    }

    fn is_baseline(&self) -> bool {
        false
    }

    fn concurrency(&self) -> usize {
        1
    }

    fn retrieve<'a>(&'a self, request: &'a Request, _: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        Box::pin(async move {
            self.1.lock().unwrap().push(request.question.clone());
            self.0(&request.question).map_err(|reason| RetrieverError::Unusable { retriever: "by".to_owned(), reason })
        })
    }
}

/// As `caselight run` evaluates by a function; and the questions that were put.
fn run_by<F>(ready: &Ready, arguments: &[&str], answers: F) -> (anyhow::Result<Evaluation>, Vec<String>)
where
    F: Fn(&str) -> Result<Answer, String> + Send + Sync + 'static,
{
    let retriever = Arc::new(By(answers, Mutex::default()));
    let evaluation = run(ready, &retriever, arguments);
    let asked = retriever.1.lock().unwrap().clone();
    (evaluation, asked)
}

fn returns(ids: &str) -> Answer {
    Answer { results: ids.split_whitespace().map(|id| Hit::new(id, None)).collect(), ..Answer::default() }
}

#[test]
fn a_server_that_dies_in_the_middle_leaves_what_it_answered_and_resume_asks_the_rest() {
    let (_folder, ready) = place(5);
    let dead = || Err("connection refused".to_owned());
    let (died, asked) = run_by(&ready, &[], move |question| if question < "q3" { Ok(returns("a")) } else { dead() });
    assert_eq!(asked, ["q1", "q2", "q3", "q4", "q5"]);
    let counts = died.unwrap().summary.counts;
    assert_eq!((counts.scored, counts.errors, counts.lost), (2, 3, 3));
    let (whole, asked) = run_by(&ready, &["--resume"], |_| Ok(returns("a")));
    assert_eq!(asked, ["q3", "q4", "q5"]);
    assert_eq!(whole.unwrap().summary.counts.scored, 5);
}

#[test]
fn a_corpus_of_another_team_is_noticed_before_the_whole_run_is_spent() {
    let (_folder, ready) = place(60);
    let (refused, asked) = run_by(&ready, &[], |question| Ok(returns(&format!("x-{question} y"))));
    let error = refused.err().unwrap().to_string();
    assert!(
        error.starts_with("the corpus knows none of the 40 returned ids: the retriever returns x-q1, y, "),
        "{error}"
    );
    assert!(error.contains("the corpus has a; ") && error.contains("`recognise = \"heading\"`"), "{error}");
    assert!((20..25).contains(&asked.len()), "{}", asked.len());
    // One known chunk among the first answers, and the run goes on; empty lists say nothing either way.
    let (whole, asked) = run_by(&ready, &[], |question| Ok(returns(if question == "q7" { "a" } else { "x" })));
    assert!(whole.is_ok() && asked.len() == 60);
    let (whole, asked) = run_by(&ready, &[], |question| Ok(returns(if question == "q60" { "a" } else { "" })));
    assert!(whole.is_ok() && asked.len() == 60);
    // Fewer answers are looked at when all are in.
    let (_folder, ready) = place(3);
    let (refused, asked) = run_by(&ready, &[], |_| Ok(returns("x")));
    assert!(refused.is_err() && asked.len() == 3);
}

#[test]
fn a_partial_answer_is_scored_and_flagged_in_every_format() {
    let (_folder, ready) = place(2);
    let partial = |question: &str| {
        let why = (question == "q2").then(|| "1 of 5 shards <failed>".to_owned());
        Ok(Answer { partial: why, ..returns(if question == "q2" { "" } else { "a" }) })
    };
    let evaluation = run_by(&ready, &[], partial).0.unwrap();
    let report = evaluation.report();
    assert_eq!((evaluation.summary.counts.scored, evaluation.summary.counts.partial), (2, 1));
    let table = table::table(&report);
    assert!(table.contains("\n1 answer was partial: it is scored as it came"), "{table}");
    assert!(table.contains("\npartial:\n  c2  1 of 5 shards <failed>\n"), "{table}");
    let json = crate::report::json::value(&report);
    assert_eq!(json["summary"]["counts"]["partial"], 1);
    assert_eq!(json["cases"][1]["partial"], "1 of 5 shards <failed>");
    let markdown = crate::report::markdown::markdown(&report, &ready.outline.borrow());
    assert!(markdown.contains("**1 answer was partial"), "{markdown}");
    let junit = crate::report::junit::junit(&report, &ready.outline.borrow());
    assert!(junit.contains("message=\"partial answer: 1 of 5 shards &lt;failed&gt;; "), "{junit}");
    let html = crate::report::html::html(&report, &ready.outline.borrow());
    assert!(html.contains("partial answer: 1 of 5 shards &lt;failed&gt;"), "{html}");
    // A run that is read again is as partial as it was.
    let stored = results::read(&newest(&ready)).unwrap();
    assert_eq!(stored.run.results()[1].partial.as_deref(), Some("1 of 5 shards <failed>"));
    let gate = |allowed| {
        let held = Evaluated { summary: &evaluation.summary, results: &evaluation.results, run: &evaluation.run };
        gate::check(&held, &[], allowed)
    };
    assert_eq!(gate(Allowed::default()).failures, [gate::Failure::Partial { cases: vec!["c2".to_owned()] }]);
    assert_eq!(gate(Allowed::default()).claim(), gate::Claim::CaseErrors);
    let allowed = gate(Allowed { errors: false, partial: true });
    assert_eq!(allowed.warnings, [gate::Warning::PartialAllowed { cases: vec!["c2".to_owned()] }]);
    assert!(allowed.passed());
}

#[test]
fn where_a_scope_is_not_known_no_format_says_that_nothing_leaked() {
    let (_folder, ready) = place(2);
    let evaluation = run_by(&ready, &[], |_| Ok(returns("a gone"))).0.unwrap();
    let report = evaluation.report();
    let json = crate::report::json::json(&report);
    let comparison = crate::eval::compare::compare(&evaluation.run, &evaluation.run);
    let name = |id: &crate::domain::chunk::ChunkId| id.to_string();
    let compared = crate::report::compare::View { comparison: &comparison, a: "then", b: "now", name: &name };
    for said in [
        table::table(&report),
        crate::report::markdown::markdown(&report, &ready.outline.borrow()),
        crate::report::junit::junit(&report, &ready.outline.borrow()),
        crate::report::html::html(&report, &ready.outline.borrow()),
        crate::report::compare::text(&compared),
    ] {
        assert!(said.contains("2 of 4 results") && said.contains("scope unknown"), "{said}");
        let lower = said.to_lowercase();
        assert!(!lower.contains("0 leak") && !lower.contains("no leak"), "{said}");
    }
    assert!(json.contains("\"scope_unknown\": 2") && json.contains("\"leaks\": null"), "{json}");
    assert!(crate::report::json::compare::json(&compared).contains("\"leaks\": null"));
}
