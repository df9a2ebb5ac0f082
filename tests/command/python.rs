//! Python programs to ask, and what is seen of them.

use std::{
    path::{Path, PathBuf},
    process::Command as Process,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use caselight::retriever::{
    Request, Retriever,
    command::{Command, Program},
    run::{self, RunEvent},
};
use tempfile::TempDir;

/// The Python of this machine; without one a test says so and passes, but in CI it fails.
pub(crate) fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(|| {
        // Asked for its own path, since the first one in PATH may be a script that adds to the environment.
        let output = Process::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap().trim().into())
    });
    if python.is_none() {
        assert!(std::env::var_os("CI").is_none(), "python3 is not installed, and in CI it has to be");
        eprintln!("NOT RUN: there is no python3 in PATH");
    }
    python.as_deref()
}

/// What every program here begins with.
const BEGINNING: &str = r#"
import json, os, signal, subprocess, sys, time
def say(n, *ids, **more):
    print(json.dumps({"n": n, "results": list(ids), **more}), flush=True)
def asked():
    for line in sys.stdin:
        request = json.loads(line)
        yield request["n"], request["question"]
"#;

/// A program in a folder of its own.
pub(crate) struct Python {
    folder: TempDir,
    pub(crate) program: Program,
}

impl Python {
    /// The program whose text is this, behind [`BEGINNING`]; `None` where there is no Python.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let python = python()?;
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("retrieve.py"), format!("{BEGINNING}{text}")).unwrap();
        let command = vec![python.to_str().unwrap().to_owned(), "retrieve.py".to_owned()];
        let program = Program::new(command, folder.path().to_owned());
        Some(Self { folder, program })
    }

    /// The same with a change to how it is run.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Program)) -> Self {
        change(&mut self.program);
        self
    }

    /// A retriever over it, in an environment with a secret.
    pub(crate) fn retriever(&self) -> Arc<dyn Retriever> {
        let lookup = |name: &str| match name {
            "PATH" => Some("/usr/bin:/bin".to_owned()),
            "LANG" => Some("C.UTF-8".to_owned()),
            "KEY" => Some("s3cret-value".to_owned()),
            "OTHER" => Some("of the surroundings".to_owned()),
            _ => None,
        };
        Arc::new(Command::new("mine", self.program.clone(), None, &lookup).unwrap())
    }

    /// The text of a file that the program wrote.
    pub(crate) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }
}

/// What a retriever answers to each question: the ids, or the error as people read it.
pub(crate) async fn ask(retriever: &Arc<dyn Retriever>, questions: &[&str]) -> Vec<Result<Vec<String>, String>> {
    let requests =
        questions.iter().map(|question| Request { question: (*question).to_owned(), depth: 5, ..Request::default() });
    let mut events = run::start(Arc::clone(retriever), requests.collect(), retriever.concurrency());
    let mut answers = vec![Err("no event came".to_owned()); questions.len()];
    while let Some(event) = events.recv().await {
        if let RunEvent::Answered { index, result } = event {
            let ids = |answer: caselight::domain::ranking::Answer| {
                answer.results.iter().map(|hit| hit.id.to_string()).collect::<Vec<_>>()
            };
            answers[index] = result.map(ids).map_err(|error| error.to_string());
        }
    }
    answers
}

/// Waits until this holds; a test that would wait for ever fails instead.
pub(crate) fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_mins(1), "it never came to pass that {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// True while the process of that number lives; one that only waits to be reaped does not.
pub(crate) fn lives(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
    // The state follows the name, which is in brackets and may hold any character.
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}
