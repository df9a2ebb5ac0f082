//! Saving so that a kill, a full disk or an outside edit at any moment leaves one whole content.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// Why a save did not happen. The old content is whole, and no other file was left behind.
#[derive(Debug)]
pub(super) enum SaveError {
    /// The file holds other bytes than those the new ones were made from.
    Changed,
    /// The system refused; what to do about it.
    Refused(String),
}

/// Replaces the content `old` of a file by `new`, in one step. A symbolic link stays one, the mode stays.
pub(super) fn save(path: &Path, old: &[u8], new: &[u8]) -> Result<(), SaveError> {
    let target = fs::canonicalize(path).map_err(|error| refused("cannot find the file", &error))?;
    let permissions = fs::metadata(&target).map_err(|error| refused("cannot look at the file", &error))?.permissions();
    if permissions.readonly() {
        return Err(SaveError::Refused("the file is read-only; make it writable".to_owned()));
    }
    let folder = target.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    let beside = |error: io::Error| {
        refused(&format!("cannot write a new file beside it in {} (needed to save safely)", folder.display()), &error)
    };
    sweep(&folder);
    let mut file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(&folder).map_err(beside)?;
    file.write_all(new).map_err(beside)?;
    file.as_file().set_permissions(permissions).map_err(beside)?;
    file.as_file().sync_all().map_err(beside)?;
    // As late as can be: what another editor saved meanwhile must not be lost.
    match fs::read(&target) {
        Ok(now) if now == old => {}
        Ok(_) => return Err(SaveError::Changed),
        Err(error) => return Err(refused("cannot read the file again", &error)),
    }
    file.persist(&target).map_err(|error| refused("cannot put the new content in its place", &error.error))?;
    // The rename is made; that its folder reaches the disk now rather than soon is worth a try, not an error.
    let _ = fs::File::open(&folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Replaces the text `old` of a file that people write beside their cases by `new`, as safely as a case file is saved. Why it
/// was not, with what to do.
pub fn replace(path: &Path, old: &str, new: &str) -> Result<(), String> {
    save(path, old.as_bytes(), new.as_bytes()).map_err(|error| {
        let reason = match error {
            SaveError::Changed => "it was changed meanwhile; try again".to_owned(),
            SaveError::Refused(reason) => reason,
        };
        format!("{}: not saved: {reason}; the file is unchanged", path.display())
    })
}

/// How the names of files begin that a save writes before it renames them.
const PREFIX: &str = ".caselight-";

/// Removes what a save left behind that was killed a while ago. Nothing is lost if that fails.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let ours = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
    for entry in entries.flatten().filter(ours) {
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > Duration::from_mins(1)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn refused(what: &str, error: &io::Error) -> SaveError {
    let remedy = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; free some space and save again",
        io::ErrorKind::PermissionDenied => "; allow writing in its folder and save again",
        _ => "",
    };
    // What the system said, without the name of the file that was to be a passing one.
    let said = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    SaveError::Refused(format!("{what}: {said}{remedy}"))
}

/// The case files of a folder, sorted. See [`super::case_files`].
pub(super) fn list(folder: &Path, patterns: Option<&[String]>) -> io::Result<Vec<PathBuf>> {
    let defaults = ["*.yaml", "*.yml", "*.jsonl"].map(str::to_owned);
    let mut found = Vec::new();
    for pattern in patterns.unwrap_or(&defaults) {
        let (below, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
        if below.split('/').any(|part| part == "baselines") {
            continue;
        }
        let folder = if below.is_empty() { folder.to_path_buf() } else { folder.join(below) };
        if !name.contains('*') {
            found.push(folder.join(name));
            continue;
        }
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let matches = entry.file_name().to_str().is_some_and(|file| !file.starts_with('.') && glob(name, file));
            if matches {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// `*` stands for any run of characters.
fn glob(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(head) else { return false };
    name.char_indices().map(|(at, _)| at).chain([name.len()]).any(|at| glob(rest, &name[at..]))
}
