//! A case beside a kept run: whether it improved, why, what differs since, and the glyphs of what rose and fell.

use std::cmp::Ordering;

use super::verdict::{Line, date};
use crate::{
    domain::{chunk::ChunkId, ranking::rank},
    eval::{compare::Difference, evaluate::Mark, run::RunOutcome},
    tui::{
        data::{Data, Then},
        screen::parts::wrapped,
        theme::Role,
        widget::{canvas::piece, text},
    },
};

/// The glyph and the role of what is better, worse, or the same.
pub(super) fn way(order: Ordering) -> (&'static str, Role) {
    match order {
        Ordering::Greater => ("▲", Role::Supporting),
        Ordering::Less => ("▼", Role::Distractor),
        Ordering::Equal => ("=", Role::Dim),
    }
}

/// Whether the case improved since, and what differs.
pub(super) fn since<'a>(then: &Then<'_>, data: &Data, width: usize) -> Vec<Line<'a>> {
    let name = |id: &ChunkId| data.title(id);
    let comparison = &then.comparison;
    let (order, text) = match &then.run.case.outcome {
        RunOutcome::Failed(reason) => (Ordering::Equal, format!("then the call failed: {reason}")),
        RunOutcome::Answered { .. } => match (comparison.regressed.first(), comparison.improved.first()) {
            (Some(change), _) => (Ordering::Less, why("regressed", change.why.as_ref().map(|why| why.sentence(&name)))),
            (_, Some(change)) => {
                (Ordering::Greater, why("improved", change.why.as_ref().map(|why| why.sentence(&name))))
            }
            (None, None) if comparison.pairs > 0 => (Ordering::Equal, "neither improved nor regressed".to_owned()),
            (None, None) => (Ordering::Equal, "not scored in both".to_owned()),
        },
    };
    let (glyph, role) = way(order);
    let started = date(&then.run.header.started).to_owned();
    let mut said = wrapped(
        &[piece(glyph, role), piece(format!(" since {}, {started}: {text}", then.run.name), Role::Plain)],
        width,
    );
    let differs: Vec<String> = comparison.differences.iter().map(|difference| differs(difference, &name)).collect();
    let differs = if differs.is_empty() {
        "nothing: config, labels, corpus and the texts of its labeled chunks are the same".to_owned()
    } else {
        differs.join("; ")
    };
    let line = text::cut(&format!(" differs: {differs}"), width);
    said.push(vec![piece(line, Role::Dim)]);
    said
}

fn why(word: &str, why: Option<String>) -> String {
    why.map_or_else(|| word.to_owned(), |why| format!("{word}, {why}"))
}

/// What differs, in the words for one case.
fn differs(difference: &Difference, name: &dyn Fn(&ChunkId) -> String) -> String {
    match difference {
        Difference::Labels(_) => "its labels".to_owned(),
        Difference::Asked(_) => "its question or its asker".to_owned(),
        Difference::Corpus => "corpus".to_owned(),
        other => other.explain(name),
    }
}

/// Where the chunks of a case stood in a kept run.
pub(super) struct Was {
    hits: Vec<crate::domain::ranking::Hit>,
    /// How many results were asked for then, and now.
    depths: (usize, usize),
    failed: bool,
}

impl Was {
    pub(super) fn new(then: &Then<'_>) -> Self {
        Self {
            hits: then.run.case.hits(),
            depths: (then.run.header.cut.depth, then.comparison.b.cut.depth),
            failed: matches!(then.run.case.outcome, RunOutcome::Failed(_)),
        }
    }

    /// The rank then, whether the chunk rose or fell since, and whether that is good. What a list did not reach down to is not
    /// known to be gone.
    pub(super) fn cell(&self, id: &ChunkId, now: Option<usize>, mark: Mark) -> (String, &'static str, Role) {
        if self.failed {
            return ("?".to_owned(), " ", Role::Dim);
        }
        let was = rank(&self.hits, id);
        let order = match (was, now) {
            (Some(was), Some(now)) => Some(was.cmp(&now)),
            (None, Some(now)) => (now <= self.depths.0).then_some(Ordering::Greater),
            (Some(was), None) => (was <= self.depths.1).then_some(Ordering::Less),
            (None, None) => None,
        };
        let shown = was.map_or_else(|| "–".to_owned(), |was| was.to_string());
        let Some(order) = order else { return (shown, " ", Role::Dim) };
        let good = if mark == Mark::Distractor { order.reverse() } else { order };
        let role = if mark == Mark::Unjudged { Role::Dim } else { way(good).1 };
        (shown, way(order).0, role)
    }
}
