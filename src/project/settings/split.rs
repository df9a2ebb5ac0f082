//! The table `[split]`: read like the rest, and the only one that a command writes; no byte outside of it changes.

use std::{ops::Range, path::Path};

use toml::de::DeTable;

use super::{
    SettingsError,
    node::{Node, Source, Table},
};
use crate::eval::split::Split;

pub(super) fn split(file: &Table<'_>) -> Result<Option<Split>, SettingsError> {
    let Some(table) = file.get("split") else { return Ok(None) };
    let (train, seed) = values(table)?;
    let share = train.number()?;
    if !(share > 0.0 && share < 1.0) {
        return Err(train.expected("a share above 0 and below 1, as in `train = 0.7`"));
    }
    Ok(Some(Split { train: share, seed: seed.whole()? }))
}

/// Both values have to be there: a default that changed one day would change the holdout of every place.
fn values<'t>(table: &Node<'t>) -> Result<(Node<'t>, Node<'t>), SettingsError> {
    let table = table.table()?;
    table.only(&["train", "seed"])?;
    let train = table.required("train", "say which share is tuned on, as in `train = 0.7`")?;
    let seed = table.required("seed", "say which draw it is, as in `seed = 42`")?;
    Ok((train.clone(), seed.clone()))
}

/// `text` of a settings file with this split: where it has none, a table follows at its end; where it has one, its two values are
/// replaced. Every other byte stays.
pub(super) fn with_split(text: &str, path: &Path, split: Split) -> Result<String, SettingsError> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let skipped = text.len() - bare.len();
    let source = Source { text: bare, path };
    let parsed = DeTable::parse(bare)
        .map_err(|error| source.wrong(error.span().map_or(0, |span| span.start), error.message()))?;
    let Some(table) = Table::new(source, String::new(), 0, parsed.get_ref()).get("split").cloned() else {
        return Ok(appended(text, split));
    };
    let (train, seed) = values(&table)?;
    let mut values = [(train.span(), share(split)), (seed.span(), split.seed.to_string())];
    values.sort_by_key(|(span, _): &(Range<usize>, String)| std::cmp::Reverse(span.start));
    let mut text = text.to_owned();
    for (span, value) in values {
        text.replace_range(span.start + skipped..span.end + skipped, &value);
    }
    Ok(text)
}

fn appended(text: &str, split: Split) -> String {
    let crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    let end = if crlf { "\r\n" } else { "\n" };
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(end);
    }
    let seed = split.seed;
    let table = [
        String::new(),
        "# Cases kept out of tuning: `caselight split` says which. Another ratio or seed turns tuned cases into holdout cases."
            .to_owned(),
        "[split]".to_owned(),
        format!("train = {}", share(split)),
        format!("seed = {seed}"),
    ];
    for line in table {
        text.push_str(&line);
        text.push_str(end);
    }
    text
}

/// The share as a TOML float that reads back as the same number.
fn share(split: Split) -> String {
    format!("{:?}", split.train)
}

#[cfg(test)]
mod tests;
