//! Runs that were kept, by file or name.

use anyhow::bail;

use crate::{eval::run::Run, project::Project};

/// The kept run of that file or name.
pub(super) fn find(_: &Project, name: &str) -> anyhow::Result<Run> {
    bail!("there is no run `{name}`")
}
