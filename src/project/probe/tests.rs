#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{
    fs,
    sync::{Mutex, PoisonError},
};

use futures_util::future::BoxFuture;

use super::*;
use crate::{
    domain::{outline::Outline, ranking::Hit},
    eval::asked::Cut,
    project::{Project, open_corpus, resolve_all},
    retriever::{RetrieverError, Watch},
};

/// Answers the first word of a question to whom may read everything, and nothing to anybody else.
#[derive(Default)]
struct Guarded(Mutex<Vec<Request>>);

impl Retriever for Guarded {
    fn name(&self) -> &'static str {
        "guarded"
    }

    fn is_baseline(&self) -> bool {
        false
    }

    fn retrieve<'a>(&'a self, request: &'a Request, _: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        Box::pin(async move {
            let all = request.asker.name.as_deref() == Some("auditor") && request.question.starts_with("Plan");
            let results = if all { vec![Hit::new("plan", None)] } else { Vec::new() };
            Ok(Answer { results, ..Answer::default() })
        })
    }
}

const SETTINGS: &str = "
default_asker = \"employee\"
[corpus]
source = \"chunks.jsonl\"
index = \"index\"
[askers.employee]
[askers.auditor]
groups = [\"board\"]
[diagnosis]
unscoped_asker = \"auditor\"
[configs.main]
retriever = \"local\"
k = 3
";
const CHUNKS: &str =
    r#"{"id": "plan", "document": "Plan", "heading": ["Plan"], "text": "We grow.", "scope": ["board"]}"#;
const CASES: &str =
    "- question_id: q\n  question: how do we grow\n  context: [earlier]\n  supporting: [{chunk: plan}]\n";

#[tokio::test]
async fn probes_are_put_as_they_are_asked_for_until_no_more_is_to_be_learned() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("caselight.toml", SETTINGS), ("chunks.jsonl", CHUNKS), ("cases.yaml", CASES)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let project = Project::open(folder.path()).unwrap();
    let corpus = open_corpus(&project.settings, &|_| {}).unwrap();
    let outline: Outline = corpus.outline(&[]).unwrap();
    let case = project.store.case("q").unwrap();
    let resolved = resolve_all(std::slice::from_ref(case), &outline).remove(0);
    let who = project.settings.askers().find(None).unwrap();
    let asked = Asked {
        case,
        resolved: &resolved,
        asker: &who,
        outline: &outline,
        cut: &Cut { k: 3, depth: 10, recall_at: vec![1] },
    };

    let guarded = Arc::new(Guarded::default());
    let config = project.settings.config("main").unwrap();
    let lab = Lab { settings: &project.settings, config, corpus: &corpus, retriever: guarded.clone() };
    let (mut evidence, mut told) = (Evidence::default(), 0);
    let answer = Answer::default();
    experiment(&lab, &asked, Outcome::Answered(&answer), &mut evidence, &mut |_| told += 1).await;

    let put = guarded.0.lock().unwrap();
    let put: Vec<_> = put
        .iter()
        .map(|request| (request.question.as_str(), request.asker.label(), request.depth, request.context.len()))
        .collect();
    let own = "Plan We grow.";
    assert_eq!(put, [("how do we grow", "auditor", 10, 1), (own, "auditor", 15, 0), (own, "employee", 15, 0)]);
    assert_eq!((told, evidence.probes.len()), (3, 3));
    let found = crate::eval::diagnosis::diagnose_with(&asked, Outcome::Answered(&answer), &evidence).unwrap();
    assert_eq!(found.kind.word(), "out_of_scope");
}
