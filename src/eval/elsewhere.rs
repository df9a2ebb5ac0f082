//! A ranking that somebody else produced, against the labels of its question: neither corpus nor asker is known.

use super::{
    evaluate::{self, CaseResult, Cut, Row, State},
    metric,
};
use crate::domain::{
    asker::Asker,
    ranking::{Hit, window},
    resolve::Resolved,
};

/// The case `id`, of which no more than its id is known, scored on `hits`. `None`: nothing was returned, and whether it was
/// asked at all is not known; it is not run.
#[must_use]
pub fn ranking(id: &str, hits: Option<&[Hit]>, resolved: &Resolved, cut: &Cut) -> CaseResult {
    let list = window(hits.unwrap_or_default(), cut.depth);
    let rows = list.iter().zip(metric::repeats(list)).enumerate().map(|(at, (hit, repeat))| Row {
        id: hit.id.clone(),
        rank: at + 1,
        score: hit.score,
        mark: evaluate::mark(resolved, &hit.id),
        unknown: false,
        scope_unknown: true,
        text: None,
        leaked: false,
        repeat,
    });
    let state = match hits {
        None => State::NotRun,
        Some(_) if resolved.supporting.is_empty() => State::Unlabeled,
        Some(_) => State::Scored(evaluate::score(list, resolved, cut)),
    };
    CaseResult {
        id: id.to_owned(),
        question: id.to_owned(),
        tags: Vec::new(),
        asker: Asker::default().label().to_owned(),
        state,
        results: rows.collect(),
        labels: evaluate::labels(resolved),
        stages: Vec::new(),
        partial: None,
        rank: metric::rank(list, &resolved.supporting),
        latency: None,
        label_wrong: None,
        diagnosis: None,
    }
}
