//! What every part of the page is written with.

use std::fmt::Write as _;

use crate::domain::text::clean;

/// `text` as itself inside an element or a quoted attribute.
#[must_use]
pub(super) fn escape(text: &str) -> String {
    let text = clean(text);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Appends a line.
pub(super) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
