//! The report as one self-contained HTML page: no script, no request, readable without colour, light and dark.
//!
//! The page names chunks by their titles and never shows their text: a report is handed around among people who may not read all
//! of the corpus.

mod cases;
mod chart;
mod parts;

use self::parts::{escape, line};
use super::{
    Report, decimals,
    table::{counts, plural, three},
};
use crate::{
    domain::outline::Outline,
    eval::{
        aggregate::{self, Reason, Subset, Summary},
        coverage::Together,
        stats::TOO_FEW,
    },
};

const STYLE: &str = include_str!("html/style.css");

/// The whole page; `outline` gives chunks their titles.
#[must_use]
pub fn html(report: &Report<'_>, outline: &Outline) -> String {
    let name = escape(report.config);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Retrieval evaluation: {name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    header(&mut out, report);
    out.push_str("<main>\n");
    subsets(&mut out, report.summary);
    ranks(&mut out, report);
    tags(&mut out, report);
    cases::cases(&mut out, report, outline);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn header(out: &mut String, report: &Report<'_>) {
    let Summary { all, cut, .. } = report.summary;
    line(out, format_args!("<header>\n<h1>Retrieval evaluation</h1>"));
    let (config, retriever) = (escape(report.config), escape(report.retriever));
    let baseline = if report.baseline { " <b class=\"badge\">baseline, not production</b>" } else { "" };
    line(
        out,
        format_args!(
            "<p>config <code>{config}</code>, k = {}, depth {}, retriever <code>{retriever}</code>{baseline}</p>",
            cut.k, cut.depth
        ),
    );
    if let Some(numbers) = &all.numbers {
        let two = |value| decimals(value, 2);
        let ceiling = format!("of at most {}", two(numbers.precision_ceiling));
        let above = format!("of {}", plural(all.n, "case"));
        let tiles = [
            ("recall", two(numbers.recall), format!("{} of {}", all.recalled(), all.n)),
            ("mrr", two(numbers.mrr), String::new()),
            ("precision", two(numbers.precision), ceiling),
            ("completeness", two(numbers.completeness), String::new()),
            ("distractor↑", numbers.distractor_above.to_string(), above),
        ];
        out.push_str("<dl class=\"tiles\">\n");
        for (name, value, note) in tiles {
            line(out, format_args!("<div><dt>{name}</dt><dd>{value}<small>{note}</small></dd></div>"));
        }
        out.push_str("</dl>\n");
        let at = numbers.recall_at.iter().map(|(k, value)| format!("recall@{k} {}", three(*value)));
        let mrr = format!("MRR@{} {}", cut.max_k(), three(numbers.mrr_at_max));
        line(out, format_args!("<p>{}</p>", at.chain([mrr]).collect::<Vec<_>>().join(" · ")));
    } else {
        out.push_str("<p><b>Nothing was scored.</b></p>\n");
    }
    if let Some(reading) = &report.summary.reading {
        line(out, format_args!("<p class=\"reading\">{}</p>", escape(&reading.explain())));
    }
    let mut said = String::new();
    counts(&mut said, &report.summary.counts);
    for said in said.lines() {
        line(out, format_args!("<p>{}</p>", escape(said)));
    }
    if let Some(latency) = report.summary.latency {
        let [p50, p95] = [latency.p50, latency.p95].map(|duration| duration.as_secs_f64() * 1000.0);
        line(out, format_args!("<p>latency p50 {p50:.1} ms, p95 {p95:.1} ms (n={})</p>", latency.n));
    }
    out.push_str("</header>\n");
}

fn subsets(out: &mut String, summary: &Summary) {
    let rows = || std::iter::once(&summary.all).chain(&summary.subsets);
    let ten = rows().any(|row| row.numbers.as_ref().is_some_and(|numbers| numbers.recall_at(10).is_some()));
    out.push_str("<section id=\"subsets\">\n<h2>Subsets</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>subset<th class=\"n\">n");
    out.push_str("<th>recall, its 95 % interval, its threshold<th class=\"n\">recall, at least<th class=\"n\">mrr");
    out.push_str("<th class=\"n\">precision<th class=\"n\">compl.<th class=\"n\">distractor↑");
    out.push_str(if ten { "<th class=\"n\">recall@10</tr></thead>\n<tbody>\n" } else { "</tr></thead>\n<tbody>\n" });
    for row in rows() {
        subset(out, row, summary, ten);
    }
    out.push_str("</tbody>\n</table></div>\n");
    out.push_str(
        "<p class=\"key\">Bar: recall. Line with ends: where the true recall lies with 95 % confidence (Wilson). \
         Dashed line: the least that the settings ask for.",
    );
    if rows().any(|row| row.n > 0 && row.too_few()) {
        line(out, format_args!(" *: below {TOO_FEW} cases, too few to tell."));
    }
    out.push_str("</p>\n</section>\n");
}

fn subset(out: &mut String, row: &Subset, summary: &Summary, ten: bool) {
    let name = escape(&row.name);
    let mark = if row.marks.is_empty() { "" } else { " <b class=\"mark\" title=\"marked\">⚠&#xfe0e;</b>" };
    let few = if row.n > 0 && row.too_few() { "*" } else { "" };
    line(out, format_args!("<tr><th scope=\"row\">{name}{mark}<td class=\"n\">{}{few}", row.n));
    let columns = if ten { 7 } else { 6 };
    match &row.numbers {
        None => line(out, format_args!("<td colspan=\"{columns}\">{}</tr>", super::table::empty(row))),
        Some(numbers) => {
            let two = |value| decimals(value, 2);
            let threshold = summary.threshold(&row.name, "recall");
            let least = threshold.map(|least| format!(" <small>≥ {}</small>", two(least))).unwrap_or_default();
            line(
                out,
                format_args!(
                    "<td class=\"bar\">{}<td class=\"n\">{}{least}<td class=\"n\">{}<td class=\"n\">{} <small>of {}</small>\
                     <td class=\"n\">{}<td class=\"n\">{}",
                    chart::recall(row, threshold),
                    two(numbers.recall),
                    two(numbers.mrr),
                    two(numbers.precision),
                    two(numbers.precision_ceiling),
                    two(numbers.completeness),
                    numbers.distractor_above,
                ),
            );
            if ten {
                line(out, format_args!("<td class=\"n\">{}", three(numbers.recall_at(10))));
            }
            out.push_str("</tr>\n");
        }
    }
    if !row.marks.is_empty() {
        let reasons: Vec<String> = row.marks.iter().map(Reason::explain).collect();
        let why = escape(&reasons.join("; "));
        line(out, format_args!("<tr class=\"why\"><td><td><td colspan=\"{columns}\">⚠&#xfe0e; {why}</tr>"));
    }
}

fn ranks(out: &mut String, report: &Report<'_>) {
    if report.summary.counts.scored == 0 {
        return;
    }
    let ranks = aggregate::ranks(report.results, &report.summary.cut);
    let k = report.summary.cut.k;
    out.push_str("<section id=\"ranks\">\n<h2>Where the first supporting chunk stands</h2>\n");
    out.push_str(&chart::ranks(&ranks, k));
    line(
        out,
        format_args!(
            "<p class=\"key\">Cases by rank; the window ends at {k}. {} without a supporting chunk in the list.</p>\n</section>",
            plural(ranks.absent, "case")
        ),
    );
}

fn tags(out: &mut String, report: &Report<'_>) {
    let tags = report.results.iter().map(|result| result.tags.as_slice());
    let order = report.summary.subsets.iter().filter(|row| row.cases > 0).map(|row| row.name.as_str());
    let together = Together::of(tags, order);
    if together.tags.is_empty() {
        return;
    }
    out.push_str("<section id=\"tags\">\n<h2>Tags that stand together</h2>\n");
    out.push_str(&chart::matrix(&together));
    out.push_str(
        "<p class=\"key\">Cases that carry both tags; on the diagonal, cases that carry the tag.</p>\n</section>\n",
    );
}

#[cfg(test)]
mod tests;
