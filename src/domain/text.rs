//! How text is compared where people write it in more than one way.

use unicode_normalization::UnicodeNormalization;

/// Folds what does not tell two names apart: Unicode composition, letter case, and white space.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.nfc().flat_map(char::to_lowercase).nfc());
    }
    folded
}
