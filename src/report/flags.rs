//! What a report says of a run beside its numbers: leaks, results of unknown scope, partial answers. Never that there was no
//! leak where nobody knows.

use super::plural;
use crate::eval::{
    aggregate::Counts,
    evaluate::{CaseResult, Row, State},
};

/// How many results leaked: `None` where none is known to have and the scope of some is not known.
pub(super) fn leaks(counts: &Counts) -> Option<usize> {
    (counts.leaks > 0 || counts.scope_unknown == 0).then_some(counts.leaks)
}

/// The sentence on results of unknown scope; `None` where every scope is known.
pub(super) fn scope_unknown(counts: &Counts) -> Option<String> {
    let Counts { scope_unknown, results, unknown, .. } = *counts;
    let foreign = match unknown {
        0 => String::new(),
        n if n == scope_unknown => " (not known to the corpus)".to_owned(),
        n => format!(" ({n} of them not known to the corpus)"),
    };
    let results = plural(results, "result");
    (scope_unknown > 0)
        .then(|| format!("scope unknown for {scope_unknown} of {results}{foreign}: whether they leaked is not known"))
}

/// The sentence on partial answers; `None` where every answer was whole.
pub(super) fn partial(counts: &Counts) -> Option<String> {
    match counts.partial {
        0 => None,
        1 => Some("1 answer was partial: it is scored as it came, and a whole one may have more".to_owned()),
        n => Some(format!("{n} answers were partial: they are scored as they came, and whole ones may have more")),
    }
}

/// The sentence on cases that are missing in the means; `None` where none is.
pub(super) fn lost(counts: &Counts) -> Option<String> {
    let of = counts.scored + counts.lost;
    let lost = plural(counts.lost, "call");
    (counts.lost > 0).then(|| format!("the means are over {} of {of} labeled cases: {lost} failed", counts.scored))
}

/// Every leaked result with its case.
pub(super) fn leaked(results: &[CaseResult]) -> impl Iterator<Item = (&CaseResult, &Row)> {
    results.iter().flat_map(|result| result.leaked().map(move |row| (result, row)))
}

/// Why calls failed, each reason once with the cases that it met, in the order of the cases.
pub(super) fn failed(results: &[CaseResult]) -> Vec<(&str, Vec<&str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for result in results {
        let State::Error(reason) = &result.state else { continue };
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, cases)) => cases.push(&result.id),
            None => reasons.push((reason, vec![&result.id])),
        }
    }
    reasons
}

/// Every case whose answer was partial, with the retriever's reason.
pub(super) fn partly_answered(results: &[CaseResult]) -> impl Iterator<Item = (&CaseResult, &str)> {
    results.iter().filter_map(|result| Some((result, result.partial.as_deref()?)))
}
