//! A retriever that is a program: a long-lived process that takes a question a line and answers with a line of JSON each.
//!
//! ```text
//! stdin   {"n": 1, "question": "…", "asker": {"id": "lead-7", "groups": ["warehouse"]}, "context": [], "limit": 10, …}
//! stdout  {"n": 1, "results": [{"id": "a", "score": 1.5, "text": "…"}], "stages": […]}
//! stdout  {"n": 2, "error": "the index is locked"}
//! ```
//!
//! The objects are those of [`native`] beside the number `n`. Answers may come in any order; one without `n` answers the only
//! question that is open, and is an error where there are several. The program is started at the first question and again where
//! it ended; a question that it held is put once more, alone. It runs in a process group of its own that is killed with the
//! retriever; where this program is killed, its input ends. It sees no environment but [`SEEN`] and the variables that the settings name, whose values are cut out of all that it says.

mod output;
mod pending;
mod process;
mod worker;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use self::worker::Worker;
use super::{Request, Retriever, RetrieverError, Watch, found::Recognise, native};
use crate::{
    domain::{ranking::Answer, recognise::By, text::clean},
    engine::secret::Secrets,
};

/// The variables that every program sees.
pub const SEEN: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// A program that answers questions, as the settings name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments; never empty. A name without `/` is sought in `PATH`, another one is relative to `folder`.
    pub command: Vec<String>,
    /// Where it runs.
    pub folder: PathBuf,
    /// The folder as the settings name it, which is the same wherever their place lies; `None` is the settings' own.
    pub named: Option<String>,
    /// The variables that it sees beside [`SEEN`]. They have to be set; their values are secrets.
    pub env: Vec<String>,
    /// How long one question may take.
    pub timeout: Duration,
    /// How many questions one process holds at once, at least 1.
    pub concurrency: usize,
    /// How many processes run, at least 1.
    pub workers: usize,
    /// What tells which chunk a hit is.
    pub recognise: By,
    /// What it sees of [`SEEN`]; see [`Command::new`].
    surroundings: BTreeMap<&'static str, String>,
}

impl Program {
    /// The program with a time-out of 30 s, in one process that holds one question at a time.
    #[must_use]
    pub fn new(command: Vec<String>, folder: PathBuf) -> Self {
        let timeout = Duration::from_secs(30);
        let (env, surroundings) = (Vec::new(), BTreeMap::new());
        let recognise = By::default();
        Self { command, folder, named: None, env, timeout, concurrency: 1, workers: 1, recognise, surroundings }
    }

    /// What is started.
    fn executable(&self) -> OsString {
        let name = self.command.first().map_or("", String::as_str);
        // What a relative path is relative to would else depend on the system.
        if name.contains('/') { self.folder.join(name).into_os_string() } else { name.into() }
    }

    /// In which folder it runs, and what of the command is elsewhere, as a clause.
    fn whereabouts(&self) -> String {
        let runs = format!("it runs in {}", clean(&self.folder.display().to_string()));
        match self.misplaced() {
            Some(file) => {
                let file = clean(file);
                format!(
                    "{runs}, where there is no `{file}`: that is in the folder you are in; say it from there, or set `folder`"
                )
            }
            None => runs,
        }
    }

    /// The first file of the command that is not where the program runs, but in the folder of whoever started this.
    fn misplaced(&self) -> Option<&str> {
        let is_file = |word: &&String| Path::new(word.as_str()).is_file() && !self.folder.join(word.as_str()).exists();
        // The program itself is sought in `PATH` where it has no `/`.
        let files = self.command.iter().enumerate().filter(|(at, word)| *at > 0 || word.contains('/'));
        files.map(|(_, word)| word).find(is_file).map(String::as_str)
    }

    fn surroundings(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.surroundings.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// The command as one would type it.
    fn typed(&self) -> String {
        clean(&self.command.join(" ")).into_owned()
    }
}

/// Why a program gave no answer.
#[derive(Debug, Clone, Default)]
struct Trouble {
    reason: String,
    last_words: Vec<String>,
}

/// Asks a program.
pub struct Command {
    name: String,
    program: Program,
    secrets: Secrets,
    /// Tells which chunk a hit is; `None` where the program's ids are the corpus's.
    recognise: Option<Arc<Recognise>>,
    workers: Vec<Worker>,
    /// One for each question that may be held.
    free: Semaphore,
    /// How many questions each worker holds.
    held: Mutex<Vec<usize>>,
}

impl Command {
    /// A retriever of that name over `program`, which is not started yet; `recognise` does what the program's own field says, `None`
    /// where its ids are the corpus's; `lookup` reads the environment. Fails where a variable
    /// that the settings name is not set, or the folder is none.
    pub fn new(
        name: &str,
        mut program: Program,
        recognise: Option<Arc<Recognise>>,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, RetrieverError> {
        let unusable = |reason: String| RetrieverError::Unusable { retriever: name.to_owned(), reason };
        let place = format!("retrievers.{name}.env");
        let named: Vec<String> = program.env.iter().map(|variable| format!("${{{variable}}}")).collect();
        let secrets = Secrets::collect(named.iter().map(|text| (place.as_str(), text.as_str())), lookup)
            .map_err(|error| unusable(error.to_string()))?;
        // Absolute, because a program's path would else be sought from where it already runs.
        let folder = if program.folder.as_os_str().is_empty() { Path::new(".") } else { &program.folder };
        program.folder = std::path::absolute(folder).map_err(|error| unusable(error.to_string()))?;
        if !program.folder.is_dir() {
            let folder = program.folder.display();
            return Err(unusable(format!("its folder {folder} does not exist: say in `folder` where it runs")));
        }
        program.surroundings = SEEN.into_iter().filter_map(|name| Some((name, lookup(name)?))).collect();
        let (concurrency, workers) = (program.concurrency.max(1), program.workers.max(1));
        Ok(Self {
            name: name.to_owned(),
            secrets,
            recognise,
            workers: (0..workers).map(|_| Worker::default()).collect(),
            free: Semaphore::new(concurrency.saturating_mul(workers).min(Semaphore::MAX_PERMITS)),
            held: Mutex::new(vec![0; workers]),
            program,
        })
    }

    async fn answer(&self, request: &Request, watch: &Watch) -> Result<Answer, Trouble> {
        // The semaphore is never closed.
        let _free = self.free.acquire().await;
        let held = Held::by_the_least_busy(&self.held);
        let question = native::request(request);
        let answer = self.workers[held.worker].ask(&self.program, &self.secrets, &question, watch).await?;
        let answer = self.without_secrets(answer);
        let trouble = |reason: String| Trouble { reason, last_words: Vec::new() };
        if let Some(error) = native::error(&answer) {
            return Err(trouble(format!("it answered with an error: {error}")));
        }
        native::answer(&answer, self.recognise.as_deref()).map_err(trouble)
    }

    /// An answer in which no text holds a secret, whatever the program echoes.
    fn without_secrets(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.secrets.redact(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.without_secrets(item)).collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, value)| (self.secrets.redact(&name), self.without_secrets(value)))
                .collect(),
            other => other,
        }
    }

    fn failed(&self, trouble: &Trouble) -> RetrieverError {
        let short: String = self.secrets.redact(&trouble.reason).chars().take(LONGEST).collect();
        let mut reason = format!("`{}`: {}", self.program.typed(), clean(&short));
        if let Some(last) = trouble.last_words.last() {
            reason = format!("{reason}; its last words: {last}");
        }
        let detail = (trouble.last_words.len() > 1).then(|| trouble.last_words.join("\n"));
        RetrieverError::Failed { retriever: self.name.clone(), reason, detail }
    }
}

/// How many characters of a program's own words stand in an error.
const LONGEST: usize = 500;

impl Retriever for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_baseline(&self) -> bool {
        false
    }

    fn reach(&self) -> Option<String> {
        // Of a variable only the name: its value is a secret.
        let told = json!({
            "type": "command",
            "command": self.program.command,
            "folder": self.program.named,
            "env": self.program.env,
            "recognise": self.program.recognise.name(),
        });
        Some(told.to_string())
    }

    fn concurrency(&self) -> usize {
        self.program.concurrency.max(1).saturating_mul(self.workers.len())
    }

    fn retrieve<'a>(&'a self, request: &'a Request, watch: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        Box::pin(async move { self.answer(request, watch).await.map_err(|trouble| self.failed(&trouble)) })
    }
}

/// A worker's place for one question.
struct Held<'a> {
    all: &'a Mutex<Vec<usize>>,
    worker: usize,
}

impl<'a> Held<'a> {
    fn by_the_least_busy(all: &'a Mutex<Vec<usize>>) -> Self {
        let mut held = all.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = (0..held.len()).min_by_key(|worker| held[*worker]).unwrap_or_default();
        held[worker] += 1;
        Self { all, worker }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)[self.worker] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_where_the_program_runs_but_here_is_named() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let program = |command: &[&str]| {
            Program::new(command.iter().map(|word| (*word).to_owned()).collect(), folder.path().to_owned())
        };
        // Tests run in the folder of the package.
        assert_eq!(program(&["python3", "Cargo.toml"]).misplaced(), Some("Cargo.toml"));
        assert_eq!(program(&["./Cargo.toml", "x"]).misplaced(), Some("./Cargo.toml"));
        assert_eq!(program(&["Cargo.toml", "nothing"]).misplaced(), None, "a name without `/` is sought in PATH");
        let said = program(&["python3", "Cargo.toml"]).whereabouts();
        let expected = format!("it runs in {}, where there is no `Cargo.toml`", folder.path().display());
        assert!(said.starts_with(&expected), "{said}");
        std::fs::write(folder.path().join("Cargo.toml"), "").expect("it can be written");
        assert_eq!(program(&["python3", "Cargo.toml"]).misplaced(), None);
    }
}
