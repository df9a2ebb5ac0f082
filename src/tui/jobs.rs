//! What jobs do: the only part of the front end that opens the project, searches it and writes to it.

mod further;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use super::{
    data::{About, Config, Gated},
    effect::{Job, Write},
    msg::{CaseSet, Done, Loaded, Output, Written},
    runtime::{Jobs, Reply, Work, panic_text},
};
use crate::{
    casefile::store::{EditError, Store},
    corpus::{Corpus, remote::Remote},
    domain::{case::Case, ranking::Answer},
    project::{
        self, Project, probe, results,
        settings::{self, Settings},
    },
    retriever::{
        Retriever,
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
    baselines: PathBuf,
    runs: PathBuf,
    corpus: RwLock<Option<Corpus>>,
}

impl ProjectJobs {
    /// The jobs of `project`, and what the screens need of its settings and cases before the corpus is open.
    #[must_use]
    pub fn new(project: Project) -> (Arc<Self>, About, CaseSet) {
        let (baselines, runs) = (results::baselines(&project), results::runs(&project));
        let Project { settings, store, .. } = project;
        let configs = settings.configs.iter().map(|config| Config {
            name: config.name.clone(),
            retriever: config.retriever.clone(),
            k: config.k,
            depth: config.depth,
            baseline: project::is_baseline(&settings, config),
            means: probe::means(&settings, config),
        });
        let target = |name: &str| settings.subsets.iter().find(|subset| subset.name == name)?.target;
        let about = About {
            configs: configs.collect(),
            recall_at: settings.recall_at.clone(),
            askers: settings.askers().clone(),
            split: settings.split,
            gates: settings.gates.iter().map(gated).collect(),
            today: jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date(),
            subsets: settings.subset_order().into_iter().map(|name| (name.to_owned(), target(name))).collect(),
        };
        let cases = case_set(&store);
        let corpus = RwLock::new(None);
        (Arc::new(Self { settings, store: Mutex::new(store), baselines, runs, corpus }), about, cases)
    }

    fn store(&self) -> std::sync::MutexGuard<'_, Store> {
        // A panic inside the store leaves its files whole, and it reads them again at the next edit.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn corpus(&self) -> Result<Corpus, String> {
        let corpus = self.corpus.read().unwrap_or_else(PoisonError::into_inner);
        corpus.clone().ok_or_else(|| "the corpus is not open yet".to_owned())
    }

    fn load(&self, reply: &Reply) -> Result<Loaded, String> {
        let progress = |progress: crate::corpus::Progress| {
            let (done, total) = (progress.done, progress.total);
            reply.say(Output::Progress { what: progress.activity.to_string(), done, total });
        };
        let open =
            self.corpus.read().unwrap_or_else(PoisonError::into_inner).clone().filter(|open| open.remote().is_some());
        let corpus = match open {
            // It is loaded once more because cases changed; what the engine told so far is kept.
            Some(open) => open,
            None => project::open_corpus(&self.settings, &progress).map_err(|error| error.to_string())?,
        };
        let cases = case_set(&self.store());
        let outline = Arc::new(corpus.outline(&cases.cases).map_err(|error| error.to_string())?);
        *self.corpus.write().unwrap_or_else(PoisonError::into_inner) = Some(corpus);
        let resolved = project::resolve_all(&cases.cases, &outline);
        Ok(Loaded { outline, cases, resolved })
    }

    async fn search(&self, typed: String, whole: bool, limit: usize, reply: &Reply) -> Result<Output, String> {
        // A blank behind the last word says that it is whole.
        let sought = if whole { format!("{typed} ") } else { typed.clone() };
        match self.corpus()? {
            Corpus::Local(index) => {
                blocking(move || {
                    let hits = index.search(&sought, limit).map_err(|error| error.to_string())?;
                    Ok(Output::Hits { typed, hits })
                })
                .await
            }
            Corpus::Remote(remote) => {
                let hits = remote.search(sought, limit).await.map_err(|error| error.to_string())?;
                let mut documents: Vec<String> = Vec::new();
                for hit in &hits {
                    if !documents.contains(&hit.chunk.document) {
                        documents.push(hit.chunk.document.clone());
                    }
                }
                let single = hits.iter().map(|hit| Arc::clone(&hit.chunk)).collect();
                reply.say(Output::Chunks { whole: Vec::new(), single });
                reply.say(Output::Hits { typed, hits });
                documents_of(&remote, &documents, reply).await
            }
        }
    }

    /// The retriever of a config, ready for its first question.
    async fn prepared(
        &self,
        config: &settings::Config,
        corpus: &Corpus,
        reply: &Reply,
    ) -> Result<Arc<dyn Retriever>, String> {
        let retriever = project::retriever(&self.settings, config, corpus).map_err(|error| error.to_string())?;
        let prepared = retriever.prepare(&|at| reply.say(Output::Waiting(Some(at.to_string())))).await;
        reply.say(Output::Waiting(None));
        prepared.map_err(|error| error.to_string())?;
        Ok(retriever)
    }

    /// Asks every case; `repeats`: they are one case again and again, one request after the other.
    async fn run(
        &self,
        config: &str,
        depth: usize,
        cases: Vec<Case>,
        repeats: bool,
        reply: &Reply,
    ) -> Result<(), String> {
        let config = self.settings.config(config).map_err(|error| error.to_string())?;
        let corpus = self.corpus()?;
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
        // What is looked at by itself may be marked, which takes the documents of its results whole.
        let one = requests.len() == 1;
        let retriever = self.prepared(config, &corpus, reply).await?;
        let concurrency = if repeats { 1 } else { retriever.concurrency() };
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
                        match corpus.remote() {
                            Some(remote) => answered(remote, &asked[index], answer, one, reply).await?,
                            None => reply.say(Output::Answered { case: asked[index].clone(), answer }),
                        }
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
                Job::Search { typed, whole, limit } => jobs.search(typed, whole, limit, &reply).await,
                Job::Run { config, depth, cases } => {
                    jobs.run(&config, depth, cases, false, &reply).await.map(|()| Output::RunEnded)
                }
                Job::Repeat { config, depth, case, times } => {
                    let cases = vec![*case; times];
                    jobs.run(&config, depth, cases, true, &reply).await.map(|()| Output::RunEnded)
                }
                Job::Experiment(started) => jobs.experiment(*started, &reply).await.map(|()| Output::RunEnded),
                Job::Kept { case, config } => jobs.kept(case, config).await,
                Job::Past { config, k } => jobs.past(config, k).await,
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

/// Says an answer over a corpus in an engine, what it names first; with `whole`, the documents of its results after it.
async fn answered(
    remote: &Remote,
    case: &str,
    mut answer: Result<Arc<Answer>, String>,
    whole: bool,
    reply: &Reply,
) -> Result<(), String> {
    let mut documents = Vec::new();
    if let Ok(found) = &answer {
        match remote.chunks(found.ids().cloned().collect()).await {
            Ok(single) => {
                let results = single.iter().filter(|chunk| found.results.iter().any(|hit| hit.id == chunk.id));
                documents.extend(results.map(|chunk| chunk.document.clone()));
                reply.say(Output::Chunks { whole: Vec::new(), single });
            }
            Err(error) => answer = Err(error.to_string()),
        }
    }
    reply.say(Output::Answered { case: case.to_owned(), answer });
    documents.dedup();
    if whole {
        reply.say(documents_of(remote, &documents, reply).await?);
    }
    Ok(())
}

/// Brings the documents of the hits whole, those of the first ones first.
async fn documents_of(remote: &Remote, names: &[String], reply: &Reply) -> Result<Output, String> {
    let mut last = Vec::new();
    for names in names.chunks(DOCUMENTS) {
        let whole = remote.documents(names.to_vec()).await.map_err(|error| error.to_string())?;
        let before = std::mem::replace(&mut last, whole);
        reply.say(Output::Chunks { whole: before, single: Vec::new() });
    }
    Ok(Output::Chunks { whole: last, single: Vec::new() })
}

/// How many documents are asked for at once: those of the hits that are seen first should not wait for all others.
const DOCUMENTS: usize = 9;

async fn blocking(work: impl FnOnce() -> Result<Output, String> + Send + 'static) -> Result<Output, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(output) => output,
        Err(error) => Err(match error.try_into_panic() {
            Ok(panic) => format!("a job broke off: {}", panic_text(&*panic)),
            Err(error) => format!("a job was stopped: {error}"),
        }),
    }
}

fn gated(gate: &settings::Gate) -> Gated {
    Gated {
        subset: gate.subset.clone(),
        thresholds: gate.thresholds.clone(),
        against: gate.no_regressions.as_ref().map(|baseline| baseline.written.clone()),
    }
}

fn case_set(store: &Store) -> CaseSet {
    CaseSet {
        cases: store.cases().cloned().collect(),
        problems: store.problems(),
        unknown_fields: store.unknown_fields().cloned().collect(),
    }
}
