//! Text that is not Markdown, inside Markdown.

use crate::domain::text::clean;

/// Text longer than this is cut; a question pasted from a log may hold a page.
const LONGEST: usize = 300;

/// `text` on one line, as itself: no character of it is read as Markdown or HTML, no name is mentioned, nothing is linked.
#[must_use]
pub(crate) fn escape(text: &str) -> String {
    let text = clean(text);
    let mut words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = words.char_indices().nth(LONGEST) {
        words.truncate(at);
        words.push('…');
    }
    let mut escaped = String::with_capacity(words.len());
    let mut rest = words.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // A backslash does not keep GitHub from telling somebody of a mention, or from linking an issue.
            '@' if next.is_some_and(char::is_alphabetic) => escaped.push_str("@<!-- -->"),
            '#' if next.is_some_and(|next| next.is_ascii_digit()) => escaped.push_str("#<!-- -->"),
            _ if special(c, &escaped, next) => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Whether `c` may mean something to Markdown after this text and before this character.
fn special(c: char, before: &str, next: Option<char>) -> bool {
    let numbered = || !before.is_empty() && before.chars().all(char::is_numeric);
    match c {
        '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => true,
        // Lists, quotes and headings begin a line; `1.` and `1)` begin a list too.
        '-' | '+' | '=' | '#' => before.is_empty(),
        ')' => numbered(),
        // `www.` and `http://` would be linked.
        '.' => numbered() || before.ends_with(['w', 'W']),
        ':' => next.is_some_and(|next| !next.is_whitespace()),
        _ => false,
    }
}

/// An identifier as code where that is safe, else as plain text.
#[must_use]
pub(crate) fn code(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/+#@=, ".contains(c);
    let safe = !text.is_empty() && text.chars().all(plain) && text.trim() == text && text.len() <= LONGEST;
    if safe { format!("`{text}`") } else { escape(text) }
}
