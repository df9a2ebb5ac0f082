//! What reaches the terminal: cleaned text, a progress bar where somebody looks, errors in one shape.

use std::{
    env,
    io::{self, IsTerminal as _, Write as _},
    path::Path,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::domain::text::clean;

/// Prints to standard output. A reader that has gone away (`| head`) is no error.
pub(super) fn print(text: &str) -> io::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A path as people would write it from where they are: `corpus-index` for `cases/../corpus-index`.
pub(super) fn path(path: &Path) -> String {
    let whole = path.canonicalize();
    let here = env::current_dir().and_then(|here| here.canonicalize());
    match (&whole, here) {
        (Ok(whole), Ok(here)) => clean(&whole.strip_prefix(here).unwrap_or(whole).display().to_string()).into_owned(),
        _ => clean(&path.display().to_string()).into_owned(),
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

/// A bar on standard error for what is read of the corpus; invisible where that is no terminal.
pub(super) fn bar(total: u64, unit: Unit) -> ProgressBar {
    let counts = match unit {
        Unit::Bytes => "{bytes} of {total_bytes}",
        Unit::Chunks => "{pos} of {len} chunks",
    };
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(&format!("{{msg}} {{wide_bar}} {counts}, {{eta}} left"));
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(total), target).with_style(style)
}

/// What a progress bar counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes of the corpus source.
    Bytes,
    /// Passages of an engine.
    Chunks,
}
