//! Carries out effects. The only file of the front end that spawns tasks.

use std::{collections::HashMap, future::Future, panic::AssertUnwindSafe, pin::Pin, sync::Arc, time::Duration};

use futures_util::FutureExt as _;
use tokio::{sync::mpsc, task::JoinHandle, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    effect::{Effect, Job, Slot, Ticket, Write},
    msg::{Msg, Output, Written},
};

/// A job under way.
pub type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What jobs need of the outside world. Tests give a scripted one.
pub trait Jobs: Send + Sync + 'static {
    /// Does `job`, saying what it finds to `reply`. Dropped when the job is cancelled.
    fn work(&self, job: Job, reply: Reply) -> Work;
    /// Writes to case files. Called for one write at a time, in order; may block.
    fn write(&self, write: Write) -> Written;
}

/// Where a job says what it found. Carries the ticket, so that the app can tell a late answer.
#[derive(Debug, Clone)]
pub struct Reply {
    ticket: Ticket,
    messages: mpsc::UnboundedSender<Msg>,
}

impl Reply {
    /// Tells the app.
    pub fn say(&self, output: Output) {
        // The receiver is gone only while the program ends.
        let _ = self.messages.send(Msg::Job { ticket: self.ticket, output });
    }
}

/// Live jobs by slot, and the queue of writes.
pub struct Runtime {
    jobs: Arc<dyn Jobs>,
    messages: mpsc::UnboundedSender<Msg>,
    live: HashMap<Slot, CancellationToken>,
    writes: Option<mpsc::UnboundedSender<Write>>,
    written: JoinHandle<()>,
}

impl Runtime {
    /// A runtime that does its work by `jobs`, and the messages of that work. To be called inside a tokio runtime.
    pub fn new(jobs: Arc<dyn Jobs>) -> (Self, mpsc::UnboundedReceiver<Msg>) {
        let (messages, inbox) = mpsc::unbounded_channel();
        let (writes, queue) = mpsc::unbounded_channel();
        let done = tokio::spawn(write_in_order(Arc::clone(&jobs), queue, messages.clone()));
        (Self { jobs, messages, live: HashMap::new(), writes: Some(writes), written: done }, inbox)
    }

    /// Where anybody else may send messages to the app.
    #[must_use]
    pub fn sender(&self) -> mpsc::UnboundedSender<Msg> {
        self.messages.clone()
    }

    /// Carries out one effect. Quitting and redrawing are the loop's own.
    pub fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Cancel(slot) => self.cancel(slot),
            Effect::Start { ticket, after, job } => self.start(ticket, after, job),
            Effect::Write(write) => {
                if let Some(writes) = &self.writes {
                    // The writer ends only after this sender is gone.
                    let _ = writes.send(write);
                }
            }
            Effect::Redraw | Effect::Quit => {}
        }
    }

    /// Cancels every job and waits until everything that was to be written is written.
    pub async fn finish(mut self) {
        self.live.drain().for_each(|(_, token)| token.cancel());
        self.writes = None;
        // A panic of the writer was reported when it happened.
        let _ = self.written.await;
    }

    fn start(&mut self, ticket: Ticket, after: Duration, job: Job) {
        self.cancel(ticket.slot);
        let token = CancellationToken::new();
        self.live.insert(ticket.slot, token.clone());
        let reply = Reply { ticket, messages: self.messages.clone() };
        let jobs = Arc::clone(&self.jobs);
        tokio::spawn(token.run_until_cancelled_owned(async move {
            if !after.is_zero() {
                sleep(after).await;
            }
            let failed = reply.clone();
            let work = AssertUnwindSafe(async move { jobs.work(job, reply).await });
            if let Err(panic) = work.catch_unwind().await {
                failed.say(Output::Failed(format!("a job broke off: {}", panic_text(&*panic))));
            }
        }));
    }

    fn cancel(&mut self, slot: Slot) {
        if let Some(token) = self.live.remove(&slot) {
            token.cancel();
        }
    }
}

/// One write at a time, on a thread that may block. What was asked for is written even while the program ends.
async fn write_in_order(
    jobs: Arc<dyn Jobs>,
    mut queue: mpsc::UnboundedReceiver<Write>,
    messages: mpsc::UnboundedSender<Msg>,
) {
    while let Some(write) = queue.recv().await {
        let jobs = Arc::clone(&jobs);
        let asked = write.clone();
        let written = tokio::task::spawn_blocking(move || jobs.write(write)).await.unwrap_or_else(|error| Written {
            write: asked,
            cases: None,
            outcome: Err(format!("saving broke off: {error}")),
            final_word: false,
        });
        let _ = messages.send(Msg::Written(Box::new(written)));
    }
}

/// The words of a panic, as far as it has any.
#[must_use]
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}
