//! What jobs do: the only part of the front end that opens the project, searches it and writes to it.

use std::{
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use super::{
    data::{About, Config},
    effect::{Job, Write},
    msg::{CaseSet, Done, Loaded, Output, Written},
    runtime::{Jobs, Reply, Work, panic_text},
};
use crate::{
    casefile::store::{EditError, Store},
    corpus::Index,
    domain::case::Case,
    project::{self, Project, settings::Settings},
    retriever::{
        run::{self, RunEvent},
        waits::Waits,
    },
};

/// How often it is looked at who waits.
const TICK: Duration = Duration::from_millis(250);

/// The jobs of one project.
pub struct ProjectJobs {
    settings: Settings,
    store: Mutex<Store>,
    index: RwLock<Option<Arc<Index>>>,
}

impl ProjectJobs {
    /// The jobs of `project`, and what the screens need of its settings and cases before the corpus is open.
    #[must_use]
    pub fn new(project: Project) -> (Arc<Self>, About, CaseSet) {
        let Project { settings, store, .. } = project;
        let configs = settings.configs.iter().map(|config| Config {
            name: config.name.clone(),
            retriever: config.retriever.clone(),
            k: config.k,
            depth: config.depth,
            baseline: project::is_baseline(&settings, config),
        });
        let target = |name: &str| settings.subsets.iter().find(|subset| subset.name == name)?.target;
        let about = About {
            configs: configs.collect(),
            recall_at: settings.recall_at.clone(),
            askers: settings.askers().clone(),
            split: settings.split,
            subsets: settings.subset_order().into_iter().map(|name| (name.to_owned(), target(name))).collect(),
        };
        let cases = case_set(&store);
        (Arc::new(Self { settings, store: Mutex::new(store), index: RwLock::new(None) }), about, cases)
    }

    fn store(&self) -> std::sync::MutexGuard<'_, Store> {
        // A panic inside the store leaves its files whole, and it reads them again at the next edit.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn index(&self) -> Result<Arc<Index>, String> {
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        index.clone().ok_or_else(|| "the corpus is not open yet".to_owned())
    }

    fn load(&self, reply: &Reply) -> Result<Loaded, String> {
        let progress = |progress: crate::corpus::Progress| {
            let (done, total) = (progress.done, progress.total);
            reply.say(Output::Progress { what: progress.activity.to_string(), done, total });
        };
        let index = project::open_corpus(&self.settings, &progress).map_err(|error| error.to_string())?;
        let index = Arc::new(index);
        let outline = Arc::new(index.outline().map_err(|error| error.to_string())?);
        *self.index.write().unwrap_or_else(PoisonError::into_inner) = Some(index);
        let cases = case_set(&self.store());
        let resolved = project::resolve_all(&cases.cases, &outline);
        Ok(Loaded { outline, cases, resolved })
    }

    fn search(&self, typed: String, whole: bool, limit: usize) -> Result<Output, String> {
        // A blank behind the last word says that it is whole.
        let sought = if whole { format!("{typed} ") } else { typed.clone() };
        let hits = self.index()?.search(&sought, limit).map_err(|error| error.to_string())?;
        Ok(Output::Hits { typed, hits })
    }

    async fn run(&self, config: &str, depth: usize, cases: Vec<Case>, reply: &Reply) -> Result<(), String> {
        let config = self.settings.config(config).map_err(|error| error.to_string())?;
        let retriever =
            project::retriever(&self.settings, config, &self.index()?).map_err(|error| error.to_string())?;
        let mut requests = Vec::new();
        let mut asked = Vec::new();
        for case in cases {
            match project::request(&case, self.settings.askers(), config, depth) {
                Ok(request) => {
                    requests.push(request);
                    asked.push(case.id);
                }
                Err(error) => reply.say(Output::Answered { case: case.id, answer: Err(error.to_string()) }),
            }
        }
        let prepared = retriever.prepare(&|at| reply.say(Output::Waiting(Some(at.to_string())))).await;
        reply.say(Output::Waiting(None));
        prepared.map_err(|error| error.to_string())?;
        let concurrency = retriever.concurrency();
        let mut events = run::start(retriever, requests, concurrency);
        let mut waits = Waits::default();
        let mut said = None;
        let mut tick = tokio::time::interval(TICK);
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some(RunEvent::Answered { index, result }) => {
                        waits.ended(index);
                        let answer = result.map(Arc::new).map_err(|error| error.to_string());
                        reply.say(Output::Answered { case: asked[index].clone(), answer });
                    }
                    Some(RunEvent::Waiting { index, waiting }) => waits.began(index, waiting, Instant::now()),
                    Some(RunEvent::Finished) | None => return Ok(()),
                },
                _ = tick.tick() => {
                    let now = waits.say(Instant::now(), &|index| asked[index].clone());
                    if now != said {
                        said.clone_from(&now);
                        reply.say(Output::Waiting(now));
                    }
                }
            }
        }
    }
}

impl Jobs for Arc<ProjectJobs> {
    fn work(&self, job: Job, reply: Reply) -> Work {
        let jobs = Arc::clone(self);
        Box::pin(async move {
            let said = reply.clone();
            let output = match job {
                Job::Load => blocking(move || jobs.load(&reply).map(|loaded| Output::Loaded(Box::new(loaded)))).await,
                Job::Search { typed, whole, limit } => blocking(move || jobs.search(typed, whole, limit)).await,
                Job::Run { config, depth, cases } => {
                    jobs.run(&config, depth, cases, &reply).await.map(|()| Output::RunEnded)
                }
            };
            said.say(output.unwrap_or_else(Output::Failed));
        })
    }

    fn write(&self, write: Write) -> Written {
        let mut store = self.store();
        let done = |undone: Option<crate::casefile::store::Undone>| {
            undone.map(|undone| Done { case: undone.case, what: undone.what })
        };
        let outcome = match &write {
            Write::Edit { seen, edit, with_last } => {
                let made = if *with_last { store.edit_with_last(seen, edit) } else { store.edit(seen, edit) };
                made.map(|()| Some(Done { case: seen.id.clone(), what: edit.describe() }))
            }
            Write::Undo => store.undo().map(done),
            Write::Redo => store.redo().map(done),
            Write::Refresh => {
                let changed = store.refresh();
                return Written {
                    write,
                    cases: changed.then(|| case_set(&store)),
                    outcome: Ok(None),
                    final_word: false,
                };
            }
        };
        let final_word = match &outcome {
            // The edit can never be made; keeping it as unsaved would only repeat the refusal.
            Err(EditError::Conflict { .. } | EditError::Refused { .. } | EditError::Senseless(_)) => true,
            Err(EditError::NotSaved { .. }) | Ok(_) => false,
        };
        let cases = Some(case_set(&store));
        Written { write, cases, outcome: outcome.map_err(|error| error.to_string()), final_word }
    }
}

async fn blocking(work: impl FnOnce() -> Result<Output, String> + Send + 'static) -> Result<Output, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(output) => output,
        Err(error) => Err(match error.try_into_panic() {
            Ok(panic) => format!("a job broke off: {}", panic_text(&*panic)),
            Err(error) => format!("a job was stopped: {error}"),
        }),
    }
}

fn case_set(store: &Store) -> CaseSet {
    CaseSet {
        cases: store.cases().cloned().collect(),
        problems: store.problems(),
        unknown_fields: store.unknown_fields().cloned().collect(),
    }
}
