//! A run that Caselight kept, scored anew: by its own labels, or by somebody's judgments.

use std::{collections::HashMap, path::Path};

use super::{Arguments, Outcome, named, ours, output, print, topics};
use crate::{
    eval::{
        aggregate::{DEFAULT_SUBSETS, summarize},
        elsewhere,
        evaluate::CaseResult,
        run::RunOutcome,
    },
    exchange::trec::Qrels,
    project::results,
    report::Report,
};

/// By its own labels.
pub(super) fn alone(arguments: &Arguments, path: &Path) -> anyhow::Result<Outcome> {
    let stored = results::read(path)?;
    stored.notes.iter().for_each(|note| output::note(note));
    let header = &stored.run.header;
    // It asked for no more than it asked for: a recall@K above that is not known.
    let asked = arguments.cut(&header.cut);
    let cut = crate::eval::evaluate::Cut { depth: header.cut.depth.max(asked.k), ..asked };
    let cases: Vec<CaseResult> = stored.run.cases.iter().map(|case| case.result(&cut)).collect();
    let summary = summarize(&cases, &cut, &DEFAULT_SUBSETS);
    let report = Report {
        config: &header.config,
        retriever: &header.retriever,
        baseline: header.baseline,
        summary: &summary,
        results: &cases,
    };
    print(arguments, &report, &[])
}

/// By somebody's judgments, a topic being the case of that id.
pub(super) fn judged(arguments: &Arguments, qrels: &Qrels, path: &Path) -> anyhow::Result<Outcome> {
    let stored = results::read(path)?;
    stored.notes.iter().for_each(|note| output::note(note));
    let cut = arguments.cut(&stored.run.header.cut);
    let mut cases: HashMap<&str, _> = stored.run.cases.iter().map(|case| (case.id.as_str(), case)).collect();
    let answered = qrels.topics().iter().map(|topic| {
        let case = cases.remove(topic.id.as_str())?;
        let labels = ours::labels(arguments, qrels, topic);
        Some(match &case.outcome {
            RunOutcome::Answered { .. } => elsewhere::ranking(&topic.id, Some(&case.hits()), &labels, &cut),
            // A call that failed is no list without results.
            RunOutcome::Failed(_) => case.result(&cut),
        })
    });
    let answered: Vec<Option<CaseResult>> = answered.collect();
    let mut foreign: Vec<&str> = cases.into_keys().collect();
    foreign.sort_unstable();
    let note = format!(
        "{} of the run without judgments, not scored: {}",
        topics(foreign.len()),
        named(foreign.iter().copied())
    );
    let notes = if foreign.is_empty() { Vec::new() } else { vec![note] };
    ours::report(arguments, qrels, answered, &cut, (&stored.run.header.config, path), notes)
}
