//! What `run`, `gate` and `compare` share: ask the selected cases under one config, and evaluate what comes of it.

use std::{collections::BTreeSet, path::Path, process::Command, sync::Arc};

use anyhow::bail;

use super::{
    index,
    output::{self, Unit},
};
use crate::{
    corpus::Index,
    domain::{case::Case, nearest, outline::Outline, ranking::Answer, resolve::Resolved},
    eval::{
        aggregate::{self, Bound, Summary},
        evaluate::{self, Asked, CaseResult, Cut, Outcome as Asking},
        gate::{self, Evaluated, Gate},
        run::{Header, Labels, Run, RunCase},
    },
    project::{self, Project, settings::Config},
    report::Report,
    retriever::{
        Retriever,
        run::{self, RunEvent},
    },
};

/// Which cases are asked. Empty lists leave nothing out.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Selection {
    /// Only cases that carry this tag; given more than once, any of them.
    #[arg(long = "tag", value_name = "TAG")]
    pub(super) tags: Vec<String>,
    /// Only the case of this id; may be given more than once.
    #[arg(long = "case", value_name = "ID")]
    pub(super) ids: Vec<String>,
}

/// A place that is ready to be evaluated: every case can be read, the corpus is open, every selected label resolves.
pub(super) struct Ready {
    pub(super) project: Project,
    pub(super) index: Arc<Index>,
    pub(super) outline: Outline,
    /// The selected cases, in the order of their files.
    pub(super) cases: Vec<Case>,
    /// Their labels as chunks.
    pub(super) resolved: Vec<Resolved>,
}

/// The selected cases evaluated under one config.
pub(super) struct Evaluation {
    pub(super) results: Vec<CaseResult>,
    pub(super) summary: Summary,
    /// The same, as it is kept.
    pub(super) run: Run,
}

impl Evaluation {
    /// The evaluation, ready to be shown.
    pub(super) fn report(&self) -> Report<'_> {
        let header = &self.run.header;
        Report {
            config: &header.config,
            retriever: &header.retriever,
            baseline: header.baseline,
            summary: &self.summary,
            results: &self.results,
        }
    }
}

impl Ready {
    /// Opens the place in `folder`. Refuses if a case cannot be read or a selected label does not resolve.
    pub(super) fn open(folder: &Path, selection: &Selection) -> anyhow::Result<Self> {
        let project = Project::open(folder)?;
        refuse_unreadable(&project)?;
        for field in project.store.unknown_fields().filter(|field| field.nearest.is_some()) {
            output::note(&format!("caselight: {field}"));
        }
        let cases = selected(&project, selection)?;
        let index = Arc::new(index::open(&project.settings)?);
        let outline = index.outline()?;
        let resolved = project::resolve_all(&cases, &outline);
        refuse_unresolved(&resolved)?;
        Ok(Self { project, index, outline, cases, resolved })
    }

    /// The config of that name (without one, the default config), with another window if `k` is given.
    pub(super) fn config(&self, name: Option<&str>, k: Option<u16>) -> anyhow::Result<Config> {
        let settings = &self.project.settings;
        let config = settings.config(name.unwrap_or(&settings.default_config))?;
        Ok(k.map_or_else(|| config.clone(), |k| config.with_k(usize::from(k))))
    }

    /// Asks every selected case under `config` and evaluates the answers.
    pub(super) fn evaluate(&self, config: &Config) -> anyhow::Result<Evaluation> {
        let settings = &self.project.settings;
        let cut = Cut { k: config.k, depth: config.depth, recall_at: settings.recall_at.clone() };
        let retriever = project::retriever(settings, config, &self.index)?;
        let header = self.header(config, &cut, retriever.as_ref());
        let answers = self.ask(config, retriever)?;
        let mut results = Vec::with_capacity(self.cases.len());
        let mut kept = Vec::with_capacity(self.cases.len());
        for ((case, resolved), answer) in self.cases.iter().zip(&self.resolved).zip(&answers) {
            let who = settings.askers().find(case.asker.as_deref())?;
            let outcome = match answer {
                Some(Ok(answer)) => Asking::Answered(answer),
                Some(Err(reason)) => Asking::Failed(reason),
                None => Asking::NotRun,
            };
            let asked = Asked { case, resolved, asker: &who, outline: &self.outline, cut: &cut };
            let result = evaluate::evaluate(&asked, outcome);
            kept.extend(RunCase::new(&asked, &result));
            results.push(result);
        }
        let summary = aggregate::summarize(&results, &cut, &settings.subset_order());
        self.refuse_foreign(&summary, &results)?;
        let run = Run { header, cases: kept };
        let summary = self.with_bounds(summary, &results, &run);
        Ok(Evaluation { results, summary, run })
    }

    /// True if every case of the subset was selected: a threshold says nothing of a part.
    pub(super) fn is_whole(&self, subset: &str) -> bool {
        let within = |case: &&Case| subset == gate::ALL || case.tags.iter().any(|tag| tag == subset);
        self.project.store.cases().filter(within).count() == self.cases.iter().filter(within).count()
    }

    /// Sets the thresholds of the settings beside the numbers, as the gate measures them.
    fn with_bounds(&self, summary: Summary, results: &[CaseResult], run: &Run) -> Summary {
        let gates = self.project.settings.gates.iter();
        let gates: Vec<Gate<'_>> =
            gates.map(|gate| Gate { subset: &gate.subset, thresholds: &gate.thresholds, baseline: None }).collect();
        let verdict = gate::check(&Evaluated { summary: &summary, results, run }, &gates, true);
        let held = verdict.held.iter().filter(|held| self.is_whole(&held.subset));
        let bounds = held.map(Bound::from).collect();
        summary.with_bounds(bounds)
    }

    fn header(&self, config: &Config, cut: &Cut, retriever: &dyn Retriever) -> Header {
        let mut labels = blake3::Hasher::new();
        for (case, resolved) in self.cases.iter().zip(&self.resolved) {
            let line = format!("{:?} {}\n", case.id, Labels::new(resolved, case.answerable).canonical());
            labels.update(line.as_bytes());
        }
        Header {
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            config: config.name.clone(),
            retriever: retriever.name().to_owned(),
            baseline: retriever.is_baseline(),
            params: project::params(config).to_string(),
            cut: cut.clone(),
            cases: self.project.store.fingerprint(),
            labels: labels.finalize().to_hex().to_string(),
            corpus: self.index.fingerprint(),
            commit: commit(&self.project.folder),
            started: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        }
    }

    fn ask(&self, config: &Config, retriever: Arc<dyn Retriever>) -> anyhow::Result<Vec<Answered>> {
        let askers = self.project.settings.askers();
        let requests = self.cases.iter().map(|case| project::request(case, askers, config, config.depth));
        let requests = requests.collect::<Result<Vec<_>, _>>()?;
        let bar = output::bar(u64::try_from(self.cases.len())?, Unit::Cases);
        bar.set_message(config.name.clone());
        let mut answers: Vec<Answered> = vec![None; self.cases.len()];
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(async {
            let mut events = run::start(retriever, requests, run::CONCURRENCY);
            while let Some(event) = events.recv().await {
                if let RunEvent::Answered { index, result } = event {
                    answers[index] = Some(result.map_err(|error| error.to_string()));
                    bar.inc(1);
                }
            }
        });
        bar.finish_and_clear();
        Ok(answers)
    }

    /// A run none of whose results is in the corpus measured another corpus: its recall of 0 would be a lie.
    fn refuse_foreign(&self, summary: &Summary, results: &[CaseResult]) -> anyhow::Result<()> {
        if !summary.counts.nothing_known() {
            return Ok(());
        }
        let returned = results.iter().flat_map(|result| &result.results).take(2).map(|row| row.id.to_string());
        let known = self.outline.documents().iter().flat_map(|document| &document.chunks);
        let known = known.take(2).map(|chunk| chunk.id.to_string());
        bail!(
            "the corpus knows none of the {} returned ids: the retriever returns {}, the corpus has {}",
            summary.counts.results,
            returned.collect::<Vec<_>>().join(", "),
            known.collect::<Vec<_>>().join(", ")
        )
    }
}

/// What came of asking one case; `None` for one that was not asked.
type Answered = Option<Result<Answer, String>>;

/// The commit that the folder is at, if git knows it.
fn commit(folder: &Path) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(["rev-parse", "HEAD"]).output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !commit.is_empty()).then_some(commit)
}

/// A case that cannot be read would silently be missing from the numbers.
fn refuse_unreadable(project: &Project) -> anyhow::Result<()> {
    let problems = project.store.problems();
    if problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    bail!("{} problems in the case files; a run refuses to start:\n{}", lines.len(), lines.join("\n"))
}

fn refuse_unresolved(resolved: &[Resolved]) -> anyhow::Result<()> {
    let lines: Vec<String> = resolved.iter().flat_map(|resolved| &resolved.problems).map(ToString::to_string).collect();
    if lines.is_empty() {
        return Ok(());
    }
    bail!("{} references do not resolve; a run refuses to start:\n{}", lines.len(), lines.join("\n"))
}

/// The cases to ask, in the order of their files.
fn selected(project: &Project, selection: &Selection) -> anyhow::Result<Vec<Case>> {
    let known = |names: Vec<String>, wanted: &str| {
        let near = nearest::nearest(wanted, &names, 3);
        if near.is_empty() { String::new() } else { format!("; the nearest: {}", near.join(", ")) }
    };
    for id in &selection.ids {
        if project.store.case(id).is_none() {
            let ids = project.store.cases().map(|case| case.id.clone()).collect();
            bail!("there is no case `{id}`{}", known(ids, id));
        }
    }
    for tag in &selection.tags {
        if !project.store.cases().any(|case| case.tags.contains(tag)) {
            let tags: BTreeSet<String> = project.store.cases().flat_map(|case| case.tags.clone()).collect();
            bail!("no case carries the tag `{tag}`{}", known(tags.into_iter().collect(), tag));
        }
    }
    let wanted = |case: &&Case| {
        (selection.ids.is_empty() || selection.ids.contains(&case.id))
            && (selection.tags.is_empty() || selection.tags.iter().any(|tag| case.tags.contains(tag)))
    };
    let cases: Vec<Case> = project.store.cases().filter(wanted).cloned().collect();
    if cases.is_empty() {
        let files: Vec<String> = project.store.files().iter().map(|file| file.path.display().to_string()).collect();
        let place = if files.is_empty() { project.folder.display().to_string() } else { files.join(", ") };
        bail!("there are no cases to run in {place}");
    }
    Ok(cases)
}
