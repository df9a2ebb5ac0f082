//! Lines as Markdown has them: each ends with LF, CR LF, or a CR alone.

use std::{iter, ops::Range};

/// The lines of `text`, each with its end.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        let end = match rest.find(['\n', '\r']) {
            Some(at) if rest[at..].starts_with("\r\n") => at + 2,
            Some(at) => at + 1,
            None if rest.is_empty() => return None,
            None => rest.len(),
        };
        let (line, more) = rest.split_at(end);
        rest = more;
        Some(line)
    })
}

/// Where the line of `at` begins.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..text.floor_char_boundary(at)].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// How many lines end in `range`.
pub(in crate::corpus) fn line_ends(bytes: &[u8], range: Range<usize>) -> usize {
    let ends = |at: &usize| match bytes.get(*at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    range.filter(ends).count()
}
