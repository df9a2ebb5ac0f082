//! `caselight run`

use std::path::Path;

use clap::ValueEnum;

use super::{
    Outcome,
    evaluation::{Ready, Selection},
    holdout, output,
};
use crate::report::{json, table};

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
    let ready = Ready::open(folder, &arguments.selection)?;
    let evaluation = ready.evaluate(&ready.config(config, arguments.k)?)?;
    let report = evaluation.report();
    output::print(&match arguments.format {
        Format::Table => table::table(&report),
        Format::Json => json::json(&report),
    })?;
    holdout::say(evaluation.holdout.as_deref(), matches!(arguments.format, Format::Table))?;
    Ok(match (evaluation.summary.counts.scored, evaluation.summary.counts.errors) {
        (_, errors) if errors > 0 => Outcome::CaseErrors,
        (0, _) => {
            output::note("caselight: nothing was scored: no case of this run is labeled and was answered");
            Outcome::CouldNotRun
        }
        _ => Outcome::Fine,
    })
}
