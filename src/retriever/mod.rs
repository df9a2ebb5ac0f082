//! Ways to reach retrieval: one trait, an adapter each, and [`run`], the only caller of them.

pub mod local;
pub mod run;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::domain::{asker::Asker, ranking::Answer};

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

    /// Asks one question. [`run`] alone calls this, and measures the latency: what an adapter puts there is overwritten.
    fn retrieve<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, RetrieverError>>;
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
    /// The adapter panicked: a fault of this program.
    #[error("retriever `{retriever}` failed inside: {reason}; this is a fault of the program, please report it")]
    Panicked {
        /// The retriever.
        retriever: String,
        /// The panic's message.
        reason: String,
    },
}
