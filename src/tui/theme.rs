//! Colours by meaning. No other file names a colour, and none carries a meaning that a glyph or a word does not carry too.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of the screen means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Ordinary text.
    Plain,
    /// Text that can wait.
    Dim,
    /// Headings and the question.
    Strong,
    /// The row under the cursor.
    Selected,
    /// The row under the cursor of a list that does not have the focus.
    Marked,
    /// A supporting chunk, or a number as good as it can be.
    Supporting,
    /// A distractor, or a number as bad as it can be.
    Distractor,
    /// A leaked chunk, or something to look at.
    Warning,
    /// A matched word.
    Lit,
    /// The screen one is on, and keys in the footer.
    Accent,
    /// Something went wrong.
    Error,
}

impl Role {
    /// Every role with the letter that stands for it in a snapshot.
    pub const LETTERS: [(Self, char); 11] = [
        (Self::Plain, '.'),
        (Self::Dim, 'd'),
        (Self::Strong, 'b'),
        (Self::Selected, 'S'),
        (Self::Marked, 'm'),
        (Self::Supporting, 'G'),
        (Self::Distractor, 'R'),
        (Self::Warning, 'W'),
        (Self::Lit, 'L'),
        (Self::Accent, 'a'),
        (Self::Error, 'E'),
    ];
}

/// How roles look: with the terminal's own sixteen colours, or with attributes only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// The sixteen colours that every terminal maps to its own palette, light or dark.
    #[default]
    Colour,
    /// Bold, underline and reverse only (`NO_COLOR`).
    Plain,
}

impl Theme {
    /// The style of `role`.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        let style = Style::new();
        let (colour, modifier) = match role {
            Role::Plain => (None, Modifier::empty()),
            Role::Dim => (Some(Color::DarkGray), Modifier::empty()),
            Role::Strong => (None, Modifier::BOLD),
            Role::Selected => (None, Modifier::REVERSED),
            Role::Marked => (None, Modifier::UNDERLINED),
            Role::Supporting => (Some(Color::Green), Modifier::BOLD),
            Role::Distractor => (Some(Color::Red), Modifier::empty()),
            Role::Warning => (Some(Color::Yellow), Modifier::REVERSED),
            Role::Lit => (Some(Color::Cyan), Modifier::BOLD),
            Role::Accent => (Some(Color::Blue), Modifier::BOLD),
            Role::Error => (Some(Color::Red), Modifier::BOLD),
        };
        let style = style.add_modifier(modifier);
        match (self, colour) {
            (Self::Colour, Some(colour)) => style.fg(colour),
            // Without colours, what stood out by colour alone is underlined.
            (Self::Plain, Some(_)) if role == Role::Dim => style.add_modifier(Modifier::DIM),
            (Self::Plain, Some(_)) if role == Role::Lit => style.add_modifier(Modifier::UNDERLINED),
            _ => style,
        }
    }
}
