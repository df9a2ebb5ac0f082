//! Texts as scalars: quoted wherever a reader of YAML 1.1 or 1.2 would see something else, and the way the neighbours are.

use super::tree::Style;

/// Where a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// On its own in a block list or mapping.
    Block,
    /// Between brackets or braces.
    Flow,
    /// In JSON.
    Json,
}

/// `text` on one line, in the `preferred` style where it can be.
pub(super) fn write(text: &str, preferred: Style, context: Context) -> String {
    if context == Context::Json {
        return serde_json::Value::from(text).to_string();
    }
    let single = || format!("'{}'", text.replace('\'', "''"));
    let printable = !text.chars().any(needs_escape);
    match preferred {
        Style::Single if printable => single(),
        Style::Double | Style::Single => double(text),
        _ if is_plain(text, context) => text.to_owned(),
        _ if printable && (text.contains('"') || text.contains('\\')) => single(),
        _ => double(text),
    }
}

/// `text` as the lines of a literal block scalar with its header, where it can be one.
pub(super) fn literal(text: &str, indent: usize, line_end: &str) -> Option<String> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let fits = !body.is_empty()
        && !body.starts_with([' ', '\t', '\n'])
        && !body.ends_with(['\n', ' ', '\t'])
        && body.lines().all(|line| line.is_empty() || !line.trim().is_empty())
        && !body.chars().any(|c| c != '\n' && c != '\t' && needs_escape(c));
    if !fits {
        return None;
    }
    let mut out = if text.ends_with('\n') { "|".to_owned() } else { "|-".to_owned() };
    for line in body.split('\n') {
        out.push_str(line_end);
        if !line.is_empty() {
            out.push_str(&" ".repeat(indent));
            out.push_str(line);
        }
    }
    Some(out)
}

fn needs_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

fn double(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if needs_escape(c) => out.push_str(&escape(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn escape(c: char) -> String {
    match u32::from(c) {
        code @ 0..=0xff => format!("\\x{code:02x}"),
        code => format!("\\u{code:04x}"),
    }
}

/// True if every reader sees this very text without quotes.
fn is_plain(text: &str, context: Context) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let indicators = "-?:,[]{}#&*!|>'\"%@`=<.~";
    !indicators.contains(first)
        && text.trim() == text
        && !text.chars().any(needs_escape)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !(context == Context::Flow && text.contains([',', '[', ']', '{', '}', ':', '?']))
        && !is_word_of_yaml(text)
        && !looks_like_number(text)
}

fn is_word_of_yaml(text: &str) -> bool {
    let words = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Numbers in every base, with underscores, sexagesimals, and dates.
fn looks_like_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '+')
        && text.chars().all(|c| c.is_ascii_hexdigit() || "_xo.:+- TtZz".contains(c))
}
