//! A gate for people: each threshold with its value and the room left, each failure as one line, and thresholds to copy.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::{decimals, flags, plural};
use crate::{
    domain::{chunk::ChunkId, text::clean},
    eval::{
        evaluate::CaseResult,
        gate::{Failure, Held, Line, Metric, PERMISSION_NARROW, Room, Suggestion, Threshold, Verdict, Warning},
        stats::TOO_FEW,
    },
    report::compare,
};

/// A gate's verdict, ready to be shown.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The verdict.
    pub verdict: &'a Verdict,
    /// The cases that it is on, for why their calls failed.
    pub results: &'a [CaseResult],
    /// The config's name.
    pub config: &'a str,
    /// The window's size.
    pub k: usize,
    /// The retriever's name, if it is the embedded one: a baseline, not production.
    pub baseline: Option<&'a str>,
    /// Turns a chunk into words.
    pub name: &'a dyn Fn(&ChunkId) -> String,
}

/// Every threshold with its value, whatever else fails, and whether the gate passes; with a final line end.
#[must_use]
pub fn text(view: &View<'_>) -> String {
    let View { verdict, config, k, baseline, .. } = *view;
    let mut out = String::new();
    line(&mut out, &format!("gate — config: {config}, k={k}"));
    let width = |text: fn(&Held) -> String| verdict.held.iter().map(|held| text(held).width()).max().unwrap_or(0);
    let (subsets, metrics) = (width(|held| held.subset.clone()), width(|held| held.threshold.metric.to_string()));
    for (at, held) in verdict.held.iter().enumerate() {
        if at == 0 {
            line(&mut out, "");
        }
        let mark = if held.met() { "ok  " } else { "FAIL" };
        let (subset, metric) = (pad(&held.subset, subsets), pad(&held.threshold.metric.to_string(), metrics));
        line(&mut out, &format!("{mark} {subset}  {metric}  {}  {}", relation(held), aside(held)));
    }
    let others: Vec<String> = verdict.failures.iter().flat_map(|failure| beside(failure, view)).collect();
    for (at, other) in others.iter().enumerate() {
        if at == 0 && verdict.held.is_empty() {
            line(&mut out, "");
        }
        line(&mut out, other);
    }
    for (at, warning) in verdict.warnings.iter().enumerate() {
        if at == 0 {
            line(&mut out, "");
        }
        self::warning(warning, view).lines().for_each(|text| line(&mut out, text));
    }
    line(&mut out, "");
    let failures = match verdict.failures.len() {
        0 => "passes".to_owned(),
        1 => "fails: 1 reason".to_owned(),
        n => format!("fails: {n} reasons"),
    };
    line(&mut out, &failures);
    if let Some(retriever) = baseline {
        line(&mut out, &format!("retriever {retriever}: baseline, not production"));
    }
    out
}

/// Each reason why the gate fails: a line of its own, and for a regressed case what it did below it.
#[must_use]
pub fn failures(view: &View<'_>) -> Vec<String> {
    view.verdict.failures.iter().map(|failure| self::failure(failure, view)).collect()
}

/// The lines of the list on a failure that is not one of its thresholds, so that the list alone says why the gate fails.
fn beside(failure: &Failure, view: &View<'_>) -> Vec<String> {
    let count = |what: &str, n: usize, cases: &str| format!("FAIL {what}  {n} > 0  {cases}");
    match failure {
        Failure::Threshold(_) => Vec::new(),
        Failure::Leaks { leaks } => vec![count("leaks", leaks.len(), &flags::first(&failure.cases()))],
        Failure::Partial { cases } => vec![count("partial answers", cases.len(), &flags::first(&failure.cases()))],
        Failure::Errors { cases } => {
            let head = count("failed calls", cases.len(), &flags::first(&failure.cases()));
            std::iter::once(head).chain(reasons(view).into_iter().map(|reason| format!("     {reason}"))).collect()
        }
        Failure::Regressed { subset, baseline, change } => {
            vec![format!("FAIL {subset}: regressed against {baseline}: {}", change.id)]
        }
        _ => vec![format!("FAIL {}", self::failure(failure, view))],
    }
}

/// Why calls failed, each reason with its cases.
fn reasons(view: &View<'_>) -> Vec<String> {
    let failed = flags::failed(view.results).into_iter();
    failed.map(|(reason, cases)| clean(&format!("{reason}: {}", flags::first(&cases))).into_owned()).collect()
}

/// The same below a line that ends there.
fn below(view: &View<'_>) -> String {
    reasons(view).iter().flat_map(|reason| ["\n  ", reason]).collect()
}

/// A failure as one line; a regressed case has the lines of a comparison below it, and failed calls their reasons.
#[must_use]
pub fn failure(failure: &Failure, view: &View<'_>) -> String {
    let name = view.name;
    let text = match failure {
        Failure::Threshold(held) => {
            let always = if held.implied { " (always: what an asker may read has no tolerance)" } else { "" };
            format!("{}: {} {}{always}", held.subset, held.threshold.metric, relation(held))
        }
        Failure::NoCases { subset, cases: 0 } => format!("{subset}: the gate names it, and no case carries it"),
        Failure::NoCases { subset, cases } => format!("{subset}: none of its {} is scored", plural(*cases, "case")),
        Failure::Unmeasured { subset, metric: Metric::RecallAt(k), depth } => format!(
            "{subset}: recall@{k} needs the first {k} results, and {depth} are asked for: set the config's `depth` to {k}"
        ),
        Failure::Unmeasured { subset, metric, .. } => format!("{subset}: {metric} is not known: nothing answered"),
        Failure::Leaks { leaks } => {
            let which: Vec<String> = leaks.iter().map(|(case, chunk)| format!("{case} {}", name(chunk))).collect();
            let text = format!("leaks: {} that the asker may not read: ", plural(leaks.len(), "result"));
            return clean(&(text + &which.join(", "))).into_owned();
        }
        Failure::Partial { cases } => format!(
            "partial: {} may lack what a whole one has (--allow-partial lets them pass)",
            plural(cases.len(), "answer")
        ),
        Failure::Errors { cases } => {
            let text = format!("errors: {} failed (--allow-errors lets them pass)", plural(cases.len(), "call"));
            return format!("{text}: {}{}", clean(&flags::first(&failure.cases())), below(view));
        }
        Failure::NothingScored { cases } => {
            format!("nothing was scored: of {}, none is labeled and was answered", plural(*cases, "case"))
        }
        Failure::Regressed { subset, baseline, change } => {
            let details = compare::details(change, name);
            return format!("{}: regressed against {}:\n{}", clean(subset), clean(baseline), details.trim_end());
        }
        Failure::OtherK { baseline, was, is } => {
            format!("{baseline} was made with k={was}, this run with k={is}: they do not compare; make a new baseline")
        }
        Failure::NoPairs { baseline, subset } => {
            format!("{subset}: no case is scored both in {baseline} and in this run, so nothing is held to it")
        }
    };
    let cases = failure.cases();
    let behind = if cases.is_empty() { String::new() } else { format!(": {}", cases.join(" ")) };
    clean(&format!("{text}{behind}")).into_owned()
}

/// A warning as one line; failed calls have their reasons below it.
#[must_use]
pub fn warning(warning: &Warning, view: &View<'_>) -> String {
    let text = match warning {
        Warning::ErrorsAllowed { cases } => {
            let ids: Vec<&str> = cases.iter().map(String::as_str).collect();
            let text = format!("warning: {} failed, which is allowed here", plural(cases.len(), "call"));
            return format!("{text}: {}{}", clean(&flags::first(&ids)), below(view));
        }
        Warning::PartialAllowed { cases } => {
            let were = if cases.len() == 1 { "was" } else { "were" };
            format!("{} {were} partial, which is allowed here: {}", plural(cases.len(), "answer"), cases.join(" "))
        }
        Warning::ScopeUnknown { unknown, results } => {
            format!("leaks: not known: scope unknown for {unknown} of {}", plural(*results, "result"))
        }
        Warning::Redefined { baseline, cases } => format!(
            "not held to {baseline}, since labels, question or asker are others: {}; a new baseline holds them",
            cases.join(" ")
        ),
        Warning::OtherCorpus { baseline } => format!("the corpus is not that of {baseline}"),
        Warning::OnlyInBaseline { baseline, cases } => {
            format!("in {baseline} and no longer here: {}", cases.join(" "))
        }
        Warning::Lowered { subset, was, is, since } => {
            let word = if was.metric.at_most() { "raised" } else { "lowered" };
            let from = bound(*was);
            match is {
                Some(is) => {
                    let to = bound(Threshold { value: *is, ..*was });
                    format!("{subset}: the threshold of {} was {word} from {from} to {to} since {since}", was.metric)
                }
                None => format!("{subset}: the threshold of {}, {from}, was taken away since {since}", was.metric),
            }
        }
        Warning::NotSeen(what) => what.clone(),
    };
    clean(&format!("warning: {text}")).into_owned()
}

/// A threshold in one line: `recall 0.67 < 0.70, n=31, 95 % interval 0.50–0.81`.
#[must_use]
pub fn standing(held: &Held) -> String {
    format!("{} {}, {}", held.threshold.metric, relation(held), aside(held))
}

/// `0.67 < 0.70`: with as many decimals as it takes to see which is less.
pub(super) fn relation(held: &Held) -> String {
    let threshold = held.threshold;
    let sign = match (held.met(), threshold.metric.at_most()) {
        (true, false) => ">=",
        (true, true) => "<=",
        (false, false) => "<",
        (false, true) => ">",
    };
    let whole = threshold.metric == Metric::DistractorAbove;
    let limit = bound(threshold);
    let shown = |places: usize| if whole { decimals(held.value, 0) } else { decimals(held.value, places) };
    let places = limit.split_once('.').map_or(0, |(_, digits)| digits.len());
    let tells = |places: &usize| held.met() || decimals(held.value, *places) != decimals(threshold.value, *places);
    let places = (places..12).find(tells).unwrap_or(12);
    format!("{} {sign} {limit}", shown(places))
}

/// A bound with at least two decimals, or more where it has more; a count of cases as it is, milliseconds with one.
fn bound(threshold: Threshold) -> String {
    let written = threshold.value.to_string();
    let least = match threshold.metric {
        Metric::DistractorAbove => return written,
        Metric::LatencyP50 | Metric::LatencyP95 => 1,
        _ => 2,
    };
    let places = written.split_once('.').map_or(0, |(_, digits)| digits.len());
    if places > least { written } else { format!("{:.least$}", threshold.value) }
}

/// What is left before it fails, and how far so few cases can be trusted.
fn aside(held: &Held) -> String {
    let Held { threshold, n, .. } = held;
    let mut parts = vec![format!("n={n}")];
    parts.extend(held.room().map(|room| match (room, threshold.metric) {
        (Room::Cases(0), _) => "none more allowed".to_owned(),
        (Room::Cases(more), Metric::DistractorAbove) => format!("{more} more allowed"),
        (Room::Cases(1), _) => "1 more miss allowed".to_owned(),
        (Room::Cases(more), _) => format!("{more} more misses allowed"),
        (Room::Margin(by), Metric::LatencyP50 | Metric::LatencyP95) => format!("{} ms left", decimals(by, 1)),
        (Room::Margin(by), _) => format!("{} left", decimals(by, 3)),
    }));
    if let Some(interval) = held.interval {
        parts.push(format!("95 % interval {}–{}", decimals(interval.low, 2), decimals(interval.high, 2)));
    }
    if *n < TOO_FEW {
        parts.push("too few to tell".to_owned());
    }
    if held.implied {
        parts.push("always held".to_owned());
    }
    parts.join(", ")
}

/// Thresholds as a block for the settings. `no_regressions` are the gates' own lines of that name, by subset.
#[must_use]
pub fn suggested(suggestions: &[Suggestion], no_regressions: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (at, suggestion) in suggestions.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let named: Vec<&str> =
            no_regressions.iter().filter(|(subset, _)| *subset == suggestion.subset).map(|(_, run)| *run).collect();
        let none = named.is_empty() && suggestion.lines.iter().all(Line::holds_nothing);
        line(&mut out, &format!("{}[gate.{}]", if none { "# " } else { "" }, key(&suggestion.subset)));
        for held @ Line { threshold, today, n, stands } in &suggestion.lines {
            let name = key(&threshold.metric.to_string());
            if held.holds_nothing() {
                let today = today.map_or_else(|| "not known".to_owned(), |today| decimals(today, 4));
                line(&mut out, &format!("# {name}: today {today} (n={n}); a threshold of 0 would hold nothing"));
                continue;
            }
            let today = today.map_or_else(
                || "stands; not a number to cut close".to_owned(),
                |today| {
                    let whole = threshold.metric == Metric::DistractorAbove;
                    let value = decimals(today, if whole { 0 } else { 4 });
                    let no_tolerance = suggestion.subset == PERMISSION_NARROW && threshold.metric.is_recall();
                    let why = match (stands, no_tolerance) {
                        (true, _) => ", which does not reach it: it is not lowered",
                        (false, true) => ": no tolerance",
                        (false, false) => "",
                    };
                    format!("today {value} (n={n}){why}")
                },
            );
            line(&mut out, &format!("{name} = {}  # {today}", bound(*threshold)));
        }
        for written in named {
            line(&mut out, &format!("no_regressions = {}", quoted(written)));
        }
    }
    out
}

/// A TOML key, in quotes where it has to be.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if crate::domain::text::visible(c).is_some() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", clean(text).trim_end());
}

#[cfg(test)]
mod tests;
