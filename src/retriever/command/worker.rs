//! Keeps one process alive: started at the first question, again where it ended, and not for ever.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use tokio::sync::{Mutex, RwLock};

use super::{
    Program, Trouble,
    process::{Lost, Process},
};
use crate::{
    engine::{client::Waiting, secret::Secrets},
    retriever::Watch,
};

/// After so many starts in a row without any answer the program is not started again.
const STARTS: u32 = 4;
/// The pause before the second of them; it doubles from there.
const PAUSE: Duration = Duration::from_millis(250);

/// One process at a time.
#[derive(Default)]
pub(super) struct Worker {
    current: Mutex<Current>,
    /// Questions share the process; one that is put again has it for itself, so that it takes no other down with it.
    alone: RwLock<()>,
}

#[derive(Default)]
struct Current {
    process: Option<Arc<Process>>,
    /// How many starts in a row brought no answer.
    fruitless: u32,
    /// How the last process ended.
    last: Option<Trouble>,
}

impl Worker {
    /// Puts one question, a second time where the process ended while it held it.
    pub(super) async fn ask(
        &self,
        program: &Program,
        secrets: &Secrets,
        question: &Value,
        watch: &Watch,
    ) -> Result<Value, Trouble> {
        {
            let _shared = self.alone.read().await;
            match self.once(program, secrets, question, watch).await {
                Err(Failed { again: true, .. }) => {}
                Ok(answer) => return Ok(answer),
                Err(failed) => return Err(failed.trouble),
            }
        }
        let _alone = self.alone.write().await;
        self.once(program, secrets, question, watch).await.map_err(|failed| failed.trouble)
    }

    async fn once(
        &self,
        program: &Program,
        secrets: &Secrets,
        question: &Value,
        watch: &Watch,
    ) -> Result<Value, Failed> {
        let process =
            self.process(program, secrets, watch).await.map_err(|trouble| Failed { again: false, trouble })?;
        let before = process.answers();
        let failed = |again, reason: String| {
            Err(Failed { again, trouble: Trouble { reason, last_words: process.last_words(secrets) } })
        };
        match tokio::time::timeout(program.timeout, process.ask(question)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(Lost::Broken(why))) => failed(false, why),
            // Once more would hide that all the others are answered by chance.
            Ok(Err(Lost::Unnumbered(how))) => failed(false, format!("it {how}")),
            Ok(Err(Lost::Ended(how))) => match program.misplaced() {
                Some(_) if process.answers() == 0 => failed(true, format!("it {how}; {}", program.whereabouts())),
                _ => failed(true, format!("it {how}")),
            },
            Err(_) => {
                let seconds = program.timeout.as_secs_f64();
                if process.answers() == before {
                    // It answers nobody: the questions that wait behind this one would wait as long.
                    process.stop(&format!("was stopped after {seconds} s without any answer"));
                }
                failed(false, format!("no answer within {seconds} s; does it flush its output after each line?"))
            }
        }
    }

    /// The process, started where none runs.
    async fn process(&self, program: &Program, secrets: &Secrets, watch: &Watch) -> Result<Arc<Process>, Trouble> {
        let mut current = self.current.lock().await;
        if let Some(process) = &current.process {
            let Some(how) = process.ended() else { return Ok(Arc::clone(process)) };
            let fruitless = if process.answers() > 0 { 0 } else { current.fruitless + 1 };
            current.last = Some(Trouble { reason: how, last_words: process.last_words(secrets) });
            current.fruitless = fruitless;
            current.process = None;
        }
        if current.fruitless >= STARTS {
            let last = current.last.clone().unwrap_or_default();
            let reason =
                format!("not started again after {STARTS} starts without an answer: the last one {}", last.reason);
            return Err(Trouble { reason, ..last });
        }
        if let Some(doubled) = current.fruitless.checked_sub(1) {
            let pause = PAUSE * 2_u32.pow(doubled);
            let last = current.last.as_ref().map_or("", |last| &last.reason);
            let reason = secrets.redact(&format!("the program {last}"));
            watch.waiting(Waiting { pause, attempt: current.fruitless, reason });
            tokio::time::sleep(pause).await;
        }
        match Process::start(program, secrets) {
            Ok(process) => Ok(Arc::clone(current.process.insert(Arc::new(process)))),
            Err(error) => {
                let reason = format!("it cannot be started: {error}; {}", program.whereabouts());
                Err(Trouble { reason, last_words: Vec::new() })
            }
        }
    }
}

struct Failed {
    /// True if putting the question again may help.
    again: bool,
    trouble: Trouble,
}
