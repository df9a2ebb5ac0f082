//! Puts the probes of a diagnosis: a few more requests of one case, one after the other, by way of `retriever::run`.

use std::sync::Arc;

use super::{
    kind, request, retriever,
    settings::{Config, RetrieverKind, Settings},
};
use crate::{
    corpus::Corpus,
    domain::ranking::Answer,
    eval::{
        asked::{Asked, Outcome},
        diagnosis::{
            Evidence, Probed,
            probe::{self, Means, Probe, ProbeKind},
        },
    },
    retriever::{
        Request, Retriever,
        run::{self, RunEvent},
    },
};

/// What it takes to ask a case of one config again.
pub struct Lab<'a> {
    /// The settings, for what they say of askers and of probes.
    pub settings: &'a Settings,
    /// The config of the case's own request.
    pub config: &'a Config,
    /// The corpus.
    pub corpus: &'a Corpus,
    /// The retriever of the config.
    pub retriever: Arc<dyn Retriever>,
}

/// What a diagnosis of a case of `config` may ask.
#[must_use]
pub fn means(settings: &Settings, config: &Config) -> Means {
    Means {
        without: config.without.iter().map(|(stage, _)| stage.clone()).collect(),
        unscoped: settings.diagnosis.unscoped.clone(),
        limit: settings.diagnosis.probes,
    }
}

/// Puts probes until none would tell more, or as many as may be; each is added to `evidence`, and `told` hears of it.
pub async fn experiment(
    lab: &Lab<'_>,
    asked: &Asked<'_>,
    outcome: Outcome<'_>,
    evidence: &mut Evidence,
    told: &mut (dyn FnMut(&Probed) + Send),
) {
    let means = means(lab.settings, lab.config);
    while let Some(probe) = probe::next(asked, outcome, &means, evidence) {
        let result = lab.put(asked, &probe).await;
        let probed = Probed { probe, result };
        told(&probed);
        evidence.probes.push(probed);
    }
}

impl Lab<'_> {
    async fn put(&self, asked: &Asked<'_>, probe: &Probe) -> Result<Answer, String> {
        let switched = match &probe.kind {
            ProbeKind::Without { stage } => self.config.without(stage),
            _ => None,
        };
        let config = switched.as_ref().unwrap_or(self.config);
        // A process is told its parameters with each request, and starting another one is dear. Others are made for them.
        let process = matches!(kind(self.settings, config), RetrieverKind::Command(_));
        let retriever = if switched.is_none() || process {
            Arc::clone(&self.retriever)
        } else {
            retriever(self.settings, config, self.corpus).map_err(|error| error.to_string())?
        };
        let own =
            request(asked.case, self.settings.askers(), config, probe.depth).map_err(|error| error.to_string())?;
        ask(retriever, Request { asker: probe.asker.clone(), ..reworded(own, probe) }).await
    }
}

/// A chunk's own words need no turns before them.
fn reworded(own: Request, probe: &Probe) -> Request {
    match &probe.kind {
        ProbeKind::OwnWords { words, .. } => Request { question: words.clone(), context: Vec::new(), ..own },
        _ => own,
    }
}

async fn ask(retriever: Arc<dyn Retriever>, request: Request) -> Result<Answer, String> {
    let mut events = run::start(retriever, vec![request], 1);
    while let Some(event) = events.recv().await {
        if let RunEvent::Answered { result, .. } = event {
            return result.map_err(|error| error.to_string());
        }
    }
    Err("the request was broken off".to_owned())
}

#[cfg(test)]
mod tests;
