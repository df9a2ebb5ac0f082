//! A passage wrapped to a width, with some byte ranges of it lit.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::text;
use crate::domain::text::clean;

/// How far a tab reaches.
const TAB: usize = 4;

/// A piece of a wrapped line: text to show, and whether it is lit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Cleaned text.
    pub text: String,
    /// True inside a lit range.
    pub lit: bool,
}

/// One wrapped line.
pub type Row = Vec<Piece>;

/// Wraps `text` at blanks (inside a word where it is longer than a line) into rows of at most `columns` columns.
///
/// `lit` holds byte ranges of `text` in ascending order. A line end inside a paragraph is a blank; those of lists, tables and code
/// are kept, runs of blank lines become one.
#[must_use]
pub fn wrap(text: &str, lit: &[Range<usize>], columns: usize) -> Vec<Row> {
    let columns = columns.max(1);
    let mut rows = Vec::new();
    let mut start = 0;
    let mut fenced = false;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let mut end = start + line.len();
        if line.trim().is_empty() {
            if rows.last().is_some_and(|row: &Row| !row.is_empty()) {
                rows.push(Row::new());
            }
        } else {
            fenced ^= is_fence(line);
            while let Some(next) = lines.next_if(|next| !fenced && flows_on(&text[start..end], next)) {
                end += next.len();
            }
            wrap_line(text[start..end].trim_end_matches(['\n', '\r']), start, lit, columns, &mut rows);
        }
        start = end;
    }
    while rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    rows
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// True if `next` goes on with the paragraph that ends in `before`: prose that a writer broke at a column.
fn flows_on(before: &str, next: &str) -> bool {
    let prose = |line: &str| line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '(' | '"' | '“' | '*' | '`'));
    let bullet = next.starts_with("* ") || is_fence(next);
    let last = before.trim_end_matches(['\n', '\r']).rsplit('\n').next().unwrap_or_default();
    let hard = last.ends_with("  ") || last.ends_with('\\') || last.trim_start().starts_with(['|', '#']);
    prose(next) && !bullet && !hard && !is_fence(last)
}

struct Cell {
    text: String,
    width: usize,
    lit: bool,
    blank: bool,
}

fn wrap_line(line: &str, start: usize, lit: &[Range<usize>], columns: usize, rows: &mut Vec<Row>) {
    let mut row: Vec<Cell> = Vec::new();
    let mut used = 0;
    let mut ranges = lit.iter().skip_while(|range| range.end <= start).peekable();
    for (at, grapheme) in line.grapheme_indices(true) {
        let at = start + at;
        while ranges.peek().is_some_and(|range| range.end <= at) {
            ranges.next();
        }
        let lit = ranges.peek().is_some_and(|range| range.contains(&at));
        let shown = if grapheme.ends_with('\n') {
            " ".to_owned()
        } else if grapheme == "\t" {
            " ".repeat(TAB - used % TAB)
        } else {
            clean(grapheme).into_owned()
        };
        let cell = Cell { width: text::width(&shown), blank: grapheme.trim().is_empty(), text: shown, lit };
        // A blank may hang over the edge: it is trimmed, and marks where the next word breaks off.
        if used + cell.width > columns && !row.is_empty() && !cell.blank {
            let rest = match row.iter().rposition(|cell| cell.blank) {
                Some(blank) if row[..blank].iter().any(|cell| !cell.blank) => row.split_off(blank + 1),
                _ => Vec::new(),
            };
            rows.push(pieces(&row));
            used = rest.iter().map(|cell| cell.width).sum();
            row = rest;
        }
        used += cell.width;
        row.push(cell);
    }
    rows.push(pieces(&row));
}

fn pieces(row: &[Cell]) -> Row {
    let end = row.iter().rposition(|cell| !cell.blank).map_or(0, |last| last + 1);
    let mut pieces: Row = Vec::new();
    for cell in &row[..end] {
        match pieces.last_mut() {
            Some(piece) if piece.lit == cell.lit => piece.text.push_str(&cell.text),
            _ => pieces.push(Piece { text: cell.text.clone(), lit: cell.lit }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rows: &[Row]) -> Vec<String> {
        let piece = |piece: &Piece| if piece.lit { format!("[{}]", piece.text) } else { piece.text.clone() };
        rows.iter().map(|row| row.iter().map(piece).collect()).collect()
    }

    #[test]
    fn words_are_kept_whole_and_long_ones_are_broken() {
        for (text, columns, want) in [
            ("one two three", 7, vec!["one two", "three"]),
            ("one two three", 6, vec!["one", "two", "three"]),
            ("abcdefgh", 3, vec!["abc", "def", "gh"]),
            ("返金返金", 3, vec!["返", "金", "返", "金"]),
            ("a\n\n\n\nb\r\n", 9, vec!["a", "", "b"]),
            ("a\tb", 9, vec!["a   b"]),
            ("one\r\ntwo\n", 9, vec!["one two"]),
            ("one\n- two\n- three", 9, vec!["one", "- two", "- three"]),
            ("| a |\n| b |\nc", 9, vec!["| a |", "| b |", "c"]),
            ("```\na\nb\n```\nc\nd", 9, vec!["```", "a", "b", "```", "c d"]),
            ("x\u{1b}[0m", 9, vec!["x␛[0m"]),
            ("", 9, vec![]),
        ] {
            assert_eq!(shown(&wrap(text, &[], columns)), want, "{text:?}");
        }
    }

    #[test]
    fn lit_ranges_follow_the_text_over_line_ends_and_wraps() {
        let text = "The BROKEN jack\nwas broken.";
        let lit = [4..10, 20..26];
        assert_eq!(shown(&wrap(text, &lit, 10)), ["The [BROKEN]", "jack was", "[broken]."]);
        assert_eq!(shown(&wrap(text, &lit, 40)), ["The [BROKEN] jack was [broken]."]);
    }

    #[test]
    fn no_row_is_wider_than_asked() {
        for columns in 1..30 {
            for row in
                wrap("Straße 返金👩‍🔬 e\u{301}e\u{301} \t wide\u{200b}word SKU-4411-AAAAAAAAAAAAAAAAAA", &[], columns)
            {
                let width: usize = row.iter().map(|piece| text::width(&piece.text)).sum();
                assert!(width <= columns.max(4), "{row:?} in {columns}");
            }
        }
    }
}
