//! A table of Postgres that holds the chunks: words by its full text search, documents and chunks by their names.

mod columns;
mod search;
#[cfg(test)]
mod tests;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::Value;

pub use self::columns::Columns;

use super::{
    Read, Reader,
    fields::{Fields, Passage},
    table::plain,
};
use crate::engine::{
    client::CallError,
    postgres::{Database, Param, Query, Row, Session, identifier},
    secret::Secrets,
};

/// How many names or ids are asked for at once.
const MANY: usize = 500;
/// How much longer than its own time limit the server is waited for.
const GRACE: Duration = Duration::from_secs(5);

/// A table or a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// Where it is asked.
    pub database: Database,
    /// Its name; a dot divides the schema from it.
    pub table: String,
    /// Which column is what; a dot leads into a column of JSON.
    pub fields: Fields,
    /// The column of type `tsvector` that is searched; `None` makes it of the passage and its title, anew for each search.
    pub words: Option<String>,
    /// How words are stemmed, as `to_tsvector` takes it; `None` is as the database has it set.
    pub language: Option<String>,
}

/// A table that is spoken to, by one connection that is made again when it ends.
#[derive(Clone)]
pub struct Open {
    asked: Arc<Asked>,
}

struct Asked {
    relation: Relation,
    secrets: Secrets,
    /// The connection, while nobody uses it.
    idle: Mutex<Option<Session>>,
}

impl Relation {
    /// Speaks to it with these secrets. Connects at the first question.
    #[must_use]
    pub fn open(&self, secrets: &Secrets) -> Open {
        let asked = Asked { relation: self.clone(), secrets: secrets.clone(), idle: Mutex::default() };
        Open { asked: Arc::new(asked) }
    }

    /// Reads every row, in no order.
    pub(super) async fn each(&self, secrets: &Secrets, read: &mut Reader<'_>) -> Result<(), CallError> {
        let open = self.open(secrets);
        let columns = open.columns().await?;
        let sql = format!("SELECT {} FROM {} AS c", columns.list(), self.quoted());
        let fields = columns.fields(self);
        let mut session = self.database.connect(secrets).await?;
        let each = &mut |row| read(Read::Passage(self.passage(&fields, row)?));
        session.each(&Query { sql, ..Query::default() }, each).await
    }

    /// Its name, as a statement has it.
    fn quoted(&self) -> String {
        let parts: Vec<String> = self.table.split('.').map(identifier).collect();
        parts.join(".")
    }

    fn passage(&self, fields: &Fields, row: Row) -> Result<Passage, CallError> {
        fields.passage("a row", plain(row)).map_err(|what| self.wrong(what))
    }

    fn wrong(&self, what: impl std::fmt::Display) -> CallError {
        CallError { reason: format!("the table `{}`: {what}", self.table), detail: None }
    }
}

impl Open {
    /// Looks at the columns of the table. An error names one that is missing, and those there are.
    pub async fn columns(&self) -> Result<Columns, CallError> {
        columns::look(self).await
    }

    /// The best `limit` passages for any word of `text`, each with its score; with `begins`, its last word may go on.
    ///
    /// A passage that has all that is asked for stands before one that has some of it. The text is plain words, but that `"…"` keeps
    /// words together and `or` stands between two: whatever it is, it is no error.
    pub async fn search(
        &self,
        columns: &Columns,
        text: &str,
        begins: bool,
        limit: usize,
    ) -> Result<Vec<(Passage, f64)>, CallError> {
        let relation = &self.asked.relation;
        let sql = search::statement(columns, &relation.quoted(), begins, limit);
        let params = vec![Param::Text(search::plain_words(text))];
        let fields = columns.fields(relation);
        let rows = self.rows(Query { sql, params, ..Query::default() }).await?;
        rows.into_iter()
            .map(|mut row| {
                let score = row.shift_remove("score").and_then(|score| score.as_f64()).unwrap_or(0.0);
                Ok((relation.passage(&fields, row)?, score))
            })
            .collect()
    }

    /// Every passage of the documents of these names, in order.
    pub async fn documents(&self, columns: &Columns, names: &[String]) -> Result<Vec<Passage>, CallError> {
        let mut found = self.among(columns, names, |names, params| columns.of_documents(names, params)).await?;
        found.sort_by(Passage::order);
        Ok(found)
    }

    /// The passages of these ids, in no order; an id that is not there gives none.
    pub async fn chunks(&self, columns: &Columns, ids: &[String]) -> Result<Vec<Passage>, CallError> {
        self.among(columns, ids, |ids, params| columns.of_ids(ids, params)).await
    }

    /// The names of documents that are called `name` but for upper and lower case, at most `limit`.
    pub async fn called(&self, columns: &Columns, name: &str, limit: usize) -> Result<Vec<String>, CallError> {
        let (document, table) = (columns.document(), self.asked.relation.quoted());
        let sql = format!(
            "SELECT DISTINCT {document} AS document FROM {table} AS c WHERE lower({document}) = lower($1::text) LIMIT {limit}"
        );
        let rows = self.rows(Query { sql, params: vec![Param::Text(without_nul(name))], ..Query::default() }).await?;
        Ok(rows.iter().filter_map(|row| row["document"].as_str()).map(str::to_owned).collect())
    }

    /// How many passages there are; and a text that changes whenever one is added, changed or removed, where that is to be told.
    ///
    /// It is made of each row's place and of the transaction that wrote it, which a view does not have.
    pub async fn state(&self) -> Result<(u64, Option<String>), CallError> {
        let table = self.asked.relation.quoted();
        let count = |row: Option<&Row>| row.and_then(|row| row["count"].as_u64()).unwrap_or(0);
        let versions = "hashtextextended(c.tableoid::text || ' ' || c.ctid::text || ' ' || c.xmin::text, 0)::numeric";
        let sql = format!("SELECT count(*) AS count, sum({versions})::text AS versions FROM {table} AS c");
        if let Ok(rows) = self.rows(Query { sql, ..Query::default() }).await {
            let row = rows.first();
            let versions = row.and_then(|row| row["versions"].as_str());
            return Ok((count(row), versions.map(|versions| format!("{} {versions}", count(row)))));
        }
        let sql = format!("SELECT count(*) AS count FROM {table} AS c");
        let rows = self.rows(Query { sql, ..Query::default() }).await?;
        Ok((count(rows.first()), None))
    }

    async fn among(
        &self,
        columns: &Columns,
        values: &[String],
        condition: impl Fn(&[String], &mut Vec<Param>) -> String + Send,
    ) -> Result<Vec<Passage>, CallError> {
        let relation = &self.asked.relation;
        let (fields, mut found) = (columns.fields(relation), Vec::new());
        for values in values.chunks(MANY) {
            let mut params = Vec::new();
            let condition = condition(values, &mut params);
            let sql = format!("SELECT {} FROM {} AS c WHERE {condition}", columns.list(), relation.quoted());
            for row in self.rows(Query { sql, params, ..Query::default() }).await? {
                found.push(relation.passage(&fields, row)?);
            }
        }
        Ok(found)
    }

    /// Asks by the connection that is there, or by a new one. After an error it is not used again.
    async fn rows(&self, query: Query) -> Result<Vec<Row>, CallError> {
        let database = &self.asked.relation.database;
        let idle = || self.asked.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().take().filter(|session| !session.is_closed());
        let mut session = match known {
            Some(session) => session,
            None => database.connect(&self.asked.secrets).await?,
        };
        // A server that is gone without a word does not keep its own time limit.
        let Ok(rows) = tokio::time::timeout(database.timeout + GRACE, session.rows(&query)).await else {
            let reason = format!("{}: no answer within {} s", session.place(), database.timeout.as_secs_f64());
            return Err(CallError { reason, detail: None });
        };
        let rows = rows?;
        *idle() = Some(session);
        Ok(rows)
    }
}

/// What Postgres takes as a text.
fn without_nul(text: &str) -> String {
    text.replace('\0', " ")
}

/// A text of a row, or nothing.
fn text(row: &Row, name: &str) -> String {
    row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}
