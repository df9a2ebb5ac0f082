//! Who may send next: so many calls at once, and so many requests in a second, first come first served.

use std::time::Duration;

use tokio::{
    sync::{Mutex, Semaphore, SemaphorePermit},
    time::{Instant, sleep_until},
};

use super::Limits;

pub(super) struct Gate {
    open: Semaphore,
    /// The time between the beginnings of two requests.
    interval: Option<Duration>,
    /// When the next request may begin. Its lock is handed on in the order in which it was asked for.
    next: Mutex<Option<Instant>>,
}

impl Gate {
    pub(super) fn new(limits: &Limits) -> Self {
        let interval = limits.rate.and_then(|rate| Duration::try_from_secs_f64(1.0 / rate).ok());
        let open = limits.concurrency.clamp(1, Semaphore::MAX_PERMITS);
        Self { open: Semaphore::new(open), interval, next: Mutex::new(None) }
    }

    /// Waits until a call may be open; it is as long as the permit lives.
    pub(super) async fn enter(&self) -> Option<SemaphorePermit<'_>> {
        // Only a closed semaphore refuses, and nothing closes this one.
        self.open.acquire().await.ok()
    }

    /// Waits until one more request may begin. A waiting request that is dropped takes no turn.
    pub(super) async fn turn(&self) {
        let Some(interval) = self.interval else { return };
        let mut next = self.next.lock().await;
        if let Some(next) = *next {
            sleep_until(next).await;
        }
        let now = Instant::now();
        *next = next.unwrap_or(now).max(now).checked_add(interval);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_begin_evenly_and_one_that_is_dropped_takes_no_turn() {
        let gate = Gate::new(&Limits { rate: Some(4.0), ..Limits::default() });
        let begun = Instant::now();
        gate.turn().await;
        assert_eq!(begun.elapsed(), Duration::ZERO);
        tokio::select! {
            () = gate.turn() => panic!("two at once"),
            () = tokio::time::sleep(Duration::from_millis(100)) => (),
        }
        gate.turn().await;
        assert_eq!(begun.elapsed().as_millis() / 10, 25);
        gate.turn().await;
        assert_eq!(begun.elapsed().as_millis() / 10, 50);
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_requests_are_served_in_the_order_in_which_they_came() {
        let gate = Gate::new(&Limits { rate: Some(1.0), ..Limits::default() });
        let served = std::sync::Mutex::new(Vec::new());
        let request = |number: usize| {
            let (gate, served) = (&gate, &served);
            async move {
                gate.turn().await;
                if let Ok(mut served) = served.lock() {
                    served.push(number);
                }
            }
        };
        futures_util::future::join_all((0..5).map(request)).await;
        assert_eq!(served.into_inner().unwrap_or_default(), [0, 1, 2, 3, 4]);
    }
}
