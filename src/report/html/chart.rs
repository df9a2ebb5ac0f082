//! The plots, as inline SVG and tables. Each says in text what it shows.

use super::parts::{escape, line};
use crate::{
    eval::{
        aggregate::{Ranks, Subset},
        coverage::Together,
        stats::Interval,
    },
    report::decimals,
};

/// The width of a recall bar at recall 1.
const BAR: f64 = 240.0;

/// The recall of a subset as a bar, with its interval and its threshold.
#[must_use]
pub(super) fn recall(row: &Subset, threshold: Option<f64>) -> String {
    let (Some(numbers), Some(Interval { low, high })) = (&row.numbers, row.recall_interval()) else {
        return String::new();
    };
    let two = |value| decimals(value, 2);
    let asked = threshold.map(|least| format!(", threshold {}", two(least))).unwrap_or_default();
    let said = format!("recall {}, between {} and {}{asked}", two(numbers.recall), two(low), two(high));
    // A pixel is the least that can be seen; more decimals than one are not.
    let x = |value: f64| format!("{:.1}", 1.0 + value * BAR);
    let interval = format!("M{low} 10H{high}M{low} 6V14M{high} 6V14", low = x(low), high = x(high));
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} 20\" width=\"{width}\" height=\"20\" role=\"img\" aria-label=\"{said}\"><title>{said}</title>\
         <rect class=\"track\" x=\"1\" y=\"5\" width=\"{BAR}\" height=\"10\"/>\
         <rect class=\"value\" x=\"1\" y=\"5\" width=\"{:.1}\" height=\"10\"/>\
         <path class=\"halo\" d=\"{interval}\"/><path class=\"interval\" d=\"{interval}\"/>",
        numbers.recall * BAR,
        width = BAR + 2.0,
    );
    if let Some(least) = threshold {
        svg.push_str(&format!("<path class=\"threshold\" d=\"M{} 0V20\"/>", x(least)));
    }
    svg.push_str("</svg>");
    svg
}

/// More ranks than this are put together, several to a bar.
const BARS: usize = 25;
/// The height of the tallest bar, and the place of a bar, in pixels.
const TALLEST: f64 = 120.0;
const PLACE: usize = 36;

/// How many cases have their first supporting chunk at which rank.
#[must_use]
pub(super) fn ranks(ranks: &Ranks, k: usize) -> String {
    // Bars never straddle the end of the window.
    let step = ranks.at.len().div_ceil(BARS).max(1);
    let (inside, below) = ranks.at.split_at(k.min(ranks.at.len()));
    let bars = |ranks: &[usize], from: usize| -> Vec<(String, usize)> {
        let chunks = ranks.chunks(step).enumerate();
        let label =
            |first: usize, n: usize| if n == 1 { first.to_string() } else { format!("{first}–{}", first + n - 1) };
        chunks.map(|(at, chunk)| (label(from + at * step, chunk.len()), chunk.iter().sum())).collect()
    };
    let mut all = bars(inside, 1);
    let cut = all.len();
    all.extend(bars(below, inside.len() + 1));
    all.push(("none".to_owned(), ranks.absent));
    let most = all.iter().map(|(_, cases)| *cases).max().unwrap_or(0).max(1);
    let width = all.len() * PLACE + PLACE;
    let said: Vec<String> = all.iter().map(|(label, cases)| format!("{label}: {cases}")).collect();
    let said = format!("cases by rank; {}", said.join(", "));
    let mut svg = format!(
        "<div class=\"wide\"><svg class=\"ranks\" viewBox=\"0 0 {width} 172\" width=\"{width}\" height=\"172\" role=\"img\" \
         aria-label=\"{said}\"><title>{said}</title>\n"
    );
    for (at, (label, cases)) in all.iter().enumerate() {
        let last = at + 1 == all.len();
        // What is not in the list stands apart.
        let x = at * PLACE + if last { PLACE } else { 4 };
        let height = *cases as f64 / most as f64 * TALLEST;
        let y = 20.0 + TALLEST - height;
        let class = if last {
            "absent"
        } else if at < cut {
            "value"
        } else {
            "below"
        };
        let middle = x + PLACE / 2 - 4;
        line(
            &mut svg,
            format_args!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y:.1}\" width=\"{}\" height=\"{height:.1}\"/>\
                 <text x=\"{middle}\" y=\"{:.1}\">{cases}</text><text class=\"axis\" x=\"{middle}\" y=\"156\">{label}</text>",
                PLACE - 8,
                y - 5.0,
            ),
        );
    }
    let at = cut * PLACE;
    line(
        &mut svg,
        format_args!(
            "<path class=\"axis\" d=\"M0 140.5H{width}\"/><path class=\"cut\" d=\"M{at} 8V160\"/>\
             <text class=\"axis cut\" x=\"{at}\" y=\"170\">k = {k}</text>"
        ),
    );
    svg.push_str("</svg></div>\n");
    svg
}

/// Which tags stand together, as a table whose cells are the darker the more cases they hold.
#[must_use]
pub(super) fn matrix(together: &Together) -> String {
    let most = together.cases.iter().flatten().copied().max().unwrap_or(0).max(1);
    let mut out = String::from("<div class=\"wide\"><table class=\"matrix\">\n<thead><tr><td>");
    for tag in &together.tags {
        out.push_str(&format!("<th scope=\"col\"><span>{}</span>", escape(tag)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (a, (tag, row)) in together.tags.iter().zip(&together.cases).enumerate() {
        out.push_str(&format!("<tr><th scope=\"row\">{}", escape(tag)));
        for (b, &cases) in row.iter().enumerate() {
            let own = if a == b { " class=\"own\"" } else { "" };
            if cases == 0 {
                out.push_str(&format!("<td{own}>·"));
            } else {
                let share = cases as f64 / most as f64;
                out.push_str(&format!("<td{own} style=\"--share:{share:.2}\">{cases}"));
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    out
}
