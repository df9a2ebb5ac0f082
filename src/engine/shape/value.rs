//! Single values of an answer: an id, a score, a text.

use serde_json::{Map, Value};

/// The one value that a path found; none where it found several.
pub(super) fn one<'v>(found: &[&'v Value]) -> Option<&'v Value> {
    match found {
        [one] => Some(one),
        _ => None,
    }
}

/// An id: text, or a whole number to the last digit.
pub(super) fn id(value: Option<&Value>, place: &str) -> Result<String, String> {
    match value {
        Some(Value::String(id)) if !id.is_empty() => Ok(id.clone()),
        Some(Value::Number(id)) if id.is_i64() || id.is_u64() => Ok(id.to_string()),
        other => Err(unlike(other, place, "an id: a text or a whole number")),
    }
}

/// A score as a finite number; some servers write numbers as text.
pub(super) fn score(value: Option<&Value>) -> Option<f64> {
    let score = match value? {
        Value::Number(score) => score.as_f64(),
        Value::String(score) => score.trim().parse().ok(),
        _ => None,
    };
    score.filter(|score| score.is_finite())
}

/// Text, or a number as text; of a list of one, that one.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) if items.len() == 1 => text(&items[0]),
        _ => None,
    }
}

/// All texts, those of lists one after another.
pub(super) fn texts(found: &[&Value]) -> Vec<String> {
    let each = |value: &&Value| match value {
        Value::Array(items) => items.iter().filter_map(text).collect(),
        other => text(other).into_iter().collect::<Vec<_>>(),
    };
    found.iter().flat_map(each).filter(|text| !text.trim().is_empty()).collect()
}

/// True if both are the same value; 0 and 0.0 are.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    a == b || (a.is_number() && a.as_f64() == b.as_f64())
}

pub(super) fn object<'a>(value: &'a Value, place: &str) -> Result<&'a Map<String, Value>, String> {
    value.as_object().ok_or_else(|| unlike(Some(value), place, "an object"))
}

/// What stands at a place, and what was expected there.
pub(super) fn unlike(value: Option<&Value>, place: &str, expected: &str) -> String {
    match value {
        None => format!("`{place}` is missing, expected {expected}"),
        Some(value) => format!("`{place}` is {}, expected {expected}", short(value)),
    }
}

/// A value in a few words, fit for one line.
pub(super) fn short(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        value => {
            let written = value.to_string();
            let short: String = written.chars().take(40).collect();
            let cut = if short.len() < written.len() { "…" } else { "" };
            format!("{}{cut}", crate::domain::text::clean(&short))
        }
    }
}
