//! Passage vectors on disk, so that a passage is sent to its model once.
//!
//! ```text
//! vectors-v1/<fingerprint of endpoint, model, prefix and dimensions>/
//!   about.json     the same in words, for people
//!   XXXXXXXX.vec   vectors of some passages, each under the fingerprint of its text; never changed once it has this name
//!   tmp-XXXXXX     one in the making
//!   lock           held by the process that asks for vectors, and let go by the system when that process ends
//! ```
//!
//! Every finished batch is a file of its own, so that an interrupted run loses no finished work; a finished run leaves one file.

use std::{
    collections::HashMap,
    fs::{self, File, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use super::{Matrix, VectorError};

/// The fingerprint of a passage as it is sent: the first half of its blake3.
pub(super) type Key = [u8; 16];

const MAGIC: &[u8; 16] = b"caselight vec 1\n";
const CHECK: usize = 32;
const HEAD: usize = MAGIC.len() + CHECK + 8;
const ENDING: &str = "vec";
const UNFINISHED: &str = "tmp-";

/// The vectors of one model.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    folder: PathBuf,
}

/// Held while vectors are asked for.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// What the folder holds.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Which row a passage has.
    place: HashMap<Key, usize>,
    rows: Option<Matrix>,
    /// The files that were read.
    files: Vec<PathBuf>,
    /// Files that do not read back, and why. What they held is asked for anew.
    pub(super) damaged: Vec<(PathBuf, String)>,
}

impl Cache {
    /// The vectors of the model with this fingerprint, for the index in `index_dir`.
    pub(super) fn new(index_dir: &Path, fingerprint: &str) -> Self {
        Self { folder: index_dir.join("vectors-v1").join(fingerprint) }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The lock, or `None` while another process holds it. Makes the folder.
    pub(super) fn try_lock(&self, about: &str) -> Result<Option<Lock>, VectorError> {
        fs::create_dir_all(&self.folder).map_err(self.unwritable(&self.folder))?;
        let path = self.folder.join("lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(self.unwritable(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(self.unwritable(&path)(error)),
        }
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                // What a killed process left; it is in nobody's way if it cannot be removed.
                let _ = fs::remove_file(entry.path());
            }
        }
        self.write_whole("about.json", &[about.as_bytes()])?;
        Ok(Some(Lock { _file: file }))
    }

    /// Everything that is kept.
    pub(super) fn load(&self) -> Result<Kept, VectorError> {
        // A file may vanish after it was listed: another process has just made one of several.
        loop {
            let files = self.files()?;
            let mut kept = Kept::default();
            if files.iter().all(|path| kept.read(path)) {
                return Ok(kept);
            }
        }
    }

    fn files(&self) -> Result<Vec<PathBuf>, VectorError> {
        let unreadable = |error| VectorError::Unreadable { path: self.folder.clone(), error };
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unreadable(error)),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Keeps the rows of these passages in a file of their own.
    pub(super) fn add(&self, _lock: &Lock, keys: &[Key], rows: &Matrix) -> Result<PathBuf, VectorError> {
        let (head, body) = encode(keys, rows);
        let name = format!("{}.{ENDING}", &blake3::hash(&head).to_hex()[..32]);
        self.write_whole(&name, &[&head, &body])?;
        Ok(self.folder.join(name))
    }

    /// Makes one file of all that `kept` read, `wanted` first and in that order. What the corpus no longer has stays, for it may come
    /// back, but never more of it than there is of the corpus.
    pub(super) fn tidy(&self, lock: &Lock, kept: Kept, wanted: &[Key]) -> Result<Kept, VectorError> {
        let Some(rows) = kept.rows.as_ref().filter(|_| kept.files.len() > 1 || !kept.damaged.is_empty()) else {
            return Ok(kept);
        };
        let mut keys = Vec::with_capacity(kept.place.len());
        let mut place = HashMap::with_capacity(kept.place.len());
        let mut order = Matrix::new(rows.dims(), kept.place.len());
        let mut old: Vec<&Key> = kept.place.keys().collect();
        old.sort_unstable();
        for key in wanted.iter().chain(old) {
            let is_old = keys.len() >= wanted.len();
            if is_old && keys.len() >= wanted.len() * 2 || place.contains_key(key) {
                continue;
            }
            if let Some(&row) = kept.place.get(key) {
                place.insert(*key, keys.len());
                keys.push(*key);
                order.push_row(rows.row(row));
            }
        }
        let file = self.add(lock, &keys, &order)?;
        for path in kept.files.iter().chain(kept.damaged.iter().map(|(path, _)| path)).filter(|path| **path != file) {
            // It only takes room; the next one to tidy tries again.
            let _ = fs::remove_file(path);
        }
        Ok(Kept { place, rows: Some(order), files: vec![file], damaged: kept.damaged })
    }

    fn write_whole(&self, name: &str, content: &[&[u8]]) -> Result<(), VectorError> {
        let path = self.folder.join(name);
        let made = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.folder);
        let mut file = made.map_err(self.unwritable(&path))?;
        for part in content {
            file.write_all(part).map_err(self.unwritable(&path))?;
        }
        file.as_file().sync_all().map_err(self.unwritable(&path))?;
        file.persist(&path).map_err(|error| self.unwritable(&path)(error.error))?;
        Ok(())
    }

    fn unwritable(&self, path: &Path) -> impl FnOnce(io::Error) -> VectorError {
        let (folder, path) = (self.folder.clone(), path.to_owned());
        move |error| VectorError::Unwritable { folder, path, error }
    }
}

impl Kept {
    pub(super) fn has(&self, key: &Key) -> bool {
        self.place.contains_key(key)
    }

    /// How many numbers a vector has; `None` while there is none.
    pub(super) fn dims(&self) -> Option<usize> {
        self.rows.as_ref().map(Matrix::dims)
    }

    /// The rows of these passages, in their order; `None` if one is missing.
    pub(super) fn into_rows(self, keys: &[Key]) -> Option<Matrix> {
        let rows = self.rows?;
        let places = keys.iter().map(|key| self.place.get(key).copied()).collect::<Option<Vec<usize>>>()?;
        // As a finished run leaves them they are in order already, and are large.
        if places.len() == rows.len() && places.iter().enumerate().all(|(at, place)| at == *place) {
            return Some(rows);
        }
        let mut ordered = Matrix::new(rows.dims(), places.len());
        for place in places {
            ordered.push_row(rows.row(place));
        }
        Some(ordered)
    }

    /// Reads one file; false if it is gone.
    fn read(&mut self, path: &Path) -> bool {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
            Err(error) => {
                self.damaged.push((path.to_owned(), error.to_string()));
                return true;
            }
        };
        match self.take(&bytes) {
            Ok(()) => self.files.push(path.to_owned()),
            Err(why) => self.damaged.push((path.to_owned(), why)),
        }
        true
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (dims, keys, rows) = decode(bytes)?;
        let all = self.rows.get_or_insert_with(|| Matrix::new(dims, keys.len()));
        if all.dims() != dims {
            return Err(format!("its vectors have {dims} numbers, those of a file before it {}", all.dims()));
        }
        for (key, row) in keys.iter().zip(rows.chunks_exact(dims * 4)) {
            self.place.insert(*key, all.len());
            all.push_bytes(row);
        }
        Ok(())
    }
}

/// The head with its check sum, and what follows it.
fn encode(keys: &[Key], rows: &Matrix) -> (Vec<u8>, Vec<u8>) {
    let mut body = Vec::with_capacity(keys.len() * 16 + rows.values().len() * 4);
    body.extend(keys.as_flattened());
    body.extend(rows.values().iter().flat_map(|value| value.to_le_bytes()));
    let size = size(rows.dims(), keys.len());
    let mut check = blake3::Hasher::new();
    check.update(&size).update(&body);
    let head = [&MAGIC[..], check.finalize().as_bytes(), &size].concat();
    (head, body)
}

/// How long the vectors are and how many there are, four bytes each.
fn size(dims: usize, count: usize) -> [u8; 8] {
    let four = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
    let mut size = [0; 8];
    size[..4].copy_from_slice(&four(dims));
    size[4..].copy_from_slice(&four(count));
    size
}

/// The length of the vectors, the fingerprints and the rows as bytes; or what is wrong.
fn decode(bytes: &[u8]) -> Result<(usize, &[Key], &[u8]), String> {
    let (head, body) = bytes.split_at_checked(HEAD).ok_or("it is cut short")?;
    let (magic, head) = head.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err("it is no file of vectors".to_owned());
    }
    let (check, size) = head.split_at(CHECK);
    let mut sum = blake3::Hasher::new();
    sum.update(size).update(body);
    if sum.finalize().as_bytes() != check {
        return Err("its check sum is wrong".to_owned());
    }
    let (fours, _) = size.as_chunks::<4>();
    let [dims, count] = [fours[0], fours[1]].map(|four| u32::from_le_bytes(four) as usize);
    let (keys, rows) = body.split_at_checked(count * 16).ok_or("it is cut short")?;
    if dims == 0 || rows.len() != count * dims * 4 {
        return Err("its size is not what its head says".to_owned());
    }
    Ok((dims, keys.as_chunks::<16>().0, rows))
}
