//! A foreign ranking by Caselight's own metrics.

use std::{cmp::Ordering, collections::BTreeMap, path::Path};

use super::{Arguments, Missing, Outcome, named, print, topics};
use crate::{
    domain::{
        chunk::ChunkId,
        ranking::Hit,
        resolve::{Needed, Resolved},
    },
    eval::{
        aggregate::summarize,
        elsewhere,
        evaluate::{CaseResult, Cut},
    },
    exchange::trec::{Line, Qrels, Refused, RunFile, Topic},
    report::Report,
};

/// The window where nothing is said.
pub(super) const K: usize = 5;

/// What a topic came to.
struct Scored {
    case: CaseResult,
    /// Scores in the window, or across its edge, are equal.
    tied: bool,
    /// A lower rank has a higher score.
    by_rank_alone: bool,
}

pub(super) fn run(arguments: &Arguments, qrels: &Qrels, path: &Path) -> anyhow::Result<Outcome> {
    let cut = arguments.cut(&Cut::new(K));
    let read = RunFile::open(path)?.read(qrels.topics().len(), &|id| qrels.find(id), &|at, lines| {
        let topic = &qrels.topics()[at];
        score(lines, topic, &labels(arguments, qrels, topic), &cut)
    })?;
    let mut notes = Vec::new();
    let count = |is: fn(&Scored) -> bool| read.topics.iter().flatten().filter(|scored| is(scored)).count();
    let (tied, by_rank) = (count(|scored| scored.tied), count(|scored| scored.by_rank_alone));
    let k = cut.k;
    if tied > 0 {
        notes.push(format!(
            "{} with equal scores in the first {k} or across their edge: the order is by rank",
            topics(tied)
        ));
    }
    if by_rank > 0 {
        notes.push(format!("{} whose ranks and scores disagree: the order is by rank", topics(by_rank)));
    }
    if !read.foreign.is_empty() {
        let foreign = read.foreign.iter().map(String::as_str);
        notes.push(format!(
            "{} of the run without judgments, not scored: {}",
            topics(read.foreign.len()),
            named(foreign)
        ));
    }
    let answered: Vec<Option<CaseResult>> = read.topics.into_iter().map(|scored| Some(scored?.case)).collect();
    report(arguments, qrels, answered, &cut, (&read.name, path), notes)
}

/// Prints the report on the answered topics of `qrels`; `name` is what the run is called, and its file.
pub(super) fn report(
    arguments: &Arguments,
    qrels: &Qrels,
    answered: Vec<Option<CaseResult>>,
    cut: &Cut,
    (name, path): (&str, &Path),
    more: Vec<String>,
) -> anyhow::Result<Outcome> {
    let judged = answered.len();
    let missing: Vec<&str> =
        answered.iter().zip(qrels.topics()).filter(|(case, _)| case.is_none()).map(|(_, topic)| &*topic.id).collect();
    let mut notes = vec![format!(
        "{} judged, {} answered; a document with a grade of {} or more is supporting",
        topics(judged),
        judged - missing.len(),
        arguments.grade
    )];
    if !missing.is_empty() {
        let what = match arguments.missing {
            Missing::NoResults => "no results, scored 0 (--missing not-run leaves them out)",
            Missing::NotRun => "not run, not scored",
        };
        notes.push(format!("{} without a line in the run, {what}: {}", topics(missing.len()), named(missing)));
    }
    notes.extend(more);
    let nothing = (arguments.missing == Missing::NoResults).then_some(&[][..]);
    let unanswered = |topic: &Topic| elsewhere::ranking(&topic.id, nothing, &labels(arguments, qrels, topic), cut);
    let cases = answered.into_iter().zip(qrels.topics());
    let cases: Vec<CaseResult> = cases.map(|(case, topic)| case.unwrap_or_else(|| unanswered(topic))).collect();
    notes.extend(repeats(&cases));
    let summary = summarize(&cases, cut, &[] as &[&str]);
    let retriever = path.display().to_string();
    let report = Report { config: name, retriever: &retriever, baseline: false, summary: &summary, results: &cases };
    print(arguments, &report, &notes)
}

/// The labels that judgments make: each supporting document is a requirement of its own.
pub(super) fn labels(arguments: &Arguments, qrels: &Qrels, topic: &Topic) -> Resolved {
    let id = |judged| ChunkId::from(qrels.document(judged));
    let supporting = topic.judged.iter().filter(|judged| judged.grade >= arguments.grade);
    let distractors = topic
        .judged
        .iter()
        .filter(|judged| arguments.distractors && judged.grade <= 0.0 && judged.grade < arguments.grade);
    Resolved {
        supporting: supporting
            .enumerate()
            .map(|(requirement, judged)| Needed { any_of: vec![id(judged)], requirement })
            .collect(),
        distractors: distractors.map(id).collect(),
        problems: Vec::new(),
    }
}

fn score(lines: &mut [Line<'_>], topic: &Topic, labels: &Resolved, cut: &Cut) -> Result<Scored, Refused> {
    let mut ranked = lines.iter().map(|line| Ok((line.rank()?, line))).collect::<Result<Vec<_>, Refused>>()?;
    // The order of the lines says nothing: whoever shuffles them scores the same.
    ranked.sort_by(|(a_rank, a), (b_rank, b)| {
        let by_score = b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
        a_rank.cmp(b_rank).then(by_score).then_with(|| b.document.cmp(a.document))
    });
    let pairs = || ranked.windows(2).map(|pair| (pair[0].1.score, pair[1].1.score));
    let (mut tied, mut by_rank_alone) = (false, false);
    for (at, (above, below)) in pairs().enumerate() {
        tied |= at < cut.k && above.partial_cmp(&below) == Some(Ordering::Equal);
        by_rank_alone |= above < below;
    }
    let counted = ranked.iter().take(cut.depth);
    let hits =
        counted.map(|(_, line)| Ok(Hit::new(line.text()?, Some(line.score)))).collect::<Result<Vec<_>, Refused>>()?;
    Ok(Scored { case: elsewhere::ranking(&topic.id, Some(&hits), labels, cut), tied, by_rank_alone })
}

/// Which documents came again, and how often.
fn repeats(cases: &[CaseResult]) -> Option<String> {
    let mut again: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for case in cases {
        for row in case.results.iter().filter(|row| row.repeat) {
            *again.entry((&case.id, row.id.as_str())).or_default() += 1;
        }
    }
    let said: Vec<String> = again.iter().map(|((case, id), n)| format!("{case}: {id} {n}×;")).collect();
    let said = named(said.iter().map(String::as_str));
    (!again.is_empty())
        .then(|| format!("came again, keeps its place and is credited once: {}", said.trim_end_matches(';')))
}
