//! Cuts text into the words that the index holds and that a query is made of; the only place that knows what a word is.
//!
//! - Letters are compared composed (NFC) and lower-case; nothing is stemmed.
//! - `-`, `_`, `.` and apostrophes between letters or digits join parts to an identifier: `SKU-4411` is the words
//!   `sku-4411`, `sku` and `4411`. Where letters meet digits (`ERR4417`) the pieces are words too.
//! - Scripts written without blanks (Chinese, Japanese, Korean, Thai …) give single characters and pairs.
//! - A word of more than [`LONGEST`] bytes is known by its beginning.

mod highlight;
mod query;
mod scan;
mod stream;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use highlight::{matches, shared_words};
pub(super) use query::Query;
use scan::for_each;
pub(super) use stream::{Starts, Words};

/// Changes whenever the same text gives other words; an index of another version is built anew.
pub(super) const VERSION: u32 = 1;

/// How many bytes of a word are looked at. Words that agree so far are the same word.
pub const LONGEST: usize = 256;

/// How many letters of a word's beginning have an index entry of their own.
pub(super) const START: usize = 4;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word as it is compared: composed, lower-case.
    pub text: String,
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
}

/// The words of `text` in order: each identifier whole and then its parts, each character of a script without blanks and then the pair that it begins.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for_each(text, |token| words.push(Word { text: token.text.to_owned(), range: token.range }));
    words
}

/// True if `typed` holds a letter or a digit, so that there is something to search for.
#[must_use]
pub fn is_searchable(typed: &str) -> bool {
    let mut any = false;
    for_each(typed, |_| any = true);
    any
}

/// How many words of `text` are longer than [`LONGEST`].
pub(super) fn cut_words(text: &str) -> usize {
    let mut count = 0;
    for_each(text, |token| count += usize::from(token.range.len() > LONGEST && token.kind != scan::Kind::Part));
    count
}
