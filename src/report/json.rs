//! The report as JSON, for scripts and for comparing runs; this file owns its schema.

pub mod compare;
pub mod gate;
pub mod inspect;
pub mod split;

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Report, flags};
use crate::{
    domain::{chunk::ChunkId, text::visible},
    eval::{
        aggregate::{Numbers, Reading, Reason, Subset, Summary},
        diagnosis::{Basis, Cause, Diagnosis, Fell, Kind},
        evaluate::{CaseResult, Mark, Row, State},
        noise::Noise,
    },
};

/// The version of this schema; it rises when a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// The whole report as indented JSON with a final line end. Numbers are not rounded; a metric of a case that is not scored is null.
#[must_use]
pub fn json(report: &Report<'_>) -> String {
    print(&value(report))
}

/// A value as indented JSON with a final line end, safe for a terminal.
pub(super) fn print(value: &Value) -> String {
    let mut text = String::new();
    for c in format!("{value:#}").chars() {
        // JSON leaves some characters as they are that must not reach a terminal. They only stand in strings, and line ends do not.
        if c != '\n' && visible(c).is_some() {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text.push('\n');
    text
}

/// The same with `noise`: what changed where the cases were asked more than once.
#[must_use]
pub fn repeated(report: &Report<'_>, noise: &Noise) -> String {
    let mut value = value(report);
    value["noise"] = json!({
        "repeats": noise.repeats,
        "cases": noise.cases,
        "silent": noise.silent,
        "reordered": noise.reordered,
        "spread": noise.spread.iter().map(|spread| {
            (spread.metric.to_owned(), json!({ "least": spread.least, "greatest": spread.greatest }))
        }).collect::<Map<_, _>>(),
        "unsteady": noise.unsteady.iter().map(|case| json!({
            "id": case.id,
            "question": case.question,
            "flips": case.flips(),
            "recall": case.recall,
            "rank": case.rank,
            "errors": case.errors,
        })).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

/// The same as a value.
#[must_use]
pub fn value(report: &Report<'_>) -> Value {
    let Summary { cut, subsets, .. } = report.summary;
    json!({
        "schema": SCHEMA,
        "tool": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
        "config": report.config,
        "retriever": report.retriever,
        "baseline": report.baseline,
        "k": cut.k,
        "depth": cut.depth,
        "recall_at": cut.recall_at,
        "summary": summary(report.summary),
        "subsets": subsets.iter().map(|row| (row.name.clone(), subset(row))).collect::<Map<_, _>>(),
        "cases": report.results.iter().map(case).collect::<Vec<_>>(),
    })
}

fn summary(summary: &Summary) -> Value {
    let counts = &summary.counts;
    let mut fields = subset(&summary.all);
    fields["cases"] = json!(counts.cases);
    fields["counts"] = json!({
        "scored": counts.scored,
        "no_results": counts.no_results,
        "errors": counts.errors,
        "errors_with_labels": counts.lost,
        "partial": counts.partial,
        "unlabeled": counts.unlabeled,
        "broken": counts.broken,
        "unanswerable_clean": counts.unanswerable_clean,
        "unanswerable_distracted": counts.unanswerable_distracted,
        "not_run": counts.not_run,
        "results": counts.results,
        "unknown": counts.unknown,
        "unknown_id": counts.unknown_id.as_ref().map(ChunkId::as_str),
        "scope_unknown": counts.scope_unknown,
        // Where a result's scope is not known, nobody can say that there was no leak.
        "leaks": flags::leaks(counts),
        "repeats": counts.repeats,
    });
    fields["latency_ms"] = summary
        .latency
        .map_or(Value::Null, |latency| json!({ "p50": ms(latency.p50), "p95": ms(latency.p95), "n": latency.n }));
    fields["misses_within"] = json!(summary.misses_within);
    fields["misses"] = summary.misses.iter().map(|miss| json!({ "id": miss.id, "question": miss.question })).collect();
    fields["reading"] = summary.reading.as_ref().map_or(Value::Null, |reading| {
        let (kind, weakest) = match reading {
            Reading::Downstream => ("downstream", &None),
            Reading::Retrieval { weakest } => ("retrieval", weakest),
            Reading::Between { weakest } => ("between", weakest),
        };
        json!({ "kind": kind, "weakest": weakest.as_ref().map(|(name, _)| name), "text": reading.explain() })
    });
    fields
}

fn subset(subset: &Subset) -> Value {
    let numbers = subset.numbers.as_ref();
    let number = |value: fn(&Numbers) -> f64| numbers.map(value);
    json!({
        "n": subset.n,
        "cases": subset.cases,
        "recall": number(|numbers| numbers.recall),
        "recall_interval": subset.recall_interval().map(|interval| json!([interval.low, interval.high])),
        "too_few": subset.too_few(),
        "mrr": number(|numbers| numbers.mrr),
        "precision": number(|numbers| numbers.precision),
        "precision_ceiling": number(|numbers| numbers.precision_ceiling),
        "completeness": number(|numbers| numbers.completeness),
        "distractor_above": numbers.map(|numbers| numbers.distractor_above),
        "recall_at": numbers.map(|numbers| at(&numbers.recall_at)),
        "mrr_at_max": numbers.and_then(|numbers| numbers.mrr_at_max),
        "marks": subset.marks.iter().map(Reason::explain).collect::<Vec<_>>(),
    })
}

fn case(result: &CaseResult) -> Value {
    let scores = result.scores();
    let error = match &result.state {
        State::Error(reason) => Some(reason),
        _ => None,
    };
    json!({
        "id": result.id,
        "question": result.question,
        "tags": result.tags,
        "asker": result.asker,
        "state": result.state.word(),
        "no_results": result.no_results(),
        "error": error,
        "partial": result.partial,
        "recall": scores.map(|scores| scores.recall),
        "mrr": scores.map(|scores| scores.mrr),
        "precision": scores.map(|scores| scores.precision),
        "precision_ceiling": scores.map(|scores| scores.precision_ceiling),
        "completeness": scores.map(|scores| scores.completeness),
        "distractor_above_answer": scores.map(|scores| scores.distractor_above),
        "recall_at": scores.map(|scores| at(&scores.recall_at)),
        "mrr_at_max": scores.and_then(|scores| scores.mrr_at_max),
        "rank": result.rank,
        "latency_ms": result.latency.map(ms),
        "label_wrong": result.label_wrong,
        "diagnosis": result.diagnosis.as_ref().map(diagnosis),
        "results": result.results.iter().map(row).collect::<Vec<_>>(),
        "labels": result.labels.iter().map(|(id, mark)| label(result, id, *mark)).collect::<Vec<_>>(),
    })
}

fn row(row: &Row) -> Value {
    json!({
        "id": row.id.as_str(),
        "rank": row.rank,
        "score": row.score,
        "mark": row.mark.word(),
        "leaked": if row.scope_unknown { None } else { Some(row.leaked) },
        "known": !row.unknown,
        "repeat": row.repeat,
    })
}

/// A labeled chunk with its rank in the list and at each stage, so that two runs can be compared without all their rankings.
fn label(result: &CaseResult, id: &ChunkId, mark: Mark) -> Value {
    let stages: Vec<Value> = result
        .stages
        .iter()
        .map(|stage| {
            let why = stage.dropped.iter().find(|gone| &gone.id == id).map(|gone| &gone.why);
            json!({ "stage": stage.name, "rank": stage.rank(id), "dropped": why })
        })
        .collect();
    let rank = result.results.iter().find(|row| &row.id == id).map(|row| row.rank);
    json!({ "id": id.as_str(), "mark": mark.word(), "rank": rank, "stages": stages })
}

fn diagnosis(diagnosis: &Diagnosis) -> Value {
    let mut fields = kind(&diagnosis.kind);
    basis(&mut fields, diagnosis.basis);
    fields["next_step"] = json!(diagnosis.next_step());
    fields["requirements"] = diagnosis
        .requirements
        .iter()
        .map(|verdict| {
            let mut fields = kind(&verdict.kind);
            fields["requirement"] = json!(verdict.requirement);
            basis(&mut fields, verdict.basis);
            fields
        })
        .collect();
    fields["causes"] = diagnosis.causes.iter().map(cause).collect();
    fields
}

fn basis(fields: &mut Value, basis: Basis) {
    fields["basis"] = json!(basis.word());
    if let Basis::Experiment { requests } = basis {
        fields["requests"] = json!(requests);
    }
}

/// A verdict: its kind, the clause that explains it by chunk ids, and its evidence.
fn kind(kind: &Kind) -> Value {
    let evidence = match kind {
        Kind::LabelBroken { references } => json!({ "references": references }),
        Kind::RetrieverError { reason } => json!({ "reason": reason }),
        Kind::OutOfScope { chunk, asker, rank, gets } => {
            json!({ "chunk": chunk.as_str(), "asker": asker, "rank": rank, "gets": gets })
        }
        Kind::NotIndexed { chunk, asker, stages_known } => {
            json!({ "chunk": chunk.as_str(), "asker": asker, "stages_known": stages_known })
        }
        Kind::NeverCandidate { chunk, among, words, .. } => {
            json!({ "chunk": chunk.as_str(), "among": among, "words": words })
        }
        Kind::Dropped { chunk, stage, why } => json!({ "chunk": chunk.as_str(), "stage": stage, "why": why }),
        Kind::Demoted { chunk, fell, from, to } => {
            let (stage, baseline) = match fell {
                Fell::Stage(stage) => (Some(stage), None),
                Fell::AfterStages => (None, None),
                Fell::Baseline(run) => (None, Some(run)),
            };
            json!({ "chunk": chunk.as_str(), "stage": stage, "baseline": baseline, "from": from, "to": to })
        }
        Kind::BelowWindow { chunk, rank, stage, k } => {
            json!({ "chunk": chunk.as_str(), "rank": rank, "stage": stage, "k": k })
        }
        Kind::Outranked { chunk, rank, by, by_rank } => {
            json!({ "chunk": chunk.as_str(), "rank": rank, "by": by.as_str(), "by_rank": by_rank })
        }
        Kind::PartlyFound { found, of } => json!({ "found": found, "of": of }),
        Kind::Found { rank } => json!({ "rank": rank }),
        Kind::UnanswerableClean => json!({}),
        Kind::UnanswerableDistracted { by, rank } => json!({ "by": by.as_str(), "rank": rank }),
    };
    json!({ "kind": kind.word(), "text": kind.explain(&|id| id.to_string()), "evidence": evidence })
}

fn cause(cause: &Cause) -> Value {
    json!({
        "cause": cause.word(),
        "chunk": cause.chunk().as_str(),
        "text": cause.explain(&|id| id.to_string()),
    })
}

fn at(values: &[(usize, Option<f64>)]) -> Value {
    values.iter().map(|(k, value)| (k.to_string(), json!(value))).collect::<Map<_, _>>().into()
}

fn ms(duration: std::time::Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests;
