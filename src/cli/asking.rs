//! Asks a retriever the cases of a run, says how far it is, and stops in order when it is told to.

mod progress;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use self::progress::Progress;
use super::{embed, interrupt::Interrupt};
use crate::{
    domain::ranking::Answer,
    retriever::{
        Request, Retriever,
        run::{self, RunEvent},
    },
};

/// How often the progress line is drawn anew.
const TICK: Duration = Duration::from_millis(200);

/// How long calls that were stopped have to let go: children to end, files to close.
const GRACE: Duration = Duration::from_secs(2);

/// A case to ask.
pub(super) struct Ask {
    /// Its number among the cases of the run.
    pub(super) at: usize,
    /// Its id.
    pub(super) case: String,
    /// What is asked.
    pub(super) request: Request,
}

/// How asking ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Every case was asked.
    Whole,
    /// This signal stopped it.
    Stopped(i32),
}

/// Puts the questions, as many at once as the retriever takes, and hands on each answer, with the number of its case, as it comes.
pub(super) fn ask(
    config: &str,
    retriever: Arc<dyn Retriever>,
    asks: Vec<Ask>,
    answered: &mut dyn FnMut(usize, Result<Answer, String>) -> anyhow::Result<()>,
) -> anyhow::Result<Ended> {
    let mut interrupt = Interrupt::listen();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let (cases, requests): (Vec<(usize, String)>, Vec<Request>) =
        asks.into_iter().map(|ask| ((ask.at, ask.case), ask.request)).unzip();
    let mut progress = Progress::new(config, cases.len(), Instant::now());
    let ended = runtime.block_on(async {
        if !requests.is_empty() {
            tokio::select! {
                biased;
                signal = interrupt.came() => return Ok(Ended::Stopped(signal)),
                prepared = embed::prepare(&*retriever) => prepared?,
            }
        }
        let concurrency = retriever.concurrency();
        let mut events = run::start(retriever, requests, concurrency);
        let mut tick = tokio::time::interval(TICK);
        loop {
            tokio::select! {
                biased;
                signal = interrupt.came() => return Ok(Ended::Stopped(signal)),
                event = events.recv() => match event {
                    Some(RunEvent::Answered { index, result }) => {
                        progress.answered(index, result.is_err());
                        answered(cases[index].0, result.map_err(|error| error.to_string()))?;
                    }
                    Some(RunEvent::Waiting { index, waiting }) => progress.waiting(index, waiting, Instant::now()),
                    Some(RunEvent::Finished) | None => return Ok(Ended::Whole),
                },
                _ = tick.tick() => progress.show(Instant::now(), &|index| cases[index].1.clone()),
            }
        }
    });
    progress.clear();
    // What is being asked goes down here, and with it the processes of a retriever.
    runtime.shutdown_timeout(GRACE);
    ended
}
