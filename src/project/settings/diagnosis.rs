//! How a diagnosis may ask further: `[diagnosis]`, and `without` of a config.

use super::{
    SettingsError,
    node::{Entry, Table},
    reach::Reach,
};
use crate::domain::asker::{Asker, Askers};

/// How a diagnosis may ask further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// Somebody who may read everything, as whom a question may be asked again.
    pub unscoped: Option<Asker>,
    /// How many requests may be put beside a case's own; 0 puts none.
    pub probes: usize,
}

impl Diagnosis {
    /// How many where the settings do not say.
    pub const PROBES: usize = 12;
}

impl Default for Diagnosis {
    fn default() -> Self {
        Self { unscoped: None, probes: Self::PROBES }
    }
}

pub(super) fn diagnosis(file: &Table<'_>, askers: &Askers) -> Result<Diagnosis, SettingsError> {
    let mut diagnosis = Diagnosis::default();
    let Some(table) = file.get("diagnosis") else { return Ok(diagnosis) };
    let table = table.table()?;
    table.only(&["unscoped_asker", "probes"])?;
    if let Some(node) = table.get("unscoped_asker") {
        let known: Vec<&str> = askers.named.keys().map(String::as_str).collect();
        diagnosis.unscoped = askers.named.get(&node.named("asker", &known)?).cloned();
    }
    if let Some(probes) = table.get("probes") {
        diagnosis.probes = probes.count(0)?;
    }
    Ok(diagnosis)
}

/// `without` of a config: by the stage's name, the parameters that switch it off.
pub(super) fn without(config: &Table<'_>) -> Result<Vec<(String, toml::Table)>, SettingsError> {
    let Some(node) = config.get("without") else { return Ok(Vec::new()) };
    let switch = |entry: &Entry<'_>| {
        let switched = entry.value.params()?;
        if switched.is_empty() {
            return Err(entry.value.expected("the parameters that switch the stage off, as in `{ rerank = false }`"));
        }
        Ok((entry.key.clone(), switched))
    };
    node.table()?.entries.iter().map(switch).collect()
}

/// Refuses a switch that the templates of the config's endpoint cannot be filled with, or that would change nothing of them.
pub(super) fn check(
    config: &Table<'_>,
    params: &toml::Table,
    without: &[(String, toml::Table)],
    reach: &Reach,
) -> Result<(), SettingsError> {
    let Some(node) = config.get("without") else { return Ok(()) };
    for (stage, switched) in without {
        let mut all = params.clone();
        all.extend(switched.clone());
        let given = serde_json::to_value(&all).unwrap_or_default();
        reach
            .check(given.as_object().unwrap_or(&serde_json::Map::new()))
            .map_err(|error| node.wrong(format!("`without.{stage}` does not fit the config's retriever: {error}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
