//! Where the hits and the stages stand in an answer, by `JSONPath` (RFC 9535); what is not said is as the tool's own form has it.

mod given;
mod path;
mod value;

use serde_json::{Map, Value, json};

use self::given::Place;
pub use self::path::Path;
use self::value::{id, object, one, score, text, texts, unlike};
use crate::domain::recognise::Passage;

/// Where what stands in an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Where the hits stand.
    pub hits: Hits,
    /// Where what of a hit stands, within it.
    pub hit: HitShape,
    /// What holds in every answer that is none but an error.
    pub success: Vec<Check>,
    /// Where a text stands in an answer that is an error.
    pub error: Option<Path>,
    /// Where something stands in an answer that has no hits to show and so leaves out their list.
    pub empty: Option<Path>,
    /// What holds in every whole answer; where it does not, the answer is partial. Without any, the text at `$.partial` says so.
    pub whole: Vec<Check>,
    /// Where the stages stand.
    pub stages: Path,
    /// Where what of a stage stands, within it.
    pub stage: StageShape,
}

/// Where the hits of an answer stand.
#[derive(Debug, Clone, PartialEq)]
pub enum Hits {
    /// Each is one value, or all are the one list at that path.
    Rows(Path),
    /// Lists of the same length: the nth hit is an object of the nth value of each, by the list's name.
    Columns(Vec<(String, Path)>),
}

/// Where what of a hit stands, from the hit on.
#[derive(Debug, Clone, PartialEq)]
pub struct HitShape {
    /// The id. A hit that is no object is its id.
    pub id: Path,
    /// The score.
    pub score: Path,
    /// The passage.
    pub text: Path,
    /// The document's name.
    pub document: Path,
    /// The heading path, as one text or as several.
    pub heading: Path,
}

/// Where what of a stage stands, from the stage on.
#[derive(Debug, Clone, PartialEq)]
pub struct StageShape {
    /// Its name.
    pub name: Path,
    /// Its ranking.
    pub hits: Path,
    /// Where what of a hit of its ranking stands.
    pub hit: HitShape,
    /// What it threw away.
    pub dropped: Path,
    /// The id, within what it threw away.
    pub dropped_id: Path,
    /// Why, within what it threw away.
    pub why: Path,
}

/// A value that has to be equal to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Where it stands.
    pub path: Path,
    /// What it has to be.
    pub equals: Value,
    /// Where a text says why it is not.
    pub message: Option<Path>,
}

/// An answer as it was read, before it is known which chunks it means.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// The hits in the server's order.
    pub hits: Vec<Found>,
    /// The stages in the server's order.
    pub stages: Vec<FoundStage>,
    /// Why the list may be shorter than it ought to be.
    pub partial: Option<String>,
}

/// A hit as it was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// What the server sent of the chunk.
    pub passage: Passage,
    /// A finite number, or none.
    pub score: Option<f64>,
}

/// A stage as it was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundStage {
    /// Its name.
    pub name: String,
    /// Its ranking.
    pub ranking: Vec<Found>,
    /// What it threw away, and why.
    pub dropped: Vec<(Found, String)>,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            hits: Hits::Rows(Path::known("$.results[*]")),
            hit: HitShape::default(),
            success: Vec::new(),
            error: None,
            empty: None,
            whole: Vec::new(),
            stages: Path::known("$.stages[*]"),
            stage: StageShape::default(),
        }
    }
}

impl Default for HitShape {
    fn default() -> Self {
        Self {
            id: Path::known("$.id"),
            score: Path::known("$.score"),
            text: Path::known("$.text"),
            document: Path::known("$.document"),
            heading: Path::known("$.heading"),
        }
    }
}

impl Default for StageShape {
    fn default() -> Self {
        Self {
            name: Path::known("$.name"),
            hits: Path::known("$.ranking[*]"),
            hit: HitShape::default(),
            dropped: Path::known("$.dropped[*]"),
            dropped_id: Path::known("$.id"),
            why: Path::known("$.why"),
        }
    }
}

impl Shape {
    /// Reads an answer; an error says where in `body` is what, and what was expected. `needs_id` is false where a hit may be
    /// known by something else.
    pub fn read(&self, body: &Value, needs_id: bool) -> Result<Reading, String> {
        if let Some(fault) = self.success.iter().find_map(|check| check.fault(body)) {
            return Err(format!("the server answers with an error: {fault}"));
        }
        if let Some(message) = self.error.as_ref().and_then(|path| path.first(body)).and_then(text) {
            return Err(format!("the server answers with an error: {}", crate::domain::text::clean(&message)));
        }
        let rows = self.rows(body)?;
        let at = match &self.hits {
            Hits::Rows(path) => path.written(),
            Hits::Columns(_) => "columns",
        };
        let values: Vec<&Value> = rows.iter().map(|(_, row)| row).collect();
        given::check(&self.hit, &values, &Place { key: "hits", path: at, within: "" }, needs_id)?;
        let hits = rows.iter().map(|(place, row)| self.hit.read(row, place, needs_id));
        let mut stages = Vec::new();
        let found = self.stages.list(body)?.unwrap_or_default();
        self.stage.check(&found, needs_id)?;
        for (at, stage) in found.into_iter().enumerate() {
            stages.push(self.stage.read(stage, &places(self.stages.written(), at), needs_id)?);
        }
        Ok(Reading { hits: hits.collect::<Result<_, _>>()?, stages, partial: self.partial(body)? })
    }

    /// The paths as they are written, as JSON to be kept with a run.
    #[must_use]
    pub fn told(&self) -> Value {
        let checks = |checks: &[Check]| -> Vec<Value> {
            checks.iter().map(|check| json!({"path": check.path.written(), "equals": check.equals})).collect()
        };
        let mut told = self.hit.told();
        match &self.hits {
            Hits::Rows(path) => told.insert("hits".to_owned(), path.written().into()),
            Hits::Columns(columns) => {
                let columns = columns.iter().map(|(name, path)| (name.clone(), Value::from(path.written())));
                told.insert("columns".to_owned(), Value::Object(columns.collect()))
            }
        };
        let mut stage = self.stage.hit.told();
        let StageShape { name, hits, dropped, dropped_id, why, .. } = &self.stage;
        for (key, path) in
            [("name", name), ("hits", hits), ("dropped", dropped), ("dropped_id", dropped_id), ("why", why)]
        {
            stage.insert(key.to_owned(), path.written().into());
        }
        told.insert("success".to_owned(), checks(&self.success).into());
        told.insert("partial".to_owned(), checks(&self.whole).into());
        told.insert("error".to_owned(), self.error.as_ref().map(Path::written).into());
        told.insert("stages".to_owned(), self.stages.written().into());
        told.insert("stage".to_owned(), Value::Object(stage));
        Value::Object(told)
    }

    fn rows(&self, body: &Value) -> Result<Vec<(String, Value)>, String> {
        match &self.hits {
            Hits::Rows(path) => {
                let none = self.empty.as_ref().and_then(|path| path.first(body)).map(|_| Vec::new());
                let rows = path.list(body)?.or(none).ok_or_else(|| path.nothing(body))?;
                let place = |(at, row): (usize, &Value)| (places(path.written(), at), row.clone());
                Ok(rows.into_iter().enumerate().map(place).collect())
            }
            Hits::Columns(columns) => {
                let mut rows: Vec<Map<String, Value>> = Vec::new();
                let mut first: Option<(&Path, usize)> = None;
                for (name, path) in columns {
                    // A column that is not sent is a column of nothing; the first one has to be there.
                    let column = match (path.list(body)?, first) {
                        (Some(column), _) => column,
                        (None, None) => return Err(path.nothing(body)),
                        (None, Some(_)) => continue,
                    };
                    let (other, length) = *first.get_or_insert((path, column.len()));
                    if column.len() != length {
                        let (here, there) = (path.written(), other.written());
                        return Err(format!(
                            "`{here}` has {} values and `{there}` {length}: which belongs to which is not known",
                            column.len()
                        ));
                    }
                    rows.resize(length, Map::new());
                    for (row, value) in rows.iter_mut().zip(column) {
                        row.insert(name.clone(), value.clone());
                    }
                }
                Ok(rows
                    .into_iter()
                    .enumerate()
                    .map(|(at, row)| (format!("hit {}", at + 1), Value::Object(row)))
                    .collect())
            }
        }
    }

    fn partial(&self, body: &Value) -> Result<Option<String>, String> {
        if !self.whole.is_empty() {
            return Ok(self.whole.iter().find_map(|check| check.fault(body)));
        }
        match body.get("partial") {
            None | Some(Value::Null | Value::Bool(false)) => Ok(None),
            Some(Value::String(reason)) => Ok(Some(reason.clone())),
            Some(Value::Bool(true)) => Ok(Some("the server says that its answer is partial".to_owned())),
            other => Err(unlike(other, "partial", "a text that says why")),
        }
    }
}

impl HitShape {
    fn told(&self) -> Map<String, Value> {
        let Self { id, score, text, document, heading } = self;
        let paths = [("id", id), ("score", score), ("text", text), ("document", document), ("heading", heading)];
        paths.into_iter().map(|(key, path)| (key.to_owned(), path.written().into())).collect()
    }

    fn read(&self, row: &Value, place: &str, needs_id: bool) -> Result<Found, String> {
        if !row.is_object() && !row.is_array() {
            let id = id(Some(row), place)?;
            return Ok(Found { passage: Passage { id: Some(id), ..Passage::default() }, score: None });
        }
        let at = |path: &Path| format!("{place}{}", path.written().trim_start_matches('$'));
        let found = one(&self.id.all(row)).filter(|id| needs_id || !id.is_null());
        let id = if found.is_some() || needs_id { Some(id(found, &at(&self.id))?) } else { None };
        Ok(Found {
            passage: Passage {
                id,
                text: one(&self.text.all(row)).and_then(text),
                document: one(&self.document.all(row)).and_then(text),
                heading: texts(&self.heading.all(row)),
            },
            score: score(one(&self.score.all(row))),
        })
    }
}

impl StageShape {
    /// Whether the paths that someone wrote lead anywhere: to a ranking in each stage, and into the hits of one of them.
    fn check(&self, stages: &[&Value], needs_id: bool) -> Result<(), String> {
        let mut rows = Vec::new();
        for stage in stages.iter().filter(|stage| stage.is_object()) {
            match self.hits.list(stage)? {
                Some(ranking) => rows.extend(ranking),
                None if self.hits.is_given() => {
                    return Err(format!(
                        "`stage.hits = \"{}\"` is not in each stage: one {}",
                        self.hits.written(),
                        path::has(stage)
                    ));
                }
                None => {}
            }
        }
        let place = Place { key: "stage.hits", path: self.hits.written(), within: "stage." };
        given::check(&self.hit, &rows, &place, needs_id)
    }

    fn read(&self, stage: &Value, place: &str, needs_id: bool) -> Result<FoundStage, String> {
        object(stage, place)?;
        let name = match one(&self.name.all(stage)) {
            Some(Value::String(name)) if !name.trim().is_empty() => name.clone(),
            other => {
                let place = format!("{place}{}", self.name.written().trim_start_matches('$'));
                return Err(unlike(other, &place, "a text, not empty"));
            }
        };
        let within = |path: &Path, at: usize| format!("{place}{}", places(path.written(), at).trim_start_matches('$'));
        let ranking = self.hits.list(stage)?.unwrap_or_default().into_iter().enumerate();
        let ranking = ranking.map(|(at, row)| self.hit.read(row, &within(&self.hits, at), needs_id));
        let dropped_shape = HitShape { id: self.dropped_id.clone(), ..self.hit.clone() };
        let dropped = self.dropped.list(stage)?.unwrap_or_default().into_iter().enumerate();
        let dropped = dropped.map(|(at, row)| {
            let why = one(&self.why.all(row)).and_then(text).unwrap_or_default();
            Ok((dropped_shape.read(row, &within(&self.dropped, at), needs_id)?, why))
        });
        Ok(FoundStage {
            name,
            ranking: ranking.collect::<Result<_, _>>()?,
            dropped: dropped.collect::<Result<_, String>>()?,
        })
    }
}

impl Check {
    /// Why it does not hold.
    fn fault(&self, body: &Value) -> Option<String> {
        let found = one(&self.path.all(body));
        if found.is_some_and(|found| value::same(found, &self.equals)) {
            return None;
        }
        let message = self.message.as_ref().and_then(|path| one(&path.all(body)).and_then(text));
        let fault = unlike(found, self.path.written(), &self.equals.to_string());
        let message = message.map(|message| crate::domain::text::clean(&message).into_owned());
        Some(message.map_or(fault.clone(), |message| format!("{message} ({fault})")))
    }
}

/// The place of the nth value of a path that ends in a wildcard.
fn places(written: &str, at: usize) -> String {
    let holder = written.strip_suffix("[*]").unwrap_or(written);
    format!("{}[{at}]", holder.strip_prefix("$.").unwrap_or(holder))
}

#[cfg(test)]
mod tests;
