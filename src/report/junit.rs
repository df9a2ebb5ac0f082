//! The report as `JUnit` XML, in which a CI shows failing cases: one suite for the run, one test for each case.
//!
//! | what came of a case | test |
//! | --- | --- |
//! | recall 1 | passed |
//! | recall 0, or a result that its asker may not read | failure, with the verdict |
//! | the call failed, its answer was partial, or a label is broken | error |
//! | unlabeled, unanswerable, not run | skipped, and why |
//!
//! A distractor above the answer fails no test: the answer is in the window, and a gate may hold the number.

use std::{fmt::Write as _, time::Duration};

use super::{Report, decimals, flags, missing, title, verdict};
use crate::{
    domain::outline::Outline,
    eval::{
        aggregate::Summary,
        evaluate::{CaseResult, State},
    },
};

/// The class of a case without a tag; otherwise it is the case's first one.
const UNTAGGED: &str = "untagged";

/// The whole report; `outline` gives chunks their titles.
#[must_use]
pub fn junit(report: &Report<'_>, outline: &Outline) -> String {
    let outcomes: Vec<Came> = report.results.iter().map(|result| came(result, outline)).collect();
    let count = |is: fn(&Came) -> bool| outcomes.iter().filter(|came| is(came)).count();
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
        outcomes.len(),
        count(|came| matches!(came, Came::Failure(_))),
        count(|came| matches!(came, Came::Error(_))),
        count(|came| matches!(came, Came::Skipped(_))),
        seconds(report.results.iter().filter_map(|result| result.latency).sum()),
    );
    let name = escape(&format!("retrieval {} k={}", report.config, report.summary.cut.k));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    line(&mut out, format_args!("<testsuites name=\"caselight\" {totals}>"));
    line(&mut out, format_args!("  <testsuite name=\"{name}\" {totals}>"));
    properties(&mut out, report);
    for (result, came) in report.results.iter().zip(&outcomes) {
        case(&mut out, report, result, came, outline);
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// What came of a case in `JUnit`'s words, with the message.
enum Came {
    Passed,
    Failure(String),
    Error(String),
    Skipped(String),
}

fn came(result: &CaseResult, outline: &Outline) -> Came {
    let said = verdict(result, outline);
    match &result.state {
        State::Error(_) | State::Broken => Came::Error(said),
        _ if result.leaks() > 0 => {
            let leaked: Vec<String> = result.leaked().map(|row| title(outline, &row.id)).collect();
            Came::Failure(format!("leaked: {}, which {} may not read; {said}", leaked.join(", "), result.asker))
        }
        _ if let Some(why) = &result.partial => Came::Error(format!("partial answer: {why}; {said}")),
        State::Scored(scores) if scores.recall > 0.0 => Came::Passed,
        State::Scored(_) => Came::Failure(said),
        State::Unanswerable { .. } | State::Unlabeled | State::NotRun => Came::Skipped(said),
    }
}

fn properties(out: &mut String, report: &Report<'_>) {
    let Summary { all, cut, .. } = report.summary;
    let mut properties = vec![
        ("config", report.config.to_owned()),
        ("k", cut.k.to_string()),
        ("retriever", report.retriever.to_owned()),
        ("scored", all.n.to_string()),
    ];
    if report.baseline {
        properties.push(("note", "baseline, not production".to_owned()));
    }
    let counts = &report.summary.counts;
    properties.push(("leaks", flags::leaks(counts).map_or_else(|| "not known".to_owned(), |leaks| leaks.to_string())));
    let flags =
        [flags::not_in_corpus(counts), flags::scope_unknown(counts), flags::partial(counts), flags::lost(counts)];
    for said in flags.into_iter().flatten() {
        properties.push(("note", said));
    }
    if let Some(numbers) = &all.numbers {
        properties.push(("recall", decimals(numbers.recall, 4)));
        properties.push(("mrr", decimals(numbers.mrr, 4)));
        properties.push(("precision", decimals(numbers.precision, 4)));
        properties.push(("completeness", decimals(numbers.completeness, 4)));
        properties.push(("distractor_above", numbers.distractor_above.to_string()));
    }
    out.push_str("    <properties>\n");
    for (name, value) in properties {
        line(out, format_args!("      <property name=\"{name}\" value=\"{}\"/>", escape(&value)));
    }
    out.push_str("    </properties>\n");
}

fn case(out: &mut String, report: &Report<'_>, result: &CaseResult, came: &Came, outline: &Outline) {
    let class = escape(result.tags.first().map_or(UNTAGGED, String::as_str));
    let (name, time) = (escape(&result.id), seconds(result.latency.unwrap_or_default()));
    let head = format!("    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time}\"");
    let (element, message) = match came {
        Came::Passed => return line(out, format_args!("{head}/>")),
        Came::Skipped(why) => {
            return line(out, format_args!("{head}>\n      <skipped message=\"{}\"/>\n    </testcase>", escape(why)));
        }
        Came::Failure(why) => ("failure", why),
        Came::Error(why) => ("error", why),
    };
    let kind = result.diagnosis.as_ref().map_or("error", |diagnosis| diagnosis.kind.word());
    let text = escape(&body(report, result, outline));
    let message = escape(message);
    line(
        out,
        format_args!(
            "{head}>\n      <{element} type=\"{kind}\" message=\"{message}\">{text}</{element}>\n    </testcase>"
        ),
    );
}

/// What a person needs who sees nothing but the CI's page: question, verdicts, next step, window.
fn body(report: &Report<'_>, result: &CaseResult, outline: &Outline) -> String {
    let mut lines = vec![result.question.trim().to_owned(), verdict(result, outline)];
    lines.extend(missing(result, outline));
    if let Some(diagnosis) = &result.diagnosis {
        lines.extend(diagnosis.causes.iter().map(|cause| cause.explain(&|id| title(outline, id))));
        lines.push(format!("next: {}", diagnosis.next_step()));
    }
    for row in result.window(report.summary.cut.k) {
        let leaked = match (row.leaked, row.scope_unknown) {
            (true, _) => ", leaked",
            (_, true) => ", scope unknown",
            _ => "",
        };
        lines.push(format!("{:>3} {}{leaked}  {}", row.rank, row.mark.word(), title(outline, &row.id)));
    }
    lines.join("\n")
}

fn seconds(duration: Duration) -> String {
    format!("{:.3}", duration.as_secs_f64())
}

/// `text` as XML, in an attribute or outside of tags. What XML 1.0 forbids even escaped becomes U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\n' | '\t' => escaped.push(c),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests;
