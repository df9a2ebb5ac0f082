//! The whole state of the terminal front end, and the one place where it changes.

mod draw;

use std::{collections::VecDeque, time::Duration};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use self::draw::help_rows;
use super::{
    command::{self, Command, Context},
    data::{About, Data, Tone},
    effect::{Effect, Job, Out, Slot, Tickets, Write},
    keymap,
    msg::{CaseSet, Msg, Output},
    screen::{ScreenId, Screens, cases, tags::TagList},
    theme::Theme,
    widget::list::ListCursor,
};

/// The whole state of the terminal front end.
#[derive(Debug, Default)]
pub struct App {
    /// What every screen looks at.
    pub data: Data,
    tickets: Tickets,
    active: ScreenId,
    screens: Screens,
    overlay: Option<Overlay>,
    /// Keys that wait for the hits of a search: they are about what the person expects to see, not about the hits before.
    held: VecDeque<KeyEvent>,
    /// The filter with which the coverage led to the list of cases: it is what esc goes back from.
    drilled: Option<String>,
    /// The user was told that leaving loses edits.
    warned: bool,
}

/// What lies over the screen.
#[derive(Debug)]
enum Overlay {
    /// The keys that work here, from that row on.
    Help(usize),
    /// The tags of the current case.
    Tags(TagList),
}

impl App {
    /// An app that knows the settings and, until the corpus is open, the cases as they were read.
    #[must_use]
    pub fn new(about: About, cases: CaseSet, theme: Theme) -> Self {
        let mut data = Data::default();
        data.about = about;
        data.theme = theme;
        data.k = data.config().map_or(1, |config| config.k);
        data.cases.clone_from(&cases.cases);
        data.current = data.cases.first().map(|case| case.id.clone());
        data.files = cases;
        Self { data, ..Self::default() }
    }

    /// Selects the config of that name. To be called before [`App::start`].
    pub fn select_config(&mut self, name: &str) {
        if let Some(at) = self.data.about.configs.iter().position(|config| config.name == name) {
            self.data.config = at;
            self.data.k = self.data.about.configs[at].k;
        }
    }

    /// What is to be done first: open the corpus.
    pub fn start(&mut self) -> Vec<Effect> {
        let mut out = Out::new(&mut self.tickets);
        self.data.loading = Some(("opening the corpus".to_owned(), 0, 0));
        out.start(Slot::Load, Duration::ZERO, Job::Load);
        out.effects
    }

    /// Takes in one message. Reads no clock, no file, no terminal.
    pub fn update(&mut self, msg: Msg) -> Vec<Effect> {
        let effects = match msg {
            Msg::Key(key) => self.key(key),
            Msg::Paste(text) => self.paste(&text),
            Msg::Resize { width, height } => {
                self.data.size = (width, height);
                Vec::new()
            }
            Msg::Job { ticket, output } if self.tickets.is_current(ticket) => self.take(ticket.slot, output),
            Msg::Job { .. } => Vec::new(),
            Msg::Written(written) => {
                let before = self.data.current.clone();
                let anew = written.cases.is_some() && matches!(written.write, Write::Refresh);
                self.data.take_written(*written);
                // An undo leads to its case, and the loss of a case to another one.
                let mut effects = if self.data.current == before { Vec::new() } else { self.show(self.active) };
                if anew && self.data.outline.as_ref().is_some_and(|outline| outline.is_partial()) {
                    // What was written outside may name documents that nobody asked the engine for yet.
                    let mut out = Out::new(&mut self.tickets);
                    out.start(Slot::Load, Duration::ZERO, Job::Load);
                    effects.extend(out.effects);
                }
                effects
            }
            Msg::FilesChanged => vec![Effect::Write(Write::Refresh)],
        };
        if self.active == ScreenId::Cases && self.overlay.is_none() {
            self.screens.cases.keep_in_list(&mut self.data);
        }
        effects
    }

    /// Where keys go now, innermost first.
    fn contexts(&self) -> &'static [Context] {
        match &self.overlay {
            Some(Overlay::Help(_)) => &[Context::Help, Context::List, Context::Always],
            Some(Overlay::Tags(tags)) => tags.contexts(),
            None => self.screens.get(self.active).contexts(),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        if key.kind == KeyEventKind::Release {
            return Vec::new();
        }
        // What was said belongs to the key before.
        self.data.message = None;
        if key.modifiers.contains(KeyModifiers::ALT) {
            // No key is bound with alt: it is an escape with another key right behind it, which a terminal sends in the same way.
            let mut effects = self.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
            effects.extend(self.key(KeyEvent { modifiers: key.modifiers - KeyModifiers::ALT, ..key }));
            return effects;
        }
        let command = keymap::resolve(self.contexts(), key);
        if self.holds(command, key) {
            self.held.push_back(key);
            return Vec::new();
        }
        match command {
            // A key that is held moves and types on, but does not toggle a label on and off.
            Some(command) if key.kind == KeyEventKind::Repeat && !repeats(command) => Vec::new(),
            Some(command) => self.perform(command),
            None => Vec::new(),
        }
    }

    /// True for a key that must wait until the hits it is about are there, and for every key behind it.
    fn holds(&self, command: Option<Command>, key: KeyEvent) -> bool {
        if command.is_none() || keymap::resolve(&[Context::Always], key).is_some() {
            return false;
        }
        let marks = matches!(
            command,
            Some(Command::Label(
                command::Label::Nth(_)
                    | command::Label::Supporting
                    | command::Label::Distractor
                    | command::Label::Alternative
            ))
        );
        !self.held.is_empty() || (marks && self.screens.label.waits(&self.data))
    }

    /// Presses the keys that waited, until one has to wait again.
    fn release(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut keys = std::mem::take(&mut self.held);
        while let Some(key) = keys.pop_front() {
            effects.extend(self.key(key));
            if !self.held.is_empty() {
                self.held.extend(keys.drain(..));
            }
        }
        effects
    }

    fn perform(&mut self, command: Command) -> Vec<Effect> {
        let mut out = Out::new(&mut self.tickets);
        let data = &mut self.data;
        match command {
            Command::App(command) => return self.app(command),
            Command::Move(motion) => match &mut self.overlay {
                Some(Overlay::Help(top)) => {
                    let rows = help_rows(self.screens.get(self.active).contexts(), data.size.0).len();
                    let height = usize::from(data.size.1.saturating_sub(5));
                    let mut cursor = ListCursor { selected: *top, top: *top };
                    cursor.apply(motion, (rows + 1).saturating_sub(height).max(1), height);
                    *top = cursor.selected;
                }
                Some(Overlay::Tags(tags)) => tags.moved(motion, data),
                None => self.screens.get_mut(self.active).moved(motion, data),
            },
            Command::Type(edit) => match (&mut self.overlay, self.active) {
                (Some(Overlay::Tags(tags)), _) => tags.typed(edit),
                (_, ScreenId::Label) => self.screens.label.typed(edit, &mut out),
                (_, ScreenId::Cases) => self.screens.cases.typed(edit, data),
                (_, ScreenId::Inspect) => self.screens.inspect.typed(edit),
                (_, ScreenId::Coverage) => {}
            },
            Command::Cases(command::Cases::ClearFilter) if data.running.is_some() => return self.stop(),
            Command::Cases(command::Cases::ClearFilter)
                if self.drilled.as_deref() == Some(self.screens.cases.filter()) =>
            {
                self.screens.cases.filtered("", data);
                return self.show(ScreenId::Coverage);
            }
            Command::Cases(command) => self.screens.cases.command(command, data),
            Command::Label(command::Label::NextUnlabeled) => {
                cases::next_unlabeled(data, |_, _| true);
                self.screens.label.open(data, &mut out);
            }
            Command::Label(command) => self.screens.label.command(command, data, &mut out),
            Command::Inspect(command) => self.screens.inspect.command(command, data, &mut out),
            Command::Coverage(command) => self.screens.coverage.command(command, data),
            Command::Tags(command) => {
                if let Some(Overlay::Tags(tags)) = &mut self.overlay
                    && !tags.command(command, data, &mut out)
                {
                    self.overlay = None;
                }
            }
        }
        out.effects
    }

    fn app(&mut self, command: command::App) -> Vec<Effect> {
        use command::App as C;
        let mut out = Out::new(&mut self.tickets);
        let data = &mut self.data;
        match command {
            C::Quit => {
                let (unsaved, failed) = data.unsaved();
                if failed && !self.warned {
                    self.warned = true;
                    data.save_again(&mut out);
                    let what = if unsaved == 1 { "1 edit is".to_owned() } else { format!("{unsaved} edits are") };
                    data.say(
                        Tone::Error,
                        format!("{what} not saved; tried again: leave once more, and what is not saved is lost"),
                    );
                } else {
                    out.effects.push(Effect::Quit);
                }
            }
            C::NextScreen => return self.turn(1),
            C::PreviousScreen => return self.turn(ScreenId::ALL.len() - 1),
            C::ShowCases if self.active == ScreenId::Inspect && data.asks() => return self.stop(),
            C::ShowCases if self.active == ScreenId::Coverage && data.running.is_some() => return self.stop(),
            C::ShowCases => return self.show(ScreenId::Cases),
            C::ShowLabel => return self.show(ScreenId::Label),
            C::ShowInspect => return self.show(ScreenId::Inspect),
            C::ShowCoverage => return self.show(ScreenId::Coverage),
            C::ShowSubset => {
                let filter = self.screens.coverage.filter();
                self.screens.cases.filtered(&filter, data);
                let effects = self.show(ScreenId::Cases);
                self.data.say(Tone::Done, "esc goes back to Coverage");
                self.drilled = Some(filter);
                return effects;
            }
            C::Help => self.overlay = if self.overlay.is_some() { None } else { Some(Overlay::Help(0)) },
            C::Run => {
                if let Some(id) = data.current.clone() {
                    data.run(Slot::RunOne, &[id], &mut out);
                    let mut effects = out.effects;
                    effects.extend(self.show(ScreenId::Inspect));
                    return effects;
                }
            }
            C::RunAll => {
                let ids: Vec<String> = data.cases.iter().map(|case| case.id.clone()).collect();
                data.run(Slot::RunAll, &ids, &mut out);
            }
            C::Stop => return self.stop(),
            C::Undo => {
                if !data.drop_failed() {
                    out.write(Write::Undo);
                }
            }
            C::Redo => out.write(Write::Redo),
            C::SaveAgain => data.save_again(&mut out),
            C::Tags => {
                if data.current().is_some() {
                    self.overlay = Some(Overlay::Tags(TagList::default()));
                }
            }
            C::NextCase | C::PreviousCase => {
                let listed: Vec<String> = self.screens.cases.listed(data).iter().map(|case| case.id.clone()).collect();
                let at = listed.iter().position(|id| Some(id) == data.current.as_ref()).unwrap_or(0);
                let to =
                    if command == C::NextCase { (at + 1).min(listed.len().max(1) - 1) } else { at.saturating_sub(1) };
                if let Some(id) = listed.get(to) {
                    data.current = Some(id.clone());
                }
                return self.show(self.active);
            }
            C::Redraw => return vec![Effect::Redraw],
        }
        out.effects
    }

    fn stop(&mut self) -> Vec<Effect> {
        let mut out = Out::new(&mut self.tickets);
        self.data.stop_asking(&mut out);
        for slot in [Slot::RunAll, Slot::RunOne] {
            let live = if slot == Slot::RunAll { self.data.running.is_some() } else { self.data.running_one.is_some() };
            if live {
                out.cancel(slot);
                self.data.run_ended(slot);
            }
        }
        out.effects
    }

    fn turn(&mut self, by: usize) -> Vec<Effect> {
        let at = ScreenId::ALL.iter().position(|&screen| screen == self.active).unwrap_or(0);
        self.show(ScreenId::ALL[(at + by) % ScreenId::ALL.len()])
    }

    fn show(&mut self, screen: ScreenId) -> Vec<Effect> {
        let mut out = Out::new(&mut self.tickets);
        self.active = screen;
        if screen == ScreenId::Coverage {
            self.drilled = None;
        }
        match screen {
            ScreenId::Cases => {}
            ScreenId::Label => self.screens.label.open(&self.data, &mut out),
            ScreenId::Inspect => self.screens.inspect.open(&mut self.data, &mut out),
            ScreenId::Coverage => self.screens.coverage.open(&self.data, &mut out),
        }
        out.effects
    }

    fn paste(&mut self, pasted: &str) -> Vec<Effect> {
        let mut out = Out::new(&mut self.tickets);
        match &mut self.overlay {
            Some(Overlay::Tags(tags)) => tags.pasted(pasted),
            Some(Overlay::Help(_)) => {}
            None if self.active == ScreenId::Label && self.screens.label.typing() => {
                self.screens.label.pasted(pasted, &mut out);
            }
            None if self.active == ScreenId::Inspect && self.screens.inspect.typing() => {
                self.screens.inspect.pasted(pasted);
            }
            None if self.active == ScreenId::Cases && self.screens.cases.typing() => {
                self.screens.cases.pasted(pasted, &mut self.data);
            }
            None => self.data.say(Tone::Warning, "nothing pasted: / opens a text field"),
        }
        out.effects
    }

    fn take(&mut self, slot: Slot, output: Output) -> Vec<Effect> {
        match output {
            Output::Progress { what, done, total } => self.data.loading = Some((what, done, total)),
            Output::Loaded(loaded) => {
                self.data.load(*loaded);
                if self.active == ScreenId::Label {
                    return self.show(ScreenId::Label);
                }
            }
            Output::Hits { typed, hits } => {
                self.screens.label.show(typed, hits);
                return self.release();
            }
            Output::Chunks { whole, single } => {
                self.data.learn(&whole, &single);
                return self.release();
            }
            Output::Answered { case, answer } if slot == Slot::Repeat => self.data.repeated(&case, answer),
            Output::Probed { case, probed } => self.data.probed(&case, *probed),
            Output::Kept(kept) => self.data.take_kept(*kept),
            Output::Past(past) => self.data.take_past(*past),
            Output::Answered { case, answer } => self.data.answered(slot, &case, answer),
            Output::Waiting(waiting) => self.data.waiting = waiting,
            Output::RunEnded => self.data.run_ended(slot),
            // It is searched again once the corpus is open.
            Output::Failed(_) if slot == Slot::Search && self.data.loading.is_some() => {}
            Output::Failed(why) => {
                if matches!(slot, Slot::Load | Slot::Search) {
                    // The hits will not come.
                    self.held.clear();
                    self.screens.label.give_up();
                }
                if slot == Slot::Load {
                    self.data.loading = None;
                    self.data.closed = Some(why.clone());
                }
                if matches!(slot, Slot::RunAll | Slot::RunOne | Slot::Experiment | Slot::Repeat) {
                    self.data.run_ended(slot);
                }
                self.data.say(Tone::Error, why);
            }
        }
        Vec::new()
    }

    /// What is to be done last: try once more to save what could not be saved.
    pub fn leave(&mut self) -> Vec<Effect> {
        let mut out = Out::new(&mut self.tickets);
        self.data.save_again(&mut out);
        out.effects
    }

    /// The edits that are not on disk, for people. To be told when the program ends.
    #[must_use]
    pub fn lost(&self) -> Vec<String> {
        self.data.lost()
    }
}

/// True for commands that a held key may repeat.
fn repeats(command: Command) -> bool {
    use command::{Coverage, Inspect, Label};
    matches!(
        command,
        Command::Move(_)
            | Command::Type(_)
            | Command::Label(Label::ScrollDown | Label::ScrollUp)
            | Command::Inspect(Inspect::ScrollDown | Inspect::ScrollUp)
            | Command::Coverage(Coverage::ScrollDown | Coverage::ScrollUp)
    )
}
