//! Goes on with a run that was broken off, or in which calls failed.

use std::{fs::OpenOptions, io::Write as _};

use super::{
    Project, ResultsError, find,
    reader::{self, Layout, Span},
    runs,
    writer::{Writer, lock, unwritable},
};
use crate::eval::run::{Header, RunCase, RunOutcome};

/// A run that goes on.
#[derive(Debug)]
pub struct Resumed {
    /// Where further cases go.
    pub writer: Writer,
    /// What the run was made with.
    pub header: Header,
    /// The cases that the retriever has answered; all others are to be asked.
    pub kept: Vec<RunCase>,
    /// What a reader should know, see [`Stored::notes`](super::Stored::notes).
    pub notes: Vec<String>,
}

/// Goes on with the run of that `name`, see [`find`](super::find()), or without one with the newest run of the config that
/// `now` names. Refuses if it was made with something else than `now`: mixed answers would be nobody's numbers.
pub fn resume(project: &Project, name: Option<&str>, now: &Header) -> Result<Resumed, ResultsError> {
    let path = match name {
        Some(name) => find::locate(project, name)?,
        None => find::list(project)
            .into_iter()
            .find(|run| run.header.config == now.config)
            .map(|run| run.path)
            .ok_or_else(|| ResultsError::NothingToResume { config: now.config.clone(), folder: runs(project) })?,
    };
    let failed = |error| unwritable(&path, error);
    let mut file = OpenOptions::new().read(true).append(true).open(&path).map_err(failed)?;
    lock(&path, &file)?;
    let differences = differences(&reader::header(&path)?, now);
    if !differences.is_empty() {
        return Err(ResultsError::Different { path, differences });
    }
    let stored = reader::read(&path)?;
    let layout = Layout::read(&path)?;
    file.set_len(layout.whole).map_err(failed)?;
    let mut end = layout.whole;
    if !layout.ended {
        file.write_all(b"\n").map_err(failed)?;
        end += 1;
    }
    let mut kept = stored.run.cases;
    kept.retain(|case| matches!(case.outcome, RunOutcome::Answered { .. }));
    let first = Span { line: 1, start: 0, length: layout.first };
    let writer = Writer::append(path, file, first, layout.spans, end);
    Ok(Resumed { writer, header: layout.header, kept, notes: layout.notes })
}

/// What two runs were made with, where it is not the same, as clauses about the first. Time and commit are not in question.
fn differences(then: &Header, now: &Header) -> Vec<String> {
    let mut differences = Vec::new();
    let mut differ = |what: &str, then: &str, now: &str| {
        if then != now {
            differences.push(format!("its {what} is {then}, not {now}"));
        }
    };
    let list = |ks: &[usize]| ks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    differ("config", &format!("`{}`", then.config), &format!("`{}`", now.config));
    differ("retriever", &then.retriever, &now.retriever);
    differ("list of parameters", &then.params, &now.params);
    differ("k", &then.cut.k.to_string(), &now.cut.k.to_string());
    differ("depth", &then.cut.depth.to_string(), &now.cut.depth.to_string());
    differ("list of Ks for recall@K", &list(&then.cut.recall_at), &list(&now.cut.recall_at));
    differ("version of Caselight", &then.tool, &now.tool);
    if then.reach != now.reach {
        differences.push("its retriever was reached in another way (address, headers, body or paths)".to_owned());
    }
    let same_place = then.cases == now.cases && then.corpus == now.corpus;
    if then.cases != now.cases {
        differences.push("the case files have changed since".to_owned());
    }
    if then.corpus != now.corpus {
        differences.push("the corpus has changed since".to_owned());
    }
    if same_place && then.labels != now.labels {
        // The same labels in the same corpus mean the same chunks.
        differences.push("it is over another selection of cases (`--tag`, `--case`)".to_owned());
    }
    differences
}
