//! `caselight split`

use std::path::Path;

use anyhow::bail;
use clap::ValueEnum;

use super::{Outcome, holdout as access, output};
use crate::{
    domain::case::Case,
    eval::split::{Split, strata},
    project::{Project, holdout},
    report::{json::split as json, split as text},
};

/// Keep a share of the cases out of tuning, and show how the split falls on each tag.
///
/// The first time it writes `[split]` at the end of the settings; from then on it reports. Which side a case is on hangs on its id
/// and the seed alone, so a new case moves no other. What `run`, `gate`, `compare` and the screens show leaves the holdout out;
/// `--open-holdout` shows it, and holdout-ledger.jsonl beside the settings keeps each time.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The share of cases to tune on; 0.7 if no split says otherwise.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    train: Option<f64>,
    /// Which draw it is; 42 if no split says otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST))]
    seed: Option<u64>,
    /// Draw anew where there is a split: cases that were tuned on become holdout cases.
    #[arg(long)]
    again: bool,
    /// Show the split and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// How to print the split.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The largest seed that the settings can hold.
const MOST: u64 = i64::MAX.unsigned_abs();

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: each tag with its share.
    Text,
    /// For scripts: the same, with the ids of both sides.
    Json,
}

pub(super) fn run(arguments: &Arguments, folder: &Path) -> anyhow::Result<Outcome> {
    let project = Project::open(folder)?;
    let before = project.settings.split;
    let base = before.unwrap_or_default();
    let split = Split { train: arguments.train.unwrap_or(base.train), seed: arguments.seed.unwrap_or(base.seed) };
    let file = project.settings.file.display();
    let changes = before != Some(split);
    if let Some(before) = before.filter(|_| changes) {
        let moves = moves(&project, &before, &split);
        if !arguments.again {
            bail!(
                "{file} has a split already (train = {:?}, seed = {}); {moves}. `--again` draws anew all the same",
                before.train,
                before.seed
            );
        }
        output::note(&format!("caselight: another split: {moves}"));
    }
    let writes = changes && !arguments.dry_run;
    if writes {
        holdout::write_split(&project.settings.file, split)?;
    }
    let strata = strata(&split, project.store.cases(), &project.settings.subset_order());
    let ledger = holdout::ledger(&project.folder)?;
    if arguments.format == Format::Json {
        output::print(&json::json(&split, &strata, writes || !changes, ledger.openings.len()))?;
        return Ok(Outcome::Fine);
    }
    let state = match (writes, changes) {
        (true, _) if !project.settings.gates.is_empty() => format!(
            "written to {file}: commit it; gates are held over train cases from now on, and `caselight gate --suggest` prints \
             thresholds for them"
        ),
        (true, _) => format!("written to {file}: commit it"),
        (false, true) => format!("{file} is as it was: --dry-run writes nothing"),
        (false, false) => format!("in {file} already"),
    };
    let state = output::clean_lines(&state);
    output::print(&format!("{}\n{}{state}\n", text::text(&split, &strata), access::so_far(&ledger)))?;
    Ok(Outcome::Fine)
}

/// How many cases change sides, in words.
fn moves(project: &Project, before: &Split, after: &Split) -> String {
    let count = |from: &Split, to: &Split| {
        let kept_out = |case: &&Case| !from.is_holdout(&case.id) && to.is_holdout(&case.id);
        project.store.cases().filter(kept_out).count()
    };
    let (seen, given) = (count(before, after), count(after, before));
    let cases = |n: usize| if n == 1 { "1 case".to_owned() } else { format!("{n} cases") };
    format!(
        "{} of train would be holdout though what was tuned has seen them, {} of holdout would be train",
        cases(seen),
        cases(given)
    )
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "expected a share above 0 and below 1, as in 0.7".to_owned())
}
