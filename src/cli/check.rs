//! `caselight check`

mod askers;

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use super::{Outcome, index, output};
use crate::{
    domain::{
        case::{Case, Labeled},
        nearest,
    },
    project::{self, Project},
};

/// Resolve every reference of every case, and say what is wrong with the case files.
///
/// Lists what cannot be read, ids that stand twice, unknown askers, labels that resolve to nothing or to two things, labels that
/// moved, contradictions, misspelt fields and tags, cases that their own asker could not even be answered, askers that
/// nobody asks as or whose groups are not known, and labels that somebody marked as wrong. Exits with 2 if a run would refuse
/// to start.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments, folder: &Path) -> anyhow::Result<Outcome> {
    let project = Project::open(folder)?;
    let cases: Vec<Case> = project.store.cases().cloned().collect();
    let corpus = index::open(&project.settings)?;
    let outline = corpus.outline(&cases)?;
    let mut text = String::new();
    let mut wrong = 0_usize;
    let say = |text: &mut String, line: String| {
        text.push_str(&output::clean_lines(&line));
        text.push('\n');
    };
    if let Some(remote) = corpus.remote() {
        say(
            &mut text,
            format!("corpus: {} chunks in {}, which is asked for what the cases name", remote.count(), remote.name()),
        );
    }
    if let Some(said) = project::fetched(&project.settings) {
        say(&mut text, format!("corpus: {said}"));
    }
    for (file, note) in corpus.notes().all() {
        let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
        say(&mut text, format!("corpus: {}{line}: {note}", file.file));
    }
    for problem in project.store.problems() {
        wrong += 1;
        say(&mut text, problem.to_string());
    }
    let mut unreadable = Vec::new();
    for (case, resolved) in cases.iter().zip(project::resolve_all(&cases, &outline)) {
        for problem in &resolved.problems {
            wrong += 1;
            say(&mut text, problem.to_string());
        }
        match project.settings.askers().find(case.asker.as_deref()) {
            Err(error) => {
                wrong += 1;
                say(&mut text, format!("{}: case `{}`: {error}", case.place, case.id));
            }
            Ok(asker) => unreadable.extend(askers::unanswerable(case, &resolved, &asker, &outline)),
        }
    }
    unreadable.extend(askers::odd(project.settings.askers(), &cases, &outline));
    for line in unreadable {
        say(&mut text, line);
    }
    for case in &cases {
        if let Some(reason) = &case.label_wrong {
            say(&mut text, format!("{}: case `{}`: its label is marked wrong: {reason}", case.place, case.id));
        }
    }
    let mut unknown = 0_usize;
    for field in project.store.unknown_fields() {
        unknown += 1;
        say(&mut text, field.to_string());
    }
    for line in strange_tags(&cases, &project.settings.subset_order()) {
        say(&mut text, line);
    }
    write!(text, "{}", counts(&cases, wrong, unknown))?;
    output::print(&text)?;
    Ok(if wrong == 0 { Outcome::Fine } else { Outcome::CouldNotRun })
}

/// Tags that no subset has and that look like one that does, or like a tag of many cases: misspelt, as a rule.
fn strange_tags(cases: &[Case], subsets: &[&str]) -> Vec<String> {
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in cases.iter().flat_map(|case| &case.tags) {
        *used.entry(tag).or_default() += 1;
    }
    let known: Vec<String> = used
        .iter()
        .filter(|(_, n)| **n > 1)
        .map(|(tag, _)| (*tag).to_owned())
        .chain(subsets.iter().map(|name| (*name).to_owned()))
        .collect();
    let mut lines = Vec::new();
    for case in cases {
        for tag in case.tags.iter().filter(|tag| !known.contains(tag)) {
            if let Some(near) = nearest::nearest(tag, &known, 1).first() {
                lines.push(format!("{}: case `{}`: unknown tag `{tag}`; did you mean `{near}`?", case.place, case.id));
            }
        }
    }
    lines
}

fn counts(cases: &[Case], wrong: usize, unknown: usize) -> String {
    let mut by_state: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases {
        let state = match case.labeled() {
            Labeled::Yes => "labeled",
            Labeled::No => "unlabeled",
            Labeled::Unanswerable => "unanswerable",
        };
        *by_state.entry(state).or_default() += 1;
    }
    let references: usize = cases.iter().map(|case| case.references().count()).sum();
    let states: Vec<String> = by_state.iter().map(|(state, n)| format!("{n} {state}")).collect();
    let states = if states.is_empty() { String::new() } else { format!(" ({})", states.join(", ")) };
    let verdict = if wrong == 0 { "all resolve".to_owned() } else { format!("{wrong} wrong: a run would not start") };
    let unknown = match unknown {
        0 => String::new(),
        1 => "; 1 unknown field".to_owned(),
        n => format!("; {n} unknown fields"),
    };
    let cases = if cases.len() == 1 { "1 case".to_owned() } else { format!("{} cases", cases.len()) };
    let references = if references == 1 { "1 reference".to_owned() } else { format!("{references} references") };
    format!("{cases}{states}, {references}: {verdict}{unknown}\n")
}
