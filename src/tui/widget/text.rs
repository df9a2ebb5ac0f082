//! Text as a terminal shows it: measured in columns, cut by grapheme, with no control character left in it.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::domain::text::clean;

/// The columns that `text` takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// As much of the beginning of `text` as fits into `columns`.
#[must_use]
pub fn take(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += width(grapheme);
        if used > columns {
            return &text[..at];
        }
    }
    text
}

/// `text`, cleaned, and cut to `columns` with an ellipsis where it is longer.
#[must_use]
pub fn cut(text: &str, columns: usize) -> String {
    let text = clean(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    if columns == 0 {
        return String::new();
    }
    format!("{}…", take(&text, columns - 1))
}

/// `text`, cleaned, and cut to `columns` with an ellipsis inside it: names that begin alike often differ at their end.
#[must_use]
pub fn cut_middle(text: &str, columns: usize) -> String {
    let text = clean(text);
    let room = columns.saturating_sub(1);
    if width(&text) <= columns || room < 4 {
        return cut(&text, columns);
    }
    let head = take(&text, room - room / 3);
    let mut tail = "";
    for (at, _) in text.grapheme_indices(true).rev() {
        if width(&text[at..]) > room - width(head) {
            break;
        }
        tail = &text[at..];
    }
    format!("{head}…{tail}")
}

/// `text`, cut to `columns` and filled up with blanks.
#[must_use]
pub fn pad(text: &str, columns: usize) -> String {
    let mut text = cut(text, columns);
    text.extend(std::iter::repeat_n(' ', columns.saturating_sub(width(&text))));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_grapheme_and_by_column() {
        for (text, columns, want) in [
            ("Returns Policy", 20, "Returns Policy"),
            ("Returns Policy", 8, "Returns…"),
            ("返金ポリシー", 5, "返金…"),
            ("返金ポリシー", 4, "返…"),
            ("👩‍🔬👩‍🔬", 3, "👩‍🔬…"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
        ] {
            assert_eq!(cut(text, columns), want);
            assert_eq!(width(&pad(text, columns)), columns, "{text} in {columns}");
        }
    }

    #[test]
    fn a_name_cut_in_its_middle_keeps_both_ends() {
        for (text, columns, want) in [
            ("Framework Agreement EU", 30, "Framework Agreement EU"),
            ("Framework Agreement EU", 14, "Framework…t EU"),
            ("Returns Policy 2023", 10, "Return…023"),
            ("返金ポリシー返金", 9, "返金ポ…金"),
            ("Returns", 4, "Ret…"),
        ] {
            assert_eq!(cut_middle(text, columns), want);
            assert!(width(&cut_middle(text, columns)) <= columns);
        }
    }

    #[test]
    fn control_characters_become_visible_marks() {
        let shown = clean("a\u{1b}[31m\tb\r\n\u{202e}c");
        assert!(!shown.chars().any(char::is_control), "{shown:?}");
        assert!(!shown.contains('\u{202e}'));
    }
}
