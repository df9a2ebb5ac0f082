//! The cases, each with its verdict and, folded away, what it was returned.

use super::parts::{escape, line};
use crate::{
    domain::outline::Outline,
    eval::evaluate::{CaseResult, Mark, Row, Scores, State},
    report::{Report, decimals, missing, table::plural, title, verdict},
};

/// All cases, in the order of their files. One box, without a script, leaves only those that need a look.
pub(super) fn cases(out: &mut String, report: &Report<'_>, outline: &Outline) {
    let look = report.results.iter().filter(|result| result.needs_a_look()).count();
    line(out, format_args!("<section id=\"cases\">\n<h2>Cases</h2>"));
    line(
        out,
        format_args!(
            "<p><label><input type=\"checkbox\" id=\"look\"> only what needs a look: {look} of {}</label></p>",
            plural(report.results.len(), "case")
        ),
    );
    out.push_str(
        "<div class=\"wide\"><table>\n<thead><tr><th>case<th>question and verdict<th>tags<th class=\"n\">rank",
    );
    out.push_str("<th class=\"n\">recall<th class=\"n\">mrr<th class=\"n\">compl.</tr></thead>\n<tbody>\n");
    for result in report.results {
        case(out, report, result, outline);
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn case(out: &mut String, report: &Report<'_>, result: &CaseResult, outline: &Outline) {
    let fine = if result.needs_a_look() { "" } else { " class=\"fine\"" };
    let look = if result.needs_a_look() { "<b class=\"mark\" title=\"needs a look\">!</b> " } else { "" };
    let (id, question) = (escape(&result.id), escape(result.question.trim()));
    line(out, format_args!("<tr{fine}><th scope=\"row\">{look}{id}<td><p class=\"question\">{question}</p>"));
    let leaked = result.leaked().map(|row| format!("leaked: {} (rank {})", title(outline, &row.id), row.rank));
    let partial = result.partial.iter().map(|why| format!("partial answer: {why}"));
    let said = leaked.chain(partial).chain([verdict(result, outline)]).chain(missing(result, outline));
    line(out, format_args!("<p>{}</p>", said.map(|said| escape(&said)).collect::<Vec<_>>().join("<br>")));
    details(out, report, result, outline);
    let tags: Vec<String> =
        result.tags.iter().map(|tag| format!("<span class=\"tag\">{}</span>", escape(tag))).collect();
    line(out, format_args!("<td>{}", tags.join(" ")));
    let number =
        |value: fn(&Scores) -> f64, places| result.scores().map_or("–".to_owned(), |s| decimals(value(s), places));
    let rank = match &result.state {
        State::Scored(_) => result.rank.map_or_else(|| "none".to_owned(), |rank| rank.to_string()),
        _ => "–".to_owned(),
    };
    line(
        out,
        format_args!(
            "<td class=\"n\">{rank}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}</tr>",
            number(|scores| scores.recall, 0),
            number(|scores| scores.mrr, 2),
            number(|scores| scores.completeness, 2),
        ),
    );
}

fn details(out: &mut String, report: &Report<'_>, result: &CaseResult, outline: &Outline) {
    if result.results.is_empty() && result.diagnosis.is_none() {
        return;
    }
    let asker = escape(&result.asker);
    let returned = plural(result.results.len(), "result");
    line(out, format_args!("<details><summary>asked as {asker}: {returned}</summary>"));
    if let Some(diagnosis) = &result.diagnosis {
        for cause in &diagnosis.causes {
            line(out, format_args!("<p>{}</p>", escape(&cause.explain(&|id| title(outline, id)))));
        }
        line(out, format_args!("<p>next: {}</p>", escape(&diagnosis.next_step())));
    }
    out.push_str("<ol>\n");
    let k = report.summary.cut.k;
    for row in &result.results {
        let cut = if row.rank == k && result.results.len() > k { " class=\"cut\"" } else { "" };
        line(out, format_args!("<li{cut}>{}", entry(row, outline)));
    }
    out.push_str("</ol></details>\n");
}

fn entry(row: &Row, outline: &Outline) -> String {
    let (class, glyph) = match row.mark {
        Mark::Supporting => ("supporting", "●"),
        Mark::Distractor => ("distractor", "✗"),
        Mark::Unjudged => ("unjudged", "·"),
    };
    let mut notes = String::new();
    for (holds, note) in [
        (row.leaked, "leaked"),
        (row.repeat, "repeat"),
        (row.unknown, "not in the corpus"),
        (row.scope_unknown, "scope unknown"),
    ] {
        if holds {
            notes.push_str(&format!(" <b class=\"badge\">{note}</b>"));
        }
    }
    let word = row.mark.word();
    format!("<span class=\"{class}\">{glyph} {word}</span> {}{notes}", escape(&title(outline, &row.id)))
}
