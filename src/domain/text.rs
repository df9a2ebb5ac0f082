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

/// The visible mark for a character that must not reach a terminal as it is: a picture of a control character, a blank for a
/// tab or line end, U+FFFD for direction marks and zero-width blanks. `None` for every other character.
#[must_use]
pub fn visible(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// `text` with every character that must not reach a terminal replaced by its visible mark. It stays one line.
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars().map(|c| visible(c).unwrap_or(c)).collect()
}
