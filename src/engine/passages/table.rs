//! Postgres: the rows of a query, each a passage by the names of its columns.

use serde_json::Value;

use super::{Read, Reader, fields::Fields};
use crate::engine::{
    client::CallError,
    postgres::{Database, Query},
    secret::Secrets,
};

/// A query whose rows are the passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Where it is asked.
    pub database: Database,
    /// A `SELECT` with the columns `id` and `text`, and `document`, `heading`, `scope` as need be.
    pub query: String,
    /// How a heading path is divided.
    pub fields: Fields,
}

impl Table {
    /// Reads every row.
    pub(super) async fn each(&self, secrets: &Secrets, read: &mut Reader<'_>) -> Result<(), CallError> {
        let mut session = self.database.connect(secrets).await?;
        let name = session.place().to_owned();
        let failed = |what: String| CallError { reason: format!("{name}: {what}"), detail: None };
        let query = Query { sql: self.query.clone(), ..Query::default() };
        let fields = Fields { id: Some("id".to_owned()), ..self.fields.clone() };
        let mut number = 0_u64;
        let columns = session.columns(&query.sql).await?;
        for needed in ["id", "text"] {
            if !columns.iter().any(|column| column == needed) {
                let there = columns.join(", ");
                let what = format!("the query gives no column `{needed}`: name one so with AS; its columns: {there}");
                return Err(failed(what));
            }
        }
        let each = &mut |row| {
            number += 1;
            let passage = fields.passage(&format!("row {number}"), plain(row)).map_err(&failed)?;
            read(Read::Passage(passage))
        };
        session.each(&query, each).await?;
        Ok(())
    }
}

/// A row in which a list of groups without any is none, and NULL is a column that is not there.
pub(super) fn plain(row: crate::engine::postgres::Row) -> crate::engine::postgres::Row {
    row.into_iter().filter(|(_, value)| !value.is_null() && *value != Value::Array(Vec::new())).collect()
}
