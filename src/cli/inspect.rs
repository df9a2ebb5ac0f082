//! `caselight inspect`

use std::{path::Path, sync::Arc};

use anyhow::{Context as _, bail};
use clap::ValueEnum;

use super::{Outcome, evaluation::Ready, holdout, output};
use crate::{
    casefile::edit::Edit,
    domain::{case::Case, nearest::nearest, ranking::Answer},
    eval::{
        compare::{self, Comparison, Move},
        diagnosis::{
            Evidence, diagnose_with,
            probe::{self, LeftOut},
        },
        evaluate::{self, Asked, CaseResult, Cut, Outcome as Asking, State},
        run::{Header, Run, RunCase},
    },
    project::{
        self, Project,
        probe::{Lab, experiment, means},
        results,
        settings::Config,
    },
    report::{
        inspect::{self as text, Against, View},
        json::inspect as json,
    },
    retriever::{
        Request, Retriever,
        run::{self, RunEvent},
    },
};

/// Ask one case, and say where its chunk was lost and by what evidence.
///
/// Where the retriever does not tell itself where a chunk was lost, a few more requests find out: deeper, without a stage that the
/// config can switch off, as an asker who may read everything, for the chunk's own words. Exits with 3 if the call failed.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The case's id.
    id: String,
    /// A run to set beside it: a baseline's name, a run's name, or a file.
    #[arg(long, value_name = "RUN")]
    against: Option<String>,
    /// The window's size, in place of the config's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    k: Option<u16>,
    /// Ask so many times, and say which ranks and verdicts are not the same each time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
    /// Ask nothing but the case's own question.
    #[arg(long)]
    no_probes: bool,
    /// Write into the case that its label is wrong, and why, in place of asking it; an empty text takes that back.
    #[arg(long, value_name = "REASON", conflicts_with_all = ["against", "k", "repeat", "no_probes", "format"])]
    label_wrong: Option<String>,
    #[command(flatten)]
    holdout: holdout::Access,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// For scripts: the case as `run` has it, every probe, and the other run.
    Json,
}

pub(super) fn run(arguments: &Arguments, folder: &Path, config: Option<&str>) -> anyhow::Result<Outcome> {
    if let Some(reason) = &arguments.label_wrong {
        return mark_wrong(folder, &arguments.id, reason);
    }
    let ready = Ready::open_case(folder, &arguments.id, arguments.holdout)?;
    let config = ready.config(config, arguments.k)?;
    let then = arguments.against.as_deref().map(|name| kept(&ready, name, &arguments.id)).transpose()?;
    let inspected = inspect(&ready, &config, arguments, then.as_ref())?;
    let opened =
        holdout::opened(&ready.project, arguments.holdout, &inspected.header, std::slice::from_ref(&inspected.result))?;
    let compared = then.as_ref().zip(inspected.kept.as_ref()).map(|(then, now)| then.beside(&inspected.header, now));
    let outline = ready.outline.borrow();
    let view = View {
        result: &inspected.result,
        evidence: &inspected.evidence,
        left_out: inspected.left_out,
        limit: (!arguments.no_probes).then_some(ready.project.settings.diagnosis.probes),
        problems: &ready.resolved[0].problems,
        outline: &outline,
        config: &config.name,
        retriever: &inspected.header.retriever,
        baseline: inspected.header.baseline,
        cut: &inspected.header.cut,
        against: then.as_ref().zip(compared.as_ref()).map(|(then, (comparison, moves))| Against {
            name: &then.name,
            then: &then.case,
            comparison,
            moves,
        }),
        repeats: &inspected.repeats,
    };
    output::print(&match arguments.format {
        Format::Table => text::text(&view),
        Format::Json => json::json(&view),
    })?;
    holdout::say(opened.as_deref(), matches!(arguments.format, Format::Table))?;
    let failed = std::iter::once(&inspected.result).chain(&inspected.repeats);
    let failed = failed.into_iter().any(|result| matches!(result.state, State::Error(_)));
    Ok(if failed { Outcome::CaseErrors } else { Outcome::Fine })
}

/// The case of another run.
struct Then {
    name: String,
    header: Header,
    case: RunCase,
}

impl Then {
    fn beside(&self, header: &Header, now: &RunCase) -> (Comparison, Vec<Move>) {
        let then = Run { header: self.header.clone(), cases: vec![self.case.clone()] };
        let now = Run { header: header.clone(), cases: vec![now.clone()] };
        (compare::compare(&then, &now), compare::moves(&then.cases[0], &now.cases[0]))
    }
}

fn kept(ready: &Ready, name: &str, id: &str) -> anyhow::Result<Then> {
    let stored = results::find(&ready.project, name)?;
    stored.notes.iter().for_each(|note| output::note(note));
    let case = stored.run.cases.into_iter().find(|case| case.id == id);
    let case =
        case.with_context(|| format!("the run {name} has no case `{id}`: it was made before, or of other cases"))?;
    Ok(Then { name: name.to_owned(), header: stored.run.header, case })
}

/// What came of asking.
struct Inspected {
    result: CaseResult,
    evidence: Evidence,
    left_out: LeftOut,
    /// The case as a run would keep it.
    kept: Option<RunCase>,
    repeats: Vec<CaseResult>,
    header: Header,
}

fn inspect(ready: &Ready, config: &Config, arguments: &Arguments, then: Option<&Then>) -> anyhow::Result<Inspected> {
    let settings = &ready.project.settings;
    let (case, resolved) = (&ready.cases[0], &ready.resolved[0]);
    let cut = Cut { k: config.k, depth: config.depth, recall_at: settings.recall_at.clone() };
    let who = settings.askers().find(case.asker.as_deref()).map_err(|error| project::ProjectError::Asker {
        place: case.place.clone(),
        case: case.id.clone(),
        error,
    })?;
    let retriever = project::retriever(settings, config, &ready.corpus)?;
    let header = ready.header(config, &cut, retriever.as_ref());
    let request = project::request(case, settings.askers(), config, config.depth)?;
    let requests = vec![request; usize::from(arguments.repeat)];
    let mut evidence = Evidence { probes: Vec::new(), baseline: then.and_then(|then| then.case.before(&then.name)) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let answers = runtime.block_on(answers(&retriever, requests));
    answers.iter().flatten().try_for_each(|answer| ready.look_up(answer))?;
    let outline = ready.outline.borrow();
    let asked = Asked { case, resolved, asker: &who, outline: &outline, cut: &cut };
    let mut left_out = LeftOut::default();
    if let (Some(Ok(answer)), false) = (answers.first(), arguments.no_probes || unsteady(&answers)) {
        let lab = Lab { settings, config, corpus: &ready.corpus, retriever: Arc::clone(&retriever) };
        runtime.block_on(experiment(&lab, &asked, Asking::Answered(answer), &mut evidence, &mut |_| {}));
        left_out = probe::left_out(&asked, Asking::Answered(answer), &means(settings, config), &evidence);
    }
    let evaluated: Vec<CaseResult> = answers.iter().map(|answer| evaluate::evaluate(&asked, asking(answer))).collect();
    let (Some(first), Some(answer)) = (evaluated.first(), answers.first()) else { bail!("the request was broken off") };
    let mut result = first.clone();
    result.diagnosis = diagnose_with(&asked, asking(answer), &evidence);
    let kept = RunCase::new(&asked, &result);
    let repeats = if evaluated.len() > 1 { evaluated } else { Vec::new() };
    Ok(Inspected { result, evidence, left_out, kept, repeats, header })
}

/// True if the retriever was asked more than once and did not return the same list each time. What another request then brings
/// proves nothing of what was changed in it.
fn unsteady(answers: &[Result<Answer, String>]) -> bool {
    let list = |answer: &Answer| answer.results.iter().map(|hit| hit.id.clone()).collect::<Vec<_>>();
    let mut lists = answers.iter().flatten().map(list);
    let first = lists.next();
    lists.any(|list| Some(list) != first)
}

fn asking(answer: &Result<Answer, String>) -> Asking<'_> {
    match answer {
        Ok(answer) => Asking::Answered(answer),
        Err(reason) => Asking::Failed(reason),
    }
}

/// The answers, one after the other, so that none of them slows another.
async fn answers(retriever: &Arc<dyn Retriever>, requests: Vec<Request>) -> Vec<Result<Answer, String>> {
    let mut answers = Vec::new();
    let mut events = run::start(Arc::clone(retriever), requests, 1);
    while let Some(event) = events.recv().await {
        if let RunEvent::Answered { result, .. } = event {
            answers.push(result.map_err(|error| error.to_string()));
        }
    }
    answers
}

/// Writes into the case why its label is wrong.
fn mark_wrong(folder: &Path, id: &str, reason: &str) -> anyhow::Result<Outcome> {
    let mut project = Project::open(folder)?;
    let case = known(&project, id)?;
    let reason = Some(reason.trim()).filter(|reason| !reason.is_empty()).map(str::to_owned);
    project.store.edit(&case, &Edit::SetLabelWrong(reason.clone()))?;
    let said = match reason {
        Some(reason) => format!("its label is marked wrong: {reason}"),
        None => "its label is no longer marked wrong".to_owned(),
    };
    output::print(&format!("{}\n", output::clean_lines(&format!("{}: case `{id}`: {said}", case.place))))?;
    Ok(Outcome::Fine)
}

fn known(project: &Project, id: &str) -> anyhow::Result<Case> {
    let near = || {
        let ids: Vec<String> = project.store.cases().map(|case| case.id.clone()).collect();
        nearest(id, &ids, 3).join(", ")
    };
    match project.store.case(id) {
        Some(case) => Ok(case.clone()),
        None if near().is_empty() => bail!("there is no case `{id}`"),
        None => bail!("there is no case `{id}`; the nearest: {}", near()),
    }
}
