//! `caselight index`

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use super::{
    Outcome, embed,
    output::{self, Unit},
};
use crate::{
    corpus::{Activity, Corpus, Progress, Severity},
    domain::text::clean,
    project::{self, Project, settings::Settings},
};

/// Build or refresh the local index of the corpus, and say what is in it.
///
/// Every command and the screens do this by themselves; `index` does it ahead of time and prints what it found. A corpus in an engine
/// or a database is fetched anew by `index` alone.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A folder of Markdown documents or a .jsonl of chunks; without it the settings' corpus source.
    source: Option<PathBuf>,
    /// Embed every passage by the [embeddings.NAME] of the settings too, ahead of the first config that needs it.
    #[arg(long, value_name = "NAME")]
    embed: Option<String>,
}

pub(super) fn run(arguments: &Arguments, folder: &Path) -> anyhow::Result<Outcome> {
    let project = Project::open(folder)?;
    let mut settings = project.settings;
    if let Some(source) = &arguments.source {
        settings.source = Some(source.clone());
        settings.engine = None;
    }
    let mut text = String::new();
    if let Some(engine) = settings.engine.as_ref().filter(|engine| engine.copy) {
        let (_, came) = with_bar(|progress| project::fetch(&settings, engine, progress))?;
        writeln!(text, "{} fetched from {}", count(came, "chunk"), clean(&engine.store.name()))?;
    }
    let index = match open(&settings)? {
        Corpus::Local(index) => index,
        Corpus::Remote(remote) => {
            let (chunks, name) = (count(remote.count(), "chunk"), clean(remote.name()));
            output::print(&format!("{chunks} in {name}: they stay there, nothing is indexed here\n"))?;
            return Ok(Outcome::Fine);
        }
    };
    let notes = index.notes();
    for file in &notes.files {
        writeln!(text, "{:>6}  {}", file.chunks, clean(&file.file))?;
        for note in &file.notes {
            let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
            let word = if note.severity == Severity::Error { "left out" } else { "note" };
            writeln!(text, "        {word}: {}{line}: {}", clean(&file.file), clean(&note.what))?;
        }
    }
    let (chunks, files) = (count(index.len() as u64, "chunk"), count(notes.files.len() as u64, "file"));
    writeln!(text, "{chunks} of {files} in {}", output::path(&settings.index))?;
    output::print(&text)?;
    if let Some(name) = &arguments.embed {
        let vectors = embed::passages(&settings, &index, name)?;
        let (chunks, dims, sent) = (vectors.len(), vectors.dims(), count(vectors.sent as u64, "passage"));
        output::print(&format!("{chunks} vectors of {dims} numbers by {}: {sent} embedded now\n", clean(name)))?;
    }
    Ok(if notes.has_errors() { Outcome::CaseErrors } else { Outcome::Fine })
}

fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Opens the corpus with a progress bar for as long as its index is built.
pub(super) fn open(settings: &Settings) -> anyhow::Result<Corpus> {
    Ok(with_bar(|progress| project::open_corpus(settings, progress))?)
}

/// Does `work` with a progress bar.
fn with_bar<T>(work: impl FnOnce(&dyn Fn(Progress)) -> T) -> T {
    let (bytes, chunks) = (output::bar(0, Unit::Bytes), output::bar(0, Unit::Chunks));
    let done = work(&|progress| {
        let bar = if progress.activity == Activity::Fetching { &chunks } else { &bytes };
        bar.set_message(progress.activity.to_string());
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    });
    chunks.finish_and_clear();
    bytes.finish_and_clear();
    done
}
