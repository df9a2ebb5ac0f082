//! The report as Markdown, fit for the comment on a pull request: what to know at a glance, the rest folded away.
//!
//! Written for GitHub's flavor. Text of cases and of the corpus cannot become a table's bar, a link, a tag or a mention.

mod escape;

use std::fmt::Write as _;

pub(super) use self::escape::{code, escape};
use super::{
    Report, decimals, flags, marked_wrong, missing,
    table::{counts, empty, plural, three},
    title, verdict,
};
use crate::{
    domain::outline::Outline,
    eval::{
        aggregate::{Reason, Subset, Summary},
        evaluate::CaseResult,
        stats::{Interval, TOO_FEW},
    },
};

/// So many entries of a list are shown: a comment on GitHub ends at 65,536 characters.
const MOST: usize = 50;

/// The whole report; `outline` gives chunks their titles.
#[must_use]
pub fn markdown(report: &Report<'_>, outline: &Outline) -> String {
    let Report { summary, results, .. } = report;
    let mut out = headline(report);
    subsets(&mut out, summary);
    misses(&mut out, summary);
    if let Some(wrong) = marked_wrong(results) {
        line(&mut out, format_args!("\n{}", escape(&wrong)));
    }
    if let Some(reading) = &summary.reading {
        line(&mut out, format_args!("\n{}", escape(&reading.explain())));
    }
    details(&mut out, "recall@K, latency, counts", &figures(summary));
    let look: Vec<&CaseResult> = results.iter().filter(|result| result.needs_a_look()).collect();
    if !look.is_empty() {
        let title = format!("{} a look, each with its verdict", needs(look.len()));
        details(&mut out, &title, &verdicts(&look, outline));
    }
    out
}

fn headline(report: &Report<'_>) -> String {
    let summary = report.summary;
    let mut out = match &summary.all.numbers {
        Some(numbers) => {
            let (recall, mrr) = (decimals(numbers.recall, 2), decimals(numbers.mrr, 2));
            format!("## Retrieval: recall {recall}, mrr {mrr} over {}\n\n", plural(summary.all.n, "scored case"))
        }
        None => "## Retrieval: nothing was scored\n\n".to_owned(),
    };
    let (config, retriever) = (code(report.config), code(report.retriever));
    let baseline = if report.baseline { ": **baseline, not production**" } else { "" };
    line(&mut out, format_args!("Config {config}, k = {}, retriever {retriever}{baseline}", summary.cut.k));
    let mut alarm = |n: usize, what: &str| {
        if n > 0 {
            line(&mut out, format_args!("\n**{}**", plural(n, what)));
        }
    };
    alarm(summary.counts.leaks, "leaked result");
    alarm(summary.counts.errors, "error");
    let counts = &summary.counts;
    let flags =
        [flags::lost(counts), flags::partial(counts), flags::not_in_corpus(counts), flags::scope_unknown(counts)];
    for said in flags.into_iter().flatten() {
        line(&mut out, format_args!("\n**{}**", escape(&said)));
    }
    out
}

fn subsets(out: &mut String, summary: &Summary) {
    out.push_str("\n| subset | n | recall | 95 % | mrr | precision | completeness | distractor↑ | |\n");
    out.push_str("| :--- | ---: | ---: | :---: | ---: | ---: | ---: | ---: | :--- |\n");
    let rows = || std::iter::once(&summary.all).chain(&summary.subsets);
    for row in rows() {
        line(out, format_args!("{}", subset(row)));
    }
    if rows().any(|row| row.n > 0 && row.too_few()) {
        line(out, format_args!("\n\\* below {TOO_FEW} cases: too few to tell"));
    }
    let marked = summary.subsets.iter().filter(|row| !row.marks.is_empty());
    for (at, row) in marked.enumerate() {
        let reasons: Vec<String> = row.marks.iter().map(Reason::explain).collect();
        let before = if at == 0 { "\n" } else { "" };
        line(out, format_args!("{before}- ⚠️ **{}**: {}", escape(&row.name), escape(&reasons.join("; "))));
    }
}

fn subset(row: &Subset) -> String {
    let name = escape(&row.name);
    let (Some(numbers), Some(Interval { low, high })) = (&row.numbers, row.recall_interval()) else {
        return format!("| {name} | {} | – | – | – | – | – | – | {} |", row.n, empty(row));
    };
    let two = |value: f64| decimals(value, 2);
    let few = if row.too_few() { " \\*" } else { "" };
    let mark = if row.marks.is_empty() { "" } else { "⚠️" };
    format!(
        "| {name} | {} | {} | {}–{}{few} | {} | {} of {} | {} | {} | {mark} |",
        row.n,
        two(numbers.recall),
        two(low),
        two(high),
        two(numbers.mrr),
        two(numbers.precision),
        two(numbers.precision_ceiling),
        two(numbers.completeness),
        numbers.distractor_above,
    )
}

fn misses(out: &mut String, summary: &Summary) {
    let n = summary.misses.len();
    if n == 0 {
        return;
    }
    let noun = if n == 1 { "total miss" } else { "total misses" };
    line(out, format_args!("\n### {n} {noun}: no supporting chunk in the first {}\n", summary.misses_within));
    for miss in summary.misses.iter().take(MOST) {
        line(out, format_args!("- {} {}", code(&miss.id), escape(&miss.question)));
    }
    more(out, n);
}

fn figures(summary: &Summary) -> String {
    let mut out = String::new();
    if let Some(numbers) = &summary.all.numbers {
        let at = numbers.recall_at.iter().map(|(k, value)| format!("recall@{k} {}", three(*value)));
        let mrr = format!("MRR@{} {}", summary.cut.max_k(), three(numbers.mrr_at_max));
        line(&mut out, format_args!("{}\n", at.chain([mrr]).collect::<Vec<_>>().join(" · ")));
    }
    if let Some(latency) = summary.latency {
        let [p50, p95] = [latency.p50, latency.p95].map(|duration| duration.as_secs_f64() * 1000.0);
        line(&mut out, format_args!("latency p50 {p50:.1} ms, p95 {p95:.1} ms (n={})\n", latency.n));
    }
    let mut said = String::new();
    counts(&mut said, &summary.counts);
    for said in said.lines() {
        line(&mut out, format_args!("- {}", escape(said)));
    }
    out
}

fn verdicts(results: &[&CaseResult], outline: &Outline) -> String {
    let mut out = "| case | question | tags | verdict |\n| :--- | :--- | :--- | :--- |\n".to_owned();
    for result in results.iter().take(MOST) {
        let leaked = result.leaked().map(|row| format!("leaked: {} (rank {})", title(outline, &row.id), row.rank));
        let partial = result.partial.iter().map(|why| format!("partial answer: {why}"));
        let said = leaked.chain(partial).chain([verdict(result, outline)]).chain(missing(result, outline));
        let said: Vec<String> = said.map(|sentence| escape(&sentence)).collect();
        let tags: Vec<String> = result.tags.iter().map(|tag| escape(tag)).collect();
        let (id, question) = (code(&result.id), escape(&result.question));
        line(&mut out, format_args!("| {id} | {question} | {} | {} |", tags.join(", "), said.join("<br>")));
    }
    more(&mut out, results.len());
    out
}

fn needs(n: usize) -> String {
    if n == 1 { "1 case needs".to_owned() } else { format!("{n} cases need") }
}

fn more(out: &mut String, n: usize) {
    if n > MOST {
        line(out, format_args!("\n… and {} more: `caselight run` lists them all", n - MOST));
    }
}

/// A folded part. The blank lines make GitHub read what is between as Markdown.
fn details(out: &mut String, title: &str, content: &str) {
    line(out, format_args!("\n<details><summary>{title}</summary>\n\n{}\n\n</details>", content.trim_end()));
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests;
