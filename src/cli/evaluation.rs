//! What `run`, `gate` and `compare` share: ask the selected cases under one config, and evaluate what comes of it.

mod foreign;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, HashMap},
    mem::take,
    path::Path,
    process::Command,
    sync::Arc,
};

use anyhow::bail;

use self::foreign::Foreign;
use super::{
    asking::{self, Ask, Ended},
    holdout, index,
    keep::Keep,
    output,
};
use crate::{
    corpus::Corpus,
    domain::{case::Case, chunk::ChunkId, nearest, outline::Outline, ranking::Answer, resolve::Resolved},
    eval::{
        aggregate::{self, Bound, Summary},
        evaluate::{self, Asked, CaseResult, Cut, Outcome as Asking},
        gate::{self, Allowed, Evaluated, Gate},
        run::{Header, Labels, Run, RunCase},
    },
    project::{self, Project, settings::Config},
    report::Report,
    retriever::Retriever,
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
    #[command(flatten)]
    pub(super) holdout: holdout::Access,
}

/// A run was stopped before every case was asked. What was asked is kept where the run is kept.
#[derive(Debug, thiserror::Error)]
#[error("stopped: {done} of {total} asked{rest}")]
pub(super) struct Stopped {
    /// The signal.
    pub(super) signal: i32,
    done: usize,
    total: usize,
    /// How to ask the rest, as the end of the sentence.
    rest: &'static str,
}

/// A place that is ready to be evaluated: every case can be read, the corpus is open, every selected label resolves.
pub(super) struct Ready {
    pub(super) project: Project,
    pub(super) corpus: Corpus,
    /// Of a corpus in an engine it grows by what the answers name.
    pub(super) outline: RefCell<Outline>,
    /// The selected cases, in the order of their files.
    pub(super) cases: Vec<Case>,
    /// Their labels as chunks.
    pub(super) resolved: Vec<Resolved>,
    /// Whether holdout cases are among them.
    pub(super) holdout: holdout::Access,
    /// It was said of whom the groups are not known.
    told: Cell<bool>,
}

/// The selected cases evaluated under one config.
pub(super) struct Evaluation {
    pub(super) results: Vec<CaseResult>,
    pub(super) summary: Summary,
    /// The same, as it is kept.
    pub(super) run: Run,
    /// Where the holdout was opened: how both sides did, and how often that was.
    pub(super) holdout: Option<String>,
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
        let ready = Self::of(project, selection)?;
        refuse_unresolved(&ready.resolved)?;
        Ok(ready)
    }

    /// Opens the place in `folder` to look at one case, whatever its own labels and the other cases are like.
    pub(super) fn open_case(folder: &Path, id: &str, holdout: holdout::Access) -> anyhow::Result<Self> {
        let project = Project::open(folder)?;
        if project.store.case(id).is_none() {
            refuse_unreadable(&project)?;
        }
        Self::of(project, &Selection { tags: Vec::new(), ids: vec![id.to_owned()], holdout })
    }

    fn of(project: Project, selection: &Selection) -> anyhow::Result<Self> {
        for field in project.store.unknown_fields().filter(|field| field.nearest.is_some()) {
            output::note(&format!("caselight: {field}"));
        }
        let cases = selected(&project, selection)?;
        let cases = holdout::close(&project, selection.holdout, &selection.ids, cases)?;
        let corpus = index::open(&project.settings)?;
        let outline = corpus.outline(&cases)?;
        let resolved = project::resolve_all(&cases, &outline);
        let outline = RefCell::new(outline);
        Ok(Self { project, corpus, outline, cases, resolved, holdout: selection.holdout, told: Cell::new(false) })
    }

    /// The config of that name (without one, the default config), with another window if `k` is given.
    pub(super) fn config(&self, name: Option<&str>, k: Option<u16>) -> anyhow::Result<Config> {
        let settings = &self.project.settings;
        let config = settings.config(name.unwrap_or(&settings.default_config))?;
        Ok(k.map_or_else(|| config.clone(), |k| config.with_k(usize::from(k))))
    }

    /// Asks every selected case under `config` and evaluates the answers.
    pub(super) fn evaluate(&self, config: &Config) -> anyhow::Result<Evaluation> {
        self.evaluate_and_keep(config, None)
    }

    /// The same; the run is written where `keep` says.
    pub(super) fn evaluate_and_keep(&self, config: &Config, keep: Option<&Keep>) -> anyhow::Result<Evaluation> {
        let retriever = project::retriever(&self.project.settings, config, &self.corpus)?;
        let mut evaluation = self.evaluate_by(retriever, config, keep)?;
        evaluation.holdout = holdout::opened(&self.project, self.holdout, &evaluation.run.header, &evaluation.results)?;
        Ok(evaluation)
    }

    /// Asks every selected case once more, which opens no holdout a second time.
    pub(super) fn evaluate_again(&self, config: &Config) -> anyhow::Result<Evaluation> {
        self.evaluate_by(project::retriever(&self.project.settings, config, &self.corpus)?, config, None)
    }

    fn evaluate_by(
        &self,
        retriever: Arc<dyn Retriever>,
        config: &Config,
        keep: Option<&Keep>,
    ) -> anyhow::Result<Evaluation> {
        let settings = &self.project.settings;
        let cut = Cut { k: config.k, depth: config.depth, recall_at: settings.recall_at.clone() };
        let header = self.header(config, &cut, retriever.as_ref());
        if retriever.is_baseline() {
            self.say_unknown_groups(retriever.name())?;
        }
        let askers = settings.askers();
        let request = |case: &Case| project::request(case, askers, config, config.depth);
        let requests = self.cases.iter().map(request).collect::<Result<Vec<_>, _>>()?;
        let mut keeping = keep.map(|keep| keep.open(&self.project, header.clone())).transpose()?;
        let mut slots = self.answered(keeping.as_mut().map_or_else(Vec::new, |keeping| take(&mut keeping.kept)), &cut);
        let mut foreign = Foreign::default();
        for (result, _) in slots.iter().flatten() {
            foreign.add(result, &self.outline.borrow())?;
        }
        let missing = requests.into_iter().enumerate().filter(|(at, _)| slots[*at].is_none());
        let ask = |(at, request)| Ask { at, case: self.cases[at].id.clone(), request };
        let ended = asking::ask(&config.name, retriever, missing.map(ask).collect(), &mut |at, answer| {
            if let Ok(answer) = &answer {
                self.look_up(answer)?;
            }
            let outcome = match &answer {
                Ok(answer) => Asking::Answered(answer),
                Err(reason) => Asking::Failed(reason),
            };
            let (result, case) = self.evaluate_one(at, &cut, outcome)?;
            if let (Some(case), Some(keeping)) = (&case, &mut keeping) {
                keeping.writer.add(case)?;
            }
            foreign.add(&result, &self.outline.borrow())?;
            slots[at] = case.map(|case| (result, case));
            Ok(())
        })?;
        if let Ended::Stopped(signal) = ended {
            let (done, total) = (slots.iter().flatten().count(), slots.len());
            let rest = keep.map_or("", Keep::rest);
            return Err(Stopped { signal, done, total, rest }.into());
        }
        let mut results = Vec::with_capacity(slots.len());
        let mut cases = Vec::with_capacity(slots.len());
        for (at, slot) in slots.into_iter().enumerate() {
            match slot {
                Some((result, case)) => {
                    results.push(result);
                    cases.push(case);
                }
                None => results.push(self.evaluate_one(at, &cut, Asking::NotRun)?.0),
            }
        }
        let summary = aggregate::summarize(&results, &cut, &settings.subset_order());
        foreign.refuse(&self.outline.borrow())?;
        let ids = cases.iter().map(|case| case.id.as_str());
        let header = keeping.map_or(Ok(header), |keeping| keeping.finish(ids))?;
        let run = Run { header, cases };
        let summary = self.with_bounds(summary, &results, &run);
        Ok(Evaluation { results, summary, run, holdout: None })
    }

    /// A place for what comes of each case, filled where `kept` has its answer.
    fn answered(&self, kept: Vec<RunCase>, cut: &Cut) -> Vec<Option<(CaseResult, RunCase)>> {
        let mut by_id: HashMap<String, RunCase> = kept.into_iter().map(|case| (case.id.clone(), case)).collect();
        let known = self.cases.iter().map(|case| by_id.remove(&case.id));
        let scored = |(known, case): (&Case, Option<RunCase>)| {
            let case = case?;
            Some((CaseResult { label_wrong: known.label_wrong.clone(), ..case.result(cut) }, case))
        };
        self.cases.iter().zip(known).map(scored).collect()
    }

    fn evaluate_one(&self, at: usize, cut: &Cut, outcome: Asking<'_>) -> anyhow::Result<(CaseResult, Option<RunCase>)> {
        let (case, resolved) = (&self.cases[at], &self.resolved[at]);
        let who = self.project.settings.askers().find(case.asker.as_deref())?;
        let asked = Asked { case, resolved, asker: &who, outline: &self.outline.borrow(), cut };
        let result = evaluate::evaluate(&asked, outcome);
        let kept = RunCase::new(&asked, &result);
        Ok((result, kept))
    }

    /// Looks up what an answer names and is not known yet, where the corpus is in an engine.
    pub(super) fn look_up(&self, answer: &Answer) -> anyhow::Result<()> {
        let ids: Vec<ChunkId> = answer.ids().cloned().collect();
        let more = self.corpus.lacking(&self.outline.borrow(), &ids)?;
        if !more.is_empty() {
            let grown = self.outline.borrow().and(&[], &more);
            self.outline.replace(grown);
        }
        Ok(())
    }

    /// Says once of whom the embedded retriever cannot know the groups, for then it gives less than production would.
    fn say_unknown_groups(&self, retriever: &str) -> anyhow::Result<()> {
        if self.told.replace(true) {
            return Ok(());
        }
        let mut unknown = BTreeSet::new();
        for case in &self.cases {
            let asker = self.project.settings.askers().find(case.asker.as_deref())?;
            unknown.extend(asker.groups.is_none().then(|| asker.label().to_owned()));
        }
        if !unknown.is_empty() {
            let them = if unknown.len() == 1 { "it" } else { "them" };
            let unknown = unknown.into_iter().collect::<Vec<_>>().join(", ");
            output::note(&format!(
                "caselight: the groups of {unknown} are not in the settings: `{retriever}` gives {them} what is for everybody only"
            ));
        }
        Ok(())
    }

    /// True if every case of the subset that may be asked was selected: a threshold says nothing of a part.
    pub(super) fn is_whole(&self, subset: &str) -> bool {
        let within = |case: &&Case| subset == gate::ALL || case.tags.iter().any(|tag| tag == subset);
        let shown = |case: &&Case| within(case) && !holdout::hides(&self.project, self.holdout, &case.id);
        self.project.store.cases().filter(shown).count() == self.cases.iter().filter(within).count()
    }

    /// Sets the thresholds of the settings beside the numbers, as the gate measures them.
    fn with_bounds(&self, summary: Summary, results: &[CaseResult], run: &Run) -> Summary {
        let gates = self.project.settings.gates.iter();
        let gates: Vec<Gate<'_>> =
            gates.map(|gate| Gate { subset: &gate.subset, thresholds: &gate.thresholds, baseline: None }).collect();
        let all = Allowed { errors: true, partial: true };
        let verdict = gate::check(&Evaluated { summary: &summary, results, run }, &gates, all);
        let held = verdict.held.iter().filter(|held| self.is_whole(&held.subset));
        let bounds = held.map(Bound::from).collect();
        summary.with_bounds(bounds)
    }

    /// What a run under `config` is made with.
    pub(super) fn header(&self, config: &Config, cut: &Cut, retriever: &dyn Retriever) -> Header {
        let started = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
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
            reach: retriever.reach(),
            cut: cut.clone(),
            cases: self.project.store.fingerprint(),
            labels: labels.finalize().to_hex().to_string(),
            // An unknown state is no other run's.
            corpus: self.corpus.fingerprint().unwrap_or_else(|| format!("unknown at {started}")),
            commit: commit(&self.project.folder),
            started,
        }
    }
}

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

#[cfg(test)]
mod tests;
