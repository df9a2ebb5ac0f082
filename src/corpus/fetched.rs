//! A copy of an engine's passages, as a chunks file beside the index: fetched whole or not at all.
//!
//! ```text
//! fetched/
//!   NAME-HASH.jsonl   the passages; HASH is of what the settings say of the engine
//! ```

use std::{
    fs,
    io::{BufWriter, Read as _, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use tempfile::NamedTempFile;

use super::{Activity, CorpusError, Progress};
use crate::engine::{
    client::CallError,
    passages::{Read, Store, fields::Passage},
    secret::Secrets,
};

/// A copy on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The chunks file.
    pub path: PathBuf,
    /// When it was fetched; `None` where the file system does not tell.
    pub when: Option<SystemTime>,
}

impl Fetched {
    /// The copy of `store` in `index_dir`, if there is one.
    #[must_use]
    pub fn find(store: &Store, index_dir: &Path) -> Option<Self> {
        let path = place(store, index_dir);
        let about = fs::metadata(&path).ok()?;
        Some(Self { path, when: about.modified().ok() })
    }

    /// How long ago it was fetched, as people say it: `3 hours ago`.
    #[must_use]
    pub fn age(&self) -> String {
        match self.when.and_then(|when| when.elapsed().ok()) {
            Some(age) => ago(age),
            None => "at an unknown time".to_owned(),
        }
    }
}

/// Fetches every passage of `store` anew. The copy of before stays until all are here. Gives the copy and how many came.
pub fn fetch(
    store: &Store,
    secrets: &Secrets,
    index_dir: &Path,
    progress: &(dyn Fn(Progress) + '_),
) -> Result<(Fetched, u64), CorpusError> {
    let failed = |error: CallError| CorpusError::Fetch { name: store.name(), error: Box::new(error) };
    let path = place(store, index_dir);
    let folder = path.parent().unwrap_or(index_dir);
    let unwritable = || {
        let (folder, path) = (index_dir.to_owned(), folder.to_owned());
        move |error| CorpusError::Unwritable { folder, path, error }
    };
    fs::create_dir_all(folder).map_err(unwritable())?;
    let file = NamedTempFile::new_in(folder).map_err(unwritable())?;
    let mut spool = Spool { out: BufWriter::with_capacity(1 << 16, file), written: 0, lines: Vec::new() };
    let (mut total, mut came) = (0, 0);
    let (told, hear) = std::sync::mpsc::channel();
    let read = &mut |read: Read| {
        match read {
            Read::Total(number) => total = number,
            Read::Passage(passage) => {
                came += 1;
                spool.add(&passage).map_err(|error| CallError {
                    reason: format!("cannot write the copy in {}: {error}", folder.display()),
                    detail: None,
                })?;
            }
        }
        if came % 256 == 0 {
            // Whoever listens lives as long as this function.
            let _ = told.send(Progress { activity: Activity::Fetching, done: came, total });
        }
        Ok(())
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(CorpusError::io("talk to an engine for", folder))?;
    runtime
        .block_on(async {
            let reading = store.each(secrets, read);
            tokio::pin!(reading);
            loop {
                let end = tokio::time::timeout(Duration::from_millis(100), &mut reading).await;
                hear.try_iter().last().into_iter().for_each(progress);
                if let Ok(end) = end {
                    break end;
                }
            }
        })
        .map_err(failed)?;
    if came == 0 {
        return Err(CorpusError::NoPassages { name: store.name() });
    }
    let file = spool.finish(store.is_ordered(), folder).map_err(CorpusError::io("write a copy in", folder))?;
    file.persist(&path).map_err(|error| CorpusError::io("write", &path)(error.error))?;
    remove_others(folder, &path);
    let when = Some(SystemTime::now());
    Ok((Fetched { path, when }, came))
}

/// The passages in a file that has no name yet.
struct Spool {
    out: BufWriter<NamedTempFile>,
    written: u64,
    /// Where each line begins and how long it is; the passage without its text tells its place.
    lines: Vec<(Passage, u64, usize)>,
}

impl Spool {
    fn add(&mut self, passage: &Passage) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(&passage.fields)?;
        line.push(b'\n');
        self.out.write_all(&line)?;
        let mut key = Passage { id: passage.id.clone(), position: passage.position, fields: serde_json::Map::new() };
        if let Some(document) = passage.fields.get("document") {
            key.fields.insert("document".to_owned(), document.clone());
        }
        self.lines.push((key, self.written, line.len()));
        self.written += line.len() as u64;
        Ok(())
    }

    /// The whole file, on disk, in the order that the passages have or are given.
    fn finish(self, ordered: bool, folder: &Path) -> std::io::Result<NamedTempFile> {
        let mut file = self.out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        if !ordered {
            let mut lines = self.lines;
            lines.sort_by(|(a, ..), (b, ..)| a.order(b));
            let mut sorted = BufWriter::with_capacity(1 << 16, NamedTempFile::new_in(folder)?);
            let mut line = Vec::new();
            for (_, at, length) in lines {
                line.resize(length, 0);
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(&mut line)?;
                sorted.write_all(&line)?;
            }
            file = sorted.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        }
        file.as_file().sync_all()?;
        Ok(file)
    }
}

fn place(store: &Store, index_dir: &Path) -> PathBuf {
    let hash = blake3::hash(store.identity().as_bytes()).to_hex();
    index_dir.join("fetched").join(format!("{}-{}.jsonl", store.slug(), &hash[..8]))
}

/// A copy by other settings is not used any more.
fn remove_others(folder: &Path, kept: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path != kept && path.extension().is_some_and(|ending| ending == "jsonl") {
            let _ = fs::remove_file(path);
        }
    }
}

fn ago(age: Duration) -> String {
    let (number, unit) = match age.as_secs() {
        seconds @ 0..60 => (seconds, "second"),
        seconds @ 60..3600 => (seconds / 60, "minute"),
        seconds @ 3600..86_400 => (seconds / 3600, "hour"),
        seconds => (seconds / 86_400, "day"),
    };
    format!("{number} {unit}{} ago", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_said_in_its_largest_unit() {
        for (seconds, said) in [
            (0, "0 seconds ago"),
            (1, "1 second ago"),
            (60, "1 minute ago"),
            (7300, "2 hours ago"),
            (90_000, "1 day ago"),
        ] {
            assert_eq!(ago(Duration::from_secs(seconds)), said);
        }
    }
}
