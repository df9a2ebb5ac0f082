//! The settings of one place, `cases/caselight.toml`: which corpus, who asks, which configs, which thresholds.

mod command;
mod corpus;
mod diagnosis;
mod endpoint;
mod node;
mod reach;
mod read;
mod servers;
mod split;
mod sql;
#[cfg(test)]
mod tests;

use std::{
    io,
    path::{Path, PathBuf},
};

pub use self::{diagnosis::Diagnosis, reach::Reach, sql::SqlReach};
pub use crate::eval::{
    gate::{Metric, Threshold},
    split::Split,
};
use crate::{
    domain::{asker::Askers, nearest},
    engine::{embed::EmbedSpec, passages::Store, rerank::RerankSpec},
    retriever::{command::Program, http::AskerHeaders},
};

/// The subsets that are known without being named in the settings, in the order in which they are shown.
pub const DEFAULT_SUBSETS: [&str; 7] =
    ["exact_token", "paraphrase", "negation", "multi_chunk", "multi_hop", "permission_narrow", "follow_up"];

/// The retriever that exists without being named in the settings.
pub const LOCAL: &str = "local";

/// The config that exists where the settings define none.
pub const KEYWORD: &str = "keyword";

/// Everything the settings file says, with relative paths made relative to that file's folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The settings file itself.
    pub file: PathBuf,
    /// The name of the config used where a command names none. Always one of `configs`.
    pub default_config: String,
    /// Who asks where a case names nobody. Always one of the askers.
    pub default_asker: Option<String>,
    /// The case files; `None` means every `.yaml`, `.yml` and `.jsonl` directly in the settings' folder.
    pub case_files: Option<Vec<PathBuf>>,
    /// Where the chunks come from: a folder of Markdown documents or a `.jsonl` of chunks.
    pub source: Option<PathBuf>,
    /// The engine or database that holds the chunks in place of a source.
    pub engine: Option<Engine>,
    /// The folder of the built index.
    pub index: PathBuf,
    /// Groups by asker name, and the default asker: see [`Settings::askers`].
    askers: Askers,
    /// The headers that tell production who asks, by the asker's name; `${NAME}` is not expanded yet.
    pub asker_headers: AskerHeaders,
    /// The retrievers in the file's order; [`LOCAL`] is always among them.
    pub retrievers: Vec<Retriever>,
    /// The endpoints that turn texts into vectors, in the file's order.
    pub embeddings: Vec<EmbedSpec>,
    /// The endpoints that score documents against a query, in the file's order.
    pub rerankers: Vec<RerankSpec>,
    /// The configs in the file's order; where it defines none, the one called [`KEYWORD`].
    pub configs: Vec<Config>,
    /// The K of every recall@K that is shown, in the file's order. Never empty, each at least 1, none twice.
    pub recall_at: Vec<usize>,
    /// The subsets that the file names, in its order.
    pub subsets: Vec<Subset>,
    /// The gates that the file names, in its order.
    pub gates: Vec<Gate>,
    /// How a diagnosis may ask further.
    pub diagnosis: Diagnosis,
    /// How cases are kept out of tuning; `None` until somebody asked for it.
    pub split: Option<Split>,
}

/// A corpus in an engine or a database.
#[derive(Debug, Clone, PartialEq)]
pub struct Engine {
    /// Where its passages are.
    pub store: Store,
    /// They are fetched and indexed on this machine; otherwise they stay where they are, and the engine is asked.
    pub copy: bool,
}

/// A retriever by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Retriever {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub kind: RetrieverKind,
}

/// How a retriever is reached.
#[derive(Debug, Clone, PartialEq)]
pub enum RetrieverKind {
    /// The embedded keyword search over the local index: always a baseline, never production.
    Local,
    /// A program that answers on its standard output.
    Command(Box<Program>),
    /// An endpoint over HTTP, or an engine that speaks it.
    Http(Box<Reach>),
    /// A statement that Postgres answers.
    Sql(Box<SqlReach>),
}

/// A named, explicit set of retrieval parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Its name.
    pub name: String,
    /// The retriever's name; always one of the settings' retrievers.
    pub retriever: String,
    /// The window's size, at least 1.
    pub k: usize,
    /// How many results are asked for, at least `k`.
    pub depth: usize,
    /// Further parameters for the retriever, as written.
    pub params: toml::Table,
    /// How a stage is switched off, by its name, in the order of the pipeline: parameters in place of the config's own.
    pub without: Vec<(String, toml::Table)>,
}

impl Config {
    /// The same config with another window; the depth grows with it where it must.
    #[must_use]
    pub fn with_k(&self, k: usize) -> Self {
        Self { k, depth: self.depth.max(k), ..self.clone() }
    }

    /// The same config with a stage switched off; `None` if it does not say how.
    #[must_use]
    pub fn without(&self, stage: &str) -> Option<Self> {
        let (_, switched) = self.without.iter().find(|(name, _)| name == stage)?;
        let mut config = self.clone();
        config.params.extend(switched.clone());
        Some(config)
    }
}

/// A tag that the settings speak of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subset {
    /// The tag.
    pub name: String,
    /// What it is for.
    pub about: Option<String>,
    /// How many cases it should have.
    pub target: Option<usize>,
}

/// The thresholds of one subset; `all` is every case.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// The subset.
    pub subset: String,
    /// Its thresholds, in the file's order.
    pub thresholds: Vec<Threshold>,
    /// The run against which none of its cases may have regressed.
    pub no_regressions: Option<Baseline>,
}

/// A run that a gate names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// The file as it is written, relative to the settings.
    pub written: String,
    /// The file.
    pub path: PathBuf,
}

/// Why the settings could not be used. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// There is no settings file.
    #[error("no settings at {}: `caselight init SOURCE` writes them, or `--cases DIR` names the folder that holds caselight.toml", path.display())]
    Missing {
        /// Where it was sought.
        path: PathBuf,
    },
    /// The file is there and cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file does not say what it must.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u32,
        /// The column in characters, from 1.
        column: u32,
        /// The value, what was expected, and what to do.
        message: String,
    },
    /// A config was asked for that the settings do not define.
    #[error("unknown config `{name}`: {} defines {}{}", path.display(), known.join(", "), did_you_mean(.nearest.as_deref()))]
    UnknownConfig {
        /// The settings file.
        path: PathBuf,
        /// The name that was asked for.
        name: String,
        /// The names that exist.
        known: Vec<String>,
        /// The name that looks most like it.
        nearest: Option<String>,
    },
    /// Nothing says where the chunks are.
    #[error("{} names no corpus: add `source = \"…\"` under `[corpus]`, a folder of Markdown documents or a .jsonl of chunks, or a table `[corpus.source]` for an engine", path.display())]
    NoSource {
        /// The settings file.
        path: PathBuf,
    },
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// `text` as the settings write it: a TOML string, which JSON escapes in the same way.
#[must_use]
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl Settings {
    /// Reads and checks the settings file at `path`.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        match std::fs::read(path) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Self::parse(&text, path),
                Err(error) => Err(read::not_utf8(path, &error)),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(SettingsError::Missing { path: path.to_owned() })
            }
            Err(error) => Err(SettingsError::Unreadable { path: path.to_owned(), error }),
        }
    }

    /// Checks the text of a settings file; `path` is for messages and for relative paths, nothing is read.
    pub fn parse(text: &str, path: &Path) -> Result<Self, SettingsError> {
        read::settings(text, path)
    }

    /// The text of the settings file at `path` with another split; no byte outside `[split]` changes.
    pub fn with_split(text: &str, path: &Path, split: Split) -> Result<String, SettingsError> {
        split::with_split(text, path, split)
    }

    /// The config of that name.
    pub fn config(&self, name: &str) -> Result<&Config, SettingsError> {
        self.configs.iter().find(|config| config.name == name).ok_or_else(|| {
            let known: Vec<String> = self.configs.iter().map(|config| config.name.clone()).collect();
            SettingsError::UnknownConfig {
                path: self.file.clone(),
                name: name.to_owned(),
                nearest: nearest::nearest(name, &known, 1).first().map(|&name| name.to_owned()),
                known,
            }
        })
    }

    /// The retriever of a config.
    #[must_use]
    pub fn retriever(&self, config: &Config) -> Option<&Retriever> {
        self.retrievers.iter().find(|retriever| retriever.name == config.retriever)
    }

    /// The corpus source, which a command that has to build the index cannot do without.
    pub fn source(&self) -> Result<&Path, SettingsError> {
        self.source.as_deref().ok_or_else(|| SettingsError::NoSource { path: self.file.clone() })
    }

    /// Who may ask, and who asks by default.
    #[must_use]
    pub fn askers(&self) -> &Askers {
        &self.askers
    }

    /// The names of all known subsets in the order in which they are shown: the settings' own in the file's order, then the
    /// [`DEFAULT_SUBSETS`] that it does not name. Any other tag follows these.
    #[must_use]
    pub fn subset_order(&self) -> Vec<&str> {
        let named = self.subsets.iter().map(|subset| subset.name.as_str());
        let unnamed = DEFAULT_SUBSETS.into_iter().filter(|name| self.subsets.iter().all(|subset| subset.name != *name));
        named.chain(unnamed).collect()
    }
}
