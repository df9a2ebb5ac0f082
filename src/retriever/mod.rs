//! Ways to reach retrieval: one trait, an adapter each, and [`run`], the only caller of them.

pub mod command;
pub mod found;
pub mod http;
pub mod local;
pub mod native;
pub mod run;
pub mod sql;
mod steps;
pub mod waits;

use std::fmt;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use self::run::RunEvent;
use crate::domain::{asker::Asker, ranking::Answer};
pub use crate::engine::client::Waiting;

/// One question to a retriever.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The question.
    pub question: String,
    /// As whom it is asked.
    pub asker: Asker,
    /// Earlier turns, oldest first.
    pub context: Vec<String>,
    /// How many results are wanted, at least 1.
    pub depth: usize,
    /// The config's own parameters.
    pub params: Map<String, Value>,
}

/// A way to reach retrieval.
pub trait Retriever: Send + Sync {
    /// Its name in the settings.
    fn name(&self) -> &str;

    /// True for the embedded one: a baseline, never production.
    fn is_baseline(&self) -> bool;

    /// How it is reached, without secrets, as JSON text that a run keeps; `None` for what is part of this program.
    fn reach(&self) -> Option<String> {
        None
    }

    /// How many questions may be asked at once.
    fn concurrency(&self) -> usize {
        run::CONCURRENCY
    }

    /// What has to be done once before the first question, and may take long: told how far it is. Gives what was odd, as sentences.
    /// A retriever that was not prepared does it when the first question comes.
    fn prepare<'a>(
        &'a self,
        told: &'a (dyn Fn(Preparing) + Send + Sync),
    ) -> BoxFuture<'a, Result<Vec<String>, RetrieverError>> {
        let _ = told;
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Asks one question. [`run`] alone calls this, and measures the latency: what an adapter puts there is overwritten. A pause
    /// before a repetition is told to `watch`.
    fn retrieve<'a>(&'a self, request: &'a Request, watch: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>>;
}

/// How far a retriever is that prepares for its first question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preparing {
    /// What it does, as a clause: `embedding passages by e5`.
    pub what: String,
    /// How many passages are done.
    pub done: usize,
    /// How many there are; 0 while that is not known.
    pub total: usize,
}

impl fmt::Display for Preparing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.total {
            0 => f.write_str(&self.what),
            total => write!(f, "{}: {} of {total}", self.what, self.done),
        }
    }
}

/// Whom an adapter tells that it waits.
#[derive(Debug, Clone, Default)]
pub struct Watch(Option<(usize, mpsc::Sender<RunEvent>)>);

impl Watch {
    /// Tells of a pause. What a reader that has fallen behind misses is told by the next one.
    pub fn waiting(&self, waiting: Waiting) {
        if let Some((index, events)) = &self.0 {
            let _ = events.try_send(RunEvent::Waiting { index: *index, waiting });
        }
    }
}

/// Why a question got no answer. An empty list is an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RetrieverError {
    /// The embedded index could not be searched.
    #[error("retriever `{retriever}`: the index could not be searched: {reason}; rebuild it with `caselight index`")]
    Index {
        /// The retriever.
        retriever: String,
        /// What the index says.
        reason: String,
    },
    /// The config has a parameter that the retriever does not know, or not with that value.
    #[error("retriever `{retriever}` cannot take the parameter `{param}` of this config: {known}")]
    WrongParam {
        /// The retriever.
        retriever: String,
        /// The parameter.
        param: String,
        /// What it takes, as a clause.
        known: String,
    },
    /// The retriever cannot be reached as the settings say: nothing was asked.
    #[error("retriever `{retriever}`: {reason}")]
    Unusable {
        /// The retriever.
        retriever: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The call failed. Both texts are free of secrets and control characters.
    #[error("retriever `{retriever}`: {reason}")]
    Failed {
        /// The retriever.
        retriever: String,
        /// One line: what was asked, what came back.
        reason: String,
        /// The rest, to show on request.
        detail: Option<String>,
    },
    /// The adapter panicked: a fault of this program.
    #[error("retriever `{retriever}` failed inside: {reason}; this is a fault of the program, please report it")]
    Panicked {
        /// The retriever.
        retriever: String,
        /// The panic's message.
        reason: String,
    },
}
