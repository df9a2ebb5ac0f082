//! Cuts text into the words that the index holds and that a query is made of; the only place that knows what a word is.

use std::ops::Range;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word as it is compared: composed, lower-case.
    pub text: String,
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
}

/// The words of `text` in order; identifiers whole and in parts, scripts without blanks in single characters and pairs.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    let _ = text;
    Vec::new()
}

/// True if `typed` holds a letter or a digit, so that there is something to search for.
#[must_use]
pub fn is_searchable(typed: &str) -> bool {
    typed.chars().any(char::is_alphanumeric)
}

/// True if the last word of `typed` may still be in the making: no blank follows it.
#[must_use]
pub fn last_is_prefix(typed: &str) -> bool {
    !typed.ends_with(char::is_whitespace)
}

/// Where words of `query` stand in `text`: byte ranges, in order, apart from each other. Where a word only begins as typed, all of it is marked.
#[must_use]
pub fn matches(text: &str, query: &str, last_is_prefix: bool) -> Vec<Range<usize>> {
    let _ = (text, query, last_is_prefix);
    Vec::new()
}

/// The words of `question` that occur in `text`, as compared, each once, in the question's order.
#[must_use]
pub fn shared_words(question: &str, text: &str) -> Vec<String> {
    let _ = (question, text);
    Vec::new()
}
