//! How a run is kept: as a new file, as the end of one that was broken off, or where the user says.

use std::path::PathBuf;

use super::output;
use crate::{
    eval::run::{Header, RunCase},
    project::{
        Project,
        results::{self, Writer},
    },
};

/// The name that stands for the newest run of the config.
const NEWEST: &str = "newest";

/// Where a run is written. It is always on disk case by case; a run that was stopped is there as far as it came.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Keep {
    /// Write the run to this file instead of corpus-index/runs/. A run in cases/baselines/ is a baseline.
    ///
    /// The file is written, or replaced, when every case has been asked; until then the run lies in corpus-index/runs/.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with a run: ask only the cases that it lacks or in which the call failed.
    ///
    /// Without a name it is the newest run of the same config. Refuses if config, k, labels, corpus or the selection of cases are
    /// not the same.
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = NEWEST)]
    resume: Option<String>,
}

/// A run that is being kept.
pub(super) struct Keeping {
    pub(super) writer: Writer,
    /// The cases that need not be asked again.
    pub(super) kept: Vec<RunCase>,
    header: Header,
    out: Option<PathBuf>,
}

impl Keep {
    /// How the rest of a run that was stopped is asked, as the end of a sentence.
    pub(super) fn rest(&self) -> &'static str {
        match &self.resume {
            Some(_) => "; the same command asks the rest",
            // Only then is it sure that nothing else was chosen.
            None if std::env::args_os().skip(1).eq(["run"]) => "; `caselight run --resume` asks the rest",
            None => "; the same command with `--resume` asks the rest",
        }
    }

    /// Begins to keep the run that is made with `header`.
    pub(super) fn open(&self, project: &Project, header: Header) -> anyhow::Result<Keeping> {
        if let Some(out) = &self.out {
            results::check_out(project, out)?;
        }
        let out = self.out.clone();
        let Some(name) = &self.resume else {
            return Ok(Keeping { writer: Writer::create(project, &header)?, kept: Vec::new(), header, out });
        };
        let resumed = results::resume(project, Some(name.as_str()).filter(|name| *name != NEWEST), &header)?;
        for note in &resumed.notes {
            output::note(&format!("caselight: {note}"));
        }
        let path = output::path(resumed.writer.path());
        output::note(&format!("caselight: {path} has {} answers; only other cases are asked", resumed.kept.len()));
        Ok(Keeping { writer: resumed.writer, kept: resumed.kept, header: resumed.header, out })
    }
}

impl Keeping {
    /// Ends the run, its cases in the order of `ids`. Returns what it was made with.
    pub(super) fn finish<'a>(self, ids: impl IntoIterator<Item = &'a str>) -> anyhow::Result<Header> {
        self.writer.finish(ids, self.out.as_deref())?;
        Ok(self.header)
    }
}
