//! Lines of a page: cleaned, and wrapped between words.

use unicode_width::UnicodeWidthStr;

use crate::domain::text::clean;

/// How wide a page is, in columns.
pub(super) const WIDTH: usize = 80;

/// The lines of a page.
#[derive(Debug, Default)]
pub(super) struct Lines(String);

impl Lines {
    pub(super) fn line(&mut self, text: &str) {
        self.0.push_str(clean(text).trim_end());
        self.0.push('\n');
    }

    /// `text` in as many lines as it takes, those after the first with `indent` before them. A word that is wider than the page
    /// stays whole, so that it can be copied.
    pub(super) fn wrapped(&mut self, text: &str, indent: &str) {
        let text = clean(text);
        let kept = text.len() - text.trim_start().len();
        let mut line = text[..kept].to_owned();
        let mut bare = true;
        for word in text.split_whitespace() {
            if !bare && line.width() + 1 + word.width() > WIDTH {
                self.line(&line);
                indent.clone_into(&mut line);
                bare = true;
            }
            if !bare {
                line.push(' ');
            }
            line.push_str(word);
            bare = false;
        }
        self.line(&line);
    }

    pub(super) fn text(self) -> String {
        self.0
    }
}

/// `text` cut to `columns`, with a mark where it was cut.
pub(super) fn cut(text: &str, columns: usize) -> String {
    let text = clean(text);
    if text.width() <= columns {
        return text.into_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        short.push(c);
        if short.width() + 1 > columns {
            short.pop();
            break;
        }
    }
    short.push('…');
    short
}

/// `text` filled up to `columns` on the right.
pub(super) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

/// `text` filled up to `columns` on the left.
pub(super) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(text.width())))
}
