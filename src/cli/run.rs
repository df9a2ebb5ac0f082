//! `caselight run`

use std::path::Path;

use clap::ValueEnum;

use super::{
    Outcome,
    evaluation::{Evaluation, Ready, Selection},
    holdout,
    keep::Keep,
    output,
};
use crate::{
    eval::noise::{self, Noise},
    report::{self, html, json, junit, markdown, table},
};

/// Ask the retriever every case and report the numbers per subset.
///
/// Refuses to start while a reference does not resolve. Exits with 3 if a call failed, with 2 if nothing was scored.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The window's size, in place of the config's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    k: Option<u16>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    keep: Keep,
    /// Ask every case so many times, and say which of them do not come out the same. The report is of the first time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "resume")]
    repeat: u16,
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
    /// For the comment on a pull request.
    Markdown,
    /// For a CI, which shows the failing cases.
    Junit,
    /// One page for a browser, with plots.
    Html,
}

pub(super) fn run(arguments: &Arguments, folder: &Path, config: Option<&str>) -> anyhow::Result<Outcome> {
    let ready = Ready::open(folder, &arguments.selection)?;
    let config = ready.config(config, arguments.k)?;
    let evaluation = ready.evaluate_and_keep(&config, Some(&arguments.keep))?;
    let again = (1..arguments.repeat).map(|_| ready.evaluate_again(&config)).collect::<Result<Vec<_>, _>>()?;
    let report = evaluation.report();
    let repeats: Vec<&Evaluation> = std::iter::once(&evaluation).chain(&again).collect();
    let noise = (repeats.len() > 1).then(|| noise(&repeats));
    output::print(&match (arguments.format, &noise) {
        (Format::Table, None) => table::table(&report),
        (Format::Table, Some(noise)) => format!("{}\n{}", table::table(&report), report::noise::text(noise)),
        (Format::Json, None) => json::json(&report),
        (Format::Json, Some(noise)) => json::repeated(&report, noise),
        (Format::Markdown, _) => markdown::markdown(&report, &ready.outline.borrow()),
        (Format::Junit, _) => junit::junit(&report, &ready.outline.borrow()),
        (Format::Html, _) => html::html(&report, &ready.outline.borrow()),
    })?;
    holdout::say(evaluation.holdout.as_deref(), matches!(arguments.format, Format::Table))?;
    let errors = repeats.iter().map(|repeat| repeat.summary.counts.errors).sum::<usize>();
    Ok(outcome(evaluation.summary.counts.scored, errors))
}

/// An error is the higher claim: with it nobody knows what would have been scored.
fn outcome(scored: usize, errors: usize) -> Outcome {
    match (scored, errors) {
        (_, 1..) => Outcome::CaseErrors,
        (0, 0) => {
            output::note("caselight: nothing was scored: no case of this run is labeled and was answered");
            Outcome::CouldNotRun
        }
        _ => Outcome::Fine,
    }
}

fn noise(repeats: &[&Evaluation]) -> Noise {
    let repeats: Vec<_> = repeats.iter().map(|repeat| (repeat.results.as_slice(), &repeat.summary)).collect();
    noise::noise(&repeats)
}
