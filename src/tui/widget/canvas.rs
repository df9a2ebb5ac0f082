//! Where a screen draws: text by role, cut to its place, never outside it.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::{Line, Span},
    widgets::{Block, Clear, Widget as _},
};

use super::{input::Input, passage, text};
use crate::{
    domain::text::clean,
    tui::theme::{Role, Theme},
};

/// A buffer and how roles look.
pub struct Canvas<'a> {
    /// The cells.
    pub buf: &'a mut Buffer,
    /// How roles look.
    pub theme: Theme,
}

/// A piece of a line: text and what it means.
pub type Piece<'a> = (std::borrow::Cow<'a, str>, Role);

/// A piece of a line, from anything that is text.
pub fn piece<'a>(text: impl Into<std::borrow::Cow<'a, str>>, role: Role) -> Piece<'a> {
    (text.into(), role)
}

impl Canvas<'_> {
    /// Writes pieces one after the other into the first row of `area`. Cleans them of control characters.
    pub fn line(&mut self, area: Rect, pieces: &[Piece<'_>]) {
        self.styled_line(area, pieces, None);
    }

    /// The same for a row of a list: `over`, if given, lies over the whole row.
    pub fn row(&mut self, area: Rect, pieces: &[Piece<'_>], over: Option<Role>) {
        self.styled_line(area, pieces, over);
    }

    fn styled_line(&mut self, area: Rect, pieces: &[Piece<'_>], over: Option<Role>) {
        let area = area.intersection(*self.buf.area());
        if area.is_empty() {
            return;
        }
        let row = Rect { height: 1, ..area };
        let spans = pieces.iter().map(|(piece, role)| Span::styled(clean(piece).into_owned(), self.theme.style(*role)));
        spans.collect::<Line<'_>>().render(row, self.buf);
        if let Some(role) = over {
            self.buf.set_style(row, self.theme.style(role));
        }
    }

    /// Writes wrapped rows from the top of `area`; what does not fit is left out.
    pub fn rows(&mut self, area: Rect, rows: &[passage::Row], role: Role) {
        for (at, row) in area.rows().zip(rows) {
            let pieces: Vec<_> = row
                .iter()
                .map(|piece| (piece.text.as_str().into(), if piece.lit { Role::Lit } else { role }))
                .collect();
            self.line(at, &pieces);
        }
    }

    /// A horizontal rule over the first row of `area`, with a word in it.
    pub fn rule(&mut self, area: Rect, word: &str) {
        let width = usize::from(area.width);
        let head = if word.is_empty() { String::new() } else { format!("── {word} ") };
        let head = text::cut(&head, width);
        let rest = "─".repeat(width.saturating_sub(text::width(&head)));
        self.line(area, &[piece(head, Role::Dim), piece(rest, Role::Dim)]);
    }

    /// A line that is being typed; gives the place of the cursor.
    /// `selected` text is replaced by the next letter.
    pub fn input(
        &mut self,
        area: Rect,
        prompt: &str,
        input: &Input,
        focused: bool,
        selected: bool,
    ) -> Option<Position> {
        let room = usize::from(area.width).saturating_sub(text::width(prompt));
        let (shown, cursor) = input.view(room);
        let role = match (focused, selected) {
            (true, true) => Role::Selected,
            (true, false) => Role::Plain,
            (false, _) => Role::Dim,
        };
        self.line(area, &[piece(prompt, if focused { Role::Accent } else { Role::Dim }), piece(shown, role)]);
        let column = u16::try_from(text::width(prompt) + cursor).ok()?;
        (focused && column < area.width && area.height > 0).then(|| Position::new(area.x + column, area.y))
    }

    /// An empty box in the middle of `area`, at most that large; gives its inside.
    pub fn popup(&mut self, area: Rect, title: &str, width: u16, height: u16) -> Rect {
        let (width, height) = (width.min(area.width), height.min(area.height));
        let place =
            Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
        Clear.render(place, self.buf);
        let title = text::cut(title, usize::from(width.saturating_sub(4)));
        let block = Block::bordered().title(format!(" {title} ")).border_style(self.theme.style(Role::Dim));
        let inside = block.inner(place);
        block.render(place, self.buf);
        inside
    }
}

/// The rows of `area` from `from` (0 at the top) on, as far as there are any.
#[must_use]
pub fn below(area: Rect, from: u16) -> Rect {
    let from = from.min(area.height);
    Rect { y: area.y + from, height: area.height - from, ..area }
}

/// The row `at` of `area` (0 at the top); empty if there is none.
#[must_use]
pub fn row(area: Rect, at: u16) -> Rect {
    let rest = below(area, at);
    Rect { height: rest.height.min(1), ..rest }
}
