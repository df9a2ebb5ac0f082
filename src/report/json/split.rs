//! The split as JSON, for scripts; this file owns its schema.

use serde_json::{Map, Value, json};

use super::SCHEMA;
use crate::eval::split::{Lack, Split, Strata, Stratum};

/// The split with its share of each tag and the ids of both sides, as indented JSON with a final line end. `written` is true if
/// the settings have it now.
#[must_use]
pub fn json(split: &Split, strata: &Strata, written: bool, openings: usize) -> String {
    super::print(&json!({
        "schema": SCHEMA,
        "split": { "train": split.train, "seed": split.seed },
        "in_settings": written,
        "openings": openings,
        "all": stratum(&strata.all),
        "subsets": strata.tags.iter().map(|row| (row.name.clone(), stratum(row))).collect::<Map<_, _>>(),
        "train": strata.train,
        "holdout": strata.holdout,
    }))
}

fn stratum(row: &Stratum) -> Value {
    json!({
        "cases": row.cases(),
        "train": row.train,
        "holdout": row.holdout,
        "share": row.share(),
        "lacks": row.lack().map(|lack| match lack {
            Lack::NoHoldout => "holdout",
            Lack::NoTrain => "train",
        }),
    })
}
