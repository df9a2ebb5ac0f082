//! What a report says of a run beside its numbers: leaks, results of unknown scope, partial answers. Never that there was no
//! leak where nobody knows.

use super::plural;
use crate::{
    domain::chunk::ChunkId,
    eval::{
        aggregate::Counts,
        evaluate::{CaseResult, Row, State},
    },
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

/// The sentence on results whose id the corpus does not have, while it has others; `None` where it has every one.
pub(super) fn not_in_corpus(counts: &Counts) -> Option<String> {
    foreign(counts.unknown, counts.results, counts.unknown_id.as_ref()?)
}

/// The same of `unknown` of so many results, of which `example` is one.
pub(super) fn foreign(unknown: usize, results: usize, example: &ChunkId) -> Option<String> {
    let (are, they) = match unknown {
        0 => return None,
        1 => ("is not in the corpus,", "it"),
        _ => ("are not in the corpus, for example", "they"),
    };
    let ids = plural(results, "returned id");
    Some(format!(
        "{unknown} of {ids} {are} {example}: {they} can match no label; where production's ids are others, the retriever's \
         `recognise = \"heading\"` or `\"text\"` finds the chunks"
    ))
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
    by_reason(results.iter().filter_map(|result| match &result.state {
        State::Error(reason) => Some((result.id.as_str(), reason.as_str())),
        _ => None,
    }))
}

/// Each reason once with the cases that it met, in the order of the cases; each of `failed` is a case and its reason.
pub(super) fn by_reason<'a>(failed: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (case, reason) in failed {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, cases)) => cases.push(case),
            None => reasons.push((reason, vec![case])),
        }
    }
    reasons
}

/// How many cases a line names that is about more.
const NAMED: usize = 6;

/// The first of these cases, and how many more there are: `a-1 b-2 and 7 more`.
pub(super) fn first(cases: &[&str]) -> String {
    let more = cases.len().saturating_sub(NAMED);
    let named = cases[..cases.len() - more].join(" ");
    if more > 0 { format!("{named} and {more} more") } else { named }
}

/// Every case whose answer was partial, with the retriever's reason.
pub(super) fn partly_answered(results: &[CaseResult]) -> impl Iterator<Item = (&CaseResult, &str)> {
    results.iter().filter_map(|result| Some((result, result.partial.as_deref()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_the_corpus_lacks_are_counted_and_one_is_named() {
        let said = |unknown| foreign(unknown, 23, &"1108".into()).unwrap_or_default();
        assert!(said(10).starts_with(
            "10 of 23 returned ids are not in the corpus, for example 1108: they can match no label; where"
        ));
        assert!(said(1).starts_with("1 of 23 returned ids is not in the corpus, 1108: it can match no label; where"));
        assert!(said(10).contains("`recognise = \"heading\"`"));
        assert_eq!(said(0), "");
    }
}
