//! What `run`, `gate` and `compare` keep of the holdout: its cases are not asked and not shown unless it is opened, and each
//! opening is in the ledger before anything of it is shown.

use std::path::Path;

use anyhow::bail;

use super::output;
use crate::{
    domain::case::Case,
    eval::{
        evaluate::CaseResult,
        run::{Header, Run},
        split::{self, Measured, Opened, Split},
    },
    project::{
        Project,
        holdout::{self, Drawn, Ledger, Opening, SPENT_AFTER, Seen},
    },
    report,
};

/// Whether the holdout is open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub(super) struct Access {
    /// Ask the holdout cases too, and show how they did; the ledger keeps each opening.
    #[arg(long = "open-holdout")]
    pub(super) open: bool,
}

/// The selected cases that may be asked. Says how many are not; refuses a case that was asked for by name.
pub(super) fn close(
    project: &Project,
    access: Access,
    named: &[String],
    cases: Vec<Case>,
) -> anyhow::Result<Vec<Case>> {
    let Some(split) = project.settings.split else {
        if access.open {
            bail!("there is no holdout to open: `caselight split` makes one");
        }
        return Ok(cases);
    };
    if access.open {
        if cases.iter().any(|case| split.is_holdout(&case.id)) {
            holdout::can_keep(&project.folder)?;
        }
        return Ok(cases);
    }
    let hidden: Vec<&String> = named.iter().filter(|id| split.is_holdout(id)).collect();
    if let [first, ..] = hidden[..] {
        let which = if hidden.len() == 1 {
            "is a holdout case: its result"
        } else {
            "and others are holdout cases: their results"
        };
        bail!("`{first}` {which} stays hidden; `--open-holdout` opens the holdout, and the ledger keeps that");
    }
    let total = cases.len();
    let kept: Vec<Case> = cases.into_iter().filter(|case| !split.is_holdout(&case.id)).collect();
    say_hidden(total - kept.len(), "not run");
    if kept.is_empty() && total > 0 {
        bail!("every selected case is in the holdout, so there is nothing to ask");
    }
    Ok(kept)
}

/// True if `case` is one that a closed holdout hides.
pub(super) fn hides(project: &Project, access: Access, id: &str) -> bool {
    !access.open && project.settings.split.is_some_and(|split| split.is_holdout(id))
}

/// Takes the cases of a closed holdout out of a kept run, and says how many; where it is open, the ledger keeps that.
pub(super) fn kept(project: &Project, access: Access, name: &str, run: &mut Run) -> anyhow::Result<()> {
    let before = run.cases.len();
    run.cases.retain(|case| !hides(project, access, &case.id));
    say_hidden(before - run.cases.len(), &format!("of {name} not shown"));
    let said = opened(project, access, &run.header, &run.results())?;
    say(said.as_deref(), false)
}

/// Shows what an opened holdout came to: below a report for people, else beside it.
pub(super) fn say(said: Option<&str>, below: bool) -> anyhow::Result<()> {
    match said {
        Some(said) if below => output::print(&format!("\n{said}"))?,
        Some(said) => output::note(said.trim_end()),
        None => {}
    }
    Ok(())
}

fn say_hidden(n: usize, what: &str) {
    match n {
        0 => {}
        1 => output::note(&format!("1 holdout case {what}: --open-holdout opens it, and the ledger keeps that")),
        n => output::note(&format!("{n} holdout cases {what}: --open-holdout opens them, and the ledger keeps that")),
    }
}

/// Keeps in the ledger that the holdout was opened, if `results` hold a case of it; returns what is to be said.
pub(super) fn opened(
    project: &Project,
    access: Access,
    header: &Header,
    results: &[CaseResult],
) -> anyhow::Result<Option<String>> {
    let Some(split) = project.settings.split.filter(|_| access.open) else { return Ok(None) };
    if !results.iter().any(|result| split.is_holdout(&result.id)) {
        return Ok(None);
    }
    let measured = split::measure(&split, results, &header.cut);
    holdout::keep(&project.folder, &opening(&split, &measured, header))?;
    let ledger = holdout::ledger(&project.folder)?;
    Ok(Some(format!("{}{}", report::split::opened(&measured), so_far(&ledger))))
}

fn opening(split: &Split, opened: &Opened, header: &Header) -> Opening {
    let seen = |side: &Measured| Seen { n: side.n, recall: side.numbers.as_ref().map(|numbers| numbers.recall) };
    Opening {
        when: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        commit: header.commit.clone(),
        config: header.config.clone(),
        k: header.cut.k,
        split: Some(Drawn { train: split.train, seed: split.seed }),
        train: seen(&opened.train),
        holdout: seen(&opened.holdout),
        tool: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// How often the holdout has been opened, whether it is spent, and which lines of the ledger nobody can read; with a final line
/// end.
pub(super) fn so_far(ledger: &Ledger) -> String {
    let path = shown(&ledger.path);
    let mut text = match &ledger.openings[..] {
        [] => "the holdout has not been opened yet\n".to_owned(),
        [only] => format!("the holdout has been opened once: {} ({path})\n", only.when),
        [.., last] => {
            format!("the holdout has been opened {} times, last {} ({path})\n", ledger.openings.len(), last.when)
        }
    };
    if ledger.is_spent() {
        text.push_str(&format!(
            "it is spent: after {SPENT_AFTER} openings its numbers were in sight too often to stand for new questions; new cases \
             bring new holdout cases\n"
        ));
    }
    for (line, why) in &ledger.broken {
        text.push_str(&format!("{path}:{line}: this line is no opening and is not counted: {why}\n"));
    }
    output::clean_lines(&text) + "\n"
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
