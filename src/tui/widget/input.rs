//! One line of text that is being typed, edited by grapheme.

use unicode_segmentation::UnicodeSegmentation;

use super::text;
use crate::domain::text::clean;

/// One line of text with a cursor between two graphemes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Input {
    text: String,
    /// Byte position of the cursor, always at a grapheme's edge.
    at: usize,
}

/// A change to a line of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Types a character.
    Insert(char),
    /// Erases the grapheme before the cursor.
    Backspace,
    /// Erases the grapheme after the cursor.
    Delete,
    /// Erases the word before the cursor.
    Word,
    /// Erases everything.
    Clear,
    /// One grapheme to the left.
    Left,
    /// One grapheme to the right.
    Right,
    /// To the beginning.
    Home,
    /// To the end.
    End,
}

impl Input {
    /// A line that holds `text`, with the cursor at its end.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut input = Self::default();
        input.insert(text);
        input
    }

    /// What is typed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Puts `text` in at the cursor. It stays one line: line ends and tabs become blanks, other control characters are dropped.
    pub fn insert(&mut self, text: &str) {
        let line: String = text
            .replace("\r\n", " ")
            .chars()
            .filter_map(|c| match c {
                '\n' | '\r' | '\t' => Some(' '),
                c if c.is_control() => None,
                c => Some(c),
            })
            .collect();
        self.text.insert_str(self.at, &line);
        self.at += line.len();
        self.settle();
    }

    /// Changes the text or moves the cursor. True if the text changed.
    pub fn apply(&mut self, edit: Edit) -> bool {
        let before = self.text.len();
        match edit {
            Edit::Insert(c) => {
                self.insert(c.encode_utf8(&mut [0; 4]));
                return true;
            }
            Edit::Backspace => self.erase(self.left(), self.at),
            Edit::Delete => self.erase(self.at, self.right()),
            Edit::Word => {
                let head = self.text[..self.at].trim_end();
                let start = head.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                // `rfind` gives the first byte of a blank that may be several bytes long.
                let start = (start..=head.len()).find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
                self.erase(start, self.at);
            }
            Edit::Clear => self.erase(0, self.text.len()),
            Edit::Left => self.at = self.left(),
            Edit::Right => self.at = self.right(),
            Edit::Home => self.at = 0,
            Edit::End => self.at = self.text.len(),
        }
        self.text.len() != before
    }

    /// The part to draw in `width` columns, and the cursor's column in it.
    #[must_use]
    pub fn view(&self, width: usize) -> (String, usize) {
        let head = clean(&self.text[..self.at]);
        let room = width.saturating_sub(1);
        let mut skip = 0;
        let mut used = text::width(&head);
        for grapheme in head.graphemes(true) {
            if used <= room {
                break;
            }
            used -= text::width(grapheme);
            skip += grapheme.len();
        }
        let shown = format!("{}{}", &head[skip..], clean(&self.text[self.at..]));
        (text::take(&shown, width).to_owned(), used)
    }

    fn erase(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.at = from;
        self.settle();
    }

    /// Moves the cursor off the inside of a grapheme that an edit has joined.
    fn settle(&mut self) {
        while self.at < self.text.len() && !self.text.grapheme_indices(true).any(|(at, _)| at == self.at) {
            self.at = self.text.ceil_char_boundary(self.at + 1);
        }
    }

    fn left(&self) -> usize {
        self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn right(&self) -> usize {
        self.text[self.at..].graphemes(true).next().map_or(self.at, |grapheme| self.at + grapheme.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backspace_erases_one_grapheme() {
        let mut input = Input::new("e\u{301}x 👩‍🔬");
        assert!(input.apply(Edit::Backspace));
        assert_eq!(input.text(), "e\u{301}x ");
        input.apply(Edit::Backspace);
        input.apply(Edit::Backspace);
        assert!(input.apply(Edit::Backspace));
        assert_eq!(input.text(), "");
        assert!(!input.apply(Edit::Backspace));
    }

    #[test]
    fn a_paste_stays_one_line_without_control_characters() {
        let mut input = Input::default();
        input.insert("a\r\nb\tc\u{1b}[31md");
        assert_eq!(input.text(), "a b c[31md");
    }

    #[test]
    fn a_word_is_erased_with_the_blanks_behind_it() {
        let mut input = Input::new("lead time\u{3000}SKU-4411  ");
        input.apply(Edit::Word);
        assert_eq!(input.text(), "lead time\u{3000}");
        input.apply(Edit::Word);
        assert_eq!(input.text(), "lead ");
    }

    #[test]
    fn the_cursor_is_in_view_in_a_narrow_field() {
        let input = Input::new("返金返金返金 end");
        for width in 0..20 {
            let (shown, cursor) = input.view(width);
            assert!(text::width(&shown) <= width, "{shown:?} in {width}");
            assert!(cursor < width.max(1), "{cursor} in {width}");
        }
    }
}
