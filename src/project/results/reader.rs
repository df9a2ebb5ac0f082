//! Reads a run case by case, so that it may be larger than the memory.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use super::{ResultsError, Stored, unreadable};
use crate::{
    eval::{
        aggregate::{Summary, Tally},
        run::{Header, Run, RunCase},
    },
    report::run_file::{self, LineError},
};

/// A run being read: its cases one by one, in the order of the file. Of a case that stands twice the last one counts; a last
/// line that was cut off, as where the program was killed, is left out.
#[derive(Debug)]
pub struct Reader {
    lines: Lines,
    header: Header,
    notes: Vec<String>,
    /// Lines that a later one replaces, or that were cut off.
    skipped: HashSet<usize>,
    cases: usize,
    /// The last line of the file when it was opened; 0 after an error.
    last: usize,
}

/// A run as numbers, read without keeping its cases.
#[derive(Debug, Clone, PartialEq)]
pub struct Summarized {
    /// What it was made with.
    pub header: Header,
    /// The numbers.
    pub summary: Summary,
    /// What a reader should know, see [`Stored::notes`].
    pub notes: Vec<String>,
}

/// Reads the run in the file at `path`.
pub fn read(path: &Path) -> Result<Stored, ResultsError> {
    let mut reader = Reader::open(path)?;
    let cases = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
    let Reader { header, notes, .. } = reader;
    Ok(Stored { path: path.to_owned(), run: Run { header, cases }, notes })
}

/// Sums up the run in the file at `path`, with one case in memory at a time. `subsets` are shown in this order.
pub fn summarize<S: AsRef<str>>(path: &Path, subsets: &[S]) -> Result<Summarized, ResultsError> {
    let mut reader = Reader::open(path)?;
    let mut tally = Tally::new(&reader.header.cut, subsets);
    for case in reader.by_ref() {
        tally.add(&case?.result(tally.cut()));
    }
    let Reader { header, notes, .. } = reader;
    Ok(Summarized { header, summary: tally.summary(), notes })
}

impl Reader {
    /// Opens the run in the file at `path`.
    pub fn open(path: &Path) -> Result<Self, ResultsError> {
        let Layout { header, spans, skipped, lines, notes, .. } = Layout::read(path)?;
        let mut from = Lines::open(path)?;
        from.next()?;
        Ok(Self { lines: from, header, notes, skipped, cases: spans.len(), last: lines })
    }

    /// What the run was made with.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What a reader should know, see [`Stored::notes`].
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How many cases the run has.
    #[must_use]
    pub fn cases(&self) -> usize {
        self.cases
    }
}

impl Iterator for Reader {
    type Item = Result<RunCase, ResultsError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.lines.number < self.last {
            let read = match self.lines.next() {
                Ok(true) if self.lines.blank() || self.skipped.contains(&self.lines.number) => continue,
                Ok(true) => self.lines.text().and_then(run_file::case).map_err(|error| self.lines.wrong(error)),
                Ok(false) => return None,
                Err(error) => Err(error),
            };
            if read.is_err() {
                self.last = 0;
            }
            return Some(read);
        }
        None
    }
}

/// Where the cases of a run stand in its file.
pub(super) struct Layout {
    pub(super) header: Header,
    /// How long the first line is, in bytes and without its line end.
    pub(super) first: usize,
    /// The last line of each case.
    pub(super) spans: HashMap<String, Span>,
    /// Lines that do not count: replaced by a later one, or cut off.
    pub(super) skipped: HashSet<usize>,
    /// How many lines there are.
    pub(super) lines: usize,
    pub(super) notes: Vec<String>,
    /// How many bytes of the file are whole lines.
    pub(super) whole: u64,
    /// Whether the last whole line has its line end.
    pub(super) ended: bool,
}

/// A line in a file: its number, from 1, and its bytes without the line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) line: usize,
    pub(super) start: u64,
    pub(super) length: usize,
}

impl Layout {
    /// Goes over the file once. A line that cannot be read is an error when its turn comes, unless it is the last and was cut off.
    pub(super) fn read(path: &Path) -> Result<Self, ResultsError> {
        let mut lines = Lines::open(path)?;
        let header = first(&mut lines)?;
        let mut layout = Self {
            header,
            first: lines.line.len(),
            spans: HashMap::new(),
            skipped: HashSet::new(),
            lines: 1,
            notes: Vec::new(),
            whole: lines.end,
            ended: lines.ended,
        };
        let mut repeated = 0;
        while let (start, true) = (lines.end, lines.next()?) {
            let number = lines.number;
            layout.lines = number;
            if !lines.ended
                && !lines.blank()
                && let Err(error) = lines.text().and_then(run_file::case)
            {
                layout.skipped.insert(number);
                layout.notes.push(format!("{}:{number}: left out, the last line was cut off: {error}", path.display()));
                break;
            }
            if let Some(id) = lines.text().ok().and_then(run_file::case_id) {
                let span = Span { line: number, start, length: lines.line.len() };
                if let Some(before) = layout.spans.insert(id.into_owned(), span) {
                    layout.skipped.insert(before.line);
                    repeated += 1;
                }
            }
            (layout.whole, layout.ended) = (lines.end, lines.ended);
        }
        if repeated > 0 {
            let lines = if repeated == 1 { "1 line".to_owned() } else { format!("{repeated} lines") };
            layout.notes.push(format!("{}: {lines} left out, a later line is about the same case", path.display()));
        }
        Ok(layout)
    }
}

/// Reads what a run was made with.
pub(super) fn header(path: &Path) -> Result<Header, ResultsError> {
    first(&mut Lines::open(path)?)
}

fn first(lines: &mut Lines) -> Result<Header, ResultsError> {
    let read = if lines.next()? {
        lines.text().map_err(|_| LineError::NoRun).and_then(run_file::header)
    } else {
        Err(LineError::NoRun)
    };
    read.map_err(|error| ResultsError::Line { path: lines.path.clone(), line: 1, error })
}

/// The lines of a file, one at a time.
#[derive(Debug)]
struct Lines {
    path: PathBuf,
    file: BufReader<File>,
    line: Vec<u8>,
    /// The number of the line that was read last, from 1.
    number: usize,
    /// How many bytes have been read.
    end: u64,
    /// Whether the line that was read last has its line end.
    ended: bool,
}

impl Lines {
    fn open(path: &Path) -> Result<Self, ResultsError> {
        let file = File::open(path).map_err(unreadable(path))?;
        // A folder opens like a file and then cannot be read.
        if file.metadata().map_err(unreadable(path))?.is_dir() {
            return Err(unreadable(path)(io::ErrorKind::IsADirectory.into()));
        }
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(Self { path: path.to_owned(), file, line: Vec::new(), number: 0, end: 0, ended: true })
    }

    /// Goes to the next line; false at the end.
    fn next(&mut self) -> Result<bool, ResultsError> {
        self.line.clear();
        let read = self.file.read_until(b'\n', &mut self.line).map_err(unreadable(&self.path))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        self.end += read as u64;
        self.ended = self.line.last() == Some(&b'\n');
        if self.ended {
            self.line.pop();
        }
        Ok(true)
    }

    fn text(&self) -> Result<&str, LineError> {
        std::str::from_utf8(&self.line).map_err(|error| LineError::Broken {
            column: Some(error.valid_up_to() + 1),
            reason: "this is not UTF-8".to_owned(),
        })
    }

    fn blank(&self) -> bool {
        self.line.trim_ascii().is_empty()
    }

    fn wrong(&self, error: LineError) -> ResultsError {
        ResultsError::Line { path: self.path.clone(), line: self.number, error }
    }
}
