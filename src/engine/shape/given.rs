//! Whether the paths within a hit lead anywhere: one that someone wrote and that no hit has is a slip of the pen, not an answer.

use serde_json::Value;

use super::{
    HitShape, Path,
    path::has,
    value::{one, short, text, texts},
};

/// Where the hits stand, as errors name it.
pub(super) struct Place<'a> {
    /// The setting, `hits` or `stage.hits`.
    pub(super) key: &'a str,
    /// Its path.
    pub(super) path: &'a str,
    /// What stands before the names of the settings within a hit: nothing, or `stage.`.
    pub(super) within: &'a str,
}

/// Whether what a path finds in one hit can be read.
type Fits = fn(&[&Value]) -> bool;

/// Checks the hits of one answer, of which there may be none. A value that is null is there.
pub(super) fn check(hit: &HitShape, rows: &[&Value], place: &Place<'_>, needs_id: bool) -> Result<(), String> {
    let Some(first) = rows.first() else { return Ok(()) };
    let HitShape { id, score, text, document, heading } = hit;
    let absent = |path: &Path| rows.iter().all(|row| path.all(row).is_empty());
    if rows.iter().all(|row| row.is_array()) && [id, score, text, document, heading].into_iter().all(absent) {
        let Place { key, path, .. } = place;
        let why = "each hit is a list; end the path with `[*]`";
        return Err(format!("`{key} = \"{path}\"`: {why}, as in `{path}[*]`"));
    }
    // A hit that is no object is its own id.
    let has_entries = rows.iter().all(|row| row.is_object() || row.is_array());
    if has_entries && absent(id) {
        if id.is_given() {
            return Err(nowhere(&format!("{}id", place.within), id, first));
        }
        if needs_id {
            return Err(format!("no hit has an id at `{}`: the first one {}", id.written(), has(first)));
        }
    }
    let others: [(&str, &Path, Fits, &str); 4] = [
        ("score", score, is_scalar, "a number"),
        ("text", text, is_text, "a text"),
        ("document", document, is_text, "a text"),
        ("heading", heading, is_heading, "a text or a list of them"),
    ];
    for (key, path, fits, expected) in others.into_iter().filter(|(_, path, ..)| path.is_given()) {
        let key = format!("{}{key}", place.within);
        let found: Vec<Vec<&Value>> = rows.iter().map(|row| path.all(row)).filter(|found| !found.is_empty()).collect();
        let Some(there) = found.first() else { return Err(nowhere(&key, path, first)) };
        if !found.iter().any(|found| fits(found)) {
            let what = one(there).map_or_else(|| format!("{} values", there.len()), short);
            return Err(format!("`{key} = \"{}\"` is {what} in each hit, expected {expected}", path.written()));
        }
    }
    Ok(())
}

fn nowhere(key: &str, path: &Path, first: &Value) -> String {
    format!("`{key} = \"{}\"` is in no hit: the first one {}", path.written(), has(first))
}

fn is_scalar(found: &[&Value]) -> bool {
    one(found).is_some_and(|value| value.is_null() || value.is_number() || value.is_string())
}

fn is_text(found: &[&Value]) -> bool {
    one(found).is_some_and(|value| value.is_null() || text(value).is_some())
}

fn is_heading(found: &[&Value]) -> bool {
    let is_none = |value: &&Value| match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    found.iter().any(is_none) || !texts(found).is_empty()
}
