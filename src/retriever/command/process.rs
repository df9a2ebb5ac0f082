//! One child process in a process group of its own: questions in, answers out, and how it ended.

use std::{
    collections::HashMap,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{FutureExt as _, future::FusedFuture as _};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use tokio::{
    io::{AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout},
    sync::{mpsc, oneshot},
    task::AbortHandle,
};

use super::{
    Program,
    output::{LastWords, Line as Printed, Lines},
    pending::{Line, Pending},
};
use crate::engine::secret::Secrets;

/// The longest line of an answer, in bytes.
const LONGEST: usize = 32 * 1024 * 1024;
/// How long a process that closed its output may take to end, and the rest of its output to arrive once it ended.
const GRACE: Duration = Duration::from_secs(1);

/// A running process. Dropping it kills it and what it started.
pub(super) struct Process {
    shared: Arc<Shared>,
    driver: AbortHandle,
}

/// Why a question got no answer from this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    /// The process ended before it answered: how, as a clause without a subject.
    Ended(String),
    /// What it printed is no answer to this question.
    Broken(String),
    /// It was stopped because what it printed may answer any of its questions: why.
    Unnumbered(String),
}

struct Shared {
    state: Mutex<State>,
    group: Mutex<Option<Pid>>,
    words: LastWords,
}

struct State {
    pending: Pending,
    waiting: HashMap<u64, oneshot::Sender<Result<Value, Lost>>>,
    lines: mpsc::UnboundedSender<Vec<u8>>,
    /// How many answers came.
    answers: u64,
    /// How it ended.
    ended: Option<String>,
}

impl Process {
    /// Starts the program; an error is what the system says.
    pub(super) fn start(program: &Program, secrets: &Secrets) -> std::io::Result<Self> {
        let mut command = tokio::process::Command::new(program.executable());
        command
            .args(program.command.iter().skip(1))
            .current_dir(&program.folder)
            .env_clear()
            .envs(program.surroundings())
            .envs(program.env.iter().map(|name| (name, secrets.expand(&format!("${{{name}}}")))))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let (lines, outgoing) = mpsc::unbounded_channel();
        let state = State {
            pending: Pending::new(program.concurrency),
            waiting: HashMap::new(),
            lines,
            answers: 0,
            ended: None,
        };
        let words = LastWords::default();
        let shared = Arc::new(Shared { state: Mutex::new(state), group: Mutex::new(group), words: words.clone() });
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(std::io::Error::other("it has no standard streams"));
        };
        let served = Arc::clone(&shared);
        let driver = tokio::spawn(async move {
            let writing = write(stdin, outgoing);
            drive(child, stdout, writing, words.listen(stderr), &served).await;
        });
        Ok(Self { shared, driver: driver.abort_handle() })
    }

    /// How it ended, as a clause without a subject; `None` while it takes questions.
    pub(super) fn ended(&self) -> Option<String> {
        self.shared.state().ended.clone()
    }

    /// How many answers it gave so far.
    pub(super) fn answers(&self) -> u64 {
        self.shared.state().answers
    }

    /// Puts one question, to which the number is added, and waits for its answer. Dropping this gives the question up.
    pub(super) async fn ask(&self, question: &Value) -> Result<Value, Lost> {
        let (answer, answered) = oneshot::channel();
        let number = {
            let mut state = self.shared.state();
            if let Some(ended) = &state.ended {
                return Err(Lost::Ended(ended.clone()));
            }
            let number = state.pending.ask();
            let mut line = serde_json::json!({ "n": number });
            if let (Value::Object(line), Value::Object(question)) = (&mut line, question) {
                line.extend(question.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            let mut line = line.to_string().into_bytes();
            line.push(b'\n');
            state.waiting.insert(number, answer);
            // Under the lock, so that questions are put in the order of their numbers.
            let _ = state.lines.send(line);
            number
        };
        let _waiting = Waiting { shared: &self.shared, number };
        answered.await.unwrap_or_else(|_| Err(Lost::Ended("its output was no longer read".to_owned())))
    }

    /// Kills it for a reason, which its questions are told.
    pub(super) fn stop(&self, why: &str) {
        self.shared.end(why);
        self.shared.kill();
    }

    /// The last lines of its standard error.
    pub(super) fn last_words(&self, secrets: &Secrets) -> Vec<String> {
        self.shared.words.lines(secrets)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.shared.kill();
        self.driver.abort();
    }
}

/// A question that is given up where nobody waits any more.
struct Waiting<'a> {
    shared: &'a Shared,
    number: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.waiting.remove(&self.number);
        state.pending.give_up(self.number);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills the process and what it started, unless its end was seen already: then the number may be another's.
    fn kill(&self) {
        let group = self.group.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(group) = *group {
            // It fails where nothing of the group lives, which is what it is for.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Tells every question that waits how the process ended. The first end counts.
    fn end(&self, how: &str) {
        self.end_with(how, Lost::Ended);
    }

    fn end_with(&self, how: &str, lost: impl Fn(String) -> Lost) {
        let mut state = self.state();
        let how = state.ended.get_or_insert_with(|| how.to_owned()).clone();
        for (_, answer) in state.waiting.drain() {
            let _ = answer.send(Err(lost(how.clone())));
        }
    }

    /// Gives a line to the question that it answers; an error says why no further line can be told.
    fn printed(&self, printed: Printed) -> Result<(), Lost> {
        let mut state = self.state();
        let line = match printed {
            Printed::Whole(line) => state.pending.line(line.trim_ascii()),
            Printed::TooLong(beginning) => state.pending.too_long(&beginning, LONGEST),
        };
        let (number, answer) = match line {
            Line::Answer(number, value) => {
                state.answers += 1;
                (number, Ok(value))
            }
            Line::Broken(number, why) => (number, Err(Lost::Broken(why))),
            Line::Late => return Ok(()),
            Line::Lost(why) => return Err(Lost::Ended(why)),
            Line::Unnumbered(why) => return Err(Lost::Unnumbered(why)),
        };
        if let Some(waiting) = state.waiting.remove(&number) {
            let _ = waiting.send(answer);
        }
        Ok(())
    }
}

/// Serves one process until it has ended, and then ends its questions.
async fn drive(
    mut child: Child,
    stdout: ChildStdout,
    writing: impl Future<Output = ()>,
    listening: impl Future<Output = ()>,
    shared: &Shared,
) {
    let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, stdout), LONGEST);
    // Either may be over long before the process is.
    let (writing, listening) = (writing.fuse(), listening.fuse());
    tokio::pin!(writing, listening);
    let status = loop {
        tokio::select! {
            // Answers first: those that were printed before the end are answers.
            biased;
            line = lines.next() => match line {
                Ok(Some(line)) => {
                    match shared.printed(line) {
                        Ok(()) => {}
                        Err(Lost::Unnumbered(why)) => {
                            shared.end_with(&why, Lost::Unnumbered);
                            break None;
                        }
                        Err(Lost::Ended(why) | Lost::Broken(why)) => {
                            shared.end(&why);
                            break None;
                        }
                    }
                }
                Ok(None) | Err(_) => break tokio::time::timeout(GRACE, child.wait()).await.ok(),
            },
            status = child.wait() => break Some(status),
            () = &mut writing, if !writing.is_terminated() => {}
            () = &mut listening, if !listening.is_terminated() => {}
        }
    };
    // Whatever it started goes with it, and with that the last hand that holds the output.
    shared.kill();
    let closed = status.is_none();
    let status = match status {
        Some(status) => status,
        None => child.wait().await,
    };
    shared.group.lock().unwrap_or_else(PoisonError::into_inner).take();
    let rest = async {
        while let Ok(Some(line)) = lines.next().await {
            if shared.printed(line).is_err() {
                break;
            }
        }
    };
    let words = async {
        if !listening.is_terminated() {
            listening.await;
        }
    };
    // Something that left its group may hold either stream open for ever.
    let _ = tokio::time::timeout(GRACE, futures_util::future::join(rest, words)).await;
    shared.end(&if closed { "closed its standard output without ending".to_owned() } else { ended(status) });
}

/// Writes lines until the process takes no more; how the process ends is told elsewhere.
async fn write(mut stdin: ChildStdin, mut outgoing: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(line) = outgoing.recv().await {
        if stdin.write_all(&line).await.is_err() || stdin.flush().await.is_err() {
            break;
        }
    }
}

/// How a process ended, as a clause.
fn ended(status: std::io::Result<ExitStatus>) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match status.map(|status| (status.code(), status.signal())) {
        Ok((Some(code), _)) => format!("ended with exit status {code} before it answered"),
        Ok((None, Some(signal))) => format!("was ended by signal {signal} before it answered"),
        Ok((None, None)) => "ended before it answered".to_owned(),
        Err(error) => format!("is gone: {error}"),
    }
}
