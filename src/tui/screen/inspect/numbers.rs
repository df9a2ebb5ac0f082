//! The line of a case's numbers, each beside what it was in a kept run.

use super::{since::way, verdict::Line};
use crate::{
    eval::evaluate::{CaseResult, Scores, State},
    tui::{
        data::Then,
        screen::parts::{ratio, ratio_role},
        theme::Role,
        widget::{canvas::piece, text},
    },
};

/// The names of the numbers, and shorter ones for where they do not fit.
const NAMES: [[&str; 5]; 2] =
    [["recall", "mrr", "precision", "completeness", "distractor↑"], ["recall", "mrr", "prec", "compl", "distr↑"]];

/// The line in `width` columns.
pub(super) fn numbers<'a>(result: &CaseResult, then: Option<&Then<'_>>, width: usize) -> Line<'a> {
    let scores = match &result.state {
        State::Scored(scores) => scores,
        other => return vec![piece(format!(" {}", other.word()), Role::Dim)],
    };
    let was = then.and_then(|then| then.result.scores());
    let wide = |line: &Line<'_>| line.iter().map(|(text, _)| text::width(text)).sum::<usize>();
    let long = line(scores, was, NAMES[0], true);
    if wide(&long) <= width {
        return long;
    }
    let short = line(scores, was, NAMES[1], true);
    if wide(&short) <= width { short } else { line(scores, was, NAMES[1], false) }
}

fn line<'a>(scores: &Scores, was: Option<&Scores>, names: [&'static str; 5], ceiling: bool) -> Line<'a> {
    let mut line = Vec::new();
    let value = |of: fn(&Scores) -> f64| (of(scores), was.map(of));
    let values = [value(|s| s.recall), value(|s| s.mrr), value(|s| s.precision), value(|s| s.completeness)];
    for (at, (now, was)) in values.into_iter().enumerate() {
        let shown = |value: f64| if at == 0 { format!("{value:.0}") } else { ratio(value) };
        line.push(piece(format!("{}{} ", if at == 0 { " " } else { "  " }, names[at]), Role::Dim));
        // What precision is worth depends on its ceiling.
        let role = if at == 2 { Role::Plain } else { ratio_role(now) };
        line.push(piece(shown(now), role));
        if at == 2 && ceiling {
            line.push(piece(format!(" of {}", ratio(scores.precision_ceiling)), Role::Dim));
        }
        if let Some(was) = was {
            changed(&mut line, now.total_cmp(&was), &shown(was));
        }
    }
    let word = |above: bool| if above { "yes" } else { "no" };
    let role = if scores.distractor_above { Role::Distractor } else { Role::Plain };
    line.push(piece(format!("  {} ", names[4]), Role::Dim));
    line.push(piece(word(scores.distractor_above), role));
    if let Some(was) = was {
        // A distractor above is worse than none.
        changed(&mut line, was.distractor_above.cmp(&scores.distractor_above), word(was.distractor_above));
    }
    line
}

/// The glyph of what is better or worse, and the value then where it was another.
fn changed(line: &mut Line<'_>, order: std::cmp::Ordering, was: &str) {
    let (glyph, role) = way(order);
    line.push(piece(format!(" {glyph}"), role));
    if order.is_ne() {
        line.push(piece(format!(" {was}"), Role::Dim));
    }
}
