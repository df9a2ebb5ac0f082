//! Jobs that look further into one case: experiments on where a chunk was lost, and the kept runs that hold it.

use std::sync::Arc;

use super::{ProjectJobs, blocking};
use crate::{
    eval::{
        asked::{Asked, Cut, Outcome},
        run::Header,
    },
    project::{
        self,
        probe::{self, Lab},
        results,
    },
    tui::{
        effect::Experiment,
        msg::{Kept, KeptRun, Output, Past, PastRun},
        runtime::Reply,
    },
};

impl ProjectJobs {
    /// Puts probes until none would tell more, and says what came of each.
    pub(super) async fn experiment(&self, started: Experiment, reply: &Reply) -> Result<(), String> {
        let Experiment { config, cut, case, resolved, outline, answer, mut evidence } = started;
        let config = self.settings.config(&config).map_err(|error| error.to_string())?;
        let open = self.corpus()?;
        let who = self.settings.askers().find(case.asker.as_deref()).map_err(|error| error.to_string())?;
        let retriever = self.prepared(config, &open, reply).await?;
        let lab = Lab { settings: &self.settings, config, corpus: &open, retriever };
        let asked = Asked { case: &case, resolved: &resolved, asker: &who, outline: &outline, cut: &cut };
        let mut told = |probed: &_| {
            reply.say(Output::Probed { case: case.id.clone(), probed: Box::new(Clone::clone(probed)) });
        };
        probe::experiment(&lab, &asked, Outcome::Answered(&answer), &mut evidence, &mut told).await;
        Ok(())
    }

    /// Reads the kept runs that hold a case.
    pub(super) async fn kept(self: Arc<Self>, case: String, config: String) -> Result<Output, String> {
        blocking(move || {
            let now = self.now(&config)?;
            let held = results::holding(&self.baselines, &self.runs, &case);
            let runs = held.into_iter().map(|held| KeptRun {
                name: held.name,
                committed: held.committed,
                header: held.header,
                case: held.case,
            });
            Ok(Output::Kept(Box::new(Kept { case, now, runs: runs.collect() })))
        })
        .await
    }

    /// Sums up the kept runs of a config. What the holdout came to stays hidden, be it in a run.
    pub(super) async fn past(self: Arc<Self>, config: String, k: usize) -> Result<Output, String> {
        blocking(move || {
            let shown = |id: &str| self.settings.split.is_none_or(|split| !split.is_holdout(id));
            let subsets: Vec<String> = self.settings.subset_order().into_iter().map(str::to_owned).collect();
            let runs = results::history(&self.runs, &config, k, &subsets, &shown).into_iter();
            let runs =
                runs.map(|past| PastRun { name: past.name, started: past.header.started, summary: past.summary });
            let runs = runs.collect();
            Ok(Output::Past(Box::new(Past { config, k, runs })))
        })
        .await
    }

    /// What a run of the config would be made with today, as far as two runs of one case are compared by it.
    fn now(&self, config: &str) -> Result<Header, String> {
        let config = self.settings.config(config).map_err(|error| error.to_string())?;
        let corpus = self.corpus()?;
        Ok(Header {
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            config: config.name.clone(),
            retriever: config.retriever.clone(),
            baseline: project::is_baseline(&self.settings, config),
            params: project::params(config).to_string(),
            reach: None,
            cut: Cut { k: config.k, depth: config.depth, recall_at: self.settings.recall_at.clone() },
            cases: String::new(),
            labels: String::new(),
            // An unknown state is no other run's.
            corpus: corpus.fingerprint().unwrap_or_else(|| "unknown".to_owned()),
            commit: None,
            started: String::new(),
        })
    }
}
