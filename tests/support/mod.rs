//! A place to run the program in, and what it printed there.
#![allow(dead_code, reason = "each test crate uses its own part of this")]

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// A folder of its own, in which `caselight` finds `cases/`, and nothing of the machine's.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// A copy of the demo, not indexed yet.
    pub(crate) fn demo() -> Self {
        let place = Self::empty();
        for folder in ["cases", "corpus-index/documents"] {
            copy(&repository().join(folder), &place.path(folder));
        }
        place
    }

    /// A place with settings for the corpus at `source`, and nothing else.
    pub(crate) fn with_corpus(source: &str) -> Self {
        let settings =
            format!("[corpus]\nsource = \"../{source}\"\n\n[configs.keyword]\nretriever = \"local\"\nk = 3\n");
        Self::empty().file("cases/caselight.toml", &settings)
    }

    /// The same with a file written.
    pub(crate) fn file(self, name: &str, content: &str) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// The same with a file of `tests/fixtures`, under the same name.
    pub(crate) fn fixture(self, folder: &str, name: &str) -> Self {
        let content = fs::read_to_string(repository().join("tests/fixtures").join(name)).unwrap();
        let file = Path::new(name).file_name().unwrap().to_str().unwrap();
        self.file(&format!("{folder}/{file}"), &content)
    }

    /// The same with `from` replaced in a file, where it must stand.
    pub(crate) fn replace(self, name: &str, from: &str, to: &str) -> Self {
        let content = fs::read_to_string(self.path(name)).unwrap();
        assert!(content.contains(from), "no {from:?} in {name}");
        self.file(name, &content.replace(from, to))
    }

    /// The path of a file in here.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `caselight` here with `arguments`, in an environment that is the same everywhere.
    pub(crate) fn caselight<S: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> CommandOutput {
        let output = Command::new(env!("CARGO_BIN_EXE_caselight"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .envs([("HOME", "/nowhere"), ("LANG", "C.UTF-8"), ("NO_COLOR", "1"), ("TERM", "dumb"), ("TZ", "UTC")])
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        CommandOutput { stdout: text(output.stdout), stderr: text(output.stderr), status: output.status.code() }
    }
}

/// What a command printed, and how it ended.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// `None` if a signal ended it.
    pub(crate) status: Option<i32>,
}

impl CommandOutput {
    /// Standard output of a command that must have ended well.
    pub(crate) fn success(self) -> String {
        assert_eq!(self.status, Some(0), "{self}");
        assert_eq!(self.stderr, "", "{self}");
        self.stdout
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

impl fmt::Display for CommandOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_times(&self.stdout))?;
        if !self.stderr.is_empty() {
            write!(f, "--- stderr ---\n{}", without_times(&self.stderr))?;
        }
        match self.status {
            Some(status) => write!(f, "--- exit status {status} ---"),
            None => f.write_str("--- ended by a signal ---"),
        }
    }
}

/// `text` with the number before every ` ms` blotted out.
pub(crate) fn without_times(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" ms") {
        let number = rest[..at].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        plain.push_str(number);
        plain.push_str(if number.len() < at { "# ms" } else { " ms" });
        rest = &rest[at + " ms".len()..];
    }
    plain + rest
}

/// The folder that holds `Cargo.toml`.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
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
