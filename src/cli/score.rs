//! `caselight score`

mod kept;
mod ours;
mod trec_eval;

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use clap::ValueEnum;

use super::{Outcome, output};
use crate::{
    domain::outline::Outline,
    eval::evaluate::Cut,
    exchange::trec::Qrels,
    report::{Report, html, json, junit, markdown, table},
};

/// Score a ranking that somebody else produced: TREC judgments and a TREC run, or a run that Caselight kept.
///
/// QRELS has `topic iteration document grade`, RUN `topic Q0 document rank score name`. Each document with a grade of --grade or
/// more is one requirement of its topic. Results stand in the order of their ranks; where ranks are equal the higher score comes
/// first, then the greater id. A document that comes again keeps its place and is credited once. A topic without a line in RUN has
/// no results and is scored 0, see --missing; a topic without judgments is not scored.
///
/// RUN may be a run that Caselight kept, whose cases are the topics; alone, without QRELS, it is scored by its own labels.
///
/// With --trec-eval the numbers are trec_eval's, in its order and form: results stand by score, then by id, the greater first; a
/// document that comes again is an error; topics that are not in both files are left out of the means, and said.
#[expect(clippy::doc_markdown, reason = "this is help, which a terminal shows without Markdown")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The judgments and the run; or one run that Caselight kept.
    #[arg(required = true, num_args = 1..=2, value_names = ["QRELS", "RUN"])]
    files: Vec<PathBuf>,
    /// The lowest grade that makes a document supporting, or relevant.
    #[arg(long, short = 'l', value_name = "N", default_value_t = 1.0, value_parser = grade)]
    grade: f64,
    /// Take documents with a grade of 0 or less for distractors.
    #[arg(long, conflicts_with = "trec_eval")]
    distractors: bool,
    /// The window's size; of a run that Caselight kept, its own if this is not given, else 5.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "trec_eval")]
    k: Option<u16>,
    /// The Ks of recall@K.
    #[arg(long, value_name = "K,K", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "trec_eval")]
    recall_at: Option<Vec<u16>>,
    /// How many results of each topic count, at least k; without it as many as k and the Ks need.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "trec_eval")]
    depth: Option<u32>,
    /// What a judged topic is that has no line in RUN.
    #[arg(long, value_enum, default_value_t = Missing::NoResults, conflicts_with = "trec_eval")]
    missing: Missing,
    /// How to print the report.
    #[arg(long, value_enum, default_value_t = Format::Table, conflicts_with = "trec_eval")]
    format: Format,
    /// The numbers of trec_eval, in its form.
    #[arg(long)]
    trec_eval: bool,
    /// With --trec-eval: a measure as `trec_eval -m` takes it, `map`, `P.1,5`; may be given more than once.
    #[arg(long = "measure", short = 'm', value_name = "NAME", requires = "trec_eval")]
    measures: Vec<String>,
    /// With --trec-eval: each topic's values too.
    #[arg(long = "each-topic", short = 'q', requires = "trec_eval")]
    each_topic: bool,
    /// With --trec-eval: a judged topic without a line in RUN counts as 0.
    #[arg(long, short = 'c', requires = "trec_eval")]
    complete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Missing {
    /// It was asked and nothing came back: scored 0.
    NoResults,
    /// It was not asked: not scored, and counted.
    NotRun,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// For scripts: every topic with its results, and the numbers unrounded.
    Json,
    /// For the comment on a pull request.
    Markdown,
    /// For a CI.
    Junit,
    /// One page for a browser.
    Html,
}

fn grade(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|grade: &f64| grade.is_finite())
        .ok_or_else(|| "a grade is a number, as 1 or 0.5".to_owned())
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.files[..] {
        [qrels, run] => {
            let is_kept = is_kept(run)?;
            let qrels = Qrels::read(qrels)?;
            match (arguments.trec_eval, is_kept) {
                (true, true) => bail!("--trec-eval takes a TREC run, and {} is one that Caselight kept", run.display()),
                (true, false) => trec_eval::run(arguments, &qrels, run),
                (false, true) => kept::judged(arguments, &qrels, run),
                (false, false) => ours::run(arguments, &qrels, run),
            }
        }
        [run] if is_kept(run)? => {
            if arguments.trec_eval {
                bail!("--trec-eval takes judgments and a TREC run: `caselight score --trec-eval QRELS RUN`");
            }
            kept::alone(arguments, run)
        }
        [file, ..] => bail!(
            "{} alone cannot be scored: it is no run that Caselight kept; `caselight score QRELS RUN` takes judgments and a run",
            file.display()
        ),
        [] => bail!("`caselight score QRELS RUN` takes judgments and a run"),
    }
}

/// True for a run that Caselight kept.
fn is_kept(path: &Path) -> anyhow::Result<bool> {
    const BEGINNING: &[u8] = b"{\"caselight_run\"";
    let mut beginning = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    // What can be read only once is not looked into.
    if file.metadata()?.is_file() {
        file.take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
    }
    Ok(beginning == BEGINNING)
}

impl Arguments {
    /// Where lists are cut, `unasked` where nothing else is said.
    fn cut(&self, unasked: &Cut) -> Cut {
        let k = self.k.map_or(unasked.k, usize::from);
        let recall_at = self.recall_at.as_ref().map_or_else(
            || unasked.recall_at.clone(),
            |ks| {
                let mut ks: Vec<usize> = ks.iter().copied().map(usize::from).collect();
                ks.sort_unstable();
                ks.dedup();
                ks
            },
        );
        let needed = recall_at.iter().copied().max().unwrap_or(0).max(k);
        let depth = match self.depth {
            Some(depth) => usize::try_from(depth).unwrap_or(usize::MAX).max(k),
            None => needed.max(unasked.depth),
        };
        Cut { k, depth, recall_at }
    }
}

/// Prints the report and, after it or beside it, what else there is to know.
fn print(arguments: &Arguments, report: &Report<'_>, notes: &[String]) -> anyhow::Result<Outcome> {
    let outline = Outline::default();
    let said = output::clean_lines(&notes.join("\n"));
    output::print(&match arguments.format {
        Format::Table if said.is_empty() => table::table(report),
        Format::Table => format!("{}\n{said}\n", table::table(report)),
        Format::Json => json::json(report),
        Format::Markdown => markdown::markdown(report, &outline),
        Format::Junit => junit::junit(report, &outline),
        Format::Html => html::html(report, &outline),
    })?;
    if arguments.format != Format::Table {
        for note in notes {
            output::note(note);
        }
    }
    if report.summary.counts.scored == 0 {
        output::note("caselight: nothing was scored: no topic has both a supporting document and a place in the run");
        return Ok(Outcome::CouldNotRun);
    }
    Ok(Outcome::Fine)
}

/// `1 topic`, `2 topics`.
fn topics(n: usize) -> String {
    if n == 1 { "1 topic".to_owned() } else { format!("{n} topics") }
}

/// So many of them by name.
fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 6;
    let names: Vec<&str> = names.into_iter().collect();
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(" "))
}
