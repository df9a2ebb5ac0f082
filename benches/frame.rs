//! From a key to the screen that shows it, on the demo, with the searches that the key asks for.
#![expect(clippy::unwrap_used, reason = "a bench")]

mod support;

use std::{path::Path, sync::Arc};

use caselight::{
    corpus::{self, Corpus, Index, Source},
    project::{self, Project},
    retriever::run::{self, RunEvent},
    tui::{
        app::App,
        effect::{Effect, Job},
        jobs::ProjectJobs,
        keymap::chord::Chord,
        msg::{Loaded, Msg, Output},
        theme::Theme,
    },
};
use criterion::{Criterion, criterion_group, criterion_main};
use ratatui::{Terminal, backend::TestBackend};

/// An app on the demo whose jobs are done at once.
struct Front {
    app: App,
    terminal: Terminal<TestBackend>,
    project: Arc<Project>,
    index: Arc<Index>,
}

impl Front {
    fn new(project: &Arc<Project>, index: &Arc<Index>, (width, height): (u16, u16)) -> Self {
        let opened = Project::open(&project.folder).unwrap();
        let (_, about, cases) = ProjectJobs::new(opened);
        let app = App::new(about, cases, Theme::Colour);
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut front = Self { app, terminal, project: Arc::clone(project), index: Arc::clone(index) };
        front.app.update(Msg::Resize { width, height });
        let first = front.app.start();
        front.perform(first);
        front
    }

    /// Presses a key by its name, does what it asks for, and draws.
    fn press(&mut self, key: &str) {
        let effects = self.app.update(Msg::Key(Chord::parse(key).unwrap().event()));
        self.perform(effects);
        self.terminal.draw(|frame| self.app.view(frame)).unwrap();
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let Effect::Start { ticket, job, .. } = effect else { continue };
            for output in self.outputs(job) {
                let more = self.app.update(Msg::Job { ticket, output });
                self.perform(more);
            }
        }
    }

    fn outputs(&self, job: Job) -> Vec<Output> {
        match job {
            Job::Load => {
                let outline = Arc::new(self.index.outline().unwrap());
                let (_, _, cases) = ProjectJobs::new(Project::open(&self.project.folder).unwrap());
                let resolved = project::resolve_all(&cases.cases, &outline);
                vec![Output::Loaded(Box::new(Loaded { outline, cases, resolved }))]
            }
            Job::Search { typed, limit, .. } => {
                let hits = self.index.search(&typed, limit).unwrap();
                vec![Output::Hits { typed, hits }]
            }
            Job::Run { config, depth, cases } => {
                let settings = &self.project.settings;
                let config = settings.config(&config).unwrap();
                let retriever = project::retriever(settings, config, &Corpus::Local(Arc::clone(&self.index))).unwrap();
                let request = |case| project::request(case, settings.askers(), config, depth).unwrap();
                let requests = cases.iter().map(request).collect();
                let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
                let mut outputs = Vec::new();
                runtime.block_on(async {
                    let mut events = run::start(retriever, requests, run::CONCURRENCY);
                    while let Some(event) = events.recv().await {
                        if let RunEvent::Answered { index, result } = event {
                            let answer = result.map(Arc::new).map_err(|error| error.to_string());
                            outputs.push(Output::Answered { case: cases[index].id.clone(), answer });
                        }
                    }
                });
                outputs.push(Output::RunEnded);
                outputs
            }
            // No frame that is measured asks for them.
            Job::Repeat { .. } | Job::Experiment(_) | Job::Kept { .. } | Job::Past { .. } => Vec::new(),
        }
    }
}

fn frames(criterion: &mut Criterion) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = Arc::new(Project::open(&repository.join("cases")).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let source = Source::detect(&repository.join("corpus-index/documents")).unwrap();
    let index = Arc::new(corpus::open(&source, folder.path(), &|_| ()).unwrap());
    for size in [(80, 24), (200, 60)] {
        let mut group = criterion.benchmark_group(format!("frame/{}x{}", size.0, size.1));
        let mut front = Front::new(&project, &index, size);
        front.press("R");
        // What is done to come to a screen, and two keys that undo each other.
        for (name, before, there, back) in [
            ("cases: down", "", "j", "k"),
            ("inspect: down", "enter", "j", "k"),
            ("inspect: another window, all results anew", "", "+", "-"),
            ("label: down", "l", "j", "k"),
            ("label: a letter and its search", "/", "e", "backspace"),
        ] {
            before.split_whitespace().for_each(|key| front.press(key));
            let mut forth = false;
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    forth = !forth;
                    front.press(if forth { there } else { back });
                });
            });
        }
        group.finish();
    }
    criterion.bench_function("frame/first, index built", |bencher| {
        bencher.iter(|| {
            let mut front = Front::new(&project, &index, (80, 24));
            front.terminal.draw(|frame| front.app.view(frame)).unwrap();
        });
    });
}

criterion_group! { name = benches; config = support::criterion(); targets = frames }
criterion_main!(benches);
