//! From the settings of a retriever that is not part of this program to the retriever itself, its secrets found.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::settings::{Config, Reach, Settings, SqlReach};
use crate::{
    corpus::Corpus,
    domain::recognise::{By, Recogniser},
    engine::{embed::Embeddings, rerank::Reranker},
    retriever::{
        Retriever, RetrieverError,
        command::{Command, Program},
        found::Recognise,
        http::{Http, Setup},
        sql::Sql,
    },
};

/// The endpoint that a config asks.
pub(super) fn http(
    settings: &Settings,
    config: &Config,
    reach: &Reach,
    params: &Map<String, Value>,
    corpus: &Corpus,
) -> Result<Arc<dyn Retriever>, RetrieverError> {
    let unusable = |reason: String| RetrieverError::Unusable { retriever: config.retriever.clone(), reason };
    let spec = reach.spec(params).map_err(unusable)?;
    let setup = Setup {
        name: config.retriever.clone(),
        askers: settings.asker_headers.clone(),
        recognise: recognise(reach.recognise, corpus).map_err(unusable)?,
        embed: embeddings(settings, reach.embed.as_deref()).map_err(unusable)?,
        rerank: reranker(settings, reach.rerank.as_deref()).map_err(unusable)?,
    };
    Ok(Arc::new(Http::new(spec, setup, &environment)?))
}

/// The program that a config asks.
pub(super) fn command(
    config: &Config,
    program: &Program,
    corpus: &Corpus,
) -> Result<Arc<dyn Retriever>, RetrieverError> {
    let unusable = |reason: String| RetrieverError::Unusable { retriever: config.retriever.clone(), reason };
    let recognise = recognise(program.recognise, corpus).map_err(unusable)?;
    Ok(Arc::new(Command::new(&config.retriever, program.clone(), recognise, &environment)?))
}

/// The statement that a config puts to a database.
pub(super) fn sql(
    settings: &Settings,
    config: &Config,
    reach: &SqlReach,
    params: &Map<String, Value>,
    corpus: &Corpus,
) -> Result<Arc<dyn Retriever>, RetrieverError> {
    let unusable = |reason: String| RetrieverError::Unusable { retriever: config.retriever.clone(), reason };
    let spec = reach.spec(params).map_err(unusable)?.clone();
    let recognise = recognise(reach.recognise, corpus).map_err(unusable)?;
    let embed = embeddings(settings, reach.embed.as_deref()).map_err(unusable)?;
    let rerank = reranker(settings, reach.rerank.as_deref()).map_err(unusable)?;
    Ok(Arc::new(Sql::new(&config.retriever, spec, recognise, embed, rerank, &environment)?))
}

/// What tells which chunk of the corpus a hit is; `None` where its id does.
fn recognise(by: By, corpus: &Corpus) -> Result<Option<Arc<Recognise>>, String> {
    if by == By::Id {
        return Ok(None);
    }
    let index = corpus.index().ok_or(
        "`recognise` compares with every chunk of an index, and the corpus stays in its engine: let hits carry the ids of the \
         corpus, or set `copy = true` under `[corpus.source]`",
    )?;
    let recogniser = Recogniser::new(by, index.outline().map_err(|error| error.to_string())?);
    Ok(Some(Arc::new(Recognise { by, chunk: Box::new(move |passage| recogniser.chunk(passage)) })))
}

fn embeddings(settings: &Settings, name: Option<&str>) -> Result<Option<Embeddings>, String> {
    let spec = name.and_then(|name| settings.embeddings.iter().find(|server| server.name == name));
    spec.map(|spec| Embeddings::new(spec.clone(), &environment)).transpose().map_err(|error| error.to_string())
}

fn reranker(settings: &Settings, name: Option<&str>) -> Result<Option<Reranker>, String> {
    let spec = name.and_then(|name| settings.rerankers.iter().find(|server| server.name == name));
    spec.map(|spec| Reranker::new(spec.clone(), &environment)).transpose().map_err(|error| error.to_string())
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
