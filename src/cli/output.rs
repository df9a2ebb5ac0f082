//! What reaches the terminal: cleaned text, a progress bar where somebody looks, errors in one shape.

use std::io::{self, IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::domain::text::clean;

/// Prints to standard output. A reader that has gone away (`| head`) is no error.
pub(super) fn print(text: &str) -> io::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Prints a line to standard error, cleaned.
pub(super) fn note(line: &str) {
    // There is nobody left to tell if standard error is gone.
    let _ = writeln!(io::stderr().lock(), "{}", clean_lines(line));
}

/// Reports why a command could not run, with every cause.
pub(super) fn error(error: &anyhow::Error) {
    note(&format!("caselight: {error:#}"));
}

/// `text` with its line ends kept and everything else cleaned.
pub(super) fn clean_lines(text: &str) -> String {
    text.lines().map(|line| clean(line)).collect::<Vec<_>>().join("\n")
}

/// A progress bar on standard error; invisible where that is no terminal.
pub(super) fn bar(total: u64, unit: Unit) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let counts = match unit {
        Unit::Bytes => "{bytes} of {total_bytes}",
        Unit::Cases => "{pos} of {len} cases",
    };
    let template = format!("{{msg}} {{wide_bar}} {counts}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(total), target).with_style(style)
}

/// What a progress bar counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes of the corpus source.
    Bytes,
    /// Cases that were asked.
    Cases,
}
