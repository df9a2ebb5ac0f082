//! All case files of a place: the only part that touches the disk.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    change::{self, Changed, Refused},
    edit::{Edit, EditRefused},
    file::{self, CaseFile},
    patch::Patch,
    problem::{FileProblem, FileProblemKind, UnknownField},
};
use crate::domain::case::{Case, Place};

mod disk;

pub use disk::replace;

/// Why an edit, an undo or a redo did not happen. The file is as it was; the edit is the caller's still.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The edit makes no sense for the case.
    #[error(transparent)]
    Senseless(#[from] EditRefused),
    /// The case was changed or removed outside since it was shown.
    #[error("{place}: case `{case}` was changed outside meanwhile; look at it as it is now and decide again")]
    Conflict {
        /// The case's id.
        case: String,
        /// Where it is, or was.
        place: Place,
        /// The case as it is in the file now; `None` if it is gone.
        now: Option<Box<Case>>,
    },
    /// The edit cannot be made safely in place; an editor at `place` can.
    #[error("{place}: cannot {what} in place: {reason}; change it in an editor")]
    Refused {
        /// The line for `$EDITOR`.
        place: Place,
        /// The edit, described.
        what: String,
        /// Why.
        reason: String,
    },
    /// The file could not be read or written; its old content is whole.
    #[error("{}: not saved: {reason}; the file is unchanged", .file.display())]
    NotSaved {
        /// The file.
        file: PathBuf,
        /// What the system said, and what to do.
        reason: String,
    },
}

/// What an undo or a redo changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The case's id.
    pub case: String,
    /// The edit that was taken back or made again, described.
    pub what: String,
}

/// All case files of a place.
#[derive(Debug, Default)]
pub struct Store {
    files: Vec<CaseFile>,
    /// File and position of the first case of every id.
    by_id: HashMap<String, (usize, usize)>,
    duplicates: Vec<FileProblem>,
    done: Vec<Step>,
    undone: Vec<Step>,
}

/// One edit as it was made, to go either way.
#[derive(Debug)]
struct Step {
    file: Arc<Path>,
    what: String,
    /// It belongs to the step before it.
    with_last: bool,
    /// From before the edit to after it.
    patch: Patch,
    before: Side,
    after: Side,
}

/// A case on one side of an edit.
#[derive(Debug)]
struct Side {
    case: Case,
    /// The byte at which the case began.
    start: usize,
    /// The first byte of `bytes`.
    from: usize,
    /// From the case's first byte through the last one that the edit touched.
    bytes: Vec<u8>,
}

impl Side {
    fn new(file: &CaseFile, index: usize, patch: &Patch) -> Self {
        let (start, range) = (file.spots[index].start(), patch.range());
        let from = start.min(range.start);
        let bytes = file.bytes.get(from..range.end.max(start)).unwrap_or_default().to_vec();
        Self { case: file.cases[index].clone(), start, from, bytes }
    }
}

/// Which way a [`Step`] goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    Forth,
}

/// The case files of `folder`: those that `patterns` name (file names, `*` for any run of characters), sorted; without patterns
/// every `.yaml`, `.yml` and `.jsonl` directly in it. Never anything in `baselines/`. A name without `*` is there even if the file is
/// not, so that reading it says so.
pub fn case_files(folder: &Path, patterns: Option<&[String]>) -> std::io::Result<Vec<PathBuf>> {
    disk::list(folder, patterns)
}

impl Store {
    /// Reads the files. One that cannot be read is a problem, the others are there.
    #[must_use]
    pub fn open(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let files = files.into_iter().map(|path| load(&path)).collect();
        let mut store = Self { files, ..Self::default() };
        store.index();
        store
    }

    /// Every case, by file and then in the file's order. Cases with the same id are all there; see [`Self::problems`].
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.files.iter().flat_map(|file| &file.cases)
    }

    /// The case of that id; the first where two have it.
    #[must_use]
    pub fn case(&self, id: &str) -> Option<&Case> {
        let &(file, index) = self.by_id.get(id)?;
        self.files.get(file)?.cases.get(index)
    }

    /// The files as they were last read or saved.
    #[must_use]
    pub fn files(&self) -> &[CaseFile] {
        &self.files
    }

    /// Everything that is wrong, by file; duplicate ids, also across files, last.
    #[must_use]
    pub fn problems(&self) -> Vec<FileProblem> {
        self.files.iter().flat_map(|file| &file.problems).chain(&self.duplicates).cloned().collect()
    }

    /// Fields that no case has, for `check`.
    pub fn unknown_fields(&self) -> impl Iterator<Item = &UnknownField> {
        self.files.iter().flat_map(|file| &file.unknown_fields)
    }

    /// Makes `edit` in the file and saves it. `seen` is the case as the editor saw it: the file is read again first, an outside
    /// change of other cases is kept, one of this case is a [`EditError::Conflict`]. Saved when it returns `Ok`.
    pub fn edit(&mut self, seen: &Case, edit: &Edit) -> Result<(), EditError> {
        self.make(seen, edit, false)
    }

    /// The same for an edit that belongs to the one before it: both are taken back, and made again, as one.
    pub fn edit_with_last(&mut self, seen: &Case, edit: &Edit) -> Result<(), EditError> {
        self.make(seen, edit, true)
    }

    fn make(&mut self, seen: &Case, edit: &Edit, with_last: bool) -> Result<(), EditError> {
        let at = self.file_of(seen);
        for _ in 0..ATTEMPTS {
            self.reread(at)?;
            let file = &self.files[at];
            let index = self.find(at, seen, &edit.describe())?;
            let changed = change::change(file, index, edit).map_err(|refused| match refused {
                Refused::Senseless(refused) => EditError::Senseless(refused),
                Refused::Unsafe(place, reason) => EditError::Refused { place, what: edit.describe(), reason },
            })?;
            let step = Step {
                file: Arc::clone(&file.path),
                what: edit.describe(),
                with_last,
                before: Side::new(file, index, &changed.patch),
                after: Side::new(&changed.file, index, &changed.patch.inverse()),
                patch: changed.patch.clone(),
            };
            if self.save(at, changed)? {
                self.done.push(step);
                self.undone.clear();
                return Ok(());
            }
        }
        Err(self.busy(at))
    }

    /// Takes the last edit back, byte for byte; `None` if there is none. If the file was changed outside meanwhile, only the
    /// edit's own bytes go back; if that case was, it is a [`EditError::Conflict`] and the edit leaves the history.
    pub fn undo(&mut self) -> Result<Option<Undone>, EditError> {
        let mut first = None;
        while let Some(step) = self.done.pop() {
            match self.go(&step, Way::Back) {
                Ok(undone) => {
                    let more = step.with_last;
                    self.undone.push(step);
                    first.get_or_insert(undone);
                    if !more {
                        break;
                    }
                }
                Err(error) => {
                    if matches!(error, EditError::NotSaved { .. }) {
                        self.done.push(step);
                    }
                    return Err(error);
                }
            }
        }
        Ok(first)
    }

    /// Makes the edit again that was last taken back; `None` if there is none.
    pub fn redo(&mut self) -> Result<Option<Undone>, EditError> {
        let mut last = None;
        while let Some(step) = self.undone.pop() {
            match self.go(&step, Way::Forth) {
                Ok(done) => {
                    self.done.push(step);
                    last = Some(done);
                    if !self.undone.last().is_some_and(|next| next.with_last) {
                        break;
                    }
                }
                Err(error) => {
                    if matches!(error, EditError::NotSaved { .. }) {
                        self.undone.push(step);
                    }
                    return Err(error);
                }
            }
        }
        Ok(last)
    }

    /// Reads files again that were changed outside. True if anything is different now.
    pub fn refresh(&mut self) -> bool {
        let mut changed = false;
        for file in &mut self.files {
            let now = load(&file.path);
            if now.bytes != file.bytes || now.problems != file.problems {
                *file = now;
                changed = true;
            }
        }
        if changed {
            self.index();
        }
        changed
    }

    /// A fingerprint of all case files (blake3, hexadecimal): names and bytes, in order.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hash = blake3::Hasher::new();
        for file in &self.files {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            for part in [name.as_bytes(), &file.bytes] {
                hash.update(&(part.len() as u64).to_le_bytes());
                hash.update(part);
            }
        }
        hash.finalize().to_hex().to_string()
    }

    fn go(&mut self, step: &Step, way: Way) -> Result<Undone, EditError> {
        let (from, to) = match way {
            Way::Back => (&step.after, &step.before),
            Way::Forth => (&step.before, &step.after),
        };
        let what = match way {
            Way::Back => format!("undo “{}”", step.what),
            Way::Forth => format!("redo “{}”", step.what),
        };
        let at = self.files.iter().position(|file| file.path == step.file).unwrap_or_default();
        for _ in 0..ATTEMPTS {
            self.reread(at)?;
            let index = self.find(at, &from.case, &what)?;
            let file = &self.files[at];
            let refused = |reason: String| EditError::Refused {
                place: file.cases[index].place.clone(),
                what: what.clone(),
                reason,
            };
            let patch = if way == Way::Back { step.patch.inverse() } else { step.patch.clone() };
            let start = file.spots[index].start();
            let first = (start + from.from).checked_sub(from.start);
            let there = first.and_then(|first| file.bytes.get(first..first + from.bytes.len()));
            let patch = patch.moved(from.start, start).filter(|_| there == Some(&from.bytes));
            let patch = patch.ok_or_else(|| refused("its bytes were changed outside".to_owned()))?;
            let changed = change::apply_patch(file, patch).map_err(refused)?;
            let mut expected = file.cases.clone();
            expected[index] = to.case.clone();
            change::verify(&changed.file, &expected).map_err(refused)?;
            if self.save(at, changed)? {
                return Ok(Undone { case: to.case.id.clone(), what: step.what.clone() });
            }
        }
        Err(self.busy(at))
    }

    /// Writes a changed file. False if it was changed outside in this very moment: read it again and retry.
    fn save(&mut self, at: usize, changed: Changed) -> Result<bool, EditError> {
        let file = &self.files[at];
        match disk::save(&file.path, &file.bytes, &changed.file.bytes) {
            Ok(()) => {
                self.files[at] = changed.file;
                self.index();
                Ok(true)
            }
            Err(disk::SaveError::Changed) => Ok(false),
            Err(disk::SaveError::Refused(reason)) => Err(EditError::NotSaved { file: file.path.to_path_buf(), reason }),
        }
    }

    fn busy(&self, at: usize) -> EditError {
        let reason = "another program keeps writing it; try again".to_owned();
        EditError::NotSaved { file: self.files[at].path.to_path_buf(), reason }
    }

    /// The file of a case, by its place, else by its id.
    fn file_of(&self, case: &Case) -> usize {
        let by_place = self.files.iter().position(|file| file.path == case.place.file);
        by_place.or_else(|| self.by_id.get(&case.id).map(|at| at.0)).unwrap_or_default()
    }

    /// Reads a file again if it is different on disk.
    fn reread(&mut self, at: usize) -> Result<(), EditError> {
        let Some(file) = self.files.get(at) else {
            return Err(EditError::NotSaved { file: PathBuf::new(), reason: "there is no case file".to_owned() });
        };
        let bytes = fs::read(&file.path).map_err(|error| EditError::NotSaved {
            file: file.path.to_path_buf(),
            reason: format!("it cannot be read: {error}"),
        })?;
        if bytes != file.bytes {
            self.files[at] = file::read(&file.path.clone(), bytes);
            self.index();
        }
        Ok(())
    }

    /// The position of `seen` in a file, if it still says the same there.
    fn find(&self, at: usize, seen: &Case, what: &str) -> Result<usize, EditError> {
        let cases = &self.files[at].cases;
        let mut found = cases.iter().enumerate().filter(|(_, case)| case.id == seen.id);
        let conflict = |now: Option<&Case>| EditError::Conflict {
            case: seen.id.clone(),
            place: now.map_or_else(|| seen.place.clone(), |case| case.place.clone()),
            now: now.cloned().map(Box::new),
        };
        let Some((index, case)) = found.next() else {
            return Err(conflict(self.case(&seen.id)));
        };
        if let Some((_, second)) = found.next() {
            let reason = format!("the id `{}` is used twice in the file", seen.id);
            return Err(EditError::Refused { place: second.place.clone(), what: what.to_owned(), reason });
        }
        if change::same(case, seen) { Ok(index) } else { Err(conflict(Some(case))) }
    }

    fn index(&mut self) {
        self.by_id.clear();
        self.duplicates.clear();
        let places = self.files.iter().enumerate();
        let cases =
            places.flat_map(|(at, file)| file.cases.iter().enumerate().map(move |(index, case)| (at, index, case)));
        for (at, index, case) in cases {
            if let Some(&(file, first)) = self.by_id.get(&case.id) {
                let first = self.files[file].cases[first].place.clone();
                let kind = FileProblemKind::DuplicateId { id: case.id.clone(), first };
                self.duplicates.push(FileProblem { place: case.place.clone(), case: None, kind });
            } else {
                self.by_id.insert(case.id.clone(), (at, index));
            }
        }
    }
}

/// How often a save that another program crosses is tried again.
const ATTEMPTS: usize = 4;

fn load(path: &Path) -> CaseFile {
    // Reading a pipe would wait for ever, and a folder of that name holds cases that nobody sees.
    let regular = fs::metadata(path)
        .map_err(|error| error.to_string())
        .and_then(|found| if found.is_file() { Ok(()) } else { Err("it is not a regular file".to_owned()) });
    match regular.and_then(|()| fs::read(path).map_err(|error| error.to_string())) {
        Ok(bytes) => file::read(path, bytes),
        Err(reason) => {
            let mut file = file::read(path, Vec::new());
            let place = Place { file: Arc::clone(&file.path), line: 1, column: 1 };
            let kind = FileProblemKind::Unreadable(reason);
            file.problems = vec![FileProblem { place, case: None, kind }];
            file
        }
    }
}
