//! Who waits before asking again during a run, and for how long: what a progress line says while a server is busy.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::Waiting;

/// The questions of a run that wait, by their number.
#[derive(Debug, Default)]
pub struct Waits {
    waiting: BTreeMap<usize, (Instant, String)>,
}

impl Waits {
    /// Takes in that a question began to wait at `now`.
    pub fn began(&mut self, index: usize, waiting: Waiting, now: Instant) {
        // A pause that no clock can count to ends never: it is as long as a day to whoever watches.
        let until = now.checked_add(waiting.pause).unwrap_or_else(|| now + Duration::from_hours(24));
        self.waiting.insert(index, (until, waiting.reason));
    }

    /// Takes in that a question was answered, or given up.
    pub fn ended(&mut self, index: usize) {
        self.waiting.remove(&index);
    }

    /// The one that waits longest, and how many others do: `pol-004 waits 3 s: 429 Too Many Requests (7 more wait)`. `None` when
    /// nobody waits any more.
    #[must_use]
    pub fn say(&self, now: Instant, name: &dyn Fn(usize) -> String) -> Option<String> {
        let left = |until: &Instant| until.saturating_duration_since(now);
        let waiting: Vec<_> = self.waiting.iter().filter(|(_, (until, _))| !left(until).is_zero()).collect();
        let (index, (until, reason)) = waiting.iter().max_by_key(|(_, (until, _))| *until)?;
        let others = match waiting.len() - 1 {
            0 => String::new(),
            1 => " (1 more waits)".to_owned(),
            n => format!(" ({n} more wait)"),
        };
        // The last second counts as one.
        let seconds = left(until).as_millis().div_ceil(1000);
        Some(format!("{} waits {seconds} s: {reason}{others}", name(**index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_is_counted_down_until_it_is_over() {
        let mut waits = Waits::default();
        let began = Instant::now();
        let waiting = |seconds, reason: &str| Waiting {
            pause: Duration::from_secs(seconds),
            attempt: 1,
            reason: reason.to_owned(),
        };
        let name = |index: usize| format!("c{index}");
        assert_eq!(waits.say(began, &name), None);
        waits.began(4, waiting(3, "429 Too Many Requests"), began);
        waits.began(5, waiting(1, "503 Service Unavailable"), began);
        let at = |ms| began + Duration::from_millis(ms);
        let said = |waits: &Waits, ms| waits.say(at(ms), &name);
        assert_eq!(said(&waits, 0).as_deref(), Some("c4 waits 3 s: 429 Too Many Requests (1 more waits)"));
        assert_eq!(said(&waits, 1500).as_deref(), Some("c4 waits 2 s: 429 Too Many Requests"));
        assert_eq!(said(&waits, 3000), None);
        waits.began(4, waiting(3, "429 Too Many Requests"), began);
        waits.ended(4);
        assert_eq!(said(&waits, 100).as_deref(), Some("c5 waits 1 s: 503 Service Unavailable"));
    }
}
