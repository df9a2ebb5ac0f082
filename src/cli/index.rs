//! `caselight index`

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use super::{Outcome, embed, output};
use crate::{
    corpus::{self, Index, Severity, Source},
    domain::text::clean,
    project::{Project, settings::Settings},
};

/// Build or refresh the local index of the corpus, and say what is in it.
///
/// Every command and the screens do this by themselves; `index` does it ahead of time and prints what it found.
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
    }
    let index = open(&settings)?;
    let notes = index.notes();
    let mut text = String::new();
    for file in &notes.files {
        writeln!(text, "{:>6}  {}", file.chunks, clean(&file.file))?;
        for note in &file.notes {
            let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
            let word = if note.severity == Severity::Error { "left out" } else { "note" };
            writeln!(text, "        {word}: {}{line}: {}", clean(&file.file), clean(&note.what))?;
        }
    }
    let count = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    let (chunks, files) = (count(index.len(), "chunk"), count(notes.files.len(), "file"));
    writeln!(text, "{chunks} of {files} in {}", output::path(&settings.index))?;
    output::print(&text)?;
    if let Some(name) = &arguments.embed {
        let vectors = embed::passages(&settings, &index, name)?;
        let (chunks, dims, sent) = (vectors.len(), vectors.dims(), count(vectors.sent, "passage"));
        output::print(&format!("{chunks} vectors of {dims} numbers by {}: {sent} embedded now\n", clean(name)))?;
    }
    Ok(if notes.has_errors() { Outcome::CaseErrors } else { Outcome::Fine })
}

/// Opens the corpus with a progress bar for as long as its index is built.
pub(super) fn open(settings: &Settings) -> anyhow::Result<Index> {
    let source = Source::detect(settings.source()?)?;
    let bar = output::bar(0);
    let index = corpus::open(&source, &settings.index, &|progress| {
        bar.set_message(progress.activity.to_string());
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    });
    bar.finish_and_clear();
    Ok(index?)
}
