//! The first three lines: how many cases and how well over all, what is thin, what is weak.

use super::{Line, columns::enough};
use crate::{
    eval::{
        aggregate::Reason,
        coverage::{Coverage, Enough},
    },
    tui::{
        data::{Data, Stands, Survey},
        screen::parts::ratio,
        theme::Role,
        widget::{
            canvas::{Piece, piece},
            text,
        },
    },
};

pub(super) fn head(coverage: &Coverage, survey: &Survey, data: &Data, width: usize) -> [Line; 3] {
    [counts(coverage, survey, data, width), thin(survey, width), weak(survey, width)]
}

fn counts(coverage: &Coverage, survey: &Survey, data: &Data, width: usize) -> Line {
    let counts = &coverage.counts;
    let mut text = format!(" {} cases · {} labeled", counts.cases, counts.labeled);
    let done = &survey.summary.counts;
    match &survey.summary.all.numbers {
        Some(numbers) => text.push_str(&format!(" · {} scored · recall {}", done.scored, ratio(numbers.recall))),
        None => text.push_str(" · not run"),
    }
    let plural = |n: usize, one: &str, more: &str| format!(" · {n} {}", if n == 1 { one } else { more });
    let failing = survey.rows.iter().filter(|row| row.stands() == Stands::Fails).count();
    let hidden = data.cases.iter().filter(|case| data.is_holdout(&case.id)).count();
    let parts = [
        (done.leaks, format!(" · ⚠ {} leaked", done.leaks), Role::Warning),
        (done.errors, plural(done.errors, "error", "errors"), Role::Error),
        (hidden, format!(" · the holdout's {hidden} stay hidden"), Role::Dim),
        (failing, format!(" · ✗ {failing} below the gate"), Role::Distractor),
    ];
    let mut room = width.saturating_sub(text::width(&text));
    let mut line = vec![piece(text, Role::Strong)];
    for (_, text, role) in parts.into_iter().filter(|(n, ..)| *n > 0) {
        // What does not fit is left out whole, the last first: what is below the gate stands in the third line too.
        if text::width(&text) <= room {
            room -= text::width(&text);
            line.push(piece(text, role));
        }
    }
    line
}

fn thin(survey: &Survey, width: usize) -> Line {
    let rows = survey.rows.iter().skip(1).filter(|row| row.enough() != Enough::Enough);
    let parts = rows.map(|row| {
        let (glyph, role) = enough(row);
        let lacks = match row.enough() {
            Enough::Thin { lacks } => format!("lacks {lacks}"),
            _ => "empty".to_owned(),
        };
        vec![piece(glyph, role), piece(format!(" {} {lacks}", row.name), Role::Plain)]
    });
    listed("thin", parts, "nothing: every subset has the cases it should have", width)
}

fn weak(survey: &Survey, width: usize) -> Line {
    if survey.summary.counts.cases == 0 {
        return vec![piece(" weak  ", Role::Dim), piece("not known: R runs every case", Role::Dim)];
    }
    let failing = survey.rows.iter().filter(|row| row.stands() == Stands::Fails).map(|row| {
        let why = match (row.missed(), row.unmeasured.first()) {
            (Some(missed), _) => {
                format!("{} {} of {}", missed.threshold.metric, short(missed.value), short(missed.threshold.value))
            }
            (None, Some(metric)) => format!("{metric} not known"),
            (None, None) => String::new(),
        };
        vec![piece("✗", Role::Distractor), piece(format!(" {} {why}", row.name), Role::Plain)]
    });
    let marks = survey.summary.subsets.iter().flat_map(|subset| subset.marks.iter().map(move |mark| (subset, mark)));
    let under = marks.clone().filter_map(|(subset, mark)| match mark {
        Reason::RecallUnderAll(by) => Some(vec![
            piece("▼", Role::Distractor),
            piece(format!(" {} {} under all", subset.name, ratio(*by)), Role::Plain),
        ]),
        _ => None,
    });
    let above = marks.filter_map(|(subset, mark)| match mark {
        Reason::DistractorAbove(n) => {
            Some(vec![piece("↑", Role::Distractor), piece(format!(" {} {n}", subset.name), Role::Plain)])
        }
        _ => None,
    });
    listed("weak", failing.chain(under).chain(above), "nothing stands out", width)
}

fn short(value: f64) -> String {
    if value.fract() == 0.0 && value > 1.0 { format!("{value:.0}") } else { ratio(value) }
}

/// As many parts as fit, and how many more there are.
fn listed(word: &str, parts: impl Iterator<Item = Vec<Piece<'static>>>, none: &'static str, width: usize) -> Line {
    let mut line = vec![piece(format!(" {word}  "), Role::Dim)];
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        line.push(piece(none, Role::Dim));
        return line;
    }
    // Room for how many more there are.
    let mut room = width.saturating_sub(16);
    let mut first = true;
    while let Some(part) = parts.next() {
        let wide: usize = part.iter().map(|(text, _)| text::width(text)).sum();
        if wide + 2 > room && !first {
            line.push(piece(format!(" … {} more", 1 + parts.count()), Role::Dim));
            return line;
        }
        if !first {
            line.push(piece("  ", Role::Plain));
        }
        line.extend(part);
        room = room.saturating_sub(wide + 2);
        first = false;
    }
    line
}
