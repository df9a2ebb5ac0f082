//! Reads chunks from a file with one JSON object a line.
//!
//! `id` and `text` must be there. Without a `document`, that is the id's part before its first `#`, else the
//! id itself, as where nothing stands before the `#`.
//! `heading` is a list or one text, `scope` a list of groups or one group; both may be left out. Every other field is
//! kept, in order, as text to show.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::lookalike;
use crate::{
    corpus::Note,
    domain::chunk::{Chunk, ChunkId, Origin},
};

/// Turns lines into chunks, and remembers what a line alone does not tell: places in documents, and ids that were used.
pub(in crate::corpus) struct Reader {
    file: String,
    ids: HashMap<u128, u64>,
    documents: HashMap<String, Place>,
    slips: Vec<Slip>,
}

/// A field that looks like one that is read and is not there.
struct Slip {
    name: String,
    known: &'static str,
    line: u64,
    times: u64,
}

struct Place {
    next: u32,
    section: u32,
    heading: Vec<String>,
}

impl Reader {
    /// A reader for the file of that name.
    pub(in crate::corpus) fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ids: HashMap::new(), documents: HashMap::new(), slips: Vec::new() }
    }

    /// The chunk in line `number` (from 1); `None` for a blank line, an error that says what is wrong.
    pub(in crate::corpus) fn line(&mut self, bytes: &[u8], number: u64) -> Result<Option<Chunk>, String> {
        let bytes = if number == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) } else { bytes };
        let text = std::str::from_utf8(bytes).map_err(|error| {
            format!("byte {} of this line is not UTF-8: save the file as UTF-8", error.valid_up_to() + 1)
        })?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            match error.column() {
                0 => format!("this is not JSON: {what}"),
                column => format!("this is not JSON at column {column}: {what}"),
            }
        })?;
        let Value::Object(mut object) = value else {
            return Err("expected an object such as {\"id\": …, \"text\": …}".to_owned());
        };
        self.chunk(&mut object, number).map(Some)
    }

    /// The chunk in an object that stands in that place (from 1), or what is wrong with it.
    pub(in crate::corpus) fn object(&mut self, mut object: Map<String, Value>, number: u64) -> Result<Chunk, String> {
        self.chunk(&mut object, number)
    }

    /// What may be a slip in the lines so far.
    pub(in crate::corpus) fn notes(&self) -> impl Iterator<Item = Note> {
        self.slips.iter().map(|slip| {
            let what_is_so = match slip.known {
                "scope" => "the chunk is for everybody",
                "document" => "the document is named by the chunk's id",
                _ => "the chunk has no heading",
            };
            lookalike::note(&slip.name, slip.known, what_is_so, slip.line, slip.times)
        })
    }

    fn note_slips(&mut self, object: &Map<String, Value>, absent: &[&'static str], number: u64) {
        for (name, value) in object {
            // A number, such as a score, is no group.
            let known = lookalike::known_like(name, absent).filter(|known| *known != "scope" || !value.is_number());
            let Some(known) = known.filter(|_| !value.is_null()) else { continue };
            match self.slips.iter_mut().find(|slip| slip.name == *name && slip.known == known) {
                Some(slip) => slip.times += 1,
                None => self.slips.push(Slip { name: name.clone(), known, line: number, times: 1 }),
            }
        }
    }

    fn chunk(&mut self, object: &mut Map<String, Value>, number: u64) -> Result<Chunk, String> {
        let mut absent = ["document", "heading", "scope"].to_vec();
        absent.retain(|name| !object.contains_key(*name));
        let id = match object.shift_remove("id") {
            None | Some(Value::Null) => {
                return Err(format!("`id` is missing: each chunk needs one of its own{}", meant(object, "id")));
            }
            Some(value) => exact(&value, "id")?,
        };
        if id.is_empty() {
            return Err("`id` is empty: each chunk needs one of its own".to_owned());
        }
        let text = match object.shift_remove("text") {
            Some(Value::String(text)) => text,
            None | Some(Value::Null) => {
                return Err(format!("chunk `{id}`: `text` is missing{}", meant(object, "text")));
            }
            Some(other) => return Err(format!("chunk `{id}`: `text` must be a text, not {}", kind(&other))),
        };
        let document = match object.shift_remove("document") {
            None | Some(Value::Null) => match id.split_once('#') {
                Some((document, _)) if !document.trim().is_empty() => document.to_owned(),
                _ => id.clone(),
            },
            Some(value) => exact(&value, "document")?,
        };
        let heading = list(object.shift_remove("heading"), "heading")?;
        let scope = list(object.shift_remove("scope"), "scope")?;
        if scope.iter().any(|group| group.trim().is_empty()) {
            return Err(format!("chunk `{id}`: `scope` names an empty group; leave the field out for everybody"));
        }
        let mut hash = [0; 16];
        hash.copy_from_slice(&blake3::hash(id.as_bytes()).as_bytes()[..16]);
        if let Some(first) = self.ids.insert(u128::from_le_bytes(hash), number) {
            return Err(format!("the id `{id}` is already used in line {first}: ids must be unique"));
        }
        self.note_slips(object, &absent, number);
        let (position, section) = self.place(&document, &heading);
        let line = u32::try_from(number).unwrap_or(u32::MAX);
        let fields = object.iter().map(|(name, value)| (name.clone(), show(value))).collect();
        Ok(Chunk {
            id: ChunkId::from(id),
            document,
            heading,
            text,
            position,
            section,
            scope,
            origin: Some(Origin { file: self.file.clone(), line }),
            fields,
        })
    }

    /// The chunk's place in its document, and its section: a run of chunks under one heading path.
    fn place(&mut self, document: &str, heading: &[String]) -> (u32, u32) {
        let Some(place) = self.documents.get_mut(document) else {
            let place = Place { next: 1, section: 0, heading: heading.to_vec() };
            self.documents.insert(document.to_owned(), place);
            return (0, 0);
        };
        if place.heading != heading {
            place.section += 1;
            place.heading = heading.to_vec();
        }
        place.next += 1;
        (place.next - 1, place.section)
    }
}

/// Names the field that may have been meant to be `known`.
fn meant(object: &Map<String, Value>, known: &'static str) -> String {
    let like = object.keys().find(|name| lookalike::known_like(name, &[known]).is_some());
    like.map(|name| format!("; rename the field `{name}` if it was meant")).unwrap_or_default()
}

/// A text, or a whole number as it is written.
fn exact(value: &Value, name: &str) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Ok(number.to_string()),
        Value::Number(number) => {
            Err(format!("`{name}` is the number {number}, which may not be what was written: put it in quotes"))
        }
        other => Err(format!("`{name}` must be a text, not {}", kind(other))),
    }
}

fn list(value: Option<Value>, name: &str) -> Result<Vec<String>, String> {
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(values)) => values.iter().map(|value| exact(value, name)).collect(),
        Some(value) => exact(&value, name).map(|text| vec![text]),
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
