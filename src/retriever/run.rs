//! Asks a retriever many questions at once, as a stream of events; nothing else calls a retriever.

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc, time::Instant};

use futures_util::FutureExt as _;
use tokio::{sync::mpsc, task::JoinSet};

use super::{Request, Retriever, RetrieverError, Watch};
use crate::{domain::ranking::Answer, engine::client::Waiting};

/// How many questions are asked at once where the settings do not say.
pub const CONCURRENCY: usize = 8;

/// What happens during a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    /// One question was answered, or its call failed. Questions end in any order.
    Answered {
        /// Which of the requests, from 0.
        index: usize,
        /// The answer with its latency, or why there is none.
        result: Result<Answer, RetrieverError>,
    },
    /// A question waits before it is put again. Whether this is told is not certain.
    Waiting {
        /// Which of the requests, from 0.
        index: usize,
        /// How long, and why.
        waiting: Waiting,
    },
    /// Every question has ended. The last event; a stream that ends without it was cut off.
    Finished,
}

/// Starts asking `requests`, `concurrency` (at least one) at a time. Dropping the receiver cancels what is left. Must be called
/// inside a tokio runtime.
#[must_use]
pub fn start(retriever: Arc<dyn Retriever>, requests: Vec<Request>, concurrency: usize) -> mpsc::Receiver<RunEvent> {
    let concurrency = concurrency.max(1);
    // Bounded, so that a reader that falls behind slows the run instead of filling the memory.
    let (events, receiver) = mpsc::channel(concurrency);
    tokio::spawn(async move {
        let asked = ask_all(retriever, requests, concurrency, &events);
        tokio::select! {
            () = asked => {}
            // Nobody listens any more. What is being asked goes down with `asked`.
            () = events.closed() => {}
        }
    });
    receiver
}

async fn ask_all(
    retriever: Arc<dyn Retriever>,
    requests: Vec<Request>,
    concurrency: usize,
    events: &mpsc::Sender<RunEvent>,
) {
    let mut waiting = requests.into_iter().enumerate();
    let mut asking = JoinSet::new();
    loop {
        while asking.len() < concurrency
            && let Some((index, request)) = waiting.next()
        {
            let retriever = Arc::clone(&retriever);
            let watch = Watch(Some((index, events.clone())));
            asking.spawn(async move { (index, ask(&*retriever, &request, &watch).await) });
        }
        // A task neither panics, see `ask`, nor is it aborted while this loop lives: an error is not expected and ends the run
        // without `Finished`.
        match asking.join_next().await {
            Some(Ok((index, result))) => {
                if events.send(RunEvent::Answered { index, result }).await.is_err() {
                    return;
                }
            }
            Some(Err(_)) => return,
            None => break,
        }
    }
    // A receiver that is gone needs no last word.
    let _ = events.send(RunEvent::Finished).await;
}

/// Asks one question by a monotonic clock; a panic in the adapter is this question's error.
async fn ask(retriever: &dyn Retriever, request: &Request, watch: &Watch) -> Result<Answer, RetrieverError> {
    let began = Instant::now();
    let answer = AssertUnwindSafe(async { retriever.retrieve(request, watch).await }).catch_unwind().await;
    let latency = began.elapsed();
    match answer {
        Ok(answer) => answer.map(|answer| Answer { latency, ..answer }),
        Err(panic) => {
            Err(RetrieverError::Panicked { retriever: retriever.name().to_owned(), reason: message(panic.as_ref()) })
        }
    }
}

/// The message of a panic.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
mod tests;
