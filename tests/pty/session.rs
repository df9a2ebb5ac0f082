//! The real program in a real pseudo-terminal: keys in, what a terminal would show out.
//!
//! Nothing here sleeps to let something happen: a test says what it waits for, and fails with the screen if that does not come.

use std::{
    fmt::Write as _,
    io::{Read as _, Write as _},
    num::NonZeroU16,
    path::Path,
    process::Command,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system};

/// How long anything may take: far more than it does, for an unoptimised program on a busy machine.
const DEADLINE: Duration = Duration::from_secs(20);

/// How long nothing must be drawn to say that nothing more comes: several times as long as a search waits for more typing.
const QUIET: Duration = Duration::from_millis(120);

/// What the screen of a test shows in place of U+FFFD.
pub(crate) const MARK: &str = "¿";

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_caselight");

/// How to start a session.
pub(crate) struct Start {
    command: CommandBuilder,
    columns: u16,
    rows: u16,
}

/// The program in its terminal. Dropping it ends the program.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    /// Held open so that the terminal and its modes outlive the program, as they do under a shell.
    slave: Option<Box<dyn SlavePty + Send>>,
    keyboard: Option<Keyboard>,
    terminal: Arc<Terminal>,
    reader: Option<JoinHandle<()>>,
    modes_before: String,
}

type Keyboard = Arc<Mutex<Box<dyn std::io::Write + Send>>>;

#[derive(Default)]
struct Terminal {
    state: Mutex<Option<State>>,
    changed: Condvar,
    /// True when the terminal is to go away.
    going: AtomicBool,
}

struct State {
    parser: vt100::Parser<Heard>,
    bytes: Vec<u8>,
    /// How many of them the emulator has seen.
    seen: usize,
    /// What must never stand on the screen.
    never: Vec<String>,
    /// The first screen on which it did.
    broken: Option<String>,
}

/// What the program told the terminal beside what to show.
#[derive(Default, Debug)]
pub(crate) struct Heard {
    /// Window titles, icon names, and other commands of the operating system kind.
    pub(crate) commands: Vec<String>,
    /// How often the bell rang.
    pub(crate) bells: usize,
    /// What the terminal answers.
    replies: Vec<u8>,
}

impl vt100::Callbacks for Heard {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.bells += 1;
    }

    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.commands.push(format!("title {}", String::from_utf8_lossy(title)));
    }

    fn set_window_icon_name(&mut self, _: &mut vt100::Screen, name: &[u8]) {
        self.commands.push(format!("icon {}", String::from_utf8_lossy(name)));
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, parameters: &[&[u8]]) {
        self.commands.push(format!("{parameters:?}"));
    }

    fn unhandled_csi(&mut self, screen: &mut vt100::Screen, _: Option<u8>, _: Option<u8>, what: &[&[u16]], last: char) {
        // Where is the cursor? Every terminal answers that.
        if last == 'n' && what == [&[6][..]] {
            let (row, column) = screen.cursor_position();
            self.replies.extend(format!("\x1b[{};{}R", row + 1, column + 1).into_bytes());
        }
    }
}

impl Start {
    /// The screens on the project in `folder`, in a terminal of 80×24 that knows 256 colours.
    pub(crate) fn new(folder: &Path) -> Self {
        Self::command(folder, CommandBuilder::new(PROGRAM))
    }

    /// Another command, in the same surroundings.
    pub(crate) fn command(folder: &Path, mut command: CommandBuilder) -> Self {
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.env("LANG", "C.UTF-8");
        command.env("HOME", folder);
        command.cwd(folder);
        Self { command, columns: 80, rows: 24 }
    }

    /// In a terminal of that size.
    pub(crate) fn size(self, columns: u16, rows: u16) -> Self {
        Self { columns, rows, ..self }
    }

    /// In a terminal that is nobody's controlling one, so that its end sends no signal.
    pub(crate) fn without_signals(mut self) -> Self {
        self.command.set_controlling_tty(false);
        self
    }

    /// With an environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts it.
    pub(crate) fn start(self) -> Session {
        let pair = native_pty_system().openpty(size(self.columns, self.rows)).unwrap();
        let modes_before = modes(pair.master.as_ref());
        let keyboard = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let mut output = pair.master.try_clone_reader().unwrap();
        let child = pair.slave.spawn_command(self.command).unwrap();
        let parser = vt100::Parser::new_with_callbacks(nonzero(self.rows), nonzero(self.columns), 0, Heard::default());
        let terminal = Arc::new(Terminal::default());
        *terminal.state() = Some(State { parser, bytes: Vec::new(), seen: 0, never: Vec::new(), broken: None });
        let reader = thread::spawn({
            let (terminal, keyboard) = (Arc::clone(&terminal), Arc::clone(&keyboard));
            move || {
                let mut buffer = [0; 16 * 1024];
                while let Ok(length) = output.read(&mut buffer)
                    && length > 0
                {
                    let replies = terminal.take(&buffer[..length]);
                    if terminal.going.load(Ordering::SeqCst) {
                        break;
                    }
                    if !replies.is_empty() {
                        keyboard.lock().unwrap().write_all(&replies).unwrap();
                    }
                }
            }
        });
        Session {
            child,
            master: Some(pair.master),
            slave: Some(pair.slave),
            keyboard: Some(keyboard),
            terminal,
            reader: Some(reader),
            modes_before,
        }
    }
}

impl State {
    /// Gives the emulator what it has not seen, up to the last character that is whole. It leaves out U+FFFD, which every
    /// terminal shows in one column: it gets another such character in its place.
    fn show(&mut self) {
        let rest = &self.bytes[self.seen..];
        let whole = match std::str::from_utf8(rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => rest.len(),
        };
        let text = String::from_utf8_lossy(&rest[..whole]).replace('\u{fffd}', MARK);
        self.parser.process(text.as_bytes());
        self.seen += whole;
    }
}

impl Terminal {
    fn state(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in what the program wrote; gives what the terminal answers.
    fn take(&self, bytes: &[u8]) -> Vec<u8> {
        let mut state = self.state();
        let state = state.as_mut().expect("the terminal is set up before it is read");
        state.bytes.extend_from_slice(bytes);
        state.show();
        let text = state.parser.screen().contents();
        if state.broken.is_none() && state.never.iter().any(|never| text.contains(never)) {
            state.broken = Some(text);
        }
        self.changed.notify_all();
        std::mem::take(&mut state.parser.callbacks_mut().replies)
    }
}

impl Session {
    /// The screens on the project in `folder`, with the cases listed and the corpus open.
    pub(crate) fn open(folder: &Path) -> Self {
        Start::new(folder).start().ready()
    }

    /// Waits until the corpus is open: the row above the footer says nothing any more.
    pub(crate) fn ready(self) -> Self {
        self.wait_until("the corpus is open", |screen| {
            let rows = rows(screen);
            // The footer is drawn after that row.
            let [.., message, footer] = rows.as_slice() else { return false };
            rows[0].contains("[Cases]") && footer.contains("? help") && message.is_empty()
        });
        self
    }

    /// Presses keys, by the names that the key table has for them, in one write.
    ///
    /// Escape is told apart from the beginning of a longer sequence by nothing following it: it must be the last.
    pub(crate) fn keys(&self, keys: &[&str]) {
        let after_escape = keys.iter().position(|key| *key == "esc").map_or(0, |at| keys.len() - at - 1);
        assert_eq!(after_escape, 0, "wait for what escape does before pressing more: {keys:?}");
        self.write(keys.iter().map(|key| sequence(key)).collect::<String>().as_bytes());
    }

    /// Presses one key.
    pub(crate) fn key(&self, key: &str) {
        self.keys(&[key]);
    }

    /// Types text.
    pub(crate) fn type_text(&self, text: &str) {
        self.write(text.as_bytes());
    }

    /// Pastes text, as a terminal does where the program asked for it.
    pub(crate) fn paste(&self, text: &str) {
        assert!(self.with_screen(vt100::Screen::bracketed_paste), "the program did not ask for bracketed pastes");
        self.write(format!("\x1b[200~{text}\x1b[201~").as_bytes());
    }

    /// Sends bytes to the program as they are.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let mut keyboard = self.keyboard.as_ref().expect("the terminal is there").lock().unwrap();
        keyboard.write_all(bytes).unwrap();
        keyboard.flush().unwrap();
    }

    /// Waits until the screen holds `text`.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(&format!("the screen holds {text:?}"), |screen| screen.contents().contains(text));
    }

    /// Waits until the first hit of a search is `title`; until there is any, if that is empty.
    pub(crate) fn wait_first_hit(&self, title: &str) {
        self.wait_until(&format!("{title:?} is the first hit"), |screen| {
            hits(screen).first().is_some_and(|first| first.starts_with(title))
        });
    }

    /// Waits until the screen does not hold `text`.
    pub(crate) fn wait_gone(&self, text: &str) {
        self.wait_until(&format!("{text:?} is gone from the screen"), |screen| !screen.contents().contains(text));
    }

    /// Waits until `holds` does, which is `what`.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, mut holds: impl FnMut(&vt100::Screen) -> bool) {
        let end = Instant::now() + DEADLINE;
        let mut state = self.terminal.state();
        while !holds(state.as_ref().expect("the terminal is there").parser.screen()) {
            let now = Instant::now();
            if now >= end {
                let bytes = state.as_ref().map(|state| state.bytes.clone()).unwrap_or_default();
                drop(state);
                let tail = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(400)..]).into_owned();
                panic!("waited in vain: {what}\n{}\nlast bytes: {tail:?}", self.framed());
            }
            (state, _) = self.terminal.changed.wait_timeout(state, end - now).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until the program has not drawn anything for a while. For what a test says must *not* happen: there is nothing else
    /// to wait for, and a machine that is too slow makes the test prove less, never fail.
    pub(crate) fn quiet(&self) {
        let end = Instant::now() + DEADLINE;
        let mut state = self.terminal.state();
        while Instant::now() < end {
            let timeout;
            (state, timeout) = self.terminal.changed.wait_timeout(state, QUIET).unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() {
                return;
            }
        }
    }

    /// From now on `text` must not stand on the screen at any moment; see [`Self::assert_never`].
    pub(crate) fn never(&self, text: &str) {
        self.terminal.state().as_mut().expect("the terminal is there").never.push(text.to_owned());
    }

    /// Panics if something stood on the screen that never should.
    #[track_caller]
    pub(crate) fn assert_never(&self) {
        let state = self.terminal.state();
        let state = state.as_ref().expect("the terminal is there");
        if let Some(screen) = &state.broken {
            panic!("one of {:?} stood on the screen:\n{screen}", state.never);
        }
    }

    /// Puts text on the screen that the program knows nothing of, as another program's message would be.
    pub(crate) fn scribble(&self, text: &str) {
        self.terminal.take(text.as_bytes());
    }

    /// What the screen shows, row by row.
    pub(crate) fn screen(&self) -> String {
        self.with_screen(vt100::Screen::contents)
    }

    /// The rows of the screen, blanks at their ends cut off.
    pub(crate) fn rows(&self) -> Vec<String> {
        self.with_screen(rows)
    }

    /// Looks at the screen.
    pub(crate) fn with_screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.terminal.state().as_ref().expect("the terminal is there").parser.screen())
    }

    /// Looks at what the program told the terminal beside what to show.
    pub(crate) fn heard<T>(&self, look: impl FnOnce(&Heard) -> T) -> T {
        look(self.terminal.state().as_ref().expect("the terminal is there").parser.callbacks())
    }

    /// Every byte that the program wrote.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.terminal.state().as_ref().expect("the terminal is there").bytes.clone()
    }

    /// Makes the terminal another size while the program runs.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let mut state = self.terminal.state();
        state.as_mut().expect("the terminal is there").parser.set_size(nonzero(rows), nonzero(columns));
        drop(state);
        self.master.as_ref().expect("the terminal is there").resize(size(columns, rows)).unwrap();
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().expect("the program runs").to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status().unwrap();
        assert!(sent.success(), "kill -s {name} {id}");
    }

    /// True while the program runs.
    pub(crate) fn alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until the program ends; gives its exit status and how it left the terminal.
    pub(crate) fn wait_exit(mut self) -> Left {
        let status = self.wait_status();
        let modes_after = modes(self.master.as_deref().expect("the terminal is there"));
        // The last end of the terminal is closed, so what was written is read to its end.
        self.slave = None;
        self.reader.take().expect("it is joined once").join().expect("the terminal emulator broke off");
        let state = self.terminal.state();
        let state = state.as_ref().expect("the terminal is there");
        let screen = state.parser.screen();
        Left {
            code: status.exit_code(),
            signal: status.signal().map(str::to_owned),
            modes_before: self.modes_before.clone(),
            modes_after,
            still_on: still_on(screen),
            text: screen.contents(),
            bytes: state.bytes.clone(),
        }
    }

    /// Takes the terminal away, as closing its window does; gives the exit code.
    pub(crate) fn hang_up(mut self) -> u32 {
        self.terminal.going.store(true, Ordering::SeqCst);
        // The reader lets go of the terminal at the next thing it reads.
        self.key("ctrl-l");
        self.reader.take().expect("it is joined once").join().expect("the terminal emulator broke off");
        self.slave = None;
        self.keyboard = None;
        self.master = None;
        self.wait_status().exit_code()
    }

    fn wait_status(&mut self) -> ExitStatus {
        let end = Instant::now() + DEADLINE;
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return status,
                None if Instant::now() >= end => panic!("the program did not end\n{}", self.framed()),
                None => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// The screen in a frame, for messages.
    fn framed(&self) -> String {
        let state = self.terminal.state();
        let Some(state) = state.as_ref() else { return String::new() };
        let mut text = String::new();
        for row in rows(state.parser.screen()) {
            writeln!(text, "│{row}").unwrap();
        }
        text
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How the program left the terminal.
#[derive(Debug)]
pub(crate) struct Left {
    /// Its exit code; 1 if a signal ended it.
    pub(crate) code: u32,
    /// The signal that ended it, if it did not end by itself.
    pub(crate) signal: Option<String>,
    modes_before: String,
    modes_after: String,
    /// What is still switched on that was off before.
    still_on: Vec<&'static str>,
    /// What stands on the screen.
    pub(crate) text: String,
    /// Every byte that was written.
    pub(crate) bytes: Vec<u8>,
}

impl Left {
    /// Panics unless the terminal is as it was before.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        assert_eq!(self.modes_before, self.modes_after, "echo, line mode and the like are as before");
        assert_eq!(self.still_on, Vec::<&str>::new(), "nothing is left switched on");
    }
}

/// What a program can leave switched on.
fn still_on(screen: &vt100::Screen) -> Vec<&'static str> {
    let modes = [
        ("alternate screen", screen.alternate_screen()),
        ("hidden cursor", screen.hide_cursor()),
        ("bracketed paste", screen.bracketed_paste()),
        ("mouse", screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None),
        ("application keys", screen.application_cursor() || screen.application_keypad()),
    ];
    modes.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect()
}

/// The rows of a screen, blanks at their ends cut off.
pub(crate) fn rows(screen: &vt100::Screen) -> Vec<String> {
    let columns = screen.size().1.get();
    screen.rows(0, columns).map(|row| row.trim_end().to_owned()).collect()
}

/// The first row that holds `text`.
pub(crate) fn row_with(screen: &vt100::Screen, text: &str) -> Option<(u16, String)> {
    let found = rows(screen).into_iter().enumerate().find(|(_, row)| row.contains(text));
    found.map(|(at, row)| (u16::try_from(at).unwrap(), row))
}

/// The hits of a search, best first, by what stands behind their scores.
pub(crate) fn hits(screen: &vt100::Screen) -> Vec<String> {
    let title = |row: String| {
        let (hit, _) = row.split_once('│')?;
        let words: Vec<_> = hit.split_whitespace().collect();
        let score = words.iter().position(|word| word.contains('.') && word.parse::<f64>().is_ok())?;
        Some(words[score + 1..].join(" "))
    };
    rows(screen).into_iter().filter_map(title).collect()
}

/// The columns of the cells that hold `glyph`, row by row, for rows that have one.
pub(crate) fn columns_of(screen: &vt100::Screen, glyph: &str) -> Vec<Vec<u16>> {
    let (rows, columns) = screen.size();
    let holds = |row: u16, column: &u16| screen.cell(row, *column).is_some_and(|cell| cell.contents() == glyph);
    let found = (0..rows.get()).map(|row| (0..columns.get()).filter(|column| holds(row, column)).collect::<Vec<_>>());
    found.filter(|columns| !columns.is_empty()).collect()
}

/// Waits until `holds` does for something outside the terminal, which is `what`.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + DEADLINE;
    while !holds() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The modes of the terminal, to be compared.
fn modes(master: &dyn MasterPty) -> String {
    let modes = master.get_termios().expect("a terminal has modes");
    format!("{:?} {:?} {:?}", modes.input_flags, modes.output_flags, modes.local_flags)
}

fn nonzero(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("a terminal has rows and columns")
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// What a terminal sends for a key.
fn sequence(key: &str) -> String {
    let fixed = match key {
        "enter" => "\r",
        "esc" => "\x1b",
        "tab" => "\t",
        "shift-tab" => "\x1b[Z",
        "space" => " ",
        "up" => "\x1b[A",
        "down" => "\x1b[B",
        "right" => "\x1b[C",
        "left" => "\x1b[D",
        "pgup" => "\x1b[5~",
        "pgdn" => "\x1b[6~",
        "home" => "\x1b[H",
        "end" => "\x1b[F",
        "backspace" => "\x7f",
        "delete" => "\x1b[3~",
        _ => "",
    };
    if !fixed.is_empty() {
        return fixed.to_owned();
    }
    let (control, name) = key.strip_prefix("ctrl-").map_or((false, key), |name| (true, name));
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if control => char::from(u8::try_from(letter).unwrap() & 0x1f).to_string(),
        (Some(letter), None) => letter.to_string(),
        _ => panic!("{key} is no key"),
    }
}
