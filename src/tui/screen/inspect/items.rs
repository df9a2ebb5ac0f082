//! The rows of a ranking: the window, its cut line, what lies below, and the labeled chunks that are nowhere.

use crate::{
    domain::chunk::ChunkId,
    eval::evaluate::{CaseResult, State},
    tui::data::Data,
};

/// One row of the ranking.
pub(super) enum Item {
    /// The result of that index.
    Result(usize),
    /// The line below the window.
    Cut,
    /// A labeled chunk that is not in the list.
    Missing(ChunkId),
}

pub(super) fn items(result: &CaseResult, data: &Data) -> Vec<Item> {
    let mut items = Vec::new();
    for index in 0..result.results.len() {
        if index == data.k {
            items.push(Item::Cut);
        }
        items.push(Item::Result(index));
    }
    if !result.results.is_empty() && result.results.len() <= data.k {
        items.push(Item::Cut);
    }
    // Where the call failed, nothing was asked and so nothing is missing.
    if let Some(resolved) = data.resolved(&result.id).filter(|_| !matches!(result.state, State::Error(_))) {
        let mut seen = Vec::new();
        for id in resolved.supporting.iter().flat_map(|needed| &needed.any_of) {
            if !seen.contains(&id) && !result.results.iter().any(|row| row.id == *id) {
                seen.push(id);
            }
        }
        items.extend(seen.into_iter().cloned().map(Item::Missing));
    }
    items
}
