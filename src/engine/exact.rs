//! Numbers too long for a number: an id of thirty digits stays what it is.

use std::borrow::Cow;

/// The JSON in `body` with every whole number that no 64 bits hold written as text.
#[must_use]
pub fn long_numbers_as_text(body: &[u8]) -> Cow<'_, [u8]> {
    let mut out: Vec<u8> = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    while at < body.len() {
        match body[at] {
            b'"' => at = end_of_string(body, at),
            b'-' | b'0'..=b'9' => {
                let length = body[at..].iter().position(|byte| !b"+-.eE0123456789".contains(byte));
                let end = length.map_or(body.len(), |length| at + length);
                let number = std::str::from_utf8(&body[at..end]).unwrap_or_default();
                let digits = number.strip_prefix('-').unwrap_or(number);
                let whole = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
                if whole && number.len() > 18 && number.parse::<i64>().is_err() && number.parse::<u64>().is_err() {
                    out.extend_from_slice(&body[copied..at]);
                    out.push(b'"');
                    out.extend_from_slice(&body[at..end]);
                    out.push(b'"');
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(body);
    }
    out.extend_from_slice(&body[copied..]);
    Cow::Owned(out)
}

/// Behind the quote that ends the string that begins at `at`.
fn end_of_string(body: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while at < body.len() {
        match body[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    body.len()
}

#[cfg(test)]
mod tests {
    use super::long_numbers_as_text;

    #[test]
    fn only_whole_numbers_that_no_64_bits_hold_become_text() {
        for (body, expected) in [
            (r#"{"id":7,"score":1.5}"#, r#"{"id":7,"score":1.5}"#),
            (r"[215250709085334181,18446744073709551615]", r"[215250709085334181,18446744073709551615]"),
            (r"[18446744073709551616, -9223372036854775809]", r#"["18446744073709551616", "-9223372036854775809"]"#),
            (
                r#"{"a\"18446744073709551616":"18446744073709551616"}"#,
                r#"{"a\"18446744073709551616":"18446744073709551616"}"#,
            ),
            (
                "[1.23456789012345678901234, 12345678901234567890123e4]",
                "[1.23456789012345678901234, 12345678901234567890123e4]",
            ),
            ("99999999999999999999999", "\"99999999999999999999999\""),
            ("\"cut off \\", "\"cut off \\"),
        ] {
            assert_eq!(String::from_utf8_lossy(&long_numbers_as_text(body.as_bytes())), expected, "{body}");
        }
    }
}
