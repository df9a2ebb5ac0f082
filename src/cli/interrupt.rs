//! Ctrl-C, a request to end and a terminal that goes away, while cases are asked: the first stops the run in order, the second ends the program at once.

use std::{
    io,
    sync::{Mutex, OnceLock, PoisonError},
    thread,
};

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

use super::Outcome;

/// Whom the next signal is told; without anybody it ends the program.
static LISTENING: Mutex<Option<UnboundedSender<i32>>> = Mutex::new(None);

/// Whether the thread that waits for signals could be started.
static STARTED: OnceLock<bool> = OnceLock::new();

/// The signal that asks this run to stop.
pub(super) struct Interrupt(UnboundedReceiver<i32>);

impl Interrupt {
    /// Listens from now on, until it is dropped. Where signals cannot be listened to they end the program, as without this.
    pub(super) fn listen() -> Self {
        let (sender, receiver) = unbounded_channel();
        *LISTENING.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        STARTED.get_or_init(|| start().is_ok());
        Self(receiver)
    }

    /// The number of the signal, when it comes.
    pub(super) async fn came(&mut self) -> i32 {
        match self.0.recv().await {
            Some(number) => number,
            None => std::future::pending().await,
        }
    }
}

/// Signals are taken in by a thread of their own, so that a second one ends the program whatever the first one still waits for.
fn start() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let (mut interrupt, mut terminate, mut hangup) = {
        let _within = runtime.enter();
        // Whoever starts this with `nohup` wants it to outlive the terminal.
        let hangup = if ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) };
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, hangup)
    };
    let wait = move || {
        runtime.block_on(async {
            loop {
                let gone = async {
                    match &mut hangup {
                        Some(hangup) => hangup.recv().await,
                        None => std::future::pending().await,
                    }
                };
                let kind = tokio::select! {
                    _ = gone => SignalKind::hangup(),
                    _ = interrupt.recv() => SignalKind::interrupt(),
                    _ = terminate.recv() => SignalKind::terminate(),
                };
                tell(kind.as_raw_value());
            }
        });
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// True if this program was started with that signal ignored, where the system tells it: Linux does.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or_default();
    let number = SignalKind::hangup().as_raw_value();
    ignored >> (number - 1) & 1 == 1
}

fn tell(number: i32) {
    let listening = LISTENING.lock().unwrap_or_else(PoisonError::into_inner).take();
    // Whoever listened and went away has ended its run: nothing is left to be stopped in order.
    if listening.is_none_or(|listening| listening.send(number).is_err()) {
        std::process::exit(Outcome::Signal(number).code().into());
    }
}
