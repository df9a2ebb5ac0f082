//! From a key to a command, by the one table in `table`. Footer, help and README are made from it too.

pub mod chord;
pub mod doc;
pub mod table;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use self::{chord::Chord, table::TABLE};
use super::{
    command::{Command, Context, Label, Tags},
    widget::input,
};

/// One row of the key table.
#[derive(Debug)]
pub struct Binding {
    /// Where it works.
    pub context: Context,
    /// Its keys, the first of which is shown in the footer.
    pub keys: &'static [&'static str],
    /// What it asks for.
    pub command: Command,
    /// One word for the footer; empty keeps it out of there.
    pub hint: &'static str,
    /// One sentence for the help page and the README.
    pub help: &'static str,
}

/// The command of `key` where `contexts` hold, innermost first. In a text field a printable key without a row is typed.
#[must_use]
pub fn resolve(contexts: &[Context], key: KeyEvent) -> Option<Command> {
    let pressed = Chord::from(key);
    for &context in contexts {
        let bound = TABLE.iter().find(|binding| {
            binding.context == context && binding.keys.iter().any(|key| Chord::parse(key) == Some(pressed))
        });
        if let Some(binding) = bound {
            return Some(nth(binding.command, pressed));
        }
        let modified = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SUPER);
        if context == Context::Typing
            && let KeyCode::Char(c) = key.code
            && !modified
        {
            return Some(Command::Type(input::Edit::Insert(c)));
        }
    }
    None
}

/// A row of digits names its command for the first; the others follow from the digit.
fn nth(command: Command, pressed: Chord) -> Command {
    let KeyCode::Char(digit) = pressed.code else { return command };
    let digit = digit.to_digit(10).and_then(|digit| u8::try_from(digit).ok()).unwrap_or(1);
    match command {
        Command::Label(Label::Nth(_)) => Command::Label(Label::Nth(digit)),
        Command::Tags(Tags::Nth(_)) => Command::Tags(Tags::Nth(digit)),
        other => other,
    }
}
