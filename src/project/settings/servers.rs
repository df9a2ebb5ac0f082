//! The servers beside the retrievers: `[embeddings.NAME]` turns texts into vectors, `[rerankers.NAME]` scores documents.

use std::path::Path;

use super::{
    SettingsError, endpoint,
    node::{Node, Table},
};
use crate::engine::{
    embed::{DEFAULT_BATCH, EmbedShape, EmbedSpec},
    rerank::{RerankShape, RerankSpec},
};

/// The most dimensions that a vector may have; no model comes near.
const MOST_DIMENSIONS: usize = 65_536;

pub(super) fn embeddings(file: &Table<'_>, folder: &Path) -> Result<Vec<EmbedSpec>, SettingsError> {
    let keys = ["shape", "model", "query_model", "dimensions", "query_prefix", "passage_prefix", "batch"];
    let mut all = Vec::new();
    for (name, table) in file.tables("embeddings")? {
        table.only(&[&endpoint::KEYS[..], &keys].concat())?;
        let shapes = [("openai", EmbedShape::OpenAi), ("tei", EmbedShape::Tei)];
        let dimensions = table.get("dimensions").map(|node| match node.count(1)? {
            count if count <= MOST_DIMENSIONS => Ok(count),
            _ => Err(node.expected(&format!("a whole number from 1 to {MOST_DIMENSIONS}"))),
        });
        all.push(EmbedSpec {
            endpoint: endpoint::endpoint(&table, folder)?,
            model: text(&table, "model")?,
            query_model: text(&table, "query_model")?,
            dimensions: dimensions.transpose()?,
            query_prefix: text(&table, "query_prefix")?.unwrap_or_default(),
            passage_prefix: text(&table, "passage_prefix")?.unwrap_or_default(),
            batch: table.get("batch").map(|batch| batch.count(1)).transpose()?.unwrap_or(DEFAULT_BATCH),
            shape: table.get("shape").map(|node| one_of(node, &shapes)).transpose()?.unwrap_or_default(),
            name,
        });
    }
    Ok(all)
}

pub(super) fn rerankers(file: &Table<'_>, folder: &Path) -> Result<Vec<RerankSpec>, SettingsError> {
    let mut all = Vec::new();
    for (name, table) in file.tables("rerankers")? {
        table.only(&[&endpoint::KEYS[..], &["shape", "model", "batch"]].concat())?;
        let shapes = [("cohere", RerankShape::Cohere), ("jina", RerankShape::Jina), ("tei", RerankShape::Tei)];
        let shape = table.required("shape", "say how it is asked: \"cohere\", \"jina\" (vLLM too) or \"tei\"")?;
        let shape = one_of(shape, &shapes)?;
        all.push(RerankSpec {
            endpoint: endpoint::endpoint(&table, folder)?,
            model: text(&table, "model")?,
            batch: table.get("batch").map(|batch| batch.count(1)).transpose()?.unwrap_or(shape.default_batch()),
            shape,
            name,
        });
    }
    Ok(all)
}

fn text(table: &Table<'_>, key: &str) -> Result<Option<String>, SettingsError> {
    table.get(key).map(Node::string).transpose()
}

fn one_of<T: Copy>(node: &Node<'_>, known: &[(&str, T)]) -> Result<T, SettingsError> {
    let name = node.string()?;
    let found = known.iter().find(|(known, _)| *known == name).map(|&(_, value)| value);
    found.ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("{name:?}")).collect();
        node.expected(&names.join(" or "))
    })
}

#[cfg(test)]
mod tests;
