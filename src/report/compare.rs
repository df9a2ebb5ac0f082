//! A comparison for people: what differs, which cases improved and regressed, and why each of them did.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::{decimals, flags, table::plural};
use crate::{
    domain::{chunk::ChunkId, text::clean},
    eval::compare::{Change, Comparison, Difference, Flagged, Means, Unscored},
};

/// A comparison, ready to be shown.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The comparison.
    pub comparison: &'a Comparison,
    /// What the reader called the first run.
    pub a: &'a str,
    /// What the reader called the second run.
    pub b: &'a str,
    /// Turns a chunk into words.
    pub name: &'a dyn Fn(&ChunkId) -> String,
}

/// The whole comparison, with a final line end. Text of cases is made safe for a terminal.
#[must_use]
pub fn text(view: &View<'_>) -> String {
    let View { comparison, a, b, .. } = *view;
    let mut out = String::new();
    line(&mut out, &format!("comparison: {a} -> {b}"));
    for difference in &comparison.differences {
        // The headline says it already.
        if !matches!(difference, Difference::Config(was, is) if was == a && is == b) {
            let bars = if difference.bars() { " (not comparable)" } else { "" };
            line(&mut out, &format!("differs: {}{bars}", difference.explain(view.name)));
        }
    }
    line(&mut out, "");
    line(&mut out, &ids("improved   ", &comparison.improved));
    line(&mut out, &ids("regressed  ", &comparison.regressed));
    let sign = if comparison.net() > 0 { "+" } else { "" };
    line(&mut out, &format!("net: {sign}{}", comparison.net()));
    for change in comparison.regressed.iter().chain(&comparison.improved) {
        line(&mut out, "");
        out.push_str(&details(change, view.name));
    }
    pairs(&mut out, comparison);
    for (side, flagged) in [("A", &comparison.flagged_a), ("B", &comparison.flagged_b)] {
        flagged_in(&mut out, side, flagged, view.name);
    }
    out
}

/// The lines on one case: its question, what its metrics did, and why.
#[must_use]
pub fn details(change: &Change, name: &dyn Fn(&ChunkId) -> String) -> String {
    let mut out = String::new();
    let id = clean(&change.id);
    line(&mut out, &format!("{id}  \"{}\"", change.question.trim()));
    let indent = " ".repeat(id.width() + 2);
    let mut row = |text: &str| line(&mut out, &format!("{indent}{text}"));
    row(&metrics(change));
    if let Some(why) = &change.why {
        row(&format!("{}.", why.sentence(name)));
    }
    if change.redefined {
        row("Its labels, its question or its asker are others.");
    }
    let told = change.why.as_ref().map(|why| &why.chunk);
    for other in change.moves.iter().filter(|other| Some(&other.chunk) != told && other.a.rank != other.b.rank) {
        let place = |rank: Option<usize>| rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        let chunk = name(&other.chunk);
        row(&format!("{} {chunk}: {} -> {}", other.mark.word(), place(other.a.rank), place(other.b.rank)));
    }
    out
}

fn metrics(change: &Change) -> String {
    let (a, b) = (&change.a, &change.b);
    let two = |value: f64| decimals(value, 2);
    let mut parts =
        vec![format!("recall {} -> {}", a.recall, b.recall), format!("mrr {} -> {}", two(a.mrr), two(b.mrr))];
    if two(a.completeness) != two(b.completeness) {
        parts.push(format!("completeness {} -> {}", two(a.completeness), two(b.completeness)));
    }
    if a.distractor_above != b.distractor_above {
        let word = |above: bool| if above { "yes" } else { "no" };
        parts.push(format!("distractor↑ {} -> {}", word(a.distractor_above), word(b.distractor_above)));
    }
    parts.join(", ")
}

fn ids(title: &str, changes: &[Change]) -> String {
    let ids: Vec<&str> = changes.iter().map(|change| change.id.as_str()).collect();
    format!("{title}({}): {}", changes.len(), ids.join(" "))
}

/// What the comparison is over, and what so many cases can show.
fn pairs(out: &mut String, comparison: &Comparison) {
    let Comparison { only_a, only_b, .. } = comparison;
    line(out, "");
    let mut counts = vec![format!("{} paired", comparison.pairs)];
    if comparison.unchanged() > 0 {
        counts.push(format!("{} unchanged", comparison.unchanged()));
    }
    let alone = [("A", only_a), ("B", only_b)];
    let alone = || alone.iter().filter(|(_, ids)| !ids.is_empty());
    counts.extend(alone().map(|(side, ids)| format!("{} only in {side}", ids.len())));
    let quiet = comparison.unscored.iter().filter(|case| !case.matters()).count();
    if quiet > 0 {
        counts.push(format!("{quiet} scored in neither"));
    }
    line(out, &counts.join(", "));
    for (side, ids) in alone() {
        line(out, &format!("only in {side} ({}): {}", ids.len(), ids.join(" ")));
    }
    unscored(out, comparison);
    for (metric, means) in [("recall", &comparison.recall), ("mrr", &comparison.mrr)] {
        if let Some(means) = means {
            line(out, &mean(metric, means));
        }
    }
    line(out, &comparison.finding.to_string());
}

/// Which cases are not scored in both, by what they came to, and why calls failed.
fn unscored(out: &mut String, comparison: &Comparison) {
    let mut by_way: Vec<((&str, &str), Vec<&str>)> = Vec::new();
    for Unscored { id, a, b } in comparison.unscored.iter().filter(|case| case.matters()) {
        match by_way.iter_mut().find(|(way, _)| *way == (*a, *b)) {
            Some((_, cases)) => cases.push(id),
            None => by_way.push(((a, b), vec![id])),
        }
    }
    for ((a, b), cases) in by_way {
        line(out, &format!("not scored in both: {} ({a} -> {b})", flags::first(&cases)));
    }
    for (side, flagged) in [("A", &comparison.flagged_a), ("B", &comparison.flagged_b)] {
        let failed = flagged.failed.iter().map(|(case, reason)| (case.as_str(), reason.as_str()));
        for (reason, cases) in flags::by_reason(failed) {
            line(out, &format!("failed in {side}: {reason}: {}", flags::first(&cases)));
        }
    }
}

/// Leaks, unknown scopes and partial answers of one side; nothing is said of leaks where there are none for certain.
fn flagged_in(out: &mut String, side: &str, flagged: &Flagged, name: &dyn Fn(&ChunkId) -> String) {
    let Flagged { leaks, scope_unknown, results, partial, .. } = flagged;
    if !leaks.is_empty() {
        let which: Vec<String> = leaks.iter().map(|(case, chunk)| format!("{case} {}", name(chunk))).collect();
        let noun = plural(leaks.len(), "result");
        line(out, &format!("leaks in {side}: {noun} that the asker may not read: {}", which.join(", ")));
    }
    if *scope_unknown > 0 {
        let of = plural(*results, "result");
        line(out, &format!("scope unknown in {side} for {scope_unknown} of {of}: whether they leaked is not known"));
    }
    if !partial.is_empty() {
        let noun = plural(partial.len(), "answer");
        line(out, &format!("partial in {side}: {noun}, scored as they came: {}", partial.join(" ")));
    }
}

fn mean(metric: &str, means: &Means) -> String {
    let signed = |value: f64| {
        let value = if value.abs() < 0.0005 { 0.0 } else { value };
        let sign = if value > 0.0 {
            "+"
        } else if value < 0.0 {
            "-"
        } else {
            ""
        };
        format!("{sign}{}", decimals(value.abs(), 3))
    };
    let interval = means.interval.map_or_else(String::new, |interval| {
        format!(" (95 % interval {} to {})", signed(interval.low), signed(interval.high))
    });
    let (a, b) = (decimals(means.a, 3), decimals(means.b, 3));
    format!("{metric} of the pairs {a} -> {b}: {}{interval}", signed(means.b - means.a))
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", clean(text).trim_end());
}

#[cfg(test)]
mod tests;
