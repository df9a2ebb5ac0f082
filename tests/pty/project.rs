//! Projects to try the program on, each in a folder of its own that goes away with it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// A project in a folder of its own.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// A copy of the demo: its documents and its cases, without an index.
    pub(crate) fn demo() -> Self {
        let project = Self { folder: TempDir::new().unwrap() };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy(&root.join("cases"), &project.path("cases"));
        copy(&root.join("corpus-index/documents"), &project.path("corpus-index/documents"));
        project
    }

    /// A project of chunks, a line each, and of one case file.
    pub(crate) fn of_chunks(lines: &[String], case_file: &str, cases: &str) -> Self {
        let project = Self { folder: TempDir::new().unwrap() };
        fs::create_dir(project.path("cases")).unwrap();
        let settings = "default_config = \"keyword\"\n\n[corpus]\nsource = \"../chunks.jsonl\"\nindex = \"../corpus-index\"\n\n\
                        [configs.keyword]\nretriever = \"local\"\nk = 6\n";
        fs::write(project.path("cases/caselight.toml"), settings).unwrap();
        fs::write(
            project.path("chunks.jsonl"),
            lines.join(
                "
",
            ),
        )
        .unwrap();
        fs::write(project.path("cases").join(case_file), cases).unwrap();
        project
    }

    /// A folder with nothing in it.
    pub(crate) fn empty() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in it.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder().join(below)
    }

    /// A file of it, as text.
    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap()
    }

    /// Replaces a file of it in one step, as editors do.
    pub(crate) fn write(&self, below: &str, content: &str) {
        let beside = self.path("written");
        fs::write(&beside, content).unwrap();
        fs::rename(beside, self.path(below)).unwrap();
    }
}

/// The lines that `new` has and `old` has not, and the other way round, where both have the same beginning and end.
pub(crate) fn changed_lines(old: &str, new: &str) -> (Vec<String>, Vec<String>) {
    let (old, new): (Vec<_>, Vec<_>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let middle =
        |lines: &[&str]| lines[head..lines.len() - tail].iter().map(|line| line.trim_end().to_owned()).collect();
    (middle(&old), middle(&new))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
