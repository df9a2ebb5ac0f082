//! Whether a short plain word stands in a text as a value, or as any other word of a sentence.

use super::LONG;

/// After these a value follows, without any sign between.
const NAMES: [&str; 13] = [
    "bearer",
    "basic",
    "token",
    "apikey",
    "api-key",
    "api_key",
    "key",
    "password",
    "passwd",
    "secret",
    "credential",
    "credentials",
    "value",
];

/// True for a value that may well be a word of an error's text: few letters, and small ones but for the first.
pub(super) fn is_word(value: &str) -> bool {
    value.chars().count() < LONG
        && value.chars().enumerate().all(|(at, c)| c.is_ascii_lowercase() || (at == 0 && c.is_ascii_uppercase()))
}

/// True if the `length` bytes at `at`, which are a value of [`is_word`] in some spelling, are part of a longer word or a word of a
/// sentence. Wherever that is in doubt it is false: after any sign (a quote, `=`, `:`, `/`, `,`, `(`), on a line alone, after
/// the name of a secret, and encoded.
pub(super) fn is_prose(text: &[u8], at: usize, length: usize) -> bool {
    let (before, word, after) = (&text[..at], &text[at..at + length], &text[at + length..]);
    if !word.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    // Of what is beyond ASCII all is a sign: a quote is more common beside it than a letter, and cutting is the safe side.
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    // `admin-guide`, `wrongly`, `right_or_wrong`; but not `%3Dwrong` or `\nwrong`, whose letters end another sign.
    let joins = |byte: Option<&u8>| matches!(byte, Some(b'-' | b'_'));
    let longer_after = is_letter(after.first()) || (joins(after.first()) && is_letter(after.get(1)));
    let previous = before.len().checked_sub(2).map(|at| &before[at]);
    let longer_before = is_letter(before.last()) || (joins(before.last()) && is_letter(previous));
    if longer_before {
        return !ends_encoded(before);
    }
    if longer_after {
        return true;
    }
    let spaces = before.iter().rev().take_while(|&&byte| byte == b' ').count();
    let said = &before[..before.len() - spaces];
    let goes_on = after.first() == Some(&b' ') && is_letter(after.get(1));
    match said.last() {
        // A sentence begins with it.
        None | Some(b'\n') => goes_on,
        Some(b'"' | b'\'' | b'`' | b'(') if spaces == 0 => goes_on,
        Some(b',' | b';' | b'.' | b'!' | b'?' | b')') if spaces > 0 => true,
        last if spaces > 0 && is_letter(last) => {
            let from = said.iter().rposition(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
            let name = said[from.map_or(0, |from| from + 1)..].to_ascii_lowercase();
            !NAMES.iter().any(|known| name.ends_with(known.as_bytes()))
        }
        _ => false,
    }
}

/// Whether the last letters belong to an encoded sign: `%3D`, `\n`, `\u003d`.
fn ends_encoded(text: &[u8]) -> bool {
    let ends = |length: usize, sign: &[u8]| {
        let start = text.len().checked_sub(length);
        let end = start.map(|start| &text[start..]);
        end.is_some_and(|end| end.starts_with(sign) && end[sign.len()..].iter().all(u8::is_ascii_hexdigit))
    };
    ends(3, b"%") || ends(6, b"\\u") || [b"\\n", b"\\t", b"\\r"].iter().any(|end| text.ends_with(*end))
}

#[cfg(test)]
mod tests;
