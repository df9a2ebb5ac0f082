//! The report as a table for people: subsets, recall@K, latency, the total misses, and where to look.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

pub(super) use super::plural;
use super::{Report, decimals, flags, marked_wrong};
use crate::{
    domain::text::clean,
    eval::{
        aggregate::{Counts, Reason, Subset, Summary},
        evaluate::CaseResult,
        stats::{Interval, TOO_FEW},
    },
};

/// The whole report, with a final line end. Text of cases is made safe for a terminal.
#[must_use]
pub fn table(report: &Report<'_>) -> String {
    let Report { summary, .. } = report;
    let mut out = format!(
        "retrieval eval — {}, config: {}, k={}\n\n",
        plural(summary.counts.cases, "case"),
        clean(report.config),
        summary.cut.k
    );
    subsets(&mut out, summary);
    recall_at(&mut out, summary);
    if let Some(latency) = summary.latency {
        let ms = |duration: std::time::Duration| duration.as_secs_f64() * 1000.0;
        let (p50, p95) = (ms(latency.p50), ms(latency.p95));
        line(&mut out, format_args!("\nlatency   p50 {p50:.1} ms, p95 {p95:.1} ms  (n={})", latency.n));
    }
    misses(&mut out, summary);
    out.push('\n');
    counts(&mut out, &summary.counts);
    named(&mut out, report.results);
    if let Some(wrong) = marked_wrong(report.results) {
        line(&mut out, format_args!("{}", clean(&wrong)));
    }
    if let Some(reading) = &summary.reading {
        line(&mut out, format_args!("\n{}", clean(&reading.explain())));
    }
    if report.baseline {
        line(&mut out, format_args!("\nretriever {}: baseline, not production", clean(report.retriever)));
    }
    out
}

/// What is printed where a K lies above depth.
const UNKNOWN: &str = "–";
/// The width of the subset column; a longer name widens it.
const NAME: usize = 18;

fn subsets(out: &mut String, summary: &Summary) {
    let rows = || std::iter::once(&summary.all).chain(&summary.subsets);
    let width = rows().map(|row| clean(&row.name).width() + 1).max().unwrap_or(0).max(NAME);
    line(out, format_args!("{}  n   recall   mrr   prec   compl   distractor↑", pad("subset", width)));
    for row in rows() {
        let name = pad(&clean(&row.name), width);
        match &row.numbers {
            Some(numbers) => {
                let two = |value: f64| decimals(value, 2);
                let (recall, mrr) = (two(numbers.recall), two(numbers.mrr));
                let (precision, completeness) = (two(numbers.precision), two(numbers.completeness));
                let above = numbers.distractor_above;
                let mark = if row.marks.is_empty() { "" } else { "  ⚠️" };
                let n = row.n;
                line(
                    out,
                    format_args!("{name}{n:>3}{recall:>8}{mrr:>7}{precision:>7}{completeness:>8}{above:>10}{mark}"),
                );
            }
            None => line(out, format_args!("{name}{:>3}    {}", row.n, empty(row))),
        }
    }
    let marked = summary.subsets.iter().filter(|row| !row.marks.is_empty());
    for (at, row) in marked.enumerate() {
        let reasons: Vec<String> = row.marks.iter().map(Reason::explain).collect();
        let before = if at == 0 { "\n" } else { "" };
        line(out, format_args!("{before}⚠️ {}: {}", clean(&row.name), reasons.join("; ")));
    }
    intervals(out, summary, width);
    if let Some(numbers) = &summary.all.numbers {
        let (precision, ceiling) = (decimals(numbers.precision, 2), decimals(numbers.precision_ceiling, 2));
        line(out, format_args!("\nprecision {precision} of at most {ceiling}"));
    }
}

fn intervals(out: &mut String, summary: &Summary, width: usize) {
    if summary.all.n == 0 {
        return;
    }
    line(out, format_args!("\nrecall with its 95 % interval; below {TOO_FEW} cases it is too few to tell"));
    for row in std::iter::once(&summary.all).chain(&summary.subsets) {
        if let (Some(numbers), Some(Interval { low, high })) = (&row.numbers, row.recall_interval()) {
            let name = pad(&clean(&row.name), width);
            let [recall, low, high] = [numbers.recall, low, high].map(|value| decimals(value, 2));
            let few = if row.too_few() { "  too few to tell" } else { "" };
            line(out, format_args!("{name}   {recall}  {low} to {high}{few}"));
        }
    }
}

/// Why a subset has no numbers.
pub(super) fn empty(row: &Subset) -> String {
    if row.cases == 0 { "no cases".to_owned() } else { format!("none of {} scored", plural(row.cases, "case")) }
}

fn recall_at(out: &mut String, summary: &Summary) {
    let Some(numbers) = &summary.all.numbers else { return };
    out.push('\n');
    for (k, value) in &numbers.recall_at {
        line(out, format_args!("recall@{k}  {}", three(*value)));
    }
    let name = format!("MRR@{}", summary.cut.max_k());
    line(out, format_args!("{name:<10}{}", three(numbers.mrr_at_max)));
    // recall@10 is what the subsets are read by; where it is not asked for, the deepest K stands in.
    let ks = || numbers.recall_at.iter().map(|(k, _)| *k);
    let Some(k) = ks().find(|k| *k == 10).or_else(|| ks().max()) else { return };
    let width = summary.subsets.iter().map(|row| clean(&row.name).width()).max().unwrap_or(0).max(12);
    for row in &summary.subsets {
        if let Some(numbers) = &row.numbers {
            let name = pad(&clean(&row.name), width);
            line(out, format_args!("  {name} recall@{k} {}  (n={})", three(numbers.recall_at(k)), row.n));
        }
    }
}

fn misses(out: &mut String, summary: &Summary) {
    if summary.misses.is_empty() {
        return;
    }
    let n = summary.misses.len();
    let noun = if n == 1 { "total miss" } else { "total misses" };
    line(out, format_args!("\n{n} {noun} (no supporting chunk in the first {}):", summary.misses_within));
    for miss in &summary.misses {
        line(out, format_args!("  {}  {}", clean(&miss.id), clean(miss.question.trim())));
    }
}

/// One line with every count that is not 0, and one for each kind of result that should not be there.
pub(super) fn counts(out: &mut String, counts: &Counts) {
    let unanswerable = counts.unanswerable_clean + counts.unanswerable_distracted;
    let mut parts = vec![format!("{} scored", counts.scored)];
    let mut part = |n: usize, words: String| {
        if n > 0 {
            parts.push(words);
        }
    };
    part(counts.no_results, format!("{} of them with no results (scored 0)", counts.no_results));
    part(counts.errors, format!("{} (not scored)", plural(counts.errors, "error")));
    part(counts.broken, format!("{} with a broken label", counts.broken));
    part(counts.unlabeled, format!("{} unlabeled", counts.unlabeled));
    let (quiet, distracted) = (counts.unanswerable_clean, counts.unanswerable_distracted);
    part(unanswerable, format!("{unanswerable} unanswerable ({quiet} clean, {distracted} distracted)"));
    part(counts.not_run, format!("{} not run", counts.not_run));
    line(out, format_args!("{}: {}", plural(counts.cases, "case"), parts.join(", ")));
    if counts.leaks > 0 {
        line(out, format_args!("{} that the asker may not read (leaked)", plural(counts.leaks, "result")));
    }
    if counts.repeats > 0 {
        line(out, format_args!("{} of a chunk that stands above already", plural(counts.repeats, "repeat")));
    }
    let flags =
        [flags::not_in_corpus(counts), flags::scope_unknown(counts), flags::partial(counts), flags::lost(counts)];
    for said in flags.into_iter().flatten() {
        line(out, format_args!("{}", clean(&said)));
    }
}

/// The failed calls, the leaks and the partial answers by their cases.
fn named(out: &mut String, results: &[CaseResult]) {
    for (at, (reason, cases)) in flags::failed(results).into_iter().enumerate() {
        if at == 0 {
            line(out, format_args!("\nfailed:"));
        }
        line(out, format_args!("  {}\n    {}", clean(reason), clean(&flags::first(&cases))));
    }
    for (at, (result, row)) in flags::leaked(results).enumerate() {
        if at == 0 {
            line(out, format_args!("\nleaked:"));
        }
        let (id, asker, chunk) = (clean(&result.id), clean(&result.asker), row.id.to_string());
        line(out, format_args!("  {id}  {} (rank {}, asked as {asker})", clean(&chunk), row.rank));
    }
    for (at, (result, why)) in flags::partly_answered(results).enumerate() {
        if at == 0 {
            line(out, format_args!("\npartial:"));
        }
        line(out, format_args!("  {}  {}", clean(&result.id), clean(why)));
    }
}

pub(super) fn three(value: Option<f64>) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| decimals(value, 3))
}

/// Fills up to `width` columns, which a format width counts as characters.
fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests;
