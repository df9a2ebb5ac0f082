//! The list of tags that lies over a screen: each tag one key, a new one typed.

use ratatui::layout::{Position, Rect};

use crate::{
    casefile,
    tui::{
        command::{self, Context},
        data::{Data, Tone},
        effect::Out,
        theme::Role,
        widget::{
            canvas::{Canvas, below, piece, row},
            input::{Edit, Input},
            list::{ListCursor, Motion},
        },
    },
};

/// Where one looks in the list of tags.
#[derive(Debug, Default)]
pub struct TagList {
    cursor: ListCursor,
    new: Option<Input>,
}

/// At most this many tags are visible at once.
const HEIGHT: u16 = 14;

impl TagList {
    /// Where keys go, innermost first.
    #[must_use]
    pub fn contexts(&self) -> &'static [Context] {
        if self.new.is_some() {
            &[Context::NewTag, Context::Typing, Context::Always]
        } else {
            &[Context::Tags, Context::List, Context::Always]
        }
    }

    /// Does what a key asks for; false when the list is to be closed.
    pub fn command(&mut self, command: command::Tags, data: &mut Data, out: &mut Out<'_>) -> bool {
        use command::Tags as C;
        match command {
            C::Toggle => toggle(data.tags().get(self.cursor.selected).cloned(), data, out),
            C::Nth(n) => {
                let tags = data.tags();
                let shown = self.cursor.visible(tags.len(), height(data));
                toggle(tags.get(shown.start + usize::from(n) - 1).cloned(), data, out);
            }
            C::New => self.new = Some(Input::default()),
            C::Add => {
                let tag = self.new.take().map(|input| input.text().trim().to_owned()).unwrap_or_default();
                if tag.chars().any(|c| c.is_whitespace() || ",;:[]{}\"'`#&*!|>%@".contains(c)) {
                    data.say(Tone::Warning, format!("`{tag}` is no tag: letters, digits, _ - . and / make one"));
                    self.new = Some(Input::new(&tag));
                } else if !tag.is_empty() {
                    toggle(Some(tag), data, out);
                }
            }
            C::Close => return self.new.take().is_some(),
        }
        true
    }

    /// Moves the cursor.
    pub fn moved(&mut self, motion: Motion, data: &Data) {
        self.cursor.apply(motion, data.tags().len(), height(data));
    }

    /// Takes a change of the new tag's text.
    pub fn typed(&mut self, edit: Edit) {
        if let Some(input) = &mut self.new {
            input.apply(edit);
        }
    }

    /// Takes pasted text.
    pub fn pasted(&mut self, text: &str) {
        if let Some(input) = &mut self.new {
            input.insert(text);
        }
    }

    /// Draws the list over `area`.
    pub fn view(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let case = data.current()?;
        let tags = data.tags();
        let height = u16::try_from(tags.len()).unwrap_or(HEIGHT).min(HEIGHT);
        let inside = canvas.popup(area, &format!("tags of {}", case.id), 46, height + 3);
        let list = Rect { height: inside.height.saturating_sub(1), ..inside };
        let shown = self.cursor.visible(tags.len(), usize::from(HEIGHT).min(usize::from(list.height)));
        for (place, (nth, index)) in list.rows().zip(shown.enumerate()) {
            let tag = &tags[index];
            let on = case.tags.contains(tag);
            let target = data.about.subsets.iter().find(|(name, _)| name == tag).and_then(|(_, target)| *target);
            let count = match target {
                Some(target) => format!("  {} of {target}", data.tagged(tag)),
                None => format!("  {}", data.tagged(tag)),
            };
            let digit = if nth < 9 { (nth + 1).to_string() } else { " ".to_owned() };
            let pieces = [
                piece(format!(" {digit} "), Role::Dim),
                piece(if on { "[x] " } else { "[ ] " }, if on { Role::Supporting } else { Role::Plain }),
                piece(tag.clone(), if on { Role::Supporting } else { Role::Plain }),
                piece(count, Role::Dim),
            ];
            let over = (index == self.cursor.selected && self.new.is_none()).then_some(Role::Selected);
            canvas.row(place, &pieces, over);
        }
        let bottom = row(below(inside, inside.height.saturating_sub(1)), 0);
        self.new.as_ref().and_then(|input| canvas.input(bottom, " new tag: ", input, true, false))
    }
}

/// How many tags are visible at once in the terminal as it is.
fn height(data: &Data) -> usize {
    // The tabs, the message and the footer take a row each, the box two, and the new tag one.
    usize::from(data.size.1.saturating_sub(6).min(HEIGHT))
}

fn toggle(tag: Option<String>, data: &mut Data, out: &mut Out<'_>) {
    let (Some(tag), Some(case)) = (tag, data.current()) else { return };
    let id = case.id.clone();
    let edit =
        if case.tags.contains(&tag) { casefile::edit::Edit::RemoveTag(tag) } else { casefile::edit::Edit::AddTag(tag) };
    data.edit(&id, edit, out);
}
