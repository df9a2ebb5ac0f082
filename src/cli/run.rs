//! `caselight run`

use std::{path::Path, sync::Arc};

use anyhow::bail;
use clap::ValueEnum;

use super::{
    Outcome, index,
    output::{self, Unit},
};
use crate::{
    domain::{case::Case, outline::Outline, ranking::Answer, resolve::Resolved},
    eval::{
        aggregate,
        evaluate::{self, Asked, CaseResult, Cut, Outcome as Asking},
    },
    project::{self, Project, settings::Config},
    report::{Report, json, table},
    retriever::{
        Retriever,
        run::{self, RunEvent},
    },
};

/// Ask the retriever every case and report the numbers per subset.
///
/// Refuses to start while a reference does not resolve. Exits with 3 if a call failed, with 2 if nothing was scored.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The window's size, in place of the config's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    k: Option<u16>,
    /// Only cases that carry this tag; may be given more than once.
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only the case of this id; may be given more than once.
    #[arg(long = "case", value_name = "ID")]
    ids: Vec<String>,
    /// How to print the report.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// For people: the table, the misses, what to look at.
    Table,
    /// For scripts: every case with its results, and the numbers unrounded.
    Json,
}

pub(super) fn run(arguments: &Arguments, folder: &Path, config: Option<&str>) -> anyhow::Result<Outcome> {
    let project = Project::open(folder)?;
    let settings = &project.settings;
    let config = settings.config(config.unwrap_or(&settings.default_config))?;
    let config = arguments.k.map_or_else(|| config.clone(), |k| config.with_k(usize::from(k)));
    refuse_unreadable(&project)?;
    let cases = selected(&project, arguments)?;
    let index = Arc::new(index::open(settings)?);
    let outline = index.outline()?;
    let resolved = project::resolve_all(&cases, &outline);
    refuse_unresolved(&resolved)?;
    let retriever = project::retriever(settings, &config, &index);
    let answers = ask(&project, &config, Arc::clone(&retriever), &cases)?;
    let cut = Cut { k: config.k, depth: config.depth, recall_at: settings.recall_at.clone() };
    let mut results = Vec::with_capacity(cases.len());
    for ((case, resolved), answer) in cases.iter().zip(&resolved).zip(&answers) {
        results.push(result(&project, case, resolved, answer.as_ref(), &outline, &cut)?);
    }
    let summary = aggregate::summarize(&results, &cut, &settings.subset_order());
    let report = Report {
        config: &config.name,
        retriever: retriever.name(),
        baseline: retriever.is_baseline(),
        summary: &summary,
        results: &results,
    };
    if summary.counts.nothing_known() {
        let returned = results.iter().flat_map(|result| &result.results).take(2).map(|row| row.id.to_string());
        let known = outline.documents().iter().flat_map(|document| &document.chunks).take(2).map(|c| c.id.to_string());
        bail!(
            "the corpus knows none of the {} returned ids: the retriever returns {}, the corpus has {}",
            summary.counts.results,
            returned.collect::<Vec<_>>().join(", "),
            known.collect::<Vec<_>>().join(", ")
        );
    }
    output::print(&match arguments.format {
        Format::Table => table::table(&report),
        Format::Json => json::json(&report),
    })?;
    Ok(match (summary.counts.scored, summary.counts.errors) {
        (_, errors) if errors > 0 => Outcome::CaseErrors,
        (0, _) => {
            output::note("caselight: nothing was scored: no case here has both a label and an answer");
            Outcome::CouldNotRun
        }
        _ => Outcome::Fine,
    })
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
fn selected(project: &Project, arguments: &Arguments) -> anyhow::Result<Vec<Case>> {
    for id in &arguments.ids {
        if project.store.case(id).is_none() {
            bail!("there is no case `{id}`; `caselight check` counts the cases of every file");
        }
    }
    let wanted = |case: &&Case| {
        (arguments.ids.is_empty() || arguments.ids.contains(&case.id))
            && (arguments.tags.is_empty() || arguments.tags.iter().any(|tag| case.tags.contains(tag)))
    };
    let cases: Vec<Case> = project.store.cases().filter(wanted).cloned().collect();
    if cases.is_empty() {
        let files: Vec<String> = project.store.files().iter().map(|file| file.path.display().to_string()).collect();
        let why = if arguments.tags.is_empty() { "there are no cases" } else { "no case carries that tag" };
        bail!("{why} in {}", if files.is_empty() { "any file".to_owned() } else { files.join(", ") });
    }
    Ok(cases)
}

/// What came of asking one case; `None` for one that was not asked.
type Asked1 = Option<Result<Answer, String>>;

fn ask(
    project: &Project,
    config: &Config,
    retriever: Arc<dyn Retriever>,
    cases: &[Case],
) -> anyhow::Result<Vec<Asked1>> {
    let askers = project.settings.askers();
    let requests = cases.iter().map(|case| project::request(case, askers, config, config.depth));
    let requests = requests.collect::<Result<Vec<_>, _>>()?;
    let bar = output::bar(u64::try_from(cases.len())?, Unit::Cases);
    bar.set_message(config.name.clone());
    let mut answers: Vec<Asked1> = vec![None; cases.len()];
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

fn result(
    project: &Project,
    case: &Case,
    resolved: &Resolved,
    answer: Option<&Result<Answer, String>>,
    outline: &Outline,
    cut: &Cut,
) -> anyhow::Result<CaseResult> {
    let asker = project.settings.askers().find(case.asker.as_deref())?;
    let outcome = match answer {
        Some(Ok(answer)) => Asking::Answered(answer),
        Some(Err(reason)) => Asking::Failed(reason),
        None => Asking::NotRun,
    };
    Ok(evaluate::evaluate(&Asked { case, resolved, asker: &asker, outline, cut }, outcome))
}
