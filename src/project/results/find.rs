//! Which runs there are, and which one a name means.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{Project, ResultsError, Stored, baselines, reader, runs};
use crate::{domain::nearest::nearest, eval::run::Header};

/// How many of the newest runs an error names.
const NAMED: usize = 5;

/// A run in the folder of runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The name that [`find`] takes: that of its file without `.jsonl`.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// What it was made with.
    pub header: Header,
}

/// The run of that name. It may be a path, as it stands or from the folder of the settings; else a baseline's name, as `main`
/// for `cases/baselines/main.jsonl`; else that of a run in the folder of runs.
pub fn find(project: &Project, name: &str) -> Result<Stored, ResultsError> {
    reader::read(&locate(project, name)?)
}

/// The file of the run of that name, see [`find`].
pub(super) fn locate(project: &Project, name: &str) -> Result<PathBuf, ResultsError> {
    let (runs, baselines) = (runs(project), baselines(project));
    let file = format!("{name}.jsonl");
    let places = [
        PathBuf::from(name),
        project.folder.join(name),
        baselines.join(&file),
        baselines.join(name),
        runs.join(&file),
        runs.join(name),
    ];
    places.into_iter().find(|path| !name.is_empty() && path.is_file()).ok_or_else(|| {
        let newest = list(project).into_iter().take(NAMED).map(|run| run.name);
        let mut known: Vec<String> = files(&baselines).iter().map(|path| name_of(path)).collect();
        for run in newest {
            if !known.contains(&run) {
                known.push(run);
            }
        }
        ResultsError::Unknown {
            name: name.to_owned(),
            places: vec![baselines.display().to_string(), runs.display().to_string()],
            nearest: nearest(name, &known, 1).first().map(|&name| name.to_owned()),
            known,
        }
    })
}

/// The runs in the folder of runs, newest first, without their cases. A file that no run can be read from is left out.
#[must_use]
pub fn list(project: &Project) -> Vec<Listed> {
    let listed = |path: PathBuf| Some(Listed { name: name_of(&path), header: reader::header(&path).ok()?, path });
    let mut listed: Vec<Listed> = files(&runs(project)).into_iter().filter_map(listed).collect();
    // Of two that began in the same second, the later has a number behind its name.
    let key = |run: &Listed| (run.header.started.clone(), run.name.len(), run.name.clone());
    listed.sort_by_key(|run| std::cmp::Reverse(key(run)));
    listed
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The visible `.jsonl` files of a folder, sorted; none where there is no such folder.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let visible = |path: &PathBuf| {
        !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
            && path.extension().is_some_and(|extension| extension == "jsonl")
    };
    let mut files: Vec<PathBuf> = entries.filter(visible).collect();
    files.sort();
    files
}
