//! The metadata block at the top of a Markdown page: title, scope, and other fields to show.

use granit_parser::{Event, Parser, ScalarStyle};

use super::{lines::lines, lookalike};
use crate::corpus::{Note, Severity};

/// What a page says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::corpus) struct FrontMatter {
    /// The document's name.
    pub(in crate::corpus) title: Option<String>,
    /// The groups that may read the page; empty means everybody.
    pub(in crate::corpus) scope: Vec<String>,
    /// Every other field, in order, as text.
    pub(in crate::corpus) fields: Vec<(String, String)>,
    /// What may be a slip: fields that look like one that is read, and a block that is not read as one.
    pub(in crate::corpus) notes: Vec<Note>,
    /// Where the page itself begins, in bytes.
    pub(in crate::corpus) end: usize,
}

/// What is wrong in a metadata block, and at which line of the page, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::corpus) struct FrontMatterError {
    pub(in crate::corpus) line: u64,
    pub(in crate::corpus) what: String,
}

/// Reads the metadata block of `text`. A page without one, or one that begins with a rule, gives an empty one.
///
/// Values are taken as they are written: a title of `1.10` stays that, whatever number YAML would make of it.
pub(in crate::corpus) fn read(text: &str) -> Result<FrontMatter, FrontMatterError> {
    let from = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let read = match block(text, from) {
        Some((yaml, end)) => parse(yaml)?.map(|read| FrontMatter { end, ..read }),
        None => None,
    };
    Ok(read.unwrap_or_else(|| FrontMatter {
        notes: unread(&text[from..]).into_iter().collect(),
        end: from,
        ..FrontMatter::default()
    }))
}

/// The note on a page that begins like a metadata block without being read as one.
fn unread(text: &str) -> Option<Note> {
    let mut lines = (1..).zip(lines(text)).skip_while(|(_, line)| line.trim().is_empty());
    let (line, marker) = lines.next()?;
    let is_marker = |line: &str, letter: char| line.len() > 1 && line.chars().all(|other| other == letter);
    if !['-', '+', '—', '–'].iter().any(|&letter| is_marker(marker.trim(), letter)) {
        return None;
    }
    let lines = lines.map(|(_, line)| line.trim()).skip_while(|line| line.is_empty());
    let mut fields = lines.take_while(|line| !line.is_empty() && !line.starts_with("---"));
    fields.any(is_field).then(|| {
        let what = "this looks like metadata but is read as text, so the page is for everybody: metadata begins with `---` \
                    as the very first line, has lines such as `scope: [hr]`, and is closed by a line `---`; \
                    if this is only a rule, write `***`";
        Note { severity: Severity::Info, line: Some(line), what: what.to_owned() }
    })
}

/// True for a line such as `owner: ops`, or one that begins with a name that is read here.
fn is_field(line: &str) -> bool {
    let line = line.trim_start_matches(['-', ' ', '"', '\'']);
    let end = line.find(|letter: char| !letter.is_alphanumeric() && !"_-".contains(letter)).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start_matches(['"', '\'']);
    let is_pair = rest.strip_prefix(':').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '[']));
    let is_assigned = rest.trim_start().starts_with(['=', '[']) && lookalike::known_like(name, &KNOWN).is_some();
    !name.is_empty() && (is_pair || is_assigned)
}

/// The fields that are read.
const KNOWN: [&str; 2] = ["title", "scope"];

/// Notes on fields that look like one that is read and is not there.
fn slips(page: &FrontMatter, seen: &[(String, u64)]) -> Vec<Note> {
    let is_there = |known: &str| seen.iter().any(|(name, _)| name == known);
    let mut notes = Vec::new();
    for (name, line) in seen {
        let Some(known) = lookalike::known_like(name, &KNOWN).filter(|known| !is_there(known)) else { continue };
        let value = page.fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value);
        let what_is_so = match known {
            // A number, such as a score, is no group.
            "scope" if value.is_empty() || value.parse::<f64>().is_ok() => continue,
            "scope" => "the page is for everybody",
            _ => "the page has no title",
        };
        notes.push(lookalike::note(name, known, what_is_so, *line, 1));
    }
    notes
}

/// The lines between two markers at the very top, and where the page goes on. Blanks may follow a marker.
fn block(text: &str, from: usize) -> Option<(&str, usize)> {
    let mut at = from;
    let mut start = None;
    for line in lines(&text[from..]) {
        let marker = line.trim_end();
        match start {
            None if marker == "---" => start = Some(at + line.len()),
            None => return None,
            Some(start) if marker == "---" || marker == "..." => return Some((&text[start..at], at + line.len())),
            Some(_) => {}
        }
        at += line.len();
    }
    None
}

/// The fields of a mapping; `None` if this is no mapping, so that the markers were rules and not a block.
fn parse(yaml: &str) -> Result<Option<FrontMatter>, FrontMatterError> {
    let mut events = Events { parser: Parser::new_from_str(yaml), line: 2 };
    let mut page = FrontMatter::default();
    loop {
        match events.next()? {
            Some((Event::StreamStart | Event::DocumentStart(..), _)) => {}
            Some((Event::MappingStart(..), _)) => break,
            None | Some((Event::StreamEnd | Event::DocumentEnd, _)) => return Ok(Some(page)),
            Some(_) => return Ok(None),
        }
    }
    let mut seen: Vec<(String, u64)> = Vec::new();
    loop {
        let name = match events.next()? {
            Some((Event::Scalar(name, ..), _)) => name.into_owned(),
            Some((Event::MappingEnd, _)) | None => break,
            Some(_) => return Err(events.error("a field's name must be plain text")),
        };
        let line = events.line;
        if seen.iter().any(|(other, _)| *other == name) {
            return Err(events.error(&format!("the field `{name}` stands here twice")));
        }
        let value = events.value(yaml)?;
        match (name.as_str(), value) {
            ("title", Value::Text(title)) => page.title = Some(title).filter(|title| !title.trim().is_empty()),
            ("title", Value::Null) => {}
            ("title", _) => return Err(events.error("`title` must be a text")),
            ("scope", Value::Text(group)) if !group.trim().is_empty() => page.scope = vec![group],
            ("scope", Value::List(groups)) if groups.iter().all(|group| !group.trim().is_empty()) => {
                page.scope = groups;
            }
            ("scope", _) => {
                return Err(events.error(
                    "`scope` must be a group or a list of groups, such as [warehouse]; leave it out for everybody",
                ));
            }
            (_, Value::Text(text) | Value::Other(text)) => page.fields.push((name.clone(), text)),
            (_, Value::List(list)) => page.fields.push((name.clone(), list.join(", "))),
            (_, Value::Null) => page.fields.push((name.clone(), String::new())),
        }
        seen.push((name, line));
    }
    while events.next()?.is_some() {}
    page.notes = slips(&page, &seen);
    Ok(Some(page))
}

enum Value {
    Null,
    Text(String),
    List(Vec<String>),
    /// Anything deeper, as it is written.
    Other(String),
}

struct Events<'a> {
    parser: Parser<'a, granit_parser::StrInput<'a>>,
    line: u64,
}

impl<'a> Events<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, granit_parser::Span)>, FrontMatterError> {
        loop {
            match self.parser.next() {
                None => return Ok(None),
                Some(Ok((Event::Comment(..), _))) => {}
                Some(Ok((event, span))) => {
                    self.line = span.start.line() as u64 + 1;
                    return Ok(Some((event, span)));
                }
                Some(Err(error)) => {
                    self.line = error.marker().line() as u64 + 1;
                    return Err(
                        self.error(&format!("the metadata between the --- lines does not read as YAML: {error}"))
                    );
                }
            }
        }
    }

    fn error(&self, what: &str) -> FrontMatterError {
        FrontMatterError { line: self.line, what: what.to_owned() }
    }

    fn value(&mut self, yaml: &str) -> Result<Value, FrontMatterError> {
        let (event, span) = self.next()?.ok_or_else(|| self.error("a field without a value"))?;
        let line = self.line;
        let start = span.byte_range().map_or(0, |range| range.start);
        match event {
            Event::Scalar(text, style, ..) => Ok(match (style, &*text) {
                (ScalarStyle::Plain, "" | "~" | "null" | "Null" | "NULL") => Value::Null,
                _ => Value::Text(text.into_owned()),
            }),
            Event::Alias(..) => Err(self.error("an alias (*name) is not read here: write the value out")),
            Event::SequenceStart(..) => {
                let mut list = Some(Vec::new());
                let end = self.rest(|event| match (event, &mut list) {
                    (Event::Scalar(text, ..), Some(list)) => list.push(text.clone().into_owned()),
                    (_, list) => *list = None,
                })?;
                self.line = line;
                Ok(list.map_or_else(|| Value::Other(slice(yaml, start, end)), Value::List))
            }
            _ => {
                let end = self.rest(|_| {})?;
                self.line = line;
                Ok(Value::Other(slice(yaml, start, end)))
            }
        }
    }

    /// Reads on to the end of the collection that has begun, and tells where its last part ends.
    fn rest(&mut self, mut each: impl FnMut(&Event<'a>)) -> Result<usize, FrontMatterError> {
        let mut depth = 1;
        let mut end = 0;
        while let Some((event, span)) = self.next()? {
            match event {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                _ => {}
            }
            let flow_end = span.byte_range().filter(|range| range.end > range.start);
            if let Some(range) = flow_end {
                end = end.max(range.end);
            }
            if depth == 0 {
                break;
            }
            each(&event);
        }
        Ok(end)
    }
}

fn slice(yaml: &str, from: usize, to: usize) -> String {
    yaml.get(from..to.max(from)).unwrap_or_default().trim().to_owned()
}
