//! The embeddings and rerank endpoints of the settings, for the configs of the embedded retriever that name them.

use std::{env, path::Path, sync::Arc};

use super::settings::Settings;
use crate::{
    corpus::vectors::Embed,
    domain::nearest::nearest,
    engine::{embed::Embeddings, rerank::Reranker},
    retriever::local::{Scorer, Servers},
};

impl Servers for Settings {
    fn embeddings(&self, name: &str) -> Result<Arc<dyn Embed>, String> {
        let spec = self.embeddings.iter().find(|spec| spec.name == name);
        let known = || self.embeddings.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>();
        let spec = spec.ok_or_else(|| unknown("embeddings", name, &known()))?;
        Ok(Arc::new(Embeddings::new(spec.clone(), &lookup).map_err(|error| error.to_string())?))
    }

    fn reranker(&self, name: &str) -> Result<Arc<dyn Scorer>, String> {
        let spec = self.rerankers.iter().find(|spec| spec.name == name);
        let known =
            || ["lexical"].into_iter().chain(self.rerankers.iter().map(|spec| spec.name.as_str())).collect::<Vec<_>>();
        let spec = spec.ok_or_else(|| unknown("rerankers", name, &known()))?;
        Ok(Arc::new(Reranker::new(spec.clone(), &lookup).map_err(|error| error.to_string())?))
    }

    fn folder(&self) -> &Path {
        &self.index
    }
}

fn lookup(name: &str) -> Option<String> {
    env::var(name).ok()
}

fn unknown(table: &str, name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied(), 1);
    match near.first() {
        Some(near) => format!("the settings define no [{table}.{name}]: did you mean `{near}`?"),
        None if known.is_empty() => format!("the settings define no [{table}.{name}], and no other of that kind"),
        None => format!("the settings define no [{table}.{name}]: there is {}", known.join(", ")),
    }
}
