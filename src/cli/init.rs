//! `caselight init`

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

use super::{Outcome, output};
use crate::{
    corpus::Source,
    project::{SETTINGS, settings::quoted},
};

/// Write settings and a first case for a new place.
///
/// Makes the folder of the cases with caselight.toml and a case to label, and the folder of the index, which git ignores. What is
/// there already stays as it is.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The corpus: a folder of Markdown documents or a .jsonl of chunks.
    source: PathBuf,
}

pub(super) fn run(arguments: &Arguments, folder: &Path) -> anyhow::Result<Outcome> {
    Source::detect(&arguments.source)?;
    if folder.join(SETTINGS).exists() {
        bail!("{} is there already: nothing was written", folder.join(SETTINGS).display());
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let place = fs::canonicalize(folder).with_context(|| format!("cannot find {}", folder.display()))?;
    let beside = place.parent().unwrap_or(&place);
    let source =
        fs::canonicalize(&arguments.source).with_context(|| format!("cannot find {}", arguments.source.display()))?;
    // A path inside the same place goes with it to another machine.
    let source = match source.strip_prefix(beside) {
        Ok(inside) => Path::new("..").join(inside),
        Err(_) => source,
    };
    let settings = SETTINGS_TEXT.replace("SOURCE", &quoted(&source.display().to_string()));
    write_new(&folder.join(SETTINGS), &settings)?;
    write_new(&folder.join("cases.yaml"), FIRST_CASE)?;
    let index = beside.join("corpus-index");
    fs::create_dir_all(&index).with_context(|| format!("cannot make {}", index.display()))?;
    if !index.join(".gitignore").exists() {
        write_new(&index.join(".gitignore"), "# Built on first use; runs are local.\n/index-v*\n/runs\n")?;
    }
    let shown = folder.display();
    output::print(&format!(
        "wrote {shown}/{SETTINGS} and {shown}/cases.yaml\n\
         next: replace the question in {shown}/cases.yaml by your own, then `caselight` opens the screens and l labels it\n"
    ))?;
    Ok(Outcome::Fine)
}

const SETTINGS_TEXT: &str = "\
# What Caselight evaluates. README of Caselight shows every setting.
default_config = \"keyword\"

[corpus]
source = SOURCE
index = \"../corpus-index\"

[configs.keyword]
retriever = \"local\"     # the embedded keyword search: a baseline, never production
k = 6                   # how many results the model is shown
";

const FIRST_CASE: &str = "\
# One entry for each question. Caselight changes only the lines of what is labeled.
- question_id: first-001
  question: \"the first question that came to mind\"
  tags: []
  source: team
  supporting: []
";

/// Writes a file that is not there yet; one that is stays.
fn write_new(path: &Path, text: &str) -> anyhow::Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = file.with_context(|| format!("cannot write {}", path.display()))?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}
