//! A foreign ranking by the measures of `trec_eval`.

use std::{cmp::Ordering, path::Path};

use anyhow::bail;

use super::{Arguments, Outcome, named, output, topics};
use crate::{
    eval::trec_eval::{self, Grade, Measure, Wanted},
    exchange::trec::{Line, Places, Qrels, Refused, RunFile, Topic},
    report::trec_eval as text,
};

pub(super) fn run(arguments: &Arguments, qrels: &Qrels, path: &Path) -> anyhow::Result<Outcome> {
    if arguments.grade < 1.0 || arguments.grade.fract() != 0.0 {
        bail!("--grade is {}: trec_eval's lowest relevant grade is a whole number from 1", arguments.grade);
    }
    qrels.refuse_what_trec_eval_cannot()?;
    let wanted = Wanted { measures: Measure::parse(&arguments.measures)?, level: whole(arguments.grade) };
    let read = RunFile::open(path)?.read(qrels.topics().len(), &|id| qrels.find(id), &|at, lines| {
        values(lines, qrels, &qrels.topics()[at], &wanted)
    })?;
    let mut measured: Vec<(&str, Box<[f64]>)> = Vec::new();
    let mut missing = Vec::new();
    for (topic, values) in qrels.topics().iter().zip(read.topics) {
        if values.is_none() {
            missing.push(topic.id.as_str());
        }
        let nothing = || arguments.complete.then(|| trec_eval::topic(&[], &grades(topic), &wanted));
        measured.extend(values.or_else(nothing).map(|values| (&*topic.id, values)));
    }
    measured.sort_unstable_by_key(|(topic, _)| *topic);
    let measured: Vec<(&str, &[f64])> = measured.iter().map(|(topic, values)| (*topic, &**values)).collect();
    if !missing.is_empty() {
        let what =
            if arguments.complete { "counted as 0" } else { "left out of the means (--complete counts them as 0)" };
        output::note(&format!(
            "caselight: {} without a line in the run, {what}: {}",
            topics(missing.len()),
            named(missing)
        ));
    }
    if !read.foreign.is_empty() {
        let foreign = named(read.foreign.iter().map(String::as_str));
        output::note(&format!("caselight: {} of the run without judgments: {foreign}", topics(read.foreign.len())));
    }
    if measured.is_empty() {
        output::note("caselight: nothing was scored: no topic is in both files");
        return Ok(Outcome::CouldNotRun);
    }
    let official = arguments.measures.is_empty() || arguments.measures.iter().any(|measure| measure == "official");
    let view = text::View { wanted: &wanted, official, run: &read.name, topics: &measured, each: arguments.each_topic };
    output::print(&text::text(&view))?;
    Ok(Outcome::Fine)
}

fn values(lines: &mut [Line<'_>], qrels: &Qrels, topic: &Topic, wanted: &Wanted) -> Result<Box<[f64]>, Refused> {
    let order = |a: &Line<'_>, b: &Line<'_>| {
        b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal).then_with(|| b.document.cmp(a.document))
    };
    // Nearly every retriever writes its best result first.
    if !lines.is_sorted_by(|a, b| order(a, b).is_le()) {
        lines.sort_unstable_by(order);
    }
    let mut ranked: Vec<Grade> = vec![None; lines.len()];
    let places = Places::new(lines).map_err(|(a, b)| lines[b].refuse_twice(&lines[a], &topic.id))?;
    for judged in &topic.judged {
        if let Some(at) = places.get(qrels.document(judged)) {
            ranked[at] = Some(whole(judged.grade));
        }
    }
    Ok(trec_eval::topic(&ranked, &grades(topic), wanted))
}

fn grades(topic: &Topic) -> Vec<i64> {
    topic.judged.iter().map(|judged| whole(judged.grade)).collect()
}

/// A grade that was found to be a small whole number.
#[expect(clippy::cast_possible_truncation, reason = "grades with a fraction or beyond a million were refused")]
fn whole(grade: f64) -> i64 {
    grade as i64
}
