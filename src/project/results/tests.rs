#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{fs, time::Duration};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::{
    eval::{
        aggregate::summarize as sum_up,
        asked::Cut,
        run::{Header, Labels, RunCase, RunHit, RunOutcome},
    },
    report::run_file::{case_line, header_line},
};

mod history;
mod killed;
mod stored;
mod writing;

/// A place without cases.
fn place() -> (TempDir, Project) {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("cases")).unwrap();
    fs::write(
        folder.path().join("cases/caselight.toml"),
        "[corpus]\nsource = \"chunks.jsonl\"\nindex = \"../local\"\n",
    )
    .unwrap();
    let project = Project::open(&folder.path().join("cases")).unwrap();
    (folder, project)
}

fn made_with(config: &str, started: &str) -> Header {
    Header {
        tool: "0.1.0".to_owned(),
        config: config.to_owned(),
        retriever: "production".to_owned(),
        baseline: false,
        params: "{}".to_owned(),
        reach: None,
        cut: Cut { k: 2, depth: 3, recall_at: vec![1, 3] },
        cases: "cases".to_owned(),
        labels: "labels".to_owned(),
        corpus: "corpus".to_owned(),
        commit: None,
        started: started.to_owned(),
    }
}

fn header() -> Header {
    made_with("keyword", "2026-11-30T23:44:58Z")
}

/// A case that needs chunk `a`, and got these results; `!` is a call that failed.
fn case(id: &str, results: &str) -> RunCase {
    let hit = |id: &str| RunHit { id: id.into(), score: Some(1.5), leaked: Some(false), known: true };
    RunCase {
        id: id.to_owned(),
        question: format!("what is {id}? é"),
        tags: vec!["paraphrase".to_owned()],
        asker: "anonymous".to_owned(),
        labels: Labels { needed: vec![vec!["a".into()]], distractors: Vec::new(), answerable: true },
        outcome: if results == "!" {
            RunOutcome::Failed("HTTP 502".to_owned())
        } else {
            RunOutcome::Answered {
                results: results.split_whitespace().map(hit).collect(),
                latency: Duration::from_millis(7),
                partial: None,
            }
        },
        chunks: Vec::new(),
        verdict: None,
    }
}

/// A run file with these cases, in this order.
fn file(folder: &Path, name: &str, header: &Header, cases: &[RunCase]) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines: String = cases.iter().map(case_line).collect();
    fs::write(&path, header_line(header) + &lines).unwrap();
    path
}

fn ids(run: &Run) -> Vec<&str> {
    run.cases.iter().map(|case| case.id.as_str()).collect()
}
