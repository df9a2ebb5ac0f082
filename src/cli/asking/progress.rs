//! How far a run is, on one line: a bar where somebody looks, else a line now and then for a log.

use std::{
    io::{self, IsTerminal as _},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
    cli::output,
    domain::text::clean,
    retriever::{Waiting, waits::Waits},
};

/// Lines of a log are at least this far apart.
const APART: Duration = Duration::from_secs(10);

/// How far a run is.
pub(super) struct Progress {
    config: String,
    total: usize,
    done: usize,
    errors: usize,
    began: Instant,
    waits: Waits,
    /// `None` where nobody looks.
    bar: Option<ProgressBar>,
    /// When the last line of the log was printed.
    printed: Instant,
}

impl Progress {
    /// A run of so many cases that begins at `now`.
    pub(super) fn new(config: &str, total: usize, now: Instant) -> Self {
        let bar = io::stderr().is_terminal().then(|| bar(config, total));
        Self {
            config: config.to_owned(),
            total,
            done: 0,
            errors: 0,
            began: now,
            waits: Waits::default(),
            bar,
            printed: now,
        }
    }

    /// Takes in that a case was answered, or failed to be.
    pub(super) fn answered(&mut self, index: usize, failed: bool) {
        self.done += 1;
        self.errors += usize::from(failed);
        self.waits.ended(index);
    }

    /// Takes in that a case waits since `now`.
    pub(super) fn waiting(&mut self, index: usize, waiting: Waiting, now: Instant) {
        self.waits.began(index, waiting, now);
    }

    /// Shows how far it is; `name` is the id of a case.
    pub(super) fn show(&mut self, now: Instant, name: &dyn Fn(usize) -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
            bar.set_message(clean(&self.line(now, name)).into_owned());
        } else if now.saturating_duration_since(self.printed) >= APART {
            self.printed = now;
            output::note(&format!("caselight: {}: {}", self.config, self.line(now, name)));
        }
    }

    /// Takes the bar away.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// `12 of 68 cases, 1 error, 3.4/s, 16 s left; pol-004 waits 3 s: 429 Too Many Requests`
    fn line(&self, now: Instant, name: &dyn Fn(usize) -> String) -> String {
        let mut parts = vec![format!("{} of {} cases", self.done, self.total)];
        match self.errors {
            0 => {}
            1 => parts.push("1 error".to_owned()),
            n => parts.push(format!("{n} errors")),
        }
        let elapsed = now.saturating_duration_since(self.began).as_secs_f64();
        if self.done > 0 && elapsed > 0.0 {
            let rate = self.done as f64 / elapsed;
            parts.push(format!("{rate:.1}/s"));
            parts.push(format!("{} left", duration((self.total.saturating_sub(self.done)) as f64 / rate)));
        }
        let waits = self.waits.say(now, name).map(|said| format!("; {said}")).unwrap_or_default();
        parts.join(", ") + &waits
    }
}

/// Seconds as people say them, rounded up: `16 s`, `3 min 20 s`, `2 h 5 min`.
fn duration(seconds: f64) -> String {
    // Longer than anybody waits for, and a rate next to nothing gives it.
    if seconds > 360_000.0 {
        return "over 100 h".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of seconds below 360 000")]
    let seconds = seconds.max(0.0).ceil() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

fn bar(config: &str, total: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:20} {wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr())
        .with_style(style)
        .with_prefix(clean(config).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(done: usize, errors: usize, began: Instant) -> Progress {
        let mut progress = Progress::new("hybrid", 68, began);
        (0..done).for_each(|index| progress.answered(index, index < errors));
        progress
    }

    #[test]
    fn the_line_tells_what_is_done_what_failed_how_fast_and_what_is_left() {
        let began = Instant::now();
        let name = |_: usize| "pol-004".to_owned();
        let line = |progress: &Progress, seconds| progress.line(began + Duration::from_secs(seconds), &name);
        assert_eq!(line(&progress(0, 0, began), 3), "0 of 68 cases");
        assert_eq!(line(&progress(12, 0, began), 6), "12 of 68 cases, 2.0/s, 28 s left");
        assert_eq!(line(&progress(12, 1, began), 60), "12 of 68 cases, 1 error, 0.2/s, 4 min 40 s left");
        assert_eq!(line(&progress(68, 2, began), 34), "68 of 68 cases, 2 errors, 2.0/s, 0 s left");
    }

    #[test]
    fn a_case_that_waits_is_named_with_the_time_that_is_left_and_the_reason() {
        let began = Instant::now();
        let mut progress = progress(12, 0, began);
        let pause = Duration::from_secs(5);
        progress.waiting(40, Waiting { pause, attempt: 1, reason: "429 Too Many Requests".to_owned() }, began);
        let line = |progress: &Progress, seconds: u64| {
            progress.line(began + Duration::from_secs(seconds), &|_| "pol-004".to_owned())
        };
        assert_eq!(line(&progress, 2), "12 of 68 cases, 6.0/s, 10 s left; pol-004 waits 3 s: 429 Too Many Requests");
        progress.answered(40, true);
        assert_eq!(line(&progress, 2), "13 of 68 cases, 1 error, 6.5/s, 9 s left");
    }

    #[test]
    fn durations_read_like_a_clock() {
        let cases = [(0.0, "0 s"), (0.2, "1 s"), (59.0, "59 s"), (200.0, "3 min 20 s"), (7500.0, "2 h 5 min")];
        for (seconds, expected) in cases {
            assert_eq!(duration(seconds), expected);
        }
        assert_eq!(duration(f64::INFINITY), "over 100 h");
    }
}
