//! A `JSONPath` and the values that it finds; where it finds none, how far it led and what is there.

use serde_json::Value;
use serde_json_path::{JsonPath, NormalizedPath};

use super::value::{short, unlike};

/// A path and how it is written.
#[derive(Debug, Clone)]
pub struct Path {
    written: String,
    read: JsonPath,
    /// Someone wrote it, and so expects it to lead somewhere.
    given: bool,
}

/// How far a path leads in an answer in which it finds nothing.
enum Stop<'v> {
    /// Nothing is missing: every list that it goes through is empty, or no value of one passes its filter.
    Empty,
    /// Here, at this value, the next step of the path finds nothing.
    Here(String, &'v Value),
}

impl Path {
    /// Reads a path that someone wrote; an error says what is wrong with it.
    pub fn new(written: &str) -> Result<Self, String> {
        let read = JsonPath::parse(written).map_err(|error| {
            if !written.starts_with('$') {
                let point = if written.starts_with(['.', '[']) { "" } else { "." };
                return format!("`{written}` is no JSONPath (RFC 9535): it begins with `$`, as in `${point}{written}`");
            }
            let at = error.position() + 1;
            format!("`{written}` is no JSONPath (RFC 9535), see character {at}: {}", error.message())
        })?;
        Ok(Self { written: written.to_owned(), read, given: true })
    }

    /// A path that is known to be one, and that nobody wrote; `$` if it is not.
    #[must_use]
    pub fn known(written: &str) -> Self {
        let path = Self::new(written).unwrap_or_else(|_| Self::root());
        Self { given: false, ..path }
    }

    fn root() -> Self {
        Self { written: "$".to_owned(), read: JsonPath::default(), given: false }
    }

    /// As it is written.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// True if someone wrote it, false where it is what holds unless someone writes another.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.given
    }

    /// The first value it finds.
    #[must_use]
    pub fn first<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.all(value).first().copied()
    }

    pub(super) fn all<'v>(&self, value: &'v Value) -> Vec<&'v Value> {
        self.read.query(value).all()
    }

    /// The values, where the path names each of them or the one list that holds them: none where all that could hold them is
    /// there and empty. Where there is nothing to hold them: `None`.
    pub(super) fn list<'v>(&self, value: &'v Value) -> Result<Option<Vec<&'v Value>>, String> {
        let found = self.all(value);
        match found[..] {
            [Value::Array(items)] if !self.written.ends_with("[*]") => return Ok(Some(items.iter().collect())),
            [] => {}
            [Value::Null] if !self.written.ends_with("[*]") => return Ok(None),
            _ => return Ok(Some(found)),
        }
        match self.stop(value) {
            Stop::Empty => Ok(Some(found)),
            Stop::Here(place, other @ (Value::Bool(_) | Value::Number(_) | Value::String(_))) => {
                let (_, next) = self.reached(value);
                if next.starts_with("[*]") { Err(unlike(Some(other), &place, "a list")) } else { Ok(None) }
            }
            Stop::Here(..) => Ok(None),
        }
    }

    /// That there is nothing to hold what this path names, where it stopped, and what is there.
    pub(super) fn nothing(&self, value: &Value) -> String {
        let there = match self.stop(value) {
            Stop::Here(place, there) => format!("`{place}` {}", has(there)),
            // It is null, and no list.
            Stop::Empty => format!("`{}` is null", self.written),
        };
        format!("the answer has nothing at `{}`: {there}", self.written)
    }

    /// The longest beginning of the path that finds something, and the rest of the path.
    fn reached(&self, value: &Value) -> (Self, &str) {
        let beginnings = steps(&self.written);
        let reached = beginnings.iter().rev().find_map(|&end| {
            let path = Self::new(&self.written[..end]).ok()?;
            path.first(value).is_some().then_some((path, &self.written[end..]))
        });
        reached.unwrap_or_else(|| (Self::root(), self.written.strip_prefix('$').unwrap_or_default()))
    }

    fn stop<'v>(&self, value: &'v Value) -> Stop<'v> {
        let (reached, next) = self.reached(value);
        if next.is_empty() {
            return Stop::Empty;
        }
        let found = reached.read.query_located(value);
        let is_empty = |value: &Value| match value {
            Value::Array(items) => items.is_empty(),
            Value::Object(entries) => entries.is_empty(),
            _ => false,
        };
        let none = found.iter().any(|node| match (node.node(), next.as_bytes()) {
            // Whatever is in there does not pass the filter.
            (Value::Array(_) | Value::Object(_), [b'[', b'?', ..]) => true,
            // It may stand anywhere below, and so within each list that is empty.
            (held, [b'.', b'.', ..]) => is_empty(held) || Self::known("$..*").all(held).into_iter().any(is_empty),
            (held, [b'[' | b'.', b'*', ..]) => is_empty(held),
            // A list has places, but no names.
            (held @ Value::Array(_), [b'[', sign, ..]) => is_empty(held) && !matches!(sign, b'"' | b'\''),
            _ => false,
        });
        let first = found.iter().find(|node| !node.node().is_null()).or(found.iter().next());
        match first {
            Some(node) if !none => Stop::Here(place(node.location()), node.node()),
            _ => Stop::Empty,
        }
    }
}

/// Two paths are the same if they are written the same way, whoever wrote them.
impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

/// What is in a value, as a clause without a subject: the names of its entries, or what it is.
pub(super) fn has(value: &Value) -> String {
    const NAMED: usize = 12;
    match value {
        Value::Object(entries) if entries.is_empty() => "is an empty object".to_owned(),
        Value::Object(entries) => {
            let names: Vec<&str> = entries.keys().take(NAMED).map(String::as_str).collect();
            let more = if entries.len() > NAMED { ", …" } else { "" };
            format!("has: {}{more}", crate::domain::text::clean(&names.join(", ")))
        }
        Value::Array(items) if items.is_empty() => "is an empty list".to_owned(),
        other => format!("is {}", short(other)),
    }
}

/// A place as people write it: `$.data.groups[0]`.
fn place(path: &NormalizedPath<'_>) -> String {
    path.iter().fold("$".to_owned(), |place, element| match (element.as_name(), element.as_index()) {
        (Some(name), _) if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
            format!("{place}.{name}")
        }
        (Some(name), _) => format!("{place}[{}]", crate::domain::text::clean(&Value::from(name).to_string())),
        (None, index) => format!("{place}[{}]", index.unwrap_or_default()),
    })
}

/// Where each step of a path ends, the `$` included, in bytes.
fn steps(written: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    let mut before = ' ';
    for (at, c) in written.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '[') => {
                // `..[` is one step.
                if depth == 0 && at > 0 && before != '.' {
                    ends.push(at);
                }
                depth += 1;
            }
            (None, ']') => depth = depth.saturating_sub(1),
            (None, '.') if depth == 0 && at > 0 && before != '.' => ends.push(at),
            _ => {}
        }
        before = c;
    }
    ends
}

#[cfg(test)]
mod tests;
