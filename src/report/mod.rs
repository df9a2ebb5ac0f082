//! Output formats: one file each over one value, [`Report`].

pub mod compare;
pub mod coverage;
mod flags;
pub mod gate;
pub mod html;
pub mod inspect;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod noise;
pub mod run_file;
pub mod split;
pub mod table;
pub mod trec_eval;

use crate::{
    domain::{chunk::ChunkId, outline::Outline},
    eval::{aggregate::Summary, evaluate::CaseResult, metric::TOLERANCE},
};

/// A run, ready to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The config's name.
    pub config: &'a str,
    /// The retriever's name.
    pub retriever: &'a str,
    /// The retriever is the embedded one: a baseline, not production.
    pub baseline: bool,
    /// The numbers.
    pub summary: &'a Summary,
    /// The cases, in the order of their files.
    pub results: &'a [CaseResult],
}

/// A metric in print, with so many decimals; half a unit of the last one is rounded up. Sums of doubles that miss a half by a
/// hair print as the fraction they stand for: 0.625 is 0.63 however it was added up.
#[must_use]
pub fn decimals(value: f64, places: usize) -> String {
    format!("{:.places$}", value + TOLERANCE)
}

/// `1 case`, `2 cases`.
fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// A chunk as people call it: its title, or its id where the corpus does not know it.
fn title(outline: &Outline, id: &ChunkId) -> String {
    outline.chunk(id).map_or_else(|| id.to_string(), |chunk| chunk.title())
}

/// How many of the cases have labels that somebody marked as wrong, and which; they are scored all the same.
fn marked_wrong(results: &[CaseResult]) -> Option<String> {
    let ids: Vec<&str> =
        results.iter().filter(|result| result.label_wrong.is_some()).map(|result| &*result.id).collect();
    match ids[..] {
        [] => None,
        [id] => Some(format!("1 case whose label is marked wrong: {id}")),
        _ => Some(format!("{} cases whose labels are marked wrong: {}", ids.len(), ids.join(" "))),
    }
}

/// The verdict on a case in one sentence, or, where there is none, what became of the case.
fn verdict(result: &CaseResult, outline: &Outline) -> String {
    result
        .diagnosis
        .as_ref()
        .map_or_else(|| result.state.word().to_owned(), |diagnosis| diagnosis.sentence(&|id| title(outline, id)))
}

/// The verdict on each requirement that the window does not satisfy, where that says more than the verdict on the case.
fn missing(result: &CaseResult, outline: &Outline) -> Vec<String> {
    let Some(diagnosis) = &result.diagnosis else { return Vec::new() };
    let parts = diagnosis.requirements.iter().filter(|part| part.kind != diagnosis.kind);
    parts
        .map(|part| format!("missing: {}: {}", part.kind.word(), part.kind.explain(&|id| title(outline, id))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::decimals;

    #[test]
    fn a_half_is_rounded_up_and_a_hair_is_forgiven() {
        let cases = [(0.625, "0.63"), (0.125, "0.13"), (0.7 + 0.1 + 0.2 - 0.375, "0.63"), (0.0, "0.00"), (1.0, "1.00")];
        for (value, expected) in cases {
            assert_eq!(decimals(value, 2), expected, "{value}");
        }
        assert_eq!(decimals((0.7 + 0.8 + 0.9) / 3.0, 1), "0.8");
    }
}
