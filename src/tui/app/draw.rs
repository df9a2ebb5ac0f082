//! How the app is drawn: tabs, the active screen, the message, the footer, and what lies over them.

use ratatui::{Frame, layout::Rect};

use super::{App, Overlay};
use crate::{
    domain::text::clean,
    tui::{
        command::Context,
        data::{Data, TIMES, Tone},
        keymap::doc,
        screen::ScreenId,
        theme::Role,
        widget::{
            canvas::{Canvas, Piece, below, piece, row},
            passage, text,
        },
    },
};

/// A longer message is cut.
const MESSAGE_ROWS: usize = 3;

/// The smallest terminal that shows anything but a note.
const SMALLEST: (u16, u16) = (40, 12);

impl App {
    /// Draws everything. Changes nothing.
    pub fn view(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let mut canvas = Canvas { buf: frame.buffer_mut(), theme: self.data.theme };
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            let text = format!("too small: {}×{} needed", SMALLEST.0, SMALLEST.1);
            canvas.line(area, &[piece(text::cut(&text, usize::from(area.width)), Role::Plain)]);
            return;
        }
        canvas.line(row(area, 0), &self.tabs(area.width));
        let body = Rect { height: area.height - 3, ..below(area, 1) };
        let mut at = self.screens.get(self.active).view(&self.data, body, &mut canvas);
        self.say(area, &mut canvas);
        canvas.line(row(area, area.height - 1), &footer(&self.hints(), area.width));
        match &self.overlay {
            Some(Overlay::Help(top)) => {
                help(self.screens.get(self.active).contexts(), *top, body, &mut canvas);
                at = None;
            }
            Some(Overlay::Tags(tags)) => at = tags.view(&self.data, body, &mut canvas),
            None => {}
        }
        if let Some(at) = at {
            frame.set_cursor_position(at);
        }
    }

    fn tabs<'a>(&self, width: u16) -> Vec<Piece<'a>> {
        let mut pieces = vec![piece(" ", Role::Plain)];
        for screen in ScreenId::ALL {
            let role = if screen == self.active { Role::Accent } else { Role::Dim };
            let text =
                if screen == self.active { format!("[{}]", screen.title()) } else { format!(" {} ", screen.title()) };
            pieces.push(piece(text, role));
        }
        let used: usize = pieces.iter().map(|(text, _)| text::width(text)).sum();
        if let Some(config) = self.data.config() {
            let tried = if self.data.k == config.k { "" } else { " (tried out)" };
            let baseline = if config.baseline { " (baseline, not production)" } else { "" };
            let about = format!("{} · k {}{tried} · {}{baseline} ", config.name, self.data.k, config.retriever);
            let room = usize::from(width).saturating_sub(used);
            let about = text::cut(&about, room.saturating_sub(1));
            pieces.push(piece(" ".repeat(room - text::width(&about)), Role::Plain));
            pieces.push(piece(about, Role::Dim));
        }
        pieces
    }

    /// The message, on as many rows as it needs, over the foot of the screen.
    fn say(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let width = usize::from(area.width);
        let pieces = self.message();
        let line: String = pieces.iter().map(|(text, _)| text.as_ref()).collect();
        if text::width(&clean(&line)) <= width {
            canvas.line(row(area, area.height - 2), &pieces);
            return;
        }
        let head = pieces.first().map_or(0, |(text, _)| text.len());
        let role = pieces.iter().map(|(_, role)| *role).find(|role| *role != Role::Plain).unwrap_or(Role::Plain);
        let rows = passage::wrap(&line, &[], width.saturating_sub(2));
        let rows = &rows[..rows.len().min(MESSAGE_ROWS)];
        let first = area.height.saturating_sub(1 + u16::try_from(rows.len()).unwrap_or(1));
        for (at, wrapped) in (first..).zip(rows) {
            let place = row(area, at);
            let blank = " ".repeat(width);
            canvas.line(place, &[piece(blank, Role::Plain)]);
            let text: String = wrapped.iter().map(|part| part.text.as_str()).collect();
            canvas.line(
                place,
                &[piece(" ", Role::Plain), piece(text, if head > 1 || at == first { role } else { Role::Plain })],
            );
        }
    }

    /// The keys of the moment.
    fn hints(&self) -> Vec<(String, &'static str)> {
        let screen = self.screens.get(self.active);
        doc::footer(self.contexts(), &|command| self.overlay.is_some() || screen.offers(command, &self.data))
    }

    fn message<'a>(&self) -> Vec<Piece<'a>> {
        let data = &self.data;
        if let Some((what, done, total)) = &data.loading {
            let share = if *total > 0 { format!(" {done} of {total}") } else { String::new() };
            return vec![piece(format!(" {what}{share} …"), Role::Accent)];
        }
        if let Some(running) = data.running {
            let text = format!(" running: {} of {} cases", running.done, running.total);
            let mut pieces = vec![piece(text, Role::Accent)];
            match running.errors {
                0 => {}
                1 => pieces.push(piece(" · 1 error", Role::Error)),
                n => pieces.push(piece(format!(" · {n} errors"), Role::Error)),
            }
            pieces.push(piece(" · esc or . stops", Role::Accent));
            pieces.extend(data.waiting.iter().map(|waiting| piece(format!(" · {waiting}"), Role::Warning)));
            return pieces;
        }
        if let Some(text) = asking(data) {
            let mut pieces = vec![piece(text, Role::Accent), piece(" · esc or . stops", Role::Accent)];
            pieces.extend(data.waiting.iter().map(|waiting| piece(format!(" · {waiting}"), Role::Warning)));
            return pieces;
        }
        if let Some(waiting) = data.waiting.as_ref().filter(|_| data.running_one.is_some()) {
            return vec![piece(format!(" {waiting}"), Role::Warning), piece(" · . stops", Role::Accent)];
        }
        match (&data.message, data.unsaved()) {
            (Some((tone, text)), _) => {
                let (mark, role) = match tone {
                    Tone::Done => ("", Role::Plain),
                    Tone::Warning => ("! ", Role::Warning),
                    Tone::Error => ("error: ", Role::Error),
                };
                vec![piece(" ", Role::Plain), piece(mark, role), piece(text.clone(), Role::Plain)]
            }
            (None, (unsaved, true)) => {
                vec![piece(format!(" {unsaved} edits are not saved: ctrl-s tries again, u drops them"), Role::Error)]
            }
            _ if data.closed.is_some() => {
                vec![piece(format!(" error: {}", data.closed.as_deref().unwrap_or_default()), Role::Error)]
            }
            _ if !data.files.problems.is_empty() => {
                let n = data.files.problems.len();
                let what = if n == 1 { "1 problem".to_owned() } else { format!("{n} problems") };
                let text = format!(" {what} in the case files: {}", data.files.problems[0]);
                vec![piece(text, Role::Error)]
            }
            _ => Vec::new(),
        }
    }
}

/// How far is what is asked of one case beside its own question.
fn asking(data: &Data) -> Option<String> {
    if let Some(id) = &data.probing {
        let (put, most) = (data.probes(id).len(), data.most_probes());
        return Some(format!(" asking further of {id}: {put} of at most {most} requests"));
    }
    let id = data.repeating.as_ref()?;
    Some(format!(" asking {id} again: {} of {TIMES}", data.repeats(id).len()))
}

/// The hints that fit, most important first; the help key is always among them.
fn footer<'a>(hints: &[(String, &'static str)], width: u16) -> Vec<Piece<'a>> {
    let (last, hints): (Vec<_>, Vec<_>) = hints.iter().cloned().partition(|(key, _)| key == "?");
    let size = |(key, hint): &(String, &str)| text::width(key) + 1 + hint.len() + 2;
    let mut room = usize::from(width).saturating_sub(1 + last.iter().map(size).sum::<usize>());
    let mut pieces = vec![piece(" ", Role::Plain)];
    for (key, hint) in hints
        .iter()
        .take_while(|hint| {
            let fits = size(hint) <= room;
            room = room.saturating_sub(size(hint));
            fits
        })
        .chain(&last)
    {
        pieces.push(piece(key.clone(), Role::Accent));
        pieces.push(piece(format!(" {hint}  "), Role::Dim));
    }
    pieces
}

/// The widest that the page of keys gets, and the columns of the keys in it.
const HELP: (u16, usize) = (90, 18);

/// The page of keys in a terminal of that width: keys and a wrapped sentence.
pub(super) fn help_rows(contexts: &[Context], width: u16) -> Vec<(String, passage::Row)> {
    let room = usize::from(width.min(HELP.0)).saturating_sub(HELP.1 + 5);
    let mut rows = Vec::new();
    for (keys, sentence) in doc::help(contexts) {
        for (at, row) in passage::wrap(sentence, &[], room).into_iter().enumerate() {
            rows.push((if at == 0 { keys.clone() } else { String::new() }, row));
        }
    }
    rows
}

fn help(contexts: &[Context], top: usize, area: Rect, canvas: &mut Canvas<'_>) {
    let rows = help_rows(contexts, area.width);
    let height = u16::try_from(rows.len()).unwrap_or(u16::MAX).saturating_add(2);
    let inside = canvas.popup(area, "keys that work here", HELP.0, height);
    let top = top.min(rows.len().saturating_sub(usize::from(inside.height)));
    let hidden = rows.len() - top > usize::from(inside.height);
    for (place, (keys, row)) in inside.rows().zip(rows.iter().skip(top)) {
        let mut pieces = vec![piece(format!(" {} ", text::pad(keys, HELP.1)), Role::Accent)];
        pieces.extend(row.iter().map(|part| piece(part.text.as_str(), Role::Plain)));
        canvas.line(place, &pieces);
    }
    if hidden {
        let more = " j: more ";
        let width = u16::try_from(more.len()).unwrap_or(0).min(inside.width);
        let foot = Rect { x: inside.right().saturating_sub(width + 1), y: inside.bottom(), width, height: 1 };
        canvas.line(foot, &[piece(more, Role::Accent)]);
    }
}
