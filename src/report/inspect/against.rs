//! A case beside itself in another run: what moved, and what differs since.

use super::{Against, View, lines::Lines};
use crate::{
    domain::chunk::ChunkId,
    eval::{
        compare::{Difference, Move, Standing},
        run::RunOutcome,
    },
};

pub(super) fn against(out: &mut Lines, view: &View<'_>, against: &Against<'_>) {
    let name = |id: &ChunkId| view.name(id);
    let Against { comparison, then, moves, .. } = against;
    let header = &comparison.a;
    out.line("");
    out.wrapped(&format!("against {}: config {}, {}", against.name, header.config, header.started), "  ");
    match (&then.outcome, &then.verdict) {
        (RunOutcome::Failed(reason), _) => out.wrapped(&format!("  then: error: {reason}"), "        "),
        (_, Some((_, sentence))) => out.wrapped(&format!("  then: {sentence}"), "        "),
        (_, None) => {}
    }
    for moved in *moves {
        let mark = moved.mark.word();
        out.wrapped(&format!("  {mark} {}: {}", name(&moved.chunk), places(moved)), "    ");
    }
    let change = comparison.regressed.iter().chain(&comparison.improved).next();
    if let Some(change) = change {
        let way = if comparison.regressed.is_empty() { "improved" } else { "regressed" };
        let why = change.why.as_ref().map_or_else(String::new, |why| format!(": {}", why.sentence(&name)));
        out.wrapped(&format!("  {way}{why}"), "    ");
    } else if comparison.pairs > 0 {
        out.line("  neither improved nor regressed");
    }
    if comparison.differences.is_empty() {
        out.line("  nothing differs since: config, labels, corpus and the texts of its labeled chunks are the same");
    }
    for difference in &comparison.differences {
        out.wrapped(&format!("  since: {}", differs(difference, &name)), "         ");
    }
}

/// What differs, in the words for one case.
fn differs(difference: &Difference, name: &dyn Fn(&ChunkId) -> String) -> String {
    match difference {
        Difference::Labels(_) => "its labels are others".to_owned(),
        Difference::Asked(_) => "its question or its asker is another".to_owned(),
        other => other.explain(name),
    }
}

/// Its rank in the list and at each stage, then and now.
fn places(moved: &Move) -> String {
    let place = |rank: Option<usize>| rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    let mut parts = vec![format!("{} -> {}", place(moved.a.rank), place(moved.b.rank))];
    let at = |standing: &Standing, stage: &str| {
        standing.stages.iter().find(|(name, _)| name == stage).map(|(_, rank)| place(*rank))
    };
    for (stage, rank) in &moved.b.stages {
        parts.push(match at(&moved.a, stage) {
            Some(then) => format!("{stage} {then} -> {}", place(*rank)),
            None => format!("{stage} {} (a new stage)", place(*rank)),
        });
    }
    let gone = moved.a.stages.iter().filter(|(stage, _)| at(&moved.b, stage).is_none());
    parts.extend(gone.map(|(stage, rank)| format!("{stage} was {} (gone)", place(*rank))));
    parts.join(", ")
}
