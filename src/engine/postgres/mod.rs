//! Postgres: connects, asks one question in a read-only transaction, and gives each row as a JSON object by column name.
//!
//! The server itself turns rows into JSON (`row_to_json`), so that every type arrives, known here or not: a vector or a uuid as
//! text, an array as a list.

mod error;
mod param;
mod tls;

use std::{path::PathBuf, time::Duration};

use futures_util::{StreamExt as _, pin_mut};
use serde_json::{Map, Value};
use tokio::task::JoinHandle;
use tokio_postgres::{Config, config::Host, config::SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use self::error::Asked;
pub use self::param::Param;
use super::{client::CallError, secret::Secrets};

/// A database by its connection string. `${NAME}` is not expanded yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// As libpq has it: `host=db port=5432 dbname=rag user=reader`, or `postgresql://reader@db/rag`.
    pub connection: String,
    /// The password, best as `${NAME}`; `None` takes what the connection string has.
    pub password: Option<String>,
    /// How long connecting may take, and how long one statement.
    pub timeout: Duration,
    /// A file of certificates in PEM to trust beside the system's.
    pub ca: Option<PathBuf>,
}

/// One statement that reads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// A single `SELECT` (or `WITH … SELECT`), with `$1`, `$2` … for the parameters.
    pub sql: String,
    /// The parameters, in their order.
    pub params: Vec<Param>,
    /// Settings of the server for this statement only, as `("hnsw.ef_search", "200")`.
    pub set: Vec<(String, String)>,
}

/// A row: its columns by name, in the statement's order.
pub type Row = Map<String, Value>;

/// An open connection. One statement at a time; it is closed when dropped.
pub struct Session {
    client: tokio_postgres::Client,
    driver: JoinHandle<()>,
    place: String,
    secrets: Secrets,
    timeout: Duration,
    tls: MakeRustlsConnect,
    /// A statement is under way.
    asking: bool,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.driver.abort();
        if self.asking
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            // The server would work on for nobody until the time limit: it does not notice that a connection is gone.
            let (token, tls) = (self.client.cancel_token(), self.tls.clone());
            runtime.spawn(async move { drop(token.cancel_query(tls).await) });
        }
    }
}

impl Database {
    /// Connects. `secrets` holds what `${NAME}` stands for.
    ///
    /// The connection is encrypted where the server can, and must be where the string says `sslmode=require`; its certificate is
    /// always checked. On the same machine it is only encrypted if it must be.
    pub async fn connect(&self, secrets: &Secrets) -> Result<Session, CallError> {
        let config: Config =
            secrets.expand(&self.connection).parse().map_err(|error| self.malformed(&error, secrets))?;
        let mut config = config;
        if let Some(password) = &self.password {
            config.password(secrets.expand(password));
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(self.timeout);
        }
        if config.get_application_name().is_none() {
            config.application_name("caselight");
        }
        if config.get_ssl_mode() == SslMode::Prefer && config.get_hosts().iter().all(is_here) {
            config.ssl_mode(SslMode::Disable);
        }
        let place = secrets.redact(&place(&config));
        let tls = tls::connector(self.ca.as_deref())?;
        let connecting = config.connect(tls.clone());
        // The time limit of the configuration is for each address and ends where the server begins to talk.
        let connected = tokio::time::timeout(self.timeout, connecting).await.map_err(|_| CallError {
            reason: format!("{place}: no connection within {} s", self.timeout.as_secs_f64()),
            detail: None,
        })?;
        let (client, connection) = connected.map_err(|error| error::connecting(&error, &place, secrets))?;
        // The error of a broken connection comes to whoever asks next.
        let driver = tokio::spawn(async move { drop(connection.await) });
        Ok(Session { client, driver, place, secrets: secrets.clone(), timeout: self.timeout, tls, asking: false })
    }

    /// The server and database, without user and password: `postgres at db:5432/rag`.
    #[must_use]
    pub fn place(&self, secrets: &Secrets) -> String {
        let config = secrets.expand(&self.connection).parse::<Config>();
        config.map_or_else(|_| "postgres".to_owned(), |config| secrets.redact(&place(&config)))
    }

    /// The string itself may hold a password, so it is never shown.
    fn malformed(&self, error: &tokio_postgres::Error, secrets: &Secrets) -> CallError {
        let why = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
        let why = if self.connection.contains("password") || self.connection.contains('@') {
            // What cannot be read may be a part of the password.
            String::new()
        } else {
            format!(": {}", secrets.redact(&why))
        };
        let expected = "write it as `host=db dbname=rag user=reader` or as `postgresql://reader@db/rag`";
        CallError { reason: format!("the connection string of Postgres cannot be read{why}; {expected}"), detail: None }
    }
}

impl Session {
    /// The server and database, for messages: `postgres at db:5432/rag`.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// True once the connection has ended, as when the server was started anew.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// All rows of `query`.
    pub async fn rows(&mut self, query: &Query) -> Result<Vec<Row>, CallError> {
        let mut rows = Vec::new();
        self.each(query, &mut |row| {
            rows.push(row);
            Ok(())
        })
        .await?;
        Ok(rows)
    }

    /// The names of the columns that `sql` gives, in their order.
    pub async fn columns(&mut self, sql: &str) -> Result<Vec<String>, CallError> {
        let asked = Asked { place: &self.place, sql, secrets: &self.secrets, timeout: self.timeout };
        let transaction = self.client.build_transaction().read_only(true).start().await;
        let transaction = transaction.map_err(|error| asked.error(&error))?;
        Ok(prepared(&transaction, &asked).await?.1)
    }

    /// Gives the rows of `query` one by one, as the server sends them; `each` may stop it by an error.
    ///
    /// The transaction is read-only and each statement in it is ended by the server after the time limit, or once this is not waited for
    /// any more.
    pub async fn each(
        &mut self,
        query: &Query,
        each: &mut (dyn FnMut(Row) -> Result<(), CallError> + Send),
    ) -> Result<(), CallError> {
        self.asking = true;
        let end = self.read(query, each).await;
        self.asking = false;
        end
    }

    async fn read(
        &mut self,
        query: &Query,
        each: &mut (dyn FnMut(Row) -> Result<(), CallError> + Send),
    ) -> Result<(), CallError> {
        let asked = Asked { place: &self.place, sql: &query.sql, secrets: &self.secrets, timeout: self.timeout };
        let transaction = self.client.build_transaction().read_only(true).start().await;
        let transaction = transaction.map_err(|error| asked.error(&error))?;
        let limit = format!("SET LOCAL statement_timeout = {}", self.timeout.as_millis().clamp(1, 2_000_000_000));
        transaction.batch_execute(&limit).await.map_err(|error| asked.error(&error))?;
        for (name, value) in &query.set {
            let set = transaction.execute("SELECT set_config($1, $2, true)", &[name, value]).await;
            set.map_err(|error| asked.setting(name, &error))?;
        }
        let (inner, _) = prepared(&transaction, &asked).await?;
        let wrapped = format!("SELECT row_to_json(asked)::text FROM (\n{inner}\n) AS asked");
        let rows = transaction.query_raw(&wrapped, &query.params).await.map_err(|error| asked.error(&error))?;
        pin_mut!(rows);
        while let Some(row) = rows.next().await {
            let row = row.map_err(|error| asked.error(&error))?;
            let text: &str = row.try_get(0).map_err(|error| asked.error(&error))?;
            match serde_json::from_str(text) {
                Ok(Value::Object(row)) => each(row)?,
                Ok(_) | Err(_) => return Err(asked.failed("a row came that is no JSON object", None)),
            }
        }
        transaction.rollback().await.map_err(|error| asked.error(&error))
    }
}

/// The statement without what ends it, and its columns. Asked alone first: an error then points into what is written, and an
/// empty answer has columns too.
async fn prepared<'q>(
    transaction: &tokio_postgres::Transaction<'_>,
    asked: &Asked<'q>,
) -> Result<(&'q str, Vec<String>), CallError> {
    let inner = asked.sql.trim().trim_end_matches(';').trim_end();
    let statement = transaction.prepare(inner).await.map_err(|error| asked.error(&error))?;
    let columns: Vec<String> = statement.columns().iter().map(|column| column.name().to_owned()).collect();
    if columns.is_empty() {
        return Err(asked.failed("this statement gives no rows: write a SELECT", None));
    }
    if let Some((_, twice)) = columns.iter().enumerate().find(|(at, name)| columns[..*at].contains(name)) {
        return Err(asked.failed(&format!("two columns are called `{twice}`: name one with AS"), None));
    }
    Ok((inner, columns))
}

/// A name as a statement has it, whatever stands in it.
#[must_use]
pub fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as a statement has it, whatever stands in it.
#[must_use]
pub fn literal(text: &str) -> String {
    let quoted = text.replace('\'', "''");
    // How a backslash is read is a setting of the server, but for this form.
    if text.contains('\\') { format!("E'{}'", quoted.replace('\\', r"\\")) } else { format!("'{quoted}'") }
}

/// True for an address of this machine, which nobody listens in on.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

fn place(config: &Config) -> String {
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .enumerate()
        .map(|(at, host)| {
            let port = config.get_ports().get(at).or(config.get_ports().first()).copied().unwrap_or(5432);
            match host {
                Host::Tcp(name) => format!("{name}:{port}"),
                #[cfg(unix)]
                Host::Unix(path) => path.display().to_string(),
            }
        })
        .collect();
    let database = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("postgres at {}/{database}", hosts.join(","))
}

#[cfg(test)]
mod tests;
