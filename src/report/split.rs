//! The split for people: how it falls on each tag, and, where the holdout was opened, how both sides did.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::decimals;
use crate::{
    domain::text::clean,
    eval::{
        split::{Measured, Opened, Split, Strata, Stratum},
        stats::TOO_FEW,
    },
};

/// The least width of the column of tags; a longer name widens it.
const NAME: usize = 18;

/// The split with its share of each tag, and a warning for each tag that lacks a side; with a final line end.
#[must_use]
pub fn text(split: &Split, strata: &Strata) -> String {
    let Strata { all, tags, .. } = strata;
    let mut out = format!("split — {}, {} of train, seed {}\n\n", plural(all.cases(), "case"), split.train, split.seed);
    let rows = || std::iter::once(all).chain(tags);
    let width = rows().map(|row| clean(&row.name).width() + 1).max().unwrap_or(0).max(NAME);
    line(&mut out, &format!("{}cases   train   holdout   share", pad("subset", width)));
    for row in rows() {
        let name = pad(&clean(&row.name), width);
        let text = match row.share() {
            Some(share) => {
                let (cases, train, holdout) = (row.cases(), row.train, row.holdout);
                format!("{name}{cases:>5}{train:>8}{holdout:>10}{:>8}", decimals(share, 2))
            }
            None => format!("{name}{:>5}   no cases", 0),
        };
        line(&mut out, &text);
    }
    let lacking = tags.iter().filter_map(warning);
    for (at, warning) in lacking.enumerate() {
        line(&mut out, &format!("{}⚠️ {warning}", if at == 0 { "\n" } else { "" }));
    }
    out
}

/// What a tag lacks, as one line.
#[must_use]
pub fn warning(row: &Stratum) -> Option<String> {
    row.lack().map(|lack| format!("{}: {}", clean(&row.name), lack.explain()))
}

/// Both sides of a split side by side, and what their difference says; with a final line end.
#[must_use]
pub fn opened(opened: &Opened) -> String {
    let mut out = format!("{}  n   recall   95 % interval   mrr\n", pad("side", NAME));
    for (name, side) in [("train", &opened.train), ("holdout", &opened.holdout)] {
        line(&mut out, &format!("{}{}", pad(name, NAME), row(side)));
    }
    let said = match opened.difference() {
        None => "a side has nothing scored: there is no difference to speak of".to_owned(),
        Some(_) if opened.too_few() => {
            format!("{}; below {TOO_FEW} cases a side is too few to tell", difference(opened))
        }
        Some(_) if opened.overlap() => format!("{}; the intervals overlap, so chance may do that", difference(opened)),
        Some((recall, _)) if recall < 0.0 => format!(
            "{}; the intervals are apart: what was tuned fits train better than new questions, or the sides differ in kind \
             (`caselight split` shows each tag)",
            difference(opened)
        ),
        Some(_) => format!("{}; the intervals are apart: the holdout is the easier side", difference(opened)),
    };
    line(&mut out, &said);
    out
}

fn difference(opened: &Opened) -> String {
    let (recall, mrr) = opened.difference().unwrap_or_default();
    format!("holdout less train: recall {}, mrr {}", signed(recall), signed(mrr))
}

fn row(side: &Measured) -> String {
    let n = side.n;
    match (&side.numbers, side.interval) {
        (Some(numbers), Some(interval)) => {
            let [recall, mrr, low, high] = [numbers.recall, numbers.mrr, interval.low, interval.high].map(two);
            format!("{n:>3}{recall:>8}    {low} to {high}{mrr:>9}")
        }
        _ => format!("{n:>3}    nothing scored"),
    }
}

fn two(value: f64) -> String {
    decimals(value, 2)
}

/// With its sign, which is the point of it; nothing that prints as 0 has one.
fn signed(value: f64) -> String {
    let size = two(value.abs());
    let sign = match value {
        _ if size == "0.00" => "±",
        value if value < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{size}")
}

fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests;
