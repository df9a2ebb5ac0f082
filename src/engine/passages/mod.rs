//! Corpora that live in a search engine or a database: where each is, and its passages one by one.

pub mod chroma;
pub mod fields;
pub mod live;
pub mod opensearch;
pub mod qdrant;
pub mod relation;
mod server;
pub mod table;
#[cfg(test)]
mod tests;

use self::fields::Passage;
use super::{client::CallError, secret::Secrets};

/// Where the passages are.
#[derive(Debug, Clone, PartialEq)]
pub enum Store {
    /// An index of `OpenSearch` or Elasticsearch.
    OpenSearch(opensearch::Index),
    /// A collection of Chroma.
    Chroma(chroma::Collection),
    /// A collection of Qdrant.
    Qdrant(qdrant::Collection),
    /// What a query of Postgres gives.
    Postgres(table::Table),
    /// A table of Postgres.
    Relation(relation::Relation),
}

/// What a reader of passages is told.
#[derive(Debug)]
pub enum Read {
    /// So many will come, where the engine knows.
    Total(u64),
    /// One of them.
    Passage(Passage),
}

/// Takes what is read, and may stop it by an error.
pub type Reader<'a> = dyn FnMut(Read) -> Result<(), CallError> + Send + 'a;

impl Store {
    /// The store in a few words: ``the index `chunks` at http://search:9200``.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::OpenSearch(index) => format!("the index `{}` at {}", index.index, index.endpoint.url),
            Self::Chroma(at) => format!("the collection `{}` at {}", at.collection, at.endpoint.url),
            Self::Qdrant(at) => format!("the collection `{}` at {}", at.collection, at.endpoint.url),
            Self::Postgres(_) => "the query of Postgres".to_owned(),
            Self::Relation(at) => format!("the table `{}` of Postgres", at.table),
        }
    }

    /// What the settings say of it, but for how politely it is asked: another text means other passages.
    #[must_use]
    pub fn identity(&self) -> String {
        match self {
            Self::OpenSearch(index) => format!("opensearch {} {} {:?}", index.endpoint.url, index.index, index.fields),
            Self::Chroma(at) => {
                let place = (&at.tenant, &at.database, &at.collection);
                format!("chroma {} {place:?} {:?}", at.endpoint.url, at.fields)
            }
            Self::Qdrant(at) => format!("qdrant {} {} {:?}", at.endpoint.url, at.collection, at.fields),
            Self::Postgres(table) => {
                format!("postgres {} {} {:?}", table.database.connection, table.query, table.fields)
            }
            Self::Relation(at) => format!("postgres {} table {} {:?}", at.database.connection, at.table, at.fields),
        }
    }

    /// A short name for files.
    #[must_use]
    pub fn slug(&self) -> String {
        let name = match self {
            Self::OpenSearch(index) => &index.index,
            Self::Chroma(at) => &at.collection,
            Self::Qdrant(at) => &at.collection,
            Self::Postgres(_) => "postgres",
            Self::Relation(at) => &at.table,
        };
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        name.chars().take(40).map(plain).collect()
    }

    /// The texts in which `${NAME}` may stand, each with its settings key.
    #[must_use]
    pub fn with_secrets(&self) -> Vec<(&str, &str)> {
        let endpoint = match self {
            Self::OpenSearch(index) => &index.endpoint,
            Self::Chroma(at) => &at.endpoint,
            Self::Qdrant(at) => &at.endpoint,
            Self::Postgres(table::Table { database, .. }) | Self::Relation(relation::Relation { database, .. }) => {
                let password = database.password.as_deref().map(|password| ("corpus.source.password", password));
                let connection = ("corpus.source.connection", database.connection.as_str());
                return std::iter::once(connection).chain(password).collect();
            }
        };
        let headers = endpoint.headers.iter().map(|(_, value)| ("corpus.source.headers", value.as_str()));
        std::iter::once(("corpus.source.url", endpoint.url.as_str())).chain(headers).collect()
    }

    /// True if it can be searched in place of an index of our own.
    #[must_use]
    pub fn can_stay(&self) -> bool {
        matches!(self, Self::OpenSearch(_) | Self::Relation(_))
    }

    /// True if passages come in an order that means something: the one that the query asks for.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Reads every passage. Fewer than the engine said there would be is an error.
    pub async fn each(&self, secrets: &Secrets, read: &mut Reader<'_>) -> Result<(), CallError> {
        match self {
            Self::OpenSearch(index) => index.open(secrets)?.each(read).await,
            Self::Chroma(collection) => collection.each(secrets, read).await,
            Self::Qdrant(collection) => collection.each(secrets, read).await,
            Self::Postgres(table) => table.each(secrets, read).await,
            Self::Relation(table) => table.each(secrets, read).await,
        }
    }
}

/// An error where other many came than were there: something was changed, or cut off, in between.
fn complete(name: &str, came: u64, of: u64) -> Result<(), CallError> {
    if came == of {
        return Ok(());
    }
    let reason =
        format!("{name} said it has {of} passages, and {came} came: it was changed or cut off meanwhile; try again");
    Err(CallError { reason, detail: None })
}
