//! What was typed, as words to look for.

use std::ops::Range;

use super::scan::{Kind, for_each};

/// What was typed, as words to look for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::corpus) struct Query {
    /// Whole words, each once, in order.
    pub(in crate::corpus) words: Vec<String>,
    /// Those of them that are identifiers with parts.
    pub(in crate::corpus) compounds: Vec<String>,
    /// What the last word, and its last part, may be the beginning of.
    pub(in crate::corpus) prefixes: Vec<String>,
}

impl Query {
    /// Takes `typed` as plain text, whatever stands in it.
    pub(in crate::corpus) fn parse(typed: &str, last_is_prefix: bool) -> Self {
        let mut query = Self::default();
        let mut tokens: Vec<(String, Range<usize>, Kind)> = Vec::new();
        for_each(typed, |token| tokens.push((token.text.to_owned(), token.range, token.kind)));
        // A blank after the last word ends it, also with a bracket or a question mark between.
        let end = tokens.iter().map(|(_, range, _)| range.end).max().unwrap_or(0);
        let last_is_prefix = last_is_prefix && !typed[end..].contains(char::is_whitespace);
        for (index, (text, range, kind)) in tokens.iter().enumerate() {
            let dense = matches!(kind, Kind::Single | Kind::Pair);
            if last_is_prefix && !dense && range.end == end && !query.prefixes.contains(text) {
                query.prefixes.push(text.clone());
            }
            if *kind == Kind::Single && in_pair(&tokens, index) {
                continue;
            }
            if *kind == Kind::Compound && !query.compounds.contains(text) {
                query.compounds.push(text.clone());
            }
            if !query.words.contains(text) {
                query.words.push(text.clone());
            }
        }
        query
    }
}

/// True if a neighbouring pair says more than the single character at `index`.
fn in_pair(tokens: &[(String, Range<usize>, Kind)], index: usize) -> bool {
    let pair = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(|(_, _, kind)| *kind == Kind::Pair);
    let covers = |at: usize| tokens[at].1.end >= tokens[index].1.end && tokens[at].1.start <= tokens[index].1.start;
    let after = Some(index + 1).filter(|&at| pair(Some(at)) && covers(at));
    let before = index.checked_sub(1).filter(|&at| pair(Some(at)) && covers(at));
    after.or(before).is_some()
}
