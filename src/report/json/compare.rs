//! A comparison as JSON, for scripts; this file owns its schema.

use serde_json::{Value, json};

use super::SCHEMA;
use crate::{
    domain::chunk::ChunkId,
    eval::{
        compare::{Cause, Change, Flagged, Means, Standing, Why},
        evaluate::Scores,
        run::Header,
        stats::Interval,
    },
    report::{compare::View, flags},
};

/// The whole comparison as indented JSON with a final line end. `improved` and `regressed` are lists of ids, and `changes` says
/// of each of them what its metrics and its labeled chunks did, and why.
#[must_use]
pub fn json(view: &View<'_>) -> String {
    super::print(&value(view))
}

/// The same as a value.
#[must_use]
pub fn value(view: &View<'_>) -> Value {
    let View { comparison, name, .. } = *view;
    let ids = |changes: &[Change]| changes.iter().map(|change| change.id.clone()).collect::<Vec<_>>();
    let differences = comparison.differences.iter().map(
        |difference| json!({ "what": difference.word(), "bars": difference.bars(), "text": difference.explain(name) }),
    );
    let unscored = comparison.unscored.iter().map(|case| json!({ "id": case.id, "a": case.a, "b": case.b }));
    let changes = comparison.improved.iter().map(|change| ("improved", change));
    let changes = changes.chain(comparison.regressed.iter().map(|change| ("regressed", change)));
    json!({
        "schema": SCHEMA,
        "a": side(view.a, &comparison.a, &comparison.flagged_a),
        "b": side(view.b, &comparison.b, &comparison.flagged_b),
        "comparable": comparison.comparable(),
        "differences": differences.collect::<Vec<_>>(),
        "improved": ids(&comparison.improved),
        "regressed": ids(&comparison.regressed),
        "net": comparison.net(),
        "pairs": comparison.pairs,
        "unchanged": comparison.unchanged(),
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
        "unscored": unscored.collect::<Vec<_>>(),
        "recall": comparison.recall.as_ref().map(means),
        "mrr": comparison.mrr.as_ref().map(means),
        "sign_test_p": comparison.finding.p(),
        "finding": comparison.finding.to_string(),
        "changes": changes.map(|(way, case)| change(way, case, name)).collect::<Vec<_>>(),
    })
}

fn side(name: &str, header: &Header, flagged: &Flagged) -> Value {
    let failed = flagged.failed.iter().map(|(case, reason)| (case.as_str(), reason.as_str()));
    let failed = flags::by_reason(failed);
    json!({
        "name": name,
        "config": header.config,
        "retriever": header.retriever,
        "baseline": header.baseline,
        "params": header.params,
        "k": header.cut.k,
        "depth": header.cut.depth,
        "tool": header.tool,
        "cases": header.cases,
        "labels": header.labels,
        "corpus": header.corpus,
        "commit": header.commit,
        "started": header.started,
        // Where a result's scope is not known, nobody can say that there was no leak.
        "leaks": (flagged.scope_unknown == 0 || !flagged.leaks.is_empty()).then(|| {
            flagged.leaks.iter().map(|(case, chunk)| json!({ "case": case, "chunk": chunk.as_str() })).collect::<Vec<_>>()
        }),
        "scope_unknown": flagged.scope_unknown,
        "results": flagged.results,
        "partial": flagged.partial,
        "failed": failed.iter().map(|(reason, cases)| json!({ "reason": reason, "cases": cases })).collect::<Vec<_>>(),
    })
}

fn means(means: &Means) -> Value {
    json!({
        "a": means.a,
        "b": means.b,
        "difference": means.b - means.a,
        "interval": means.interval.as_ref().map(interval),
    })
}

pub(super) fn interval(interval: &Interval) -> Value {
    json!({ "low": interval.low, "high": interval.high })
}

/// A case that improved or regressed; a gate with a baseline says the same of it.
pub(super) fn change(way: &str, change: &Change, name: &dyn Fn(&ChunkId) -> String) -> Value {
    let moves = change.moves.iter().map(|moved| {
        json!({
            "chunk": moved.chunk.as_str(),
            "mark": moved.mark.word(),
            "moved": moved.is_moved(),
            "text_changed": moved.text_changed,
            "a": standing(&moved.a),
            "b": standing(&moved.b),
        })
    });
    json!({
        "id": change.id,
        "way": way,
        "question": change.question,
        "tags": change.tags,
        "redefined": change.redefined,
        "a": scores(&change.a),
        "b": scores(&change.b),
        "why": change.why.as_ref().map(|reason| why(reason, name)),
        "moves": moves.collect::<Vec<_>>(),
    })
}

fn scores(scores: &Scores) -> Value {
    json!({
        "recall": scores.recall,
        "mrr": scores.mrr,
        "precision": scores.precision,
        "completeness": scores.completeness,
        "distractor_above_answer": scores.distractor_above,
    })
}

fn standing(standing: &Standing) -> Value {
    let stages = standing.stages.iter().map(|(stage, rank)| json!({ "stage": stage, "rank": rank }));
    json!({ "rank": standing.rank, "stages": stages.collect::<Vec<_>>() })
}

fn why(why: &Why, name: &dyn Fn(&ChunkId) -> String) -> Value {
    let mut fields = match &why.cause {
        Cause::Moved { stage, from, to } => json!({ "stage": stage, "from": from, "to": to }),
        Cause::Ranked { stage, a, b } => json!({ "stage": stage, "a": a, "b": b }),
        Cause::Gone { stage, from, to } => json!({ "stage": stage, "from": from, "to": to }),
        Cause::Window { rank, a, b } => json!({ "rank": rank, "k_a": a, "k_b": b }),
        Cause::Relabeled => json!({}),
    };
    fields["cause"] = json!(why.cause.word());
    fields["chunk"] = json!(why.chunk.as_str());
    fields["text_changed"] = json!(why.text_changed);
    fields["text"] = json!(why.sentence(name));
    fields
}
