//! `caselight compare`

use std::path::Path;

use anyhow::{Context as _, bail};
use clap::ValueEnum;

use super::{
    Outcome,
    evaluation::{Ready, Selection},
    holdout, index, output,
};
use crate::{
    corpus::Corpus,
    domain::{chunk::ChunkId, outline::Outline},
    eval::{
        compare::{Comparison, compare},
        run::{Run, RunOutcome},
    },
    project::{Project, results},
    report::{compare as text, json::compare as json},
};

/// Compare two runs or configs: which cases improved or regressed, and which stage is why.
///
/// A and B are each a config of the settings, which is asked now, or a kept run by its file or name. Cases are paired by id.
/// A case improved if its recall rose, or if its mrr rose by more than 0.1 at the same recall; regressed likewise. Exits with 1
/// if a case regressed, with 2 if the two do not compare fairly (another k, corpus, label or question), with 3 if calls failed.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The run or config before.
    a: String,
    /// The run or config after.
    b: String,
    /// Only cases that carry this tag; may be given more than once.
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[command(flatten)]
    holdout: holdout::Access,
    /// Compare all the same where k, the corpus, a label or a question is not the same in both.
    #[arg(long)]
    allow_different: bool,
    /// How to print the comparison.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// For people: the cases by name, and why each of them changed.
    Text,
    /// For scripts: `improved`, `regressed`, `net`, and each case's metrics and ranks.
    Json,
}

pub(super) fn run(arguments: &Arguments, folder: &Path, config: Option<&str>) -> anyhow::Result<Outcome> {
    if config.is_some() {
        bail!("`compare` takes its configs as A and B, as in `caselight compare keyword hybrid`");
    }
    let project = Project::open(folder)?;
    let (a, b, outline) = sides(&project, arguments, folder)?;
    let comparison = compare(&a, &b);
    let name = |id: &ChunkId| outline.as_ref().map_or_else(|| id.to_string(), |outline| outline.title(id));
    refuse_different(&comparison, arguments, &name)?;
    let view = text::View { comparison: &comparison, a: &arguments.a, b: &arguments.b, name: &name };
    output::print(&match arguments.format {
        Format::Text => text::text(&view),
        Format::Json => json::json(&view),
    })?;
    if let Some(change) = comparison.regressed.first() {
        let is_config = |name: &str| project.settings.configs.iter().any(|config| config.name == name);
        let against = if is_config(&arguments.a) { String::new() } else { format!(" --against {}", arguments.a) };
        // A kept run may be of a config that is no more.
        if is_config(&b.header.config) {
            output::note(&format!("why: caselight inspect {} --config {}{against}", change.id, b.header.config));
        }
    }
    if failed(&a) || failed(&b) {
        return Ok(Outcome::CaseErrors);
    }
    if comparison.pairs == 0 {
        output::note("caselight: nothing to compare: no case is scored in both");
        return Ok(Outcome::CouldNotRun);
    }
    Ok(if comparison.regressed.is_empty() { Outcome::Fine } else { Outcome::Below })
}

/// Both runs, and the corpus for the names of chunks, where it can be opened.
fn sides(project: &Project, arguments: &Arguments, folder: &Path) -> anyhow::Result<(Run, Run, Option<Outline>)> {
    // Kept runs are read first: a name that is wrong should not cost a run.
    let read = |name: &str| {
        let is_config = project.settings.configs.iter().any(|config| config.name == name);
        if is_config { Ok(None) } else { kept(project, name, arguments).map(Some) }
    };
    match (read(&arguments.a)?, read(&arguments.b)?) {
        (Some(a), Some(b)) => {
            // Two kept runs compare without their corpus, but for what its chunks are called.
            let outline = index::open(&project.settings).ok().and_then(|corpus| titles(&corpus, &[&a, &b]).ok());
            Ok((a, b, outline))
        }
        (a, b) => {
            let ready = Ready::open(
                folder,
                &Selection { tags: arguments.tags.clone(), ids: Vec::new(), holdout: arguments.holdout },
            )?;
            let side = |kept: Option<Run>, name: &str| {
                if let Some(run) = kept {
                    return Ok::<_, anyhow::Error>(run);
                }
                let evaluation = ready.evaluate(&ready.config(Some(name), None)?)?;
                holdout::say(evaluation.holdout.as_deref(), false)?;
                Ok(evaluation.run)
            };
            let (a, b) = (side(a, &arguments.a)?, side(b, &arguments.b)?);
            Ok((a, b, Some(ready.outline.into_inner())))
        }
    }
}

/// The corpus, or of one in an engine the chunks that the runs name.
fn titles(corpus: &Corpus, runs: &[&Run]) -> anyhow::Result<Outline> {
    let outline = corpus.outline(&[])?;
    let cases = || runs.iter().flat_map(|run| &run.cases);
    let labels = cases().flat_map(|case| case.labels.needed.iter().flatten().chain(&case.labels.distractors));
    let results = cases().flat_map(|case| match &case.outcome {
        RunOutcome::Answered { results, .. } => results.as_slice(),
        RunOutcome::Failed(_) => &[],
    });
    let ids: Vec<ChunkId> = labels.chain(results.map(|hit| &hit.id)).cloned().collect();
    let more = corpus.lacking(&outline, &ids)?;
    Ok(if more.is_empty() { outline } else { outline.and(&[], &more) })
}

/// A kept run, with the cases that carry one of the tags asked for; all of them without any.
fn kept(project: &Project, name: &str, arguments: &Arguments) -> anyhow::Result<Run> {
    let stored = results::find(project, name).with_context(|| {
        let configs: Vec<&str> = project.settings.configs.iter().map(|config| config.name.as_str()).collect();
        format!("`{name}` is no config of {}, which has {}", project.settings.file.display(), configs.join(", "))
    })?;
    stored.notes.iter().for_each(|note| output::note(note));
    let mut run = stored.run;
    let tags = &arguments.tags;
    run.cases.retain(|case| tags.is_empty() || case.tags.iter().any(|tag| tags.contains(tag)));
    holdout::kept(project, arguments.holdout, name, &mut run)?;
    Ok(run)
}

fn failed(run: &Run) -> bool {
    run.cases.iter().any(|case| matches!(case.outcome, RunOutcome::Failed(_)))
}

fn refuse_different(
    comparison: &Comparison,
    arguments: &Arguments,
    name: &dyn Fn(&ChunkId) -> String,
) -> anyhow::Result<()> {
    if comparison.comparable() || arguments.allow_different {
        return Ok(());
    }
    let bars = comparison.differences.iter().filter(|difference| difference.bars());
    let reasons: Vec<String> = bars.map(|difference| format!("  {}", difference.explain(name))).collect();
    bail!(
        "{} and {} do not compare fairly (--allow-different compares them all the same):\n{}",
        arguments.a,
        arguments.b,
        reasons.join("\n")
    )
}
