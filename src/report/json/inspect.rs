//! One case as JSON: what `run` says of it, the probes, and the same case in another run.

use serde_json::{Value, json};

use super::{SCHEMA, case, print};
use crate::{
    domain::chunk::ChunkId,
    eval::{
        compare::{Move, Standing},
        diagnosis::{Probed, probe::ProbeKind},
        foreign,
    },
    report::inspect::{Against, View, verdict_word},
};

/// The case as indented JSON with a final line end.
#[must_use]
pub fn json(view: &View<'_>) -> String {
    let problems: Vec<String> = view.problems.iter().map(ToString::to_string).collect();
    let supporting = view.supporting();
    print(&json!({
        "schema": SCHEMA,
        "tool": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
        "config": view.config,
        "retriever": view.retriever,
        "baseline": view.baseline,
        "k": view.cut.k,
        "depth": view.cut.depth,
        "case": case(view.result),
        "broken_labels": problems,
        "probes": view.evidence.probes.iter().map(|put| probe(put, &supporting)).collect::<Vec<_>>(),
        "probes_at_most": view.limit,
        "left_out": view.left_out.explain(&view.result.asker),
        "foreign": foreign::of_case(view.result, view.outline),
        "against": view.against.as_ref().map(against),
        "repeats": view.repeats.iter().map(|result| json!({
            "verdict": verdict_word(result),
            "ranks": result.labels.iter().map(|(id, _)| json!({
                "id": id.as_str(),
                "rank": result.results.iter().find(|row| &row.id == id).map(|row| row.rank),
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    }))
}

fn probe(put: &Probed, supporting: &[ChunkId]) -> Value {
    let (stage, chunk) = match &put.probe.kind {
        ProbeKind::Without { stage } => (Some(stage), None),
        ProbeKind::OwnWords { chunk, .. } => (None, Some(chunk.as_str())),
        ProbeKind::Deeper | ProbeKind::Unscoped => (None, None),
    };
    let ranks = supporting.iter().map(|id| json!({ "id": id.as_str(), "rank": put.rank(id) }));
    json!({
        "probe": put.probe.word(),
        "stage": stage,
        "chunk": chunk,
        "asker": put.probe.asker.label(),
        "depth": put.probe.depth,
        "results": put.result.as_ref().ok().map(|answer| answer.results.len()),
        "partial": put.result.as_ref().ok().and_then(|answer| answer.partial.as_ref()),
        "error": put.result.as_ref().err(),
        "ranks": ranks.collect::<Vec<_>>(),
    })
}

fn against(against: &Against<'_>) -> Value {
    let Against { comparison, then, moves, .. } = against;
    let name = |id: &ChunkId| id.to_string();
    let change = comparison.regressed.first().map(|change| ("regressed", change));
    let change = change.or_else(|| comparison.improved.first().map(|change| ("improved", change)));
    json!({
        "run": against.name,
        "config": comparison.a.config,
        "started": comparison.a.started,
        "verdict": then.verdict.as_ref().map(|(word, _)| word),
        "change": change.map(|(way, _)| way),
        "why": change.and_then(|(_, change)| change.why.as_ref()).map(|why| why.sentence(&name)),
        "labels": moves.iter().map(moved).collect::<Vec<_>>(),
        "differences": comparison.differences.iter().map(|difference| json!({
            "what": difference.word(),
            "text": difference.explain(&name),
        })).collect::<Vec<_>>(),
    })
}

fn moved(moved: &Move) -> Value {
    let standing = |standing: &Standing| {
        let stages = standing.stages.iter().map(|(stage, rank)| json!({ "stage": stage, "rank": rank }));
        json!({ "rank": standing.rank, "stages": stages.collect::<Vec<_>>() })
    };
    json!({
        "id": moved.chunk.as_str(),
        "mark": moved.mark.word(),
        "then": standing(&moved.a),
        "now": standing(&moved.b),
        "text_changed": moved.text_changed,
    })
}
