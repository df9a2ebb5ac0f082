//! `caselight keys`

use super::{Outcome, output};
use crate::tui::keymap::doc;

/// Print every key of the screens as a Markdown table.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    output::print(&doc::markdown())?;
    Ok(Outcome::Fine)
}
