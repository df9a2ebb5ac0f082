//! Which words of a text a query means, for lighting them up and for saying what two texts share.

use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
};

use super::{
    query::Query,
    scan::{Kind, for_each},
    words,
};

/// Where words of `query` stand in `text`: byte ranges, in order, apart from each other. Where a word only begins as typed, all of it is marked.
#[must_use]
pub fn matches(text: &str, query: &str, last_is_prefix: bool) -> Vec<Range<usize>> {
    let query = Query::parse(query, last_is_prefix);
    let whole: HashSet<&str> = query.words.iter().map(String::as_str).collect();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for_each(text, |token| {
        let dense = matches!(token.kind, Kind::Single | Kind::Pair);
        let starts = || !dense && query.prefixes.iter().any(|prefix| token.text.starts_with(prefix.as_str()));
        if !whole.contains(token.text) && !starts() {
            return;
        }
        // A part follows its compound, so a range may begin before the end of the one before it, never before its start.
        match ranges.last_mut() {
            Some(last) if token.range.start < last.end || (dense && token.range.start == last.end) => {
                last.end = last.end.max(token.range.end);
            }
            _ => ranges.push(token.range),
        }
    });
    ranges
}

/// The words of `question` that occur in `text`, as compared, each once, in the question's order. Parts of an identifier count, single characters of a script without blanks do not.
#[must_use]
pub fn shared_words(question: &str, text: &str) -> Vec<String> {
    let theirs: HashSet<String> = words(text).into_iter().map(|word| word.text).collect();
    let mut seen = BTreeSet::new();
    let mut shared = Query::parse(question, false).words;
    shared.retain(|word| theirs.contains(word) && seen.insert(word.clone()));
    shared
}
