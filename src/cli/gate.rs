//! `caselight gate`

use std::{collections::HashSet, path::Path, process::Command};

use anyhow::{Context as _, anyhow, bail};
use clap::ValueEnum;

use super::{
    Outcome,
    evaluation::{Evaluation, Ready, Selection},
    holdout, output,
};
use crate::{
    domain::{chunk::ChunkId, nearest::nearest},
    eval::{
        gate::{self, ALL, Allowed, Baseline, Claim, Evaluated, Failure, Gate, Metric, Threshold, Verdict, Warning},
        run::Run,
    },
    project::{
        SETTINGS, results,
        settings::{self, Config, Settings},
    },
    report::{gate as text, json::gate as json},
};

/// Ask the retriever every case and hold the numbers to the thresholds of the settings.
///
/// Each failure is a line on standard error that names the subset, the metric, its value, the threshold and the cases behind it.
/// Leaks, case errors and partial answers fail too. With a baseline (`no_regressions` in the settings, or --baseline), so does every case that
/// regressed against it. Exits with 0 if everything holds, 1 if something is below or leaked, 2 if nothing could be measured, 3 if
/// calls failed or answers were partial.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The window's size, in place of the config's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    k: Option<u16>,
    #[command(flatten)]
    selection: Selection,
    /// A threshold in place of the settings' own, as in recall@10=0.70 or negation:recall=0.5; may be given more than once.
    #[arg(long = "min", value_name = "[SUBSET:]METRIC=VALUE", value_parser = minimum)]
    minima: Vec<Minimum>,
    /// The run against which no case may have regressed, in place of those that the settings name.
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
    /// Print thresholds just below today's numbers, as a block for the settings.
    #[arg(long, conflicts_with_all = ["minima", "baseline", "format"])]
    suggest: bool,
    /// Let cases whose call failed pass; they are named all the same.
    #[arg(long)]
    allow_errors: bool,
    /// Let cases whose answer was partial pass; they are named all the same.
    #[arg(long)]
    allow_partial: bool,
    /// How to print the verdict.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// For people: each threshold with its value and the room left.
    Text,
    /// For scripts: the same, unrounded, with the cases behind each number.
    Json,
}

/// What `--min` says.
#[derive(Debug, Clone)]
struct Minimum {
    subset: String,
    threshold: Threshold,
}

/// What the run is held to.
struct Plan {
    gates: Vec<Planned>,
    /// What is not looked at, and why.
    warnings: Vec<Warning>,
}

/// A gate of the settings or of the command line, with the run that it is held against.
struct Planned {
    subset: String,
    thresholds: Vec<Threshold>,
    baseline: Option<(String, Run)>,
}

pub(super) fn run(arguments: &Arguments, folder: &Path, config: Option<&str>) -> anyhow::Result<Outcome> {
    let mut ready = Ready::open(folder, &arguments.selection)?;
    let config = ready.config(config, arguments.k)?;
    if arguments.suggest {
        return suggest(arguments, ready, &config);
    }
    let mut plan = plan(arguments, &ready)?;
    let thresholds: Vec<Threshold> = plan.gates.iter().flat_map(|gate| gate.thresholds.clone()).collect();
    let evaluation = evaluate(&mut ready, &config, &thresholds)?;
    let gates: Vec<Gate<'_>> = plan.gates.iter().map(Planned::gate).collect();
    let mut verdict = gate::check(&evaluated(&evaluation), &gates, arguments.allowed());
    verdict.warnings.append(&mut plan.warnings);
    print(&verdict, &evaluation, &ready, arguments.format)?;
    Ok(match verdict.claim() {
        Claim::Fine => Outcome::Fine,
        Claim::Below => Outcome::Below,
        Claim::CaseErrors => Outcome::CaseErrors,
        Claim::CouldNotRun => Outcome::CouldNotRun,
    })
}

impl Arguments {
    fn allowed(&self) -> Allowed {
        Allowed { errors: self.allow_errors, partial: self.allow_partial }
    }
}

impl Planned {
    fn gate(&self) -> Gate<'_> {
        Gate {
            subset: &self.subset,
            thresholds: &self.thresholds,
            baseline: self.baseline.as_ref().map(|(name, run)| Baseline { name, run }),
        }
    }
}

fn evaluated(evaluation: &Evaluation) -> Evaluated<'_> {
    Evaluated { summary: &evaluation.summary, results: &evaluation.results, run: &evaluation.run }
}

/// Evaluates with every K that a threshold holds, also where the settings' reports do not show it. Above depth nobody knows the
/// number, and the gate says so.
fn evaluate(ready: &mut Ready, config: &Config, thresholds: &[Threshold]) -> anyhow::Result<Evaluation> {
    let shown = &mut ready.project.settings.recall_at;
    for threshold in thresholds {
        if let Metric::RecallAt(k) = threshold.metric
            && k <= config.depth
            && !shown.contains(&k)
        {
            shown.push(k);
        }
    }
    ready.evaluate(config)
}

fn plan(arguments: &Arguments, ready: &Ready) -> anyhow::Result<Plan> {
    let settings = &ready.project.settings;
    let mut plan = Plan { gates: Vec::new(), warnings: Vec::new() };
    if arguments.minima.is_empty() {
        for gate in &settings.gates {
            plan.warnings.extend(all_hidden(ready, &gate.subset));
            if ready.is_whole(&gate.subset) {
                plan.gates.push(planned(arguments, ready, gate)?);
            } else {
                let skipped = format!("{}: not held, since not all of its cases were selected", gate.subset);
                plan.warnings.push(Warning::NotSeen(skipped));
            }
        }
        lowered(ready, &mut plan);
    } else {
        for Minimum { subset, threshold } in &arguments.minima {
            match plan.gates.iter_mut().find(|gate| &gate.subset == subset) {
                Some(gate) => gate.thresholds.push(*threshold),
                None => {
                    plan.gates.push(Planned { subset: subset.clone(), thresholds: vec![*threshold], baseline: None });
                }
            }
        }
    }
    if let Some(name) = &arguments.baseline {
        let baseline = Some((name.clone(), selected(ready, name)?));
        plan.gates.push(Planned { subset: ALL.to_owned(), thresholds: Vec::new(), baseline });
    }
    if plan.gates.is_empty() {
        let none = if settings.gates.is_empty() {
            format!("{} has no [gate.…]", settings.file.display())
        } else {
            "no gate has all of its cases selected".to_owned()
        };
        bail!(
            "{none}, so nothing would be held: name a threshold, as in `--min recall=0.70`, or let `caselight gate --suggest` \
             print a block for the settings"
        );
    }
    Ok(plan)
}

fn planned(arguments: &Arguments, ready: &Ready, gate: &settings::Gate) -> anyhow::Result<Planned> {
    let named = gate.no_regressions.as_ref().filter(|_| arguments.baseline.is_none());
    let baseline = match named {
        Some(named) => {
            let path = named.path.display().to_string();
            let run = selected(ready, &path)
                .with_context(|| format!("`no_regressions` of [gate.{}] is \"{}\"", gate.subset, named.written))?;
            Some((named.written.clone(), run))
        }
        None => None,
    };
    Ok(Planned { subset: gate.subset.clone(), thresholds: gate.thresholds.clone(), baseline })
}

/// Says why a subset looks empty that only holdout cases carry.
fn all_hidden(ready: &Ready, subset: &str) -> Option<Warning> {
    let mut within = ready.project.store.cases().filter(|case| case.tags.iter().any(|tag| tag == subset)).peekable();
    within.peek()?;
    let hidden = within.all(|case| holdout::hides(&ready.project, ready.holdout, &case.id));
    hidden.then(|| Warning::NotSeen(format!("{subset}: all of its cases are in the holdout, which is closed")))
}

/// A kept run without the cases that are there and were not selected, so that they do not count as gone.
fn selected(ready: &Ready, name: &str) -> anyhow::Result<Run> {
    let stored = results::find(&ready.project, name)?;
    stored.notes.iter().for_each(|note| output::note(note));
    let mut run = stored.run;
    let left_out: HashSet<&str> = {
        let selected: HashSet<&str> = ready.cases.iter().map(|case| case.id.as_str()).collect();
        ready.project.store.cases().map(|case| case.id.as_str()).filter(|id| !selected.contains(id)).collect()
    };
    run.cases.retain(|kept| !left_out.contains(kept.id.as_str()));
    Ok(run)
}

/// Warns of thresholds that are lower than in the last commit, or than in the commit that a baseline was made at.
fn lowered(ready: &Ready, plan: &mut Plan) {
    let mut since = vec![("HEAD".to_owned(), "the last commit".to_owned())];
    for (name, run) in plan.gates.iter().filter_map(|gate| gate.baseline.as_ref()) {
        if let Some(commit) = &run.header.commit
            && since.iter().all(|(known, _)| known != commit)
        {
            since.push((commit.clone(), format!("{name} was made")));
        }
    }
    let now = thresholds(&ready.project.settings);
    for (commit, words) in since {
        match settings_at(&ready.project.folder, &commit) {
            Ok(Some(before)) => {
                for warning in gate::lowered(&thresholds(&before), &now, &words) {
                    let told = |known: &Warning| match (known, &warning) {
                        (Warning::Lowered { subset: a, was: b, .. }, Warning::Lowered { subset: c, was: d, .. }) => {
                            (a, b.metric) == (c, d.metric)
                        }
                        _ => false,
                    };
                    if !plan.warnings.iter().any(told) {
                        plan.warnings.push(warning);
                    }
                }
            }
            Ok(None) => {}
            Err(error) => {
                let unseen = format!("whether a threshold was lowered since {words} is not known: {error}");
                plan.warnings.push(Warning::NotSeen(unseen));
            }
        }
    }
}

fn thresholds(settings: &Settings) -> Vec<(&str, &[Threshold])> {
    settings.gates.iter().map(|gate| (gate.subset.as_str(), gate.thresholds.as_slice())).collect()
}

/// The settings as a commit has them; `None` if that commit has none, or none that this version can read.
fn settings_at(folder: &Path, commit: &str) -> anyhow::Result<Option<Settings>> {
    // A run file is text from outside; nothing but a commit is handed on.
    if commit != "HEAD" && (commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        bail!("its commit is {commit}, which is none");
    }
    let git = |arguments: &[&str]| Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let known = git(&["cat-file", "-e", &format!("{commit}^{{commit}}")]).map_err(|_| anyhow!("git cannot be run"))?;
    if !known.status.success() {
        bail!("no git repository here has it");
    }
    let shown = git(&["show", &format!("{commit}:./{SETTINGS}")])?;
    let text = shown.status.success().then(|| String::from_utf8(shown.stdout).ok()).flatten();
    Ok(text.and_then(|text| Settings::parse(&text, &folder.join(SETTINGS)).ok()))
}

fn print(verdict: &Verdict, evaluation: &Evaluation, ready: &Ready, format: Format) -> anyhow::Result<()> {
    let header = &evaluation.run.header;
    let name = |id: &ChunkId| ready.outline.borrow().title(id);
    let view = text::View {
        verdict,
        results: &evaluation.results,
        config: &header.config,
        k: header.cut.k,
        baseline: header.baseline.then_some(header.retriever.as_str()),
        name: &name,
    };
    output::print(&match format {
        Format::Text => text::text(&view),
        Format::Json => json::json(&view),
    })?;
    holdout::say(evaluation.holdout.as_deref(), matches!(format, Format::Text))?;
    for line in text::failures(&view) {
        output::note(&line);
    }
    let regressed = verdict.failures.iter().find_map(|failure| match failure {
        Failure::Regressed { baseline, change, .. } => Some((baseline, &change.id)),
        _ => None,
    });
    if let Some((baseline, id)) = regressed {
        output::note(&format!("why: caselight inspect {id} --config {} --against {baseline}", header.config));
    }
    Ok(())
}

fn suggest(arguments: &Arguments, mut ready: Ready, config: &Config) -> anyhow::Result<Outcome> {
    let own = ready.project.settings.gates.clone();
    let standing: Vec<Threshold> = own.iter().flat_map(|gate| gate.thresholds.clone()).collect();
    let evaluation = evaluate(&mut ready, config, &standing)?;
    let counts = &evaluation.summary.counts;
    if counts.errors > 0 && !arguments.allow_errors {
        output::note(&format!(
            "caselight: {} calls failed, so the numbers are not those of all cases (--allow-errors suggests all the same)",
            counts.errors
        ));
        return Ok(Outcome::CaseErrors);
    }
    if counts.partial > 0 && !arguments.allow_partial {
        output::note(&format!(
            "caselight: {} answers were partial, so the numbers may be too low (--allow-partial suggests all the same)",
            counts.partial
        ));
        return Ok(Outcome::CaseErrors);
    }
    if counts.scored == 0 {
        bail!("nothing was scored: no case of this run is labeled and was answered");
    }
    let gates: Vec<Gate<'_>> =
        own.iter().map(|gate| Gate { subset: &gate.subset, thresholds: &gate.thresholds, baseline: None }).collect();
    let suggestions = gate::suggest(&evaluation.summary, &gates, &ready.project.settings.subset_order());
    let named = |gate: &'_ settings::Gate| Some((gate.subset.clone(), gate.no_regressions.as_ref()?.written.clone()));
    let named: Vec<(String, String)> = own.iter().filter_map(named).collect();
    let named: Vec<(&str, &str)> = named.iter().map(|(subset, run)| (subset.as_str(), run.as_str())).collect();
    output::print(&text::suggested(&suggestions, &named))?;
    holdout::say(evaluation.holdout.as_deref(), false)?;
    Ok(if counts.errors + counts.partial > 0 { Outcome::CaseErrors } else { Outcome::Fine })
}

/// Reads `recall@10=0.70` or `negation:recall=0.5`.
fn minimum(text: &str) -> Result<Minimum, String> {
    let (left, value) = text.rsplit_once('=').ok_or("expected METRIC=VALUE, as in recall@10=0.70")?;
    let (subset, metric) = left.rsplit_once(':').unwrap_or((ALL, left));
    if subset.is_empty() {
        return Err("the subset before `:` is empty".to_owned());
    }
    let metric = Metric::parse(metric).ok_or_else(|| {
        let near = nearest(metric, Metric::NAMES, 1).first().map(|near| format!("did you mean `{near}`?"));
        format!(
            "unknown metric `{metric}`: {}",
            near.unwrap_or_else(|| format!("expected one of {}", Metric::NAMES.join(", ")))
        )
    })?;
    if metric.at_most() {
        return Err(format!(
            "`{metric}` must not exceed its threshold, so it has no minimum; it stands in the settings"
        ));
    }
    let number = value.parse().ok().filter(|number: &f64| number.is_finite());
    let value = number.ok_or_else(|| format!("`{value}` is not a number"))?;
    let threshold = Threshold { metric, value };
    match threshold.refused(subset) {
        Some(expected) => Err(format!("{value} cannot be a threshold of {metric}: expected {expected}")),
        None => Ok(Minimum { subset: subset.to_owned(), threshold }),
    }
}
