//! `caselight coverage`

use std::path::Path;

use clap::ValueEnum;
use jiff::{Timestamp, civil::Date, tz::Offset};

use super::{Outcome, index, output};
use crate::{
    domain::case::Case,
    eval::coverage::{self, Target},
    project::{self, Project, settings::Settings},
    report::coverage::{json, markdown, text},
};

/// Say what the cases cover, what they leave out, and which of them are doubtful.
///
/// Counts cases by label, source, age and subset, each subset against its target in the settings; lists tags that stand together,
/// tags that the case does not bear out, labeled cases without a tag, questions made of their own answer's words, and documents
/// without any case. Asks no retriever.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The day that ages are told from, as 2026-11-30; without it, today by UTC.
    #[arg(long, value_name = "DATE", value_parser = day)]
    as_of: Option<Date>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For scripts: everything, unshortened.
    Json,
    /// For an issue or the comment on a pull request.
    Markdown,
}

pub(super) fn run(arguments: &Arguments, folder: &Path) -> anyhow::Result<Outcome> {
    let project = Project::open(folder)?;
    let cases: Vec<Case> = project.store.cases().cloned().collect();
    let outline = index::open(&project.settings)?.outline(&cases)?;
    let resolved = project::resolve_all(&cases, &outline);
    let as_of = arguments.as_of.unwrap_or_else(|| Offset::UTC.to_datetime(Timestamp::now()).date());
    let mut coverage = coverage::coverage(&cases, &resolved, &outline, &targets(&project.settings), as_of);
    coverage.counts.unreadable = project.store.problems().len();
    output::print(&match arguments.format {
        Format::Text => text(&coverage),
        Format::Json => json(&coverage),
        Format::Markdown => markdown(&coverage),
    })?;
    Ok(Outcome::Fine)
}

/// The known subsets in the order in which they are shown, each with the target that the settings set.
fn targets(settings: &Settings) -> Vec<Target> {
    let target = |name: &str| settings.subsets.iter().find(|subset| subset.name == name)?.target;
    settings.subset_order().into_iter().map(|name| Target { name: name.to_owned(), cases: target(name) }).collect()
}

fn day(text: &str) -> Result<Date, String> {
    text.parse().map_err(|_| "expected a day as 2026-11-30".to_owned())
}
