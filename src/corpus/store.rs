//! The index folder on disk: finished indexes, which of them is the current one, and the lock of the one that builds.
//!
//! ```text
//! index-v1/
//!   current        the name of the finished index in use
//!   gen-XXXXXX/    an index and its manifest; never changed once it has this name
//!   tmp-XXXXXX/    one in the making
//!   lock           held by the process that builds, and let go by the system when that process ends
//! ```
//!
//! A reader opens the files of a generation and keeps them, also when a newer one takes its place.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempDir};

use super::{CorpusError, manifest::Manifest};

const CURRENT: &str = "current";
const MANIFEST: &str = "manifest.json";
const FINISHED: &str = "gen-";
const UNFINISHED: &str = "tmp-";

/// The folder of all indexes of this format.
#[derive(Debug, Clone)]
pub(super) struct Store {
    path: PathBuf,
}

/// Held while an index is built.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Store {
    /// The store in `index_dir`.
    pub(super) fn new(index_dir: &Path) -> Self {
        Self { path: index_dir.join("index-v1") }
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The current index and its manifest; `None` if there is none, or none that can be read.
    pub(super) fn current(&self) -> Option<(PathBuf, Manifest)> {
        let name = fs::read_to_string(self.path.join(CURRENT)).ok()?;
        let name = name.trim();
        if !name.starts_with(FINISHED) || name.contains(['/', '\\']) {
            return None;
        }
        let path = self.path.join(name);
        let manifest = serde_json::from_slice(&fs::read(path.join(MANIFEST)).ok()?).ok()?;
        Some((path, manifest))
    }

    /// The lock, or `None` while another process holds it.
    pub(super) fn try_lock(&self) -> Result<Option<Lock>, CorpusError> {
        fs::create_dir_all(&self.path).map_err(self.unwritable(&self.path))?;
        let path = self.path.join("lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(self.unwritable(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(CorpusError::io("lock", &path)(error)),
        }
    }

    /// A folder for a new index. It vanishes unless it is published.
    pub(super) fn begin(&self, _lock: &Lock) -> Result<TempDir, CorpusError> {
        self.sweep(None);
        let folder = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.path);
        folder.map_err(self.unwritable(&self.path))
    }

    fn unwritable(&self, path: &Path) -> impl FnOnce(io::Error) -> CorpusError {
        let (folder, path) = (self.path.clone(), path.to_owned());
        move |error| CorpusError::Unwritable { folder, path, error }
    }

    /// Makes the index in `folder` the current one, and removes those before it.
    pub(super) fn publish(&self, _lock: &Lock, folder: TempDir, manifest: &Manifest) -> Result<PathBuf, CorpusError> {
        write_manifest(folder.path(), manifest)?;
        let unfinished = folder.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = unfinished.replacen(UNFINISHED, FINISHED, 1);
        let path = self.path.join(&name);
        fs::rename(folder.path(), &path).map_err(CorpusError::io("rename a folder to", &path))?;
        let _renamed_away = folder.keep();
        write_whole(&self.path.join(CURRENT), name.as_bytes())?;
        self.sweep(Some(&name));
        Ok(path)
    }

    /// Removes what a killed build left behind and, once `current` is published, the indexes before it. Called under the lock, so that nothing here is in the making.
    fn sweep(&self, current: Option<&str>) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let old = name.starts_with(FINISHED) && current.is_some_and(|current| current != name);
            if old || name.starts_with(UNFINISHED) {
                // What another process still reads may not be removable everywhere; the next build tries again.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Writes the manifest of a finished index anew, where only sizes and times of the same content changed.
pub(super) fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<(), CorpusError> {
    let path = folder.join(MANIFEST);
    let json = serde_json::to_vec(manifest).map_err(io::Error::other).map_err(CorpusError::io("write", &path))?;
    write_whole(&path, &json)
}

/// Gives `to` the finished index in `from`. The engine never changes a file that it has written, so links will do, except for its two lists of files.
pub(super) fn copy_index(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text == MANIFEST || text.ends_with(".lock") {
            continue;
        }
        let target = to.join(&name);
        if text.ends_with(".json") || fs::hard_link(entry.path(), &target).is_err() {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

fn write_whole(path: &Path, content: &[u8]) -> Result<(), CorpusError> {
    let failed = || CorpusError::io("write", path);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder).map_err(failed())?;
    file.write_all(content).map_err(failed())?;
    file.as_file().sync_all().map_err(failed())?;
    file.persist(path).map_err(|error| failed()(error.error))?;
    Ok(())
}
