//! Judgments: which document answers which topic, and how well.

use std::{collections::HashMap, fs, path::Path};

use super::{Fault, TrecError, columns, is_idle, shown};

const COLUMNS: &str = "4 columns: topic, iteration, document, grade";

/// The judgments of a file, by topic.
#[derive(Debug)]
pub struct Qrels {
    file: String,
    text: Vec<u8>,
    topics: Vec<Topic>,
    by_id: HashMap<Box<[u8]>, usize>,
}

/// A topic and what was judged for it.
#[derive(Debug)]
pub struct Topic {
    /// Its id.
    pub id: String,
    /// Its judgments, by document in the order of their bytes, each document once.
    pub judged: Vec<Judged>,
    /// The first document that is judged twice, with the same grade both times: its place in `judged`, and the later line.
    pub twice: Option<(usize, u32)>,
}

/// A judgment.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    at: usize,
    len: u32,
    line: u32,
    /// The grade as it is written; below 0 in TREC's files: in the pool, and not judged.
    pub grade: f64,
}

impl Qrels {
    /// Reads the judgments in the file at `path`.
    pub fn read(path: &Path) -> Result<Self, TrecError> {
        let file = path.display().to_string();
        match fs::read(path) {
            Ok(text) => Self::parse(file, text),
            Err(source) => Err(TrecError::Unreadable { file, source }),
        }
    }

    /// Reads the judgments in `text`, which stands in `file`.
    pub fn parse(file: String, text: Vec<u8>) -> Result<Self, TrecError> {
        let mut qrels = Self { file, text, topics: Vec::new(), by_id: HashMap::new() };
        let text = std::mem::take(&mut qrels.text);
        let mut from = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let (mut number, mut last) = (0, None);
        while from < text.len() {
            let end = memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at);
            let line = &text[from..end];
            number += 1;
            if !is_idle(line) {
                qrels.add(&text, line, number, &mut last).map_err(|fault| qrels.fault(number, fault))?;
            }
            from = end + 1;
        }
        qrels.text = text;
        if qrels.topics.is_empty() {
            return Err(TrecError::Empty { file: qrels.file, expected: COLUMNS });
        }
        for at in 0..qrels.topics.len() {
            qrels.sort(at)?;
        }
        Ok(qrels)
    }

    fn add(&mut self, text: &[u8], line: &[u8], number: u32, last: &mut Option<usize>) -> Result<(), Fault> {
        let mut columns = columns(line);
        let (Some(topic), Some(_), Some(document), Some(grade), None) =
            (columns.next(), columns.next(), columns.next(), columns.next(), columns.next())
        else {
            return Err(Fault::Columns { columns: super::columns(line).count(), expected: COLUMNS });
        };
        let grade = number_of(grade).ok_or_else(|| Fault::Value {
            column: "grade",
            value: shown(grade),
            expected: "a number, as 0, 1 or 0.5",
        })?;
        utf8("document", document)?;
        let at = match *last {
            Some(at) if self.topics[at].id.as_bytes() == topic => at,
            _ => self.topic(topic)?,
        };
        *last = Some(at);
        let place = document.as_ptr() as usize - text.as_ptr() as usize;
        let len = u32::try_from(document.len()).unwrap_or(u32::MAX);
        self.topics[at].judged.push(Judged { at: place, len, line: number, grade });
        Ok(())
    }

    fn topic(&mut self, id: &[u8]) -> Result<usize, Fault> {
        if let Some(&at) = self.by_id.get(id) {
            return Ok(at);
        }
        let name = utf8("topic", id)?.to_owned();
        self.topics.push(Topic { id: name, judged: Vec::new(), twice: None });
        self.by_id.insert(id.into(), self.topics.len() - 1);
        Ok(self.topics.len() - 1)
    }

    /// Brings the judgments of a topic in order, and refuses a document with two grades.
    fn sort(&mut self, at: usize) -> Result<(), TrecError> {
        let mut judged = std::mem::take(&mut self.topics[at].judged);
        judged.sort_by(|a, b| self.bytes(a).cmp(self.bytes(b)).then(a.line.cmp(&b.line)));
        let mut once: Vec<Judged> = Vec::with_capacity(judged.len());
        for next in judged {
            match once.last() {
                Some(before) if self.bytes(before) == self.bytes(&next) => {
                    // Grades are compared as they are written: no two ways to compute one meet here.
                    if before.grade.total_cmp(&next.grade).is_ne() {
                        return Err(self.twice(at, before, next.line, true));
                    }
                    let twice = (once.len() - 1, next.line);
                    self.topics[at].twice.get_or_insert(twice);
                }
                _ => once.push(next),
            }
        }
        self.topics[at].judged = once;
        Ok(())
    }

    /// The error that a document is judged twice.
    fn twice(&self, topic: usize, judged: &Judged, line: u32, otherwise: bool) -> TrecError {
        let document = shown(self.bytes(judged));
        let (topic, first) = (self.topics[topic].id.clone(), u64::from(judged.line));
        self.fault(line, Fault::Twice { topic, document, first, otherwise })
    }

    fn fault(&self, line: u32, fault: Fault) -> TrecError {
        TrecError::Line { file: self.file.clone(), line: line.into(), fault }
    }

    /// Refuses what `trec_eval` refuses or would silently cut: a document judged twice, a grade with a fraction.
    pub fn refuse_what_trec_eval_cannot(&self) -> Result<(), TrecError> {
        for (at, topic) in self.topics.iter().enumerate() {
            if let Some((first, line)) = topic.twice {
                return Err(self.twice(at, &topic.judged[first], line, false));
            }
            let odd = |judged: &&Judged| judged.grade.fract() != 0.0 || judged.grade.abs() > 1e6;
            if let Some(judged) = topic.judged.iter().find(odd) {
                let value = judged.grade.to_string();
                let expected = "a whole number: trec_eval cuts a fraction off";
                return Err(self.fault(judged.line, Fault::Value { column: "grade", value, expected }));
            }
        }
        Ok(())
    }

    /// The topics, in the order of the file.
    #[must_use]
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// Which of [`Qrels::topics`] has this id.
    #[must_use]
    pub fn find(&self, id: &[u8]) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The document of a judgment.
    #[must_use]
    pub fn document(&self, judged: &Judged) -> &str {
        // It was read as UTF-8.
        std::str::from_utf8(self.bytes(judged)).unwrap_or_default()
    }

    fn bytes(&self, judged: &Judged) -> &[u8] {
        &self.text[judged.at..judged.at + judged.len as usize]
    }
}

/// A finite number as people write it.
fn number_of(column: &[u8]) -> Option<f64> {
    match column {
        [digit @ b'0'..=b'9'] => Some(f64::from(digit - b'0')),
        _ => std::str::from_utf8(column).ok()?.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// A column as text.
pub(super) fn utf8<'a>(column: &'static str, value: &'a [u8]) -> Result<&'a str, Fault> {
    std::str::from_utf8(value).map_err(|_| Fault::Value { column, value: shown(value), expected: "UTF-8" })
}
