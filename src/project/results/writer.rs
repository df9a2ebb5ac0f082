//! Writes a run while it is made: each finished case is on disk at once, and the whole is put in order when it ends.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use super::{Project, ResultsError, reader::Span, runs};
use crate::{
    eval::run::{Header, RunCase},
    report::run_file,
};

/// A run being written. Until [`Writer::finish`] its cases stand in the order in which they ended; whatever ends the program,
/// those that were added can be read.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    /// The first line and the line of each case.
    header: Span,
    cases: HashMap<String, Span>,
    end: u64,
}

impl Writer {
    /// Begins a run in the folder of runs, in a file of its own: `20261130T234458Z-keyword.jsonl`, and with a number behind it
    /// where that name is taken.
    pub fn create(project: &Project, header: &Header) -> Result<Self, ResultsError> {
        let folder = runs(project);
        fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
        let (path, mut file) = new_file(&folder, &file_name(header))?;
        lock(&path, &file)?;
        let line = run_file::header_line(header);
        file.write_all(line.as_bytes()).map_err(|error| unwritable(&path, error))?;
        let header = Span { line: 1, start: 0, length: line.len() - 1 };
        Ok(Self { path, file, header, cases: HashMap::new(), end: line.len() as u64 })
    }

    /// Goes on with a run whose cases stand where `cases` says, in a file of `end` bytes, the last a line end.
    pub(super) fn append(path: PathBuf, file: File, header: Span, cases: HashMap<String, Span>, end: u64) -> Self {
        Self { path, file, header, cases, end }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a finished case. If the run has that case already, this one counts.
    pub fn add(&mut self, case: &RunCase) -> Result<(), ResultsError> {
        let line = run_file::case_line(case);
        self.file.write_all(line.as_bytes()).map_err(|error| unwritable(&self.path, error))?;
        // Line numbers are for messages about a file that is read; nobody asks for this one.
        self.cases.insert(case.id.clone(), Span { line: 0, start: self.end, length: line.len() - 1 });
        self.end += line.len() as u64;
        Ok(())
    }

    /// Ends the run: replaces its file in one step by one whose cases stand in the order of `ids`. With `out` the run is put
    /// there instead. Returns where it is.
    pub fn finish<'a>(
        self,
        ids: impl IntoIterator<Item = &'a str>,
        out: Option<&Path>,
    ) -> Result<PathBuf, ResultsError> {
        let target = out.unwrap_or(&self.path).to_owned();
        self.put(ids, &target).map_err(|error| ResultsError::Unwritable {
            path: target.clone(),
            error,
            kept: Some(self.path.clone()),
        })?;
        if out.is_some() && !same_file(&self.path, &target) {
            // It is whole where it should be; a second copy is no harm.
            let _ = fs::remove_file(&self.path);
        }
        Ok(target)
    }

    fn put<'a>(&self, ids: impl IntoIterator<Item = &'a str>, target: &Path) -> io::Result<()> {
        let mut from = &self.file;
        let mut ordered = vec![self.header];
        ordered.extend(ids.into_iter().filter_map(|id| self.cases.get(id)));
        // A link stays a link, and a file keeps its mode.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let mode = fs::metadata(&target).or_else(|_| self.file.metadata())?.permissions();
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut beside = tempfile::Builder::new().prefix(".caselight-").tempfile_in(folder)?;
        {
            let mut to = BufWriter::new(beside.as_file_mut());
            let mut line = Vec::new();
            for span in ordered {
                line.resize(span.length, 0);
                from.seek(SeekFrom::Start(span.start))?;
                from.read_exact(&mut line)?;
                to.write_all(&line)?;
                to.write_all(b"\n")?;
            }
            to.flush()?;
        }
        beside.as_file().set_permissions(mode)?;
        beside.as_file().sync_all()?;
        beside.persist(&target).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Makes ready for a run to be put into `out` when it ends: makes its folder, and refuses a file that is not a run, or that
/// would be read as a case file.
pub fn check_out(project: &Project, out: &Path) -> Result<(), ResultsError> {
    let refused = |reason: &str| ResultsError::Refused { path: out.to_owned(), reason: reason.to_owned() };
    if out.is_dir() {
        return Err(refused("that is a folder; name a file in it"));
    }
    if out.exists() && super::reader::header(out).is_err() && fs::metadata(out).is_ok_and(|data| data.len() > 0) {
        return Err(refused("it holds something else than a run, which would be lost; name another file"));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))?;
    if project.settings.case_files.is_none() && same_file(folder, &project.folder) {
        return Err(refused(
            "every .jsonl, .yaml and .yml there is read as cases; baselines lie in the folder `baselines` beside the cases",
        ));
    }
    // Better now than when all is asked.
    tempfile::tempfile_in(folder).map(drop).map_err(|error| unwritable(folder, error))
}

/// Nobody else may write this run; a file system that knows no locks does not stop anybody.
pub(super) fn lock(path: &Path, file: &File) -> Result<(), ResultsError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ResultsError::Busy { path: path.to_owned() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

pub(super) fn unwritable(path: &Path, error: io::Error) -> ResultsError {
    ResultsError::Unwritable { path: path.to_owned(), error, kept: None }
}

fn new_file(folder: &Path, name: &str) -> Result<(PathBuf, File), ResultsError> {
    for number in 1_u32.. {
        let path = folder.join(if number == 1 { format!("{name}.jsonl") } else { format!("{name}-{number}.jsonl") });
        match OpenOptions::new().read(true).append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unwritable(&path, error)),
        }
    }
    Err(unwritable(folder, io::ErrorKind::AlreadyExists.into()))
}

/// The most characters of a config's name in a file name.
const LONGEST: usize = 60;

/// When the run began and its config, in characters that every file system takes.
fn file_name(header: &Header) -> String {
    let time: String = header.started.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '-' };
    let config: String = header.config.chars().take(LONGEST).map(plain).collect();
    format!("{time}-{config}")
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || fs::canonicalize(a).ok().zip(fs::canonicalize(b).ok()).is_some_and(|(a, b)| a == b)
}
