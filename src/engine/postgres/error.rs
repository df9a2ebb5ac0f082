//! What Postgres says went wrong, as one line that names the place and what to do.

use std::{error::Error as _, time::Duration};

use tokio_postgres::{
    Error,
    error::{DbError, ErrorPosition, SqlState},
};

use crate::{
    domain::text::clean,
    engine::{client::CallError, secret::Secrets},
};

/// A statement that was asked, for what is said of it.
pub(super) struct Asked<'a> {
    pub(super) place: &'a str,
    pub(super) sql: &'a str,
    pub(super) secrets: &'a Secrets,
    pub(super) timeout: Duration,
}

impl Asked<'_> {
    pub(super) fn failed(&self, what: &str, detail: Option<&str>) -> CallError {
        let text = |text: &str| clean(&self.secrets.redact(text)).into_owned();
        CallError { reason: text(&format!("{}: {what}", self.place)), detail: detail.map(text) }
    }

    /// An error of the statement.
    pub(super) fn error(&self, error: &Error) -> CallError {
        let Some(db) = error.as_db_error() else { return self.failed(&words(error), None) };
        let what = if *db.code() == SqlState::QUERY_CANCELED {
            format!("{}: it may take {} s, as `timeout` says", db.message(), self.timeout.as_secs_f64())
        } else if *db.code() == SqlState::READ_ONLY_SQL_TRANSACTION {
            format!("{}: only reading is allowed", db.message())
        } else {
            format!("{}{}", db.message(), self.at(db))
        };
        let more: Vec<&str> = db.detail().into_iter().chain(db.hint()).collect();
        let more = (!more.is_empty()).then(|| more.join(" "));
        let hint = db.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
        self.failed(&format!("{what}{hint}"), more.as_deref())
    }

    /// An error of a setting for the statement.
    pub(super) fn setting(&self, name: &str, error: &Error) -> CallError {
        self.failed(&format!("the setting `{name}` was refused: {}", words(error)), None)
    }

    /// ` at line 2, column 8 of the query`.
    fn at(&self, db: &DbError) -> String {
        let Some(ErrorPosition::Original(position)) = db.position() else { return String::new() };
        let before = usize::try_from(*position).unwrap_or(1).saturating_sub(1);
        // What is sent begins where the blanks end.
        let text: String = self.sql.trim_start().chars().take(before).collect();
        let line = text.matches('\n').count() + 1;
        let column = text.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!(", at line {line}, column {column} of the query")
    }
}

/// An error of connecting.
pub(super) fn connecting(error: &Error, place: &str, secrets: &Secrets) -> CallError {
    let what = words(error);
    let todo = if what.contains("certificate") || what.contains("UnknownIssuer") {
        "; name the authority's certificate as `ca`, or write `sslmode=disable` into `connection` to go unencrypted"
    } else if error.code() == Some(&SqlState::INVALID_PASSWORD) {
        "; set the variable that `password` names"
    } else {
        ""
    };
    let reason = clean(&secrets.redact(&format!("{place}: {what}{todo}"))).into_owned();
    CallError { reason, detail: None }
}

/// What an error says, with its causes.
fn words(error: &Error) -> String {
    if let Some(db) = error.as_db_error() {
        return db.message().to_owned();
    }
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_words = cause.to_string();
        if !words.contains(&cause_words) {
            words = format!("{words}: {cause_words}");
        }
        source = cause.source();
    }
    words
}
