//! An engine that is asked in place of an index of our own: by words, by the names of documents, by ids.

use super::{
    Store,
    fields::Passage,
    opensearch,
    relation::{self, Columns},
};
use crate::engine::{client::CallError, secret::Secrets};

/// An engine that is spoken to, whose fields were looked at.
#[derive(Clone)]
pub enum Live {
    /// `OpenSearch` or Elasticsearch.
    OpenSearch(opensearch::Open, opensearch::Mapping),
    /// A table of Postgres.
    Relation(relation::Open, Columns),
}

/// What an engine said when it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// How many passages there are.
    pub count: u64,
    /// A text that changes whenever one is added, changed or removed; `None` where the engine does not tell.
    pub state: Option<String>,
}

impl Live {
    /// Speaks to the engine, and looks whether it has the fields.
    pub async fn open(store: &Store, secrets: &Secrets) -> Result<(Self, Told), CallError> {
        match store {
            Store::OpenSearch(index) => {
                let open = index.open(secrets)?;
                let count = open.count().await?;
                let mapping = open.mapping().await?;
                let state = open.state().await;
                Ok((Self::OpenSearch(open, mapping), Told { count, state }))
            }
            Store::Relation(table) => {
                let open = table.open(secrets);
                let columns = open.columns().await?;
                let (count, state) = open.state().await?;
                Ok((Self::Relation(open, columns), Told { count, state }))
            }
            Store::Chroma(_) | Store::Qdrant(_) | Store::Postgres(_) => {
                Err(CallError { reason: "it is not searched in place of an index".to_owned(), detail: None })
            }
        }
    }

    /// The best `limit` passages for any word of `text`, each with its score; with `begins`, its last word may go on.
    pub async fn search(&self, text: &str, begins: bool, limit: usize) -> Result<Vec<(Passage, f64)>, CallError> {
        match self {
            Self::OpenSearch(open, mapping) => open.search(mapping, text, begins, limit).await,
            Self::Relation(open, columns) => open.search(columns, text, begins, limit).await,
        }
    }

    /// Every passage of the documents of these names, in order.
    pub async fn documents(&self, names: &[String]) -> Result<Vec<Passage>, CallError> {
        match self {
            Self::OpenSearch(open, mapping) => open.documents(mapping, names).await,
            Self::Relation(open, columns) => open.documents(columns, names).await,
        }
    }

    /// The names of documents that are called `name` but for upper and lower case, at most `limit`.
    pub async fn called(&self, name: &str, limit: usize) -> Result<Vec<String>, CallError> {
        match self {
            Self::OpenSearch(open, mapping) => open.called(mapping, name, limit).await,
            Self::Relation(open, columns) => open.called(columns, name, limit).await,
        }
    }

    /// The passages of these ids, in no order; an id that is not there gives none.
    pub async fn chunks(&self, ids: &[String]) -> Result<Vec<Passage>, CallError> {
        match self {
            Self::OpenSearch(open, mapping) => open.chunks(mapping, ids).await,
            Self::Relation(open, columns) => open.chunks(columns, ids).await,
        }
    }
}
