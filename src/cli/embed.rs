//! What has to be embedded before anything can be asked: with a progress bar, and with what was odd told.

use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};

use super::output;
use crate::{
    corpus::{
        Index,
        vectors::{self, Vectors},
    },
    project::settings::Settings,
    retriever::{Preparing, Retriever, local::Servers as _},
};

/// Lets a retriever do what it has to before its first question. Must be called inside the runtime that asks the questions.
pub(super) async fn prepare(retriever: &dyn Retriever) -> anyhow::Result<()> {
    let bar = bar();
    let prepared = retriever.prepare(&|preparing| show(&bar, preparing)).await;
    bar.finish_and_clear();
    for note in prepared? {
        output::note(&format!("caselight: {note}"));
    }
    Ok(())
}

/// The passages of `index` as vectors of the `[embeddings.NAME]` of that name, embedded now where they never were.
pub(super) fn passages(settings: &Settings, index: &Index, name: &str) -> anyhow::Result<Vectors> {
    let model = settings.embeddings(name).map_err(anyhow::Error::msg)?;
    let chunks: Vec<Arc<_>> =
        index.outline()?.documents().iter().flat_map(|document| &document.chunks).cloned().collect();
    let bar = bar();
    let told = |progress: vectors::Progress| {
        let (what, done, total) = (progress.what(name), progress.done, progress.total);
        show(&bar, Preparing { what, done, total });
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let opened = runtime.block_on(vectors::open(&settings.index, &*model, chunks, &told));
    bar.finish_and_clear();
    let opened = opened?;
    for note in &opened.notes {
        output::note(&format!("caselight: {note}"));
    }
    Ok(opened)
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len} passages, {eta} left");
    output::bar(0, output::Unit::Chunks).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn show(bar: &ProgressBar, preparing: Preparing) {
    bar.set_message(preparing.what);
    bar.set_length(preparing.total as u64);
    bar.set_position(preparing.done as u64);
}
