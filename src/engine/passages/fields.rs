//! Which field of an engine's document is what of a passage.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// The names of the fields; a dot leads into an object, as in `metadata.title`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The chunk's id; `None` takes the engine's own.
    pub id: Option<String>,
    /// The document's name.
    pub document: String,
    /// The heading path: a list, or one text.
    pub heading: String,
    /// Divides a heading path that is one text: ` › `.
    pub separator: Option<String>,
    /// The passage.
    pub text: String,
    /// The groups that may read it.
    pub scope: String,
    /// A number by which the passages of a document are ordered; `None` orders them by id.
    pub position: Option<String>,
}

impl Default for Fields {
    fn default() -> Self {
        let name = str::to_owned;
        Self {
            id: None,
            document: name("document"),
            heading: name("heading"),
            separator: None,
            text: name("text"),
            scope: name("scope"),
            position: None,
        }
    }
}

/// A passage as a line of a chunks file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Its id.
    pub id: String,
    /// The number that orders it in its document.
    pub position: Option<f64>,
    /// `id` and `text`; `document`, `heading` and `scope` where it has them; then further fields.
    pub fields: Map<String, Value>,
}

impl Passage {
    /// The name of its document: the field, else the id's part before its first `#`, else the id.
    #[must_use]
    pub fn document(&self) -> &str {
        let named = self.fields.get("document").and_then(Value::as_str);
        named.unwrap_or_else(|| match self.id.split_once('#') {
            Some((document, _)) if !document.trim().is_empty() => document,
            _ => &self.id,
        })
    }

    /// The order of passages that come in none: by document, in it by position, then by id with its numbers as numbers.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        let key = |passage: &Self| passage.position.unwrap_or(f64::MAX);
        self.document()
            .cmp(other.document())
            .then_with(|| key(self).total_cmp(&key(other)))
            .then_with(|| natural(&self.id, &other.id))
    }
}

impl Fields {
    /// Every field that is read, for an engine that is asked for these alone.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let named = [&self.document, &self.heading, &self.text, &self.scope].into_iter();
        named.chain(&self.id).chain(&self.position).map(String::as_str).collect()
    }

    /// The passage in a document of the engine with that id. An error names the field that is missing, and those there are.
    pub fn passage(&self, key: &str, mut document: Map<String, Value>) -> Result<Passage, String> {
        let id = match &self.id {
            None => key.to_owned(),
            Some(name) => match take(&mut document, name) {
                Some(Value::String(id)) if !id.is_empty() => id,
                Some(Value::Number(id)) => id.to_string(),
                _ => return Err(missing(key, name, "id_field", &document)),
            },
        };
        let text = match take(&mut document, &self.text) {
            Some(Value::String(text)) => text,
            Some(_) => {
                return Err(format!("`{key}`: the field `{}` holds no text: name another as `text_field`", self.text));
            }
            None => return Err(missing(key, &self.text, "text_field", &document)),
        };
        let position =
            self.position.as_ref().and_then(|name| take(&mut document, name)).and_then(|value| value.as_f64());
        let heading = take(&mut document, &self.heading).map(|heading| match (heading, &self.separator) {
            (Value::String(path), Some(separator)) => {
                path.split(separator.as_str()).filter(|part| !part.trim().is_empty()).map(str::trim).collect()
            }
            (Value::String(path), None) if path.trim().is_empty() => Value::Null,
            (heading, _) => heading,
        });
        let named = [("document", take(&mut document, &self.document)), ("heading", heading)];
        let scope = take(&mut document, &self.scope).filter(|scope| scope.as_str() != Some(""));
        let mut fields = Map::new();
        fields.insert("id".to_owned(), Value::from(id.as_str()));
        for (name, value) in named.into_iter().chain([("scope", scope)]) {
            if let Some(value) = value.filter(|value| !value.is_null()) {
                fields.insert(name.to_owned(), value);
            }
        }
        fields.insert("text".to_owned(), Value::from(text));
        for (name, value) in document {
            fields.entry(name).or_insert(value);
        }
        Ok(Passage { id, position, fields })
    }
}

fn missing(key: &str, name: &str, setting: &str, document: &Map<String, Value>) -> String {
    let there: Vec<&str> = document.keys().map(String::as_str).collect();
    let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
    format!("`{key}` has no field `{name}`: name the one that is meant as `{setting}`; its other fields: {there}")
}

/// Takes the value at a dotted name out of the document: a field of that whole name, else one inside an object.
fn take(document: &mut Map<String, Value>, name: &str) -> Option<Value> {
    if let Some(value) = document.shift_remove(name) {
        return Some(value);
    }
    let (outer, inner) = name.split_once('.')?;
    take(document.get_mut(outer)?.as_object_mut()?, inner)
}

/// Compares texts with the numbers in them as numbers: `c2` before `c10`.
#[must_use]
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (x, y) = (part(left), part(right));
        match (x.is_empty(), y.is_empty()) {
            (true, true) => return a.cmp(b),
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        let both_digits = [x, y].iter().all(|part| part.starts_with(|c: char| c.is_ascii_digit()));
        let order = if both_digits {
            let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            x.cmp(y)
        };
        if order.is_ne() {
            return order;
        }
        (left, right) = (&left[x.len()..], &right[y.len()..]);
    }
}

/// The run of digits, or of anything else, that `text` begins with.
fn part(text: &str) -> &str {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(text.len());
    &text[..end]
}
