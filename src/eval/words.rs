//! Which words of a question tell something, and which of them are codes.

use crate::domain::chunk::Chunk;

/// What stands between blanks, without the punctuation around it: `(SKU-4411),` is `SKU-4411`.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

/// A part number, an error code, a paragraph: three characters or more with a digit or an underscore among them.
pub(super) fn is_code(token: &str) -> bool {
    token.chars().count() >= 3 && token.chars().any(|c| c.is_numeric() || c == '_')
}

/// Short words of most languages carry grammar, not matter; scripts other than Latin put more into fewer letters.
pub(super) fn is_telling(word: &str) -> bool {
    word.chars().count() >= 4 || word.chars().any(|c| c.is_numeric() || !c.is_ascii())
}

/// Everything that a search may find a chunk by: document, headings and text.
pub(super) fn whole_text(chunk: &Chunk) -> String {
    format!("{}\n{}\n{}", chunk.document, chunk.heading.join("\n"), chunk.text)
}
