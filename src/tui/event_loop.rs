//! The loop: what happens in the terminal and in jobs becomes messages, messages become effects and frames.

use std::{io, path::Path, sync::Arc, thread, time::Duration};

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt as _;
use notify::{RecursiveMode, Watcher as _};
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Instant, sleep_until},
};

use super::{
    app::App,
    effect::Effect,
    msg::Msg,
    runtime::{Jobs, Runtime},
    terminal::{Screen, TerminalError},
};

/// Frames are at least this far apart; a burst of messages is one frame.
const FRAME: Duration = Duration::from_millis(16);

/// A terminal that is gone, whether or not it sent its signal.
const HUNG_UP: Ended = Ended::Signal(1);

/// How the screens ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The user left.
    Quit,
    /// This signal asked the program to end.
    Signal(i32),
}

/// Shows the screens until the user leaves. Everything that could be saved is saved when this returns, and the terminal is as it
/// was before, however it ended. Beside how it ended it gives the edits that could not be saved, for people.
pub fn run(mut app: App, jobs: Arc<dyn Jobs>, watched: &Path) -> (Result<Ended, TerminalError>, Vec<String>) {
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return (Err(error.into()), Vec::new()),
    };
    let ended = runtime.block_on(show(&mut app, jobs, watched));
    runtime.shutdown_timeout(Duration::from_millis(100));
    (ended, app.lost())
}

async fn show(app: &mut App, jobs: Arc<dyn Jobs>, watched: &Path) -> Result<Ended, TerminalError> {
    let signals = Signals::new()?;
    let screen = Screen::open()?;
    let (mut runtime, mut inbox) = Runtime::new(jobs);
    let _watcher = watch(watched, runtime.sender());
    let ended = pump(app, signals, screen, &mut runtime, &mut inbox).await;
    // Also when the terminal could not be drawn to: what was to be saved does not depend on it. What could not be saved before may
    // be by now.
    for effect in app.leave() {
        runtime.perform(effect);
    }
    runtime.finish().await;
    while let Ok(msg) = inbox.try_recv() {
        app.update(msg);
    }
    ended
}

/// Messages in, effects and frames out, until one of them ends it.
async fn pump(
    app: &mut App,
    mut signals: Signals,
    mut screen: Screen,
    runtime: &mut Runtime,
    inbox: &mut UnboundedReceiver<Msg>,
) -> Result<Ended, TerminalError> {
    let mut events = events();
    let mut gone = hung_up();
    let size = screen.terminal.size()?;
    app.update(Msg::Resize { width: size.width, height: size.height });
    let mut effects = app.start();
    let mut dirty = true;
    let mut due = Instant::now();
    loop {
        if dirty && Instant::now() >= due {
            match screen.terminal.draw(|frame| app.view(frame)) {
                Ok(_) => {}
                // What a terminal that is gone answers to what is written to it.
                Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => return Ok(HUNG_UP),
                Err(error) => return Err(error.into()),
            }
            dirty = false;
            due = Instant::now() + FRAME;
        }
        let mut quit = false;
        for effect in effects.drain(..) {
            match effect {
                Effect::Quit => quit = true,
                Effect::Redraw => screen.clear()?,
                effect => runtime.perform(effect),
            }
        }
        if quit {
            return Ok(Ended::Quit);
        }
        tokio::select! {
            biased;
            number = signals.next() => return Ok(Ended::Signal(number)),
            _ = gone.recv() => break Ok(HUNG_UP),
            event = events.recv() => match event {
                Some(event) => effects.extend(message(event).map(|msg| app.update(msg)).unwrap_or_default()),
                None => return Ok(HUNG_UP),
            },
            Some(msg) = inbox.recv() => effects.extend(app.update(msg)),
            () = sleep_until(due), if dirty => continue,
        }
        // What else is there belongs to the same frame; but a long burst must not keep the screen from being drawn.
        let until = Instant::now() + FRAME / 2;
        while Instant::now() < until && !effects.contains(&Effect::Quit) {
            if let Ok(event) = events.try_recv() {
                effects.extend(message(event).map(|msg| app.update(msg)).unwrap_or_default());
            } else if let Ok(msg) = inbox.try_recv() {
                effects.extend(app.update(msg));
            } else {
                break;
            }
        }
        dirty = true;
    }
}

/// The terminal's events, until it is gone. A task of their own, so that what is waiting can be taken without waiting.
fn events() -> UnboundedReceiver<Event> {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(async move {
        let mut events = EventStream::new();
        while let Some(Ok(event)) = events.next().await {
            if sender.send(event).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Says when the terminal is gone. Not every terminal that goes away sends a signal, and one that is gone looks to a reader as if
/// there were always something to read.
fn hung_up() -> UnboundedReceiver<()> {
    let (sender, receiver) = unbounded_channel();
    thread::spawn(move || {
        let stdin = io::stdin();
        // No event is asked for, so that only a hang-up or an error ends the wait.
        let mut wait = [PollFd::new(&stdin, PollFlags::empty())];
        while matches!(poll(&mut wait, None), Err(Errno::INTR)) {}
        // The receiver is gone only while the program ends.
        let _ = sender.send(());
    });
    receiver
}

/// What an event of the terminal means to the app; nothing for those that it does not use.
fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) => Some(Msg::Key(key)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Resize(width, height) => Some(Msg::Resize { width, height }),
        Event::FocusGained | Event::FocusLost | Event::Mouse(_) => None,
    }
}

/// Tells the app when a file of `folder` changes. Without a watcher an outside edit is noticed at the next save.
fn watch(folder: &Path, messages: UnboundedSender<Msg>) -> Option<notify::RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            // The receiver is gone only while the program ends.
            let _ = messages.send(Msg::FilesChanged);
        }
    })
    .ok()?;
    watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
    Some(watcher)
}

/// The signals that ask the program to end.
struct Signals {
    terminate: Signal,
    hangup: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate().as_raw_value(),
            _ = self.hangup.recv() => SignalKind::hangup().as_raw_value(),
            _ = self.interrupt.recv() => SignalKind::interrupt().as_raw_value(),
        }
    }
}
