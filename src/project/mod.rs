//! What both faces open: the settings, the cases and the corpus of one place.

pub mod holdout;
mod models;
pub mod probe;
mod reached;
pub mod results;
pub mod settings;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use self::settings::{Config, Engine, RetrieverKind, Settings, SettingsError};
use crate::{
    casefile::store::{self, Store},
    corpus::{
        self, Corpus, CorpusError, Progress, Source,
        fetched::{self, Fetched},
        remote::Remote,
    },
    domain::{
        asker::{Askers, UnknownAsker},
        case::Case,
        outline::Outline,
        resolve::{self, Resolved},
    },
    engine::{passages::Store as Engines, secret::Secrets},
    retriever::{Request, Retriever, RetrieverError, local::Local},
};

/// The name of the settings file in the folder of the cases.
pub const SETTINGS: &str = "caselight.toml";

/// One place: a folder with settings and cases, and the corpus that the settings name.
#[derive(Debug)]
pub struct Project {
    /// The folder that holds the settings.
    pub folder: PathBuf,
    /// The settings.
    pub settings: Settings,
    /// The case files.
    pub store: Store,
}

/// Why a place cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The settings do not say what they must.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The corpus cannot be read or its index not be built.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The folder of the cases cannot be listed.
    #[error("cannot list the case files in {}: {error}", folder.display())]
    Cases {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A case names an asker that the settings do not define.
    #[error("{place}: case `{case}`: {error}")]
    Asker {
        /// Where the case stands.
        place: crate::domain::case::Place,
        /// Its id.
        case: String,
        /// The name, and the names that exist.
        error: UnknownAsker,
    },
}

impl Project {
    /// Reads the settings and the case files in `folder`. The corpus is opened apart, since it may have to be indexed first.
    pub fn open(folder: &Path) -> Result<Self, ProjectError> {
        let settings = Settings::read(&folder.join(SETTINGS))?;
        let files = if let Some(files) = &settings.case_files {
            files.clone()
        } else {
            let listed = store::case_files(folder, None);
            let mut files = listed.map_err(|error| ProjectError::Cases { folder: folder.to_owned(), error })?;
            // It lies beside the cases and holds none.
            files.retain(|file| !file.ends_with(holdout::LEDGER));
            files
        };
        Ok(Self { folder: folder.to_owned(), settings, store: Store::open(files) })
    }

    /// Opens the corpus that the settings name, building or refreshing its index as need be.
    pub fn corpus(&self, progress: &dyn Fn(Progress)) -> Result<Corpus, ProjectError> {
        open_corpus(&self.settings, progress)
    }
}

/// Opens the corpus that the settings name, building or refreshing its index as need be. What an engine holds is fetched first, unless
/// it was before; or it stays there, as the settings say.
pub fn open_corpus(settings: &Settings, progress: &dyn Fn(Progress)) -> Result<Corpus, ProjectError> {
    let source = match &settings.engine {
        None => Source::detect(settings.source()?)?,
        Some(engine) if !engine.copy => {
            return Ok(Corpus::Remote(Remote::open(&engine.store, &secrets(&engine.store)?)?));
        }
        Some(engine) => match Fetched::find(&engine.store, &settings.index) {
            Some(fetched) => Source::Jsonl(fetched.path),
            None => Source::Jsonl(fetch(settings, engine, progress)?.0.path),
        },
    };
    Ok(Corpus::Local(Arc::new(corpus::open(&source, &settings.index, progress)?)))
}

/// Fetches the passages of an engine anew, to be indexed here; and how many came.
pub fn fetch(
    settings: &Settings,
    engine: &Engine,
    progress: &dyn Fn(Progress),
) -> Result<(Fetched, u64), ProjectError> {
    let secrets = secrets(&engine.store)?;
    Ok(fetched::fetch(&engine.store, &secrets, &settings.index, progress)?)
}

/// How old the copy is that stands for an engine's passages: `fetched from the index … 3 hours ago`.
#[must_use]
pub fn fetched(settings: &Settings) -> Option<String> {
    let store = &settings.engine.as_ref().filter(|engine| engine.copy)?.store;
    let age = Fetched::find(store, &settings.index)?.age();
    Some(format!("fetched from {} {age}; `caselight index` fetches it anew", store.name()))
}

/// What the environment holds for the store's `${NAME}`.
fn secrets(store: &Engines) -> Result<Secrets, ProjectError> {
    let lookup = |name: &str| std::env::var(name).ok();
    Ok(Secrets::collect(store.with_secrets(), &lookup).map_err(CorpusError::from)?)
}

/// Looks up the references of every case, in the order of the cases.
#[must_use]
pub fn resolve_all(cases: &[Case], outline: &Outline) -> Vec<Resolved> {
    cases.iter().map(|case| resolve::resolve(case, outline)).collect()
}

/// The question of a case as its asker puts it to a retriever.
pub fn request(case: &Case, askers: &Askers, config: &Config, depth: usize) -> Result<Request, ProjectError> {
    let asker = askers.find(case.asker.as_deref()).map_err(|error| ProjectError::Asker {
        place: case.place.clone(),
        case: case.id.clone(),
        error,
    })?;
    Ok(Request {
        question: case.question.clone(),
        asker,
        context: case.context.clone(),
        depth,
        params: params(config).as_object().cloned().unwrap_or_default(),
    })
}

/// The parameters of a config as JSON, keys in order.
#[must_use]
pub fn params(config: &Config) -> serde_json::Value {
    // A TOML table is a JSON object but for dates, which become text.
    serde_json::to_value(&config.params).unwrap_or_default()
}

/// The retriever that a config names, with the config's parameters.
pub fn retriever(settings: &Settings, config: &Config, corpus: &Corpus) -> Result<Arc<dyn Retriever>, RetrieverError> {
    let params = params(config).as_object().cloned().unwrap_or_default();
    match kind(settings, config) {
        RetrieverKind::Local => {
            let index = corpus.index().ok_or_else(|| no_index(config, corpus))?;
            Ok(Arc::new(Local::new(Arc::clone(index) as Arc<_>, &params, settings)?))
        }
        RetrieverKind::Command(program) => reached::command(config, program, corpus),
        RetrieverKind::Sql(reach) => reached::sql(settings, config, reach, &params, corpus),
        RetrieverKind::Http(reach) => reached::http(settings, config, reach, &params, corpus),
    }
}

/// The embedded retriever searches our own index, which a corpus in an engine does not have.
fn no_index(config: &Config, corpus: &Corpus) -> RetrieverError {
    let place = corpus.remote().map(Remote::name).unwrap_or_default();
    RetrieverError::Unusable {
        retriever: config.retriever.clone(),
        reason: format!(
            "it searches an index on this machine, and the corpus stays in {place}: set `copy = true` under `[corpus.source]` to \
             index it here, or run a config of another retriever"
        ),
    }
}

/// True for a config of the embedded retriever: a baseline, never production.
#[must_use]
pub fn is_baseline(settings: &Settings, config: &Config) -> bool {
    *kind(settings, config) == RetrieverKind::Local
}

/// How the retriever of a config is reached. The settings hold every retriever that a config names.
fn kind<'a>(settings: &'a Settings, config: &Config) -> &'a RetrieverKind {
    let named = settings.retrievers.iter().find(|retriever| retriever.name == config.retriever);
    named.map_or(&RetrieverKind::Local, |retriever| &retriever.kind)
}
