//! The terminal itself: raw mode and the alternate screen, and the way back from them on every way out.

use std::{
    io::{self, IsTerminal as _, Write as _},
    mem::ManuallyDrop,
    panic,
    sync::atomic::{AtomicBool, Ordering},
    thread::{self, ThreadId},
};

use crossterm::{
    cursor, event, execute,
    terminal::{self, EnterAlternateScreen, LeaveAlternateScreen},
};
use ratatui::{Terminal, backend::CrosstermBackend};

/// True while the terminal is ours, so that restoring it twice does no harm.
static OURS: AtomicBool = AtomicBool::new(false);

/// The terminal while the screens are shown. Dropping it gives the terminal back.
pub struct Screen {
    /// Where frames are drawn. Never dropped: its own drop prints what fails, and panics where the terminal is gone.
    pub terminal: ManuallyDrop<Terminal<CrosstermBackend<io::Stdout>>>,
}

/// Why the screens cannot be shown here.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// Output goes to a file or a pipe.
    #[error(
        "the screens need a terminal: standard input and output must be one; `caselight --help` lists the commands that do not"
    )]
    NoTerminal,
    /// The terminal says that it can do nothing.
    #[error(
        "the screens need a terminal that can move its cursor, and TERM is `{0}`; `caselight run` prints plain text"
    )]
    Dumb(String),
    /// The terminal refused.
    #[error("the terminal cannot be set up: {0}")]
    Io(#[from] io::Error),
}

impl Screen {
    /// Takes the terminal. A panic on this thread gives it back before it is reported; elsewhere it is a failed job.
    pub fn open() -> Result<Self, TerminalError> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(TerminalError::NoTerminal);
        }
        let kind = std::env::var("TERM").unwrap_or_default();
        if kind.is_empty() || kind == "dumb" {
            return Err(TerminalError::Dumb(kind));
        }
        restore_on_panic(thread::current().id());
        terminal::enable_raw_mode()?;
        OURS.store(true, Ordering::SeqCst);
        let screen = Self { terminal: ManuallyDrop::new(Terminal::new(CrosstermBackend::new(io::stdout()))?) };
        execute!(io::stdout(), EnterAlternateScreen, event::EnableBracketedPaste, cursor::Hide)?;
        Ok(screen)
    }

    /// Empties the terminal, so that the next frame draws every cell. Does not ask where the cursor is, as
    /// [`Terminal::clear`] does: the answer would go to the task that reads the keys.
    pub fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, once.
fn restore() {
    if OURS.swap(false, Ordering::SeqCst) {
        // There is nobody left to tell if this fails.
        let _ = execute!(io::stdout(), event::DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
        let _ = io::stdout().flush();
    }
}

fn restore_on_panic(screen_thread: ThreadId) {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == screen_thread {
            restore();
            before(info);
        } else if !OURS.load(Ordering::SeqCst) {
            before(info);
        }
        // On another thread the screens go on, and the job's failure is reported there.
    }));
}
