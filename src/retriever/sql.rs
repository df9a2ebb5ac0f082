//! A database that is the retriever: each question is one statement in a read-only transaction, and each row a hit.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::{
    Request, Retriever, RetrieverError, Watch,
    found::{self, Recognise},
    http::values,
    steps,
};
use crate::{
    domain::{ranking::Answer, text::clean},
    engine::{
        client::CallError,
        embed::Embeddings,
        postgres::{Database, Query, Session},
        rerank::Reranker,
        secret::Secrets,
        shape::Shape,
        sql::Statement,
    },
};

/// A database and what it is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct SqlSpec {
    /// The database.
    pub database: Database,
    /// The statement; its columns are called `id`, `score`, `text`, `document` and `heading`, or as `shape` says.
    pub statement: Statement,
    /// Settings of the server for each statement.
    pub set: Vec<(String, String)>,
    /// Where what of a hit stands in the list of rows.
    pub shape: Shape,
    /// How many questions are asked at once, at least 1, each over a connection of its own.
    pub concurrency: usize,
}

/// A retriever that is a statement.
pub struct Sql {
    name: String,
    spec: SqlSpec,
    secrets: Secrets,
    recognise: Option<Arc<Recognise>>,
    embed: Option<Embeddings>,
    rerank: Option<Reranker>,
    idle: Mutex<Vec<Session>>,
}

impl Sql {
    /// A retriever as `spec` describes it; `lookup` gives the values of `${NAME}`. Nothing is sent.
    pub fn new(
        name: &str,
        spec: SqlSpec,
        recognise: Option<Arc<Recognise>>,
        embed: Option<Embeddings>,
        rerank: Option<Reranker>,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, RetrieverError> {
        let key = |key: &str| format!("retrievers.{name}.{key}");
        let (connection, password) = (key("connection"), key("password"));
        let texts = [(connection.as_str(), spec.database.connection.as_str())];
        let texts = texts.into_iter().chain(spec.database.password.as_deref().map(|text| (password.as_str(), text)));
        let secrets = Secrets::collect(texts, lookup);
        let secrets = secrets
            .map_err(|error| RetrieverError::Unusable { retriever: name.to_owned(), reason: error.to_string() })?;
        let idle = Mutex::default();
        Ok(Self { name: name.to_owned(), spec, secrets, recognise, embed, rerank, idle })
    }

    async fn ask(&self, request: &Request, watch: &Watch) -> Result<Answer, CallError> {
        let mut values = values(request);
        if let Some(embed) =
            self.embed.as_ref().filter(|_| self.spec.statement.names().iter().any(|name| name == "vector"))
        {
            values = values.with("vector", json!(steps::vector(embed, &request.question, watch).await?));
        }
        let params = self.spec.statement.params(&values).map_err(|reason| CallError { reason, detail: None })?;
        let query = Query { sql: self.spec.statement.sql().to_owned(), params, set: self.spec.set.clone() };
        let mut rows = Value::Array(self.rows(&query).await?.into_iter().map(Value::Object).collect());
        super::http::scrub(&mut rows, &self.secrets);
        let (shape, recognise) = (&self.spec.shape, self.recognise.as_deref());
        let reading = shape.read(&rows, recognise.is_none());
        let answer = reading.and_then(|reading| found::answer(reading, recognise, &shape.hit));
        let mut answer = answer.map_err(|reason| CallError { reason, detail: None })?;
        if let Some(rerank) = &self.rerank {
            steps::rerank(rerank, &request.question, &mut answer, watch).await?;
        }
        Ok(answer)
    }

    async fn rows(&self, query: &Query) -> Result<Vec<serde_json::Map<String, Value>>, CallError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut session = match idle {
            Some(mut session) => match session.rows(query).await {
                Ok(rows) => {
                    self.keep(session);
                    return Ok(rows);
                }
                // The server may have closed it since; what is wrong with the statement is said again.
                Err(_) => self.spec.database.connect(&self.secrets).await?,
            },
            None => self.spec.database.connect(&self.secrets).await?,
        };
        let rows = session.rows(query).await?;
        self.keep(session);
        Ok(rows)
    }

    fn keep(&self, session: Session) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
    }
}

impl Retriever for Sql {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_baseline(&self) -> bool {
        false
    }

    fn reach(&self) -> Option<String> {
        let told = json!({
            "type": "sql",
            // The connection string itself may hold a password.
            "server": self.spec.database.place(&self.secrets),
            "query": self.spec.statement.sql(),
            "parameters": self.spec.statement.names(),
            "set": self.spec.set,
            "read": self.spec.shape.told(),
            "embed": self.embed.as_ref().map(|embed| embed.spec().name.clone()),
            "rerank": self.rerank.as_ref().map(|rerank| rerank.spec().name.clone()),
        });
        Some(told.to_string())
    }

    fn concurrency(&self) -> usize {
        self.spec.concurrency
    }

    fn retrieve<'a>(&'a self, request: &'a Request, watch: &'a Watch) -> BoxFuture<'a, Result<Answer, RetrieverError>> {
        Box::pin(async move {
            self.ask(request, watch).await.map_err(|error| RetrieverError::Failed {
                retriever: self.name.clone(),
                reason: clean(&self.secrets.redact(&error.reason)).into_owned(),
                detail: error.detail,
            })
        })
    }
}
