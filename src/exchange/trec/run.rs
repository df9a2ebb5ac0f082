//! A run: what a retriever returned for each topic, one line for each document.

use std::{io, path::Path};

use super::{Fault, TrecError, blocks, is_idle, is_white, qrels::utf8, scattered, shown, text::Text};

const COLUMNS: &str = "6 columns: topic, Q0, document, rank, score, name of the run";

/// A run that is read topic by topic, however large it is.
#[derive(Debug)]
pub struct RunFile {
    pub(super) text: Text,
}

/// One result as its line has it.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The document's id.
    pub document: &'a [u8],
    /// The score; never NaN.
    pub score: f64,
    rank: &'a [u8],
    /// Where the line begins, in bytes from the file's start.
    at: u64,
}

/// What was read of a run.
#[derive(Debug)]
pub struct Read<R> {
    /// What came of each topic; `None` for one that the run has no line for.
    pub topics: Vec<Option<R>>,
    /// How many lines with results the run has, of whatever topic.
    pub lines: u64,
    /// The topics of the run that nobody asked about, sorted.
    pub foreign: Vec<String>,
    /// The name of the run, as its last line has it.
    pub name: String,
}

/// Why whoever takes a topic's lines refuses them.
#[derive(Debug)]
pub struct Refused {
    at: u64,
    fault: Fault,
    /// Where the line is that came first, if it is about two.
    first: Option<u64>,
}

/// Which topic is meant by an id; `None` for one that nobody asks about.
pub type Find<'a> = &'a (dyn Fn(&[u8]) -> Option<usize> + Sync);
/// Takes all lines of a topic, in the order of the file.
pub type Visit<'a, R> = &'a (dyn Fn(usize, &mut Vec<Line<'_>>) -> Result<R, Refused> + Sync);

impl Line<'_> {
    /// The rank that the line gives its result.
    pub fn rank(&self) -> Result<i64, Refused> {
        let rank = std::str::from_utf8(self.rank).ok().and_then(|rank| rank.parse().ok());
        rank.ok_or_else(|| self.refuse("rank", self.rank, "a whole number"))
    }

    /// The document's id as text.
    pub fn text(&self) -> Result<&str, Refused> {
        utf8("document", self.document).map_err(|fault| Refused { at: self.at, fault, first: None })
    }

    /// Refuses the later of two lines that name the same document of `topic`.
    #[must_use]
    pub fn refuse_twice(&self, other: &Self, topic: &str) -> Refused {
        let (first, at) = (self.at.min(other.at), self.at.max(other.at));
        let fault =
            Fault::Twice { topic: topic.to_owned(), document: shown(self.document), first: 0, otherwise: false };
        Refused { at, fault, first: Some(first) }
    }

    fn refuse(&self, column: &'static str, value: &[u8], expected: &'static str) -> Refused {
        Refused { at: self.at, fault: Fault::Value { column, value: shown(value), expected }, first: None }
    }
}

impl RunFile {
    /// Opens the run in the file at `path`.
    pub fn open(path: &Path) -> Result<Self, TrecError> {
        let unreadable = |source| TrecError::Unreadable { file: path.display().to_string(), source };
        Ok(Self { text: Text::open(path).map_err(unreadable)? })
    }

    /// Reads the run. `find` says which of so many `topics` an id is; `visit` takes all lines of one topic, in the order of the
    /// file, on any of several threads, each topic once.
    ///
    /// A run whose topics stand together, as every retriever writes it, is read once and a block at a time. One whose topics are
    /// scattered is read as often as it takes to hold the lines of some of its topics at a time.
    pub fn read<R: Send>(&self, topics: usize, find: Find<'_>, visit: Visit<'_, R>) -> Result<Read<R>, TrecError> {
        let read = match blocks::read(&self.text, topics, find, visit) {
            Err(Stop::Scattered) => scattered::read(&self.text, topics, find, visit),
            read => read,
        };
        let read = read.map_err(|stop| self.error(stop))?;
        if read.lines == 0 {
            return Err(TrecError::Empty { file: self.text.name(), expected: COLUMNS });
        }
        Ok(read)
    }

    fn error(&self, stop: Stop) -> TrecError {
        let file = self.text.name();
        let line = |at| self.text.line_number(at);
        let Refused { at, mut fault, first } = match stop {
            Stop::Refused(refused) => refused,
            Stop::Unreadable(source) => return TrecError::Unreadable { file, source },
            Stop::Scattered => return TrecError::Unreadable { file, source: io::Error::other("it changed meanwhile") },
        };
        if let (Fault::Twice { first, .. }, Some(at)) = (&mut fault, first) {
            *first = line(at).unwrap_or_default();
        }
        match line(at) {
            Ok(line) => TrecError::Line { file, line, fault },
            Err(source) => TrecError::Unreadable { file, source },
        }
    }
}

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// A topic stands in more than one place.
    Scattered,
    /// A line is wrong.
    Refused(Refused),
    /// The file cannot be read.
    Unreadable(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

/// A line read: its topic, the name of the run, and the result.
pub(super) struct Parsed<'a> {
    pub(super) topic: &'a [u8],
    pub(super) name: &'a [u8],
    pub(super) line: Line<'a>,
}

/// Reads the line that begins at `from`, with the place where the next begins. `None` for a line with nothing to read. `base` is
/// where `bytes` begin in the file.
pub(super) fn parse(bytes: &[u8], from: usize, base: u64) -> Result<(Option<Parsed<'_>>, usize), Refused> {
    let mut at = from;
    let mut columns = [&bytes[..0]; 6];
    for column in &mut columns {
        while bytes.get(at).is_some_and(|&byte| byte != b'\n' && is_white(byte)) {
            at += 1;
        }
        let start = at;
        while bytes.get(at).is_some_and(|&byte| byte > b' ' || !is_white(byte)) {
            at += 1;
        }
        *column = &bytes[start..at];
        if start == at {
            break;
        }
    }
    // What follows the name is nobody's.
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |more| at + more);
    let next = (end + 1).min(bytes.len());
    let [topic, _, document, rank, score, name] = columns;
    let place = base + from as u64;
    if name.is_empty() || topic.first() == Some(&b'#') {
        let line = &bytes[from..end];
        let line = if place == 0 { line.strip_prefix(MARK).unwrap_or(line) } else { line };
        if is_idle(line) {
            return Ok((None, next));
        }
        if name.is_empty() {
            let fault = Fault::Columns { columns: super::columns(line).count(), expected: COLUMNS };
            return Err(Refused { at: place, fault, first: None });
        }
    }
    let topic = if place == 0 { topic.strip_prefix(MARK).unwrap_or(topic) } else { topic };
    let line = Line { document, score: 0.0, rank, at: place };
    let Some(number) = number(score) else {
        return Err(line.refuse("score", score, "a number"));
    };
    Ok((Some(Parsed { topic, name, line: Line { score: number, ..line } }), next))
}

/// The byte order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A number that is not NaN.
fn number(text: &[u8]) -> Option<f64> {
    plain(text).or_else(|| std::str::from_utf8(text).ok()?.parse().ok().filter(|number: &f64| !number.is_nan()))
}

/// What nearly every score is: few digits with a point. A quotient of two exact doubles is the nearest double to the decimal.
fn plain(text: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (-1.0, digits),
        digits => (1.0, digits),
    };
    if digits.is_empty() || digits.len() > 16 || !digits.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let (mut whole, mut point) = (0_u64, None);
    for (at, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => whole = whole * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(digits.len() - at - 1),
            _ => return None,
        }
    }
    // At most 16 digits with a point are 15, and without one they may be above what a double holds exactly.
    (whole < 1 << 53).then(|| sign * (whole as f64 / POWERS[point.unwrap_or(0)]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::number;

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", ".", "x", "1.2.3", "nan", "1,5", "--1"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
        assert_eq!(number(b"-inf"), Some(f64::NEG_INFINITY));
        assert_eq!(number(b"9007199254740993"), Some(9_007_199_254_740_992.0));
    }

    proptest! {
        #[test]
        fn a_score_is_the_double_that_the_standard_library_reads(text in "-?[0-9]{0,12}\\.?[0-9]{1,9}(e-?[0-9]{1,2})?") {
            let expected: f64 = text.parse().unwrap_or(f64::NAN);
            prop_assert_eq!(number(text.as_bytes()).map(f64::to_bits), Some(expected.to_bits()), "{}", text);
        }
    }
}
