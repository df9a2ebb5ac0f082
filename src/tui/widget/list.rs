//! A cursor in a list, with the first visible row. Moving it is pure; drawing never changes it.

use std::ops::Range;

/// Where one is in a list, and which row was last seen at its top.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ListCursor {
    /// The row under the cursor, from 0.
    pub selected: usize,
    /// The first row that was visible after the last move.
    pub top: usize,
}

/// A way to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// To the first row.
    First,
    /// To the last row.
    Last,
}

impl ListCursor {
    /// Moves within `len` rows, of which `height` are visible.
    pub fn apply(&mut self, motion: Motion, len: usize, height: usize) {
        let page = height.max(1);
        let last = len.saturating_sub(1);
        self.selected = match motion {
            Motion::Up => self.selected.saturating_sub(1),
            Motion::Down => self.selected + 1,
            Motion::PageUp => self.selected.saturating_sub(page),
            Motion::PageDown => self.selected + page,
            Motion::First => 0,
            Motion::Last => last,
        }
        .min(last);
        self.top = self.visible(len, height).start;
    }

    /// Puts the cursor on row `at`.
    pub fn select(&mut self, at: usize, len: usize, height: usize) {
        self.selected = at.min(len.saturating_sub(1));
        self.top = self.visible(len, height).start;
    }

    /// The rows to draw where `height` rows are visible; the selected one is among them.
    #[must_use]
    pub fn visible(&self, len: usize, height: usize) -> Range<usize> {
        let height = height.max(1);
        let selected = self.selected.min(len.saturating_sub(1));
        let top = self.top.min(selected).max((selected + 1).saturating_sub(height));
        let top = top.min(len.saturating_sub(height));
        top..(top + height).min(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_is_always_visible_and_inside_the_list() {
        for len in 0..12 {
            for height in 0..6 {
                let mut cursor = ListCursor::default();
                for motion in [
                    Motion::Down,
                    Motion::PageDown,
                    Motion::Last,
                    Motion::Up,
                    Motion::PageUp,
                    Motion::PageDown,
                    Motion::First,
                ] {
                    cursor.apply(motion, len, height);
                    assert!(len == 0 || cursor.selected < len);
                    assert!(len == 0 || cursor.visible(len, height).contains(&cursor.selected));
                    assert!(cursor.visible(len, height).end <= len);
                }
            }
        }
    }

    #[test]
    fn a_smaller_window_still_shows_the_selected_row() {
        let mut cursor = ListCursor::default();
        cursor.select(9, 20, 10);
        assert_eq!(cursor.visible(20, 10), 0..10);
        assert_eq!(cursor.visible(20, 4), 6..10);
    }
}
