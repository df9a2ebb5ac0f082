//! Coverage as Markdown, fit for an issue or the comment on a pull request.

use std::fmt::Write as _;

use super::{MOST, UNKNOWN, about_easy, shared, warnings};
use crate::{
    eval::coverage::{Coverage, Enough},
    report::{
        markdown::{code, escape},
        table::plural,
    },
};

/// The whole report, with a final line end.
#[must_use]
pub fn markdown(coverage: &Coverage) -> String {
    let Coverage { counts, ages, .. } = coverage;
    let mut out = format!("## Coverage: {}, as of {}\n", plural(counts.cases, "case"), coverage.as_of);
    for (at, warning) in warnings(coverage).iter().enumerate() {
        let before = if at == 0 { "\n" } else { "" };
        line(&mut out, format_args!("{before}- ⚠️ {}", escape(warning)));
    }
    line(
        &mut out,
        format_args!(
            "\n{} labeled, {} unlabeled, {} unanswerable",
            counts.labeled, counts.unlabeled, counts.unanswerable
        ),
    );
    line(&mut out, format_args!("\n{} this week, {} this month, {} older", ages.week, ages.month, ages.older));
    for (n, what) in [(ages.later, "added later than that day"), (ages.unknown, "of which the day is not known")] {
        if n > 0 {
            line(&mut out, format_args!("\n{} {what}", plural(n, "case")));
        }
    }
    out.push_str("\n| subset | cases | labeled | target | |\n| :--- | ---: | ---: | ---: | :--- |\n");
    for row in &coverage.subsets {
        let target = row.target.map_or_else(|| "–".to_owned(), |target| target.to_string());
        let state = match row.enough() {
            Enough::Empty => "**empty**".to_owned(),
            Enough::Thin { lacks } => format!("lacks {lacks}"),
            Enough::Enough => String::new(),
        };
        let name = escape(&row.name);
        line(&mut out, format_args!("| {name} | {} | {} | {target} | {state} |", row.cases, row.labeled));
    }
    out.push_str("\n| source | cases | too easy |\n| :--- | ---: | ---: |\n");
    for row in &coverage.sources {
        let name = row.source.map_or_else(|| "not said".to_owned(), |source| escape(source.as_str()));
        line(&mut out, format_args!("| {name} | {} | {} of {} |", row.cases, row.easy, row.compared));
    }
    let pairs = coverage.together.pairs();
    let pairs: Vec<String> = pairs.iter().map(|(a, b, n)| format!("{} + {}: {n}", escape(a), escape(b))).collect();
    details(&mut out, &counted("tags that stand together", &pairs), &pairs);
    let contradictions = coverage.contradictions.iter();
    let contradictions = contradictions
        .map(|found| format!("{}: {}, but {}", code(&found.case), escape(found.doubt.tag()), found.doubt.explain()));
    let contradictions: Vec<String> = contradictions.collect();
    details(&mut out, &counted("tags that the case does not bear out", &contradictions), &contradictions);
    let untagged: Vec<String> = coverage.untagged.iter().map(|id| code(id)).collect();
    details(&mut out, &counted("labeled, without a tag: no subset shows them", &untagged), &untagged);
    let easy = coverage.easy.iter();
    let easy: Vec<String> =
        easy.map(|easy| format!("{} {}: {}", code(&easy.case), shared(easy), escape(&easy.question))).collect();
    details(&mut out, &counted(&format!("artificially easy: {}", about_easy()), &easy), &easy);
    let forgotten: Vec<String> = coverage.forgotten.iter().map(|name| escape(name)).collect();
    match coverage.documents {
        Some(all) => {
            let title = format!("{} of {} without any case", forgotten.len(), plural(all, "document"));
            details(&mut out, &title, &forgotten);
        }
        None => line(&mut out, format_args!("\n{UNKNOWN}")),
    }
    out
}

fn counted(title: &str, entries: &[String]) -> String {
    format!("{title} ({})", entries.len())
}

/// A folded list under its title; nothing at all of an empty list.
fn details(out: &mut String, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    line(out, format_args!("\n<details><summary>{title}</summary>\n"));
    for entry in entries.iter().take(MOST) {
        line(out, format_args!("- {entry}"));
    }
    if entries.len() > MOST {
        line(out, format_args!("- … and {} more: `--format json` lists all", entries.len() - MOST));
    }
    out.push_str("\n</details>\n");
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
