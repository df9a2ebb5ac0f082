//! Drives the app as a person would, without a terminal, a clock, a task or a file.

use std::{collections::VecDeque, fmt::Write as _};

use crossterm::event::{KeyEvent, KeyEventKind};
use ratatui::{
    Terminal,
    backend::TestBackend,
    buffer::{Buffer, Cell},
    style::Style,
};

use super::{
    app::App,
    data::About,
    effect::{Effect, Job, Slot, Ticket, Write},
    keymap::chord::Chord,
    msg::{CaseSet, Done, Msg, Output, Written},
    theme::{Role, Theme},
    widget::text,
};
use crate::{casefile::edit::Edit, domain::case::Case};

/// The app, what it asked for so far, and case files in memory that do as they are told.
#[derive(Debug)]
pub(super) struct TestApp {
    pub(super) app: App,
    /// Everything that was asked for, in order.
    pub(super) effects: Vec<Effect>,
    size: (u16, u16),
    files: Files,
}

impl TestApp {
    /// An app in a terminal of that size that has just begun to open the corpus.
    pub(super) fn opening(about: About, cases: CaseSet, theme: Theme, size: (u16, u16)) -> Self {
        let files = Files { set: cases.clone(), ..Files::default() };
        let mut app = App::new(about, cases, theme);
        app.update(Msg::Resize { width: size.0, height: size.1 });
        let effects = app.start();
        Self { app, effects, size, files }
    }

    /// Gives the app a message, and keeps what it asks for.
    pub(super) fn send(mut self, msg: Msg) -> Self {
        let effects = self.app.update(msg);
        self.files.waiting.extend(effects.iter().filter_map(|effect| match effect {
            Effect::Write(write) => Some(write.clone()),
            _ => None,
        }));
        self.effects.extend(effects);
        self
    }

    /// Presses keys, written as in the key table and parted by blanks: `"/ t i m e enter space"`.
    pub(super) fn keys(self, keys: &str) -> Self {
        keys.split_whitespace().fold(self, |app, key| app.send(Msg::Key(event(key, KeyEventKind::Press))))
    }

    /// The same key with the kind of event that a held or a released key gives.
    pub(super) fn key(self, key: &str, kind: KeyEventKind) -> Self {
        self.send(Msg::Key(event(key, kind)))
    }

    /// Types letters, digits and blanks.
    pub(super) fn types(self, text: &str) -> Self {
        text.chars().fold(self, |app, c| app.keys(&if c == ' ' { "space".to_owned() } else { c.to_string() }))
    }

    /// Gives the terminal another size.
    pub(super) fn resize(mut self, width: u16, height: u16) -> Self {
        self.size = (width, height);
        self.send(Msg::Resize { width, height })
    }

    /// Answers the job that was started last.
    pub(super) fn answer(self, output: Output) -> Self {
        let (ticket, _) = self.started().pop().expect("no job was started");
        self.answer_to(ticket, output)
    }

    /// Answers a job, however late that is.
    pub(super) fn answer_to(self, ticket: Ticket, output: Output) -> Self {
        self.send(Msg::Job { ticket, output })
    }

    /// Every start of a job so far.
    pub(super) fn started(&self) -> Vec<(Ticket, Job)> {
        let starts = self.effects.iter().filter_map(|effect| match effect {
            Effect::Start { ticket, job, .. } => Some((*ticket, job.clone())),
            _ => None,
        });
        starts.collect()
    }

    /// The last start in a slot.
    pub(super) fn last(&self, slot: Slot) -> Option<(Ticket, Job)> {
        self.started().into_iter().rfind(|(ticket, _)| ticket.slot == slot)
    }

    /// Every edit that was to be written, and the case as it was seen.
    pub(super) fn edits(&self) -> Vec<(Case, Edit)> {
        let edits = self.effects.iter().filter_map(|effect| match effect {
            Effect::Write(Write::Edit { seen, edit, .. }) => Some(((**seen).clone(), edit.clone())),
            _ => None,
        });
        edits.collect()
    }

    /// Carries out the write that waits longest.
    pub(super) fn save_one(mut self) -> Self {
        let write = self.files.waiting.pop_front().expect("no write is waiting");
        let written = self.files.write(write);
        self.send(Msg::Written(Box::new(written)))
    }

    /// Carries out every write that waits.
    pub(super) fn save(mut self) -> Self {
        while !self.files.waiting.is_empty() {
            self = self.save_one();
        }
        self
    }

    /// From now on no write gets to the disk, for that reason; `None` puts an end to it.
    pub(super) fn disk(mut self, broken: Option<&'static str>) -> Self {
        self.files.broken = broken;
        self
    }

    /// Somebody else changes the case files.
    pub(super) fn outside(mut self, change: impl FnOnce(&mut CaseSet)) -> Self {
        change(&mut self.files.set);
        self.files.changed = true;
        self
    }

    /// The cases as the files have them.
    pub(super) fn on_disk(&self) -> &[Case] {
        &self.files.set.cases
    }

    /// The line under the cursor: the first that the cursor's mark stands in.
    pub(super) fn under_cursor(&self) -> String {
        let text = self.text();
        let line = text.lines().find(|line| line.contains('▸'));
        line.unwrap_or_else(|| panic!("no cursor on the screen:\n{text}")).to_owned()
    }

    /// The screen as text.
    pub(super) fn text(&self) -> String {
        let buffer = self.draw();
        let rows: Vec<String> = (0..buffer.area.height).map(|y| row(&buffer, y).trim_end().to_owned()).collect();
        rows.join("\n")
    }

    /// The screen as text, with a second block that says by one letter a cell which role it has; rows that are all plain
    /// are left out there.
    pub(super) fn screen(&self) -> String {
        let buffer = self.draw();
        let mut shown = String::new();
        for y in 0..buffer.area.height {
            let _ = writeln!(shown, "{}", format!("{y:>2}│{}", row(&buffer, y)).trim_end());
        }
        shown.push_str("roles:");
        for (role, letter) in Role::LETTERS {
            let _ = write!(shown, " {letter} {}", format!("{role:?}").to_lowercase());
        }
        shown.push_str(" * several\n");
        for y in 0..buffer.area.height {
            let letters: String =
                (0..buffer.area.width).map(|x| letter(buffer[(x, y)].style(), self.app.data.theme)).collect();
            let letters = letters.trim_end_matches('.');
            if !letters.is_empty() {
                let _ = writeln!(shown, "{y:>2}│{letters}");
            }
        }
        shown
    }

    fn draw(&self) -> Buffer {
        let (width, height) = self.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a test backend cannot fail");
        terminal.draw(|frame| self.app.view(frame)).expect("a test backend cannot fail");
        terminal.backend().buffer().clone()
    }
}

fn event(key: &str, kind: KeyEventKind) -> KeyEvent {
    let chord = Chord::parse(key).unwrap_or_else(|| panic!("{key} is no key"));
    KeyEvent { kind, ..chord.event() }
}

/// A row as a terminal shows it: a wide character hides the cell behind it.
fn row(buffer: &Buffer, y: u16) -> String {
    let mut shown = String::new();
    let mut x = 0;
    while x < buffer.area.width {
        let symbol = buffer[(x, y)].symbol();
        shown.push_str(symbol);
        x += u16::try_from(text::width(symbol)).unwrap_or(1).max(1);
    }
    shown
}

/// The letter of the first role that looks like that; `*` where several roles lie over each other.
fn letter(style: Style, theme: Theme) -> char {
    let plain = Cell::default().style();
    let found = Role::LETTERS.into_iter().find(|(role, _)| plain.patch(theme.style(*role)) == style);
    found.map_or('*', |(_, letter)| letter)
}

/// Case files in memory: what the store would do, as far as the screens can tell.
#[derive(Debug, Default)]
struct Files {
    set: CaseSet,
    waiting: VecDeque<Write>,
    done: Vec<(Case, Case, String)>,
    undone: Vec<(Case, Case, String)>,
    broken: Option<&'static str>,
    changed: bool,
}

impl Files {
    fn write(&mut self, write: Write) -> Written {
        if write == Write::Refresh {
            let cases = std::mem::take(&mut self.changed).then(|| self.set.clone());
            return Written { write, cases, outcome: Ok(None), final_word: false };
        }
        let (outcome, final_word) = match &write {
            Write::Edit { seen, edit, .. } => self.edit(seen, edit),
            Write::Undo => (Ok(self.done.pop().map(|step| self.back(step))), false),
            Write::Redo | Write::Refresh => (Ok(self.undone.pop().map(|step| self.forth(step))), false),
        };
        Written { write, cases: Some(self.set.clone()), outcome, final_word }
    }

    fn edit(&mut self, seen: &Case, edit: &Edit) -> (Result<Option<Done>, String>, bool) {
        let case = self.set.cases.iter_mut().find(|case| case.id == seen.id);
        let Some(case) = case.filter(|case| *case == seen) else {
            return (Err(format!("case `{}` was changed outside meanwhile", seen.id)), true);
        };
        if let Some(why) = self.broken {
            return (Err(why.to_owned()), false);
        }
        if let Err(refused) = edit.apply(case) {
            return (Err(refused.to_string()), true);
        }
        self.done.push((seen.clone(), case.clone(), edit.describe()));
        self.undone.clear();
        (Ok(Some(Done { case: seen.id.clone(), what: edit.describe() })), false)
    }

    fn back(&mut self, step: (Case, Case, String)) -> Done {
        self.put(&step.0);
        let done = Done { case: step.0.id.clone(), what: step.2.clone() };
        self.undone.push(step);
        done
    }

    fn forth(&mut self, step: (Case, Case, String)) -> Done {
        self.put(&step.1);
        let done = Done { case: step.1.id.clone(), what: step.2.clone() };
        self.done.push(step);
        done
    }

    fn put(&mut self, case: &Case) {
        if let Some(here) = self.set.cases.iter_mut().find(|here| here.id == case.id) {
            here.clone_from(case);
        }
    }
}
