//! Where the parts of the screen are.

use ratatui::layout::Rect;

use crate::tui::widget::canvas::{below, row};

/// From this width on the passage stands beside the ranking.
const BESIDE: u16 = 140;
/// The rows that head, question, numbers, header and a few results need beside a verdict that is shown whole.
const OTHERS: u16 = 8;

/// Where the parts of the screen are.
pub(super) struct Layout {
    pub(super) head: Rect,
    pub(super) question: Rect,
    pub(super) said: Rect,
    pub(super) numbers: Rect,
    pub(super) header: Rect,
    pub(super) list: Rect,
    pub(super) rule: Rect,
    pub(super) passage: Rect,
}

/// How many rows the verdict may take: about a third, or all that the ranking can spare.
pub(super) fn most(area: Rect, whole: bool) -> u16 {
    if whole { area.height.saturating_sub(OTHERS).max(4) } else { (area.height * 3 / 10).max(4) }
}

impl Layout {
    /// `said` is how many rows the verdict needs, of at most `most`, `items` how many the ranking has.
    pub(super) fn new(area: Rect, said: usize, most: u16, items: usize) -> Self {
        let fit = |rows: usize| u16::try_from(rows).unwrap_or(u16::MAX);
        let said = Rect { height: fit(said).min(most).min(below(area, 2).height), ..below(area, 2) };
        let body = below(area, 3 + said.height);
        let (left, right) = if area.width >= BESIDE {
            let width = area.width * 11 / 20;
            (Rect { width, ..body }, Rect { x: body.x + width + 1, width: body.width - width - 1, ..body })
        } else {
            let rest = body.height.saturating_sub(1);
            let least = (rest / 4).max(u16::from(rest > 6));
            // Without any item one row says so.
            let list = fit(items.max(1)).min(rest.saturating_sub(least + 1));
            (Rect { height: 1 + list, ..body }, below(body, 1 + list))
        };
        Self {
            head: row(area, 0),
            question: row(area, 1),
            numbers: row(area, 2 + said.height),
            said,
            header: row(left, 0),
            list: below(left, 1),
            rule: row(right, 0),
            passage: below(right, 1),
        }
    }
}
