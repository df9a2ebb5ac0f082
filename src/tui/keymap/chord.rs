//! A key with its modifiers, as it is written in the table: `ctrl-s`, `enter`, `?`.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers. Shift is part of the character, so it is kept for no key but the tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    /// The key.
    pub code: KeyCode,
    /// With the control key.
    pub control: bool,
}

/// Keys that have a name instead of a character.
const NAMES: [(&str, KeyCode); 15] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("space", KeyCode::Char(' ')),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
];

impl From<KeyEvent> for Chord {
    fn from(key: KeyEvent) -> Self {
        Self { code: key.code, control: key.modifiers.contains(KeyModifiers::CONTROL) }
    }
}

impl Chord {
    /// Reads a key as the table writes it; `None` if there is no such key.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (control, name) = match text.strip_prefix("ctrl-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if let Some((_, code)) = NAMES.iter().find(|(known, _)| *known == name) {
            return Some(Self { code: *code, control });
        }
        let mut chars = name.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Some(Self { code: KeyCode::Char(c), control }),
            _ => None,
        }
    }

    /// The event that a terminal sends for it.
    #[must_use]
    pub fn event(self) -> KeyEvent {
        let modifiers = if self.control { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
        KeyEvent::new(self.code, modifiers)
    }
}
