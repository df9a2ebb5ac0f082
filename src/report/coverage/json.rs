//! Coverage as JSON, for scripts; this file owns its schema.

use serde_json::{Value, json as value};

use super::warnings;
use crate::{
    domain::case::Source,
    eval::coverage::{Contradiction, Coverage, Easy, Enough, SourceRow, SubsetRow},
    report::json::print,
};

/// The version of this schema; it rises when a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// Everything, unshortened, as indented JSON with a final line end.
#[must_use]
pub fn json(coverage: &Coverage) -> String {
    let Coverage { counts, ages, .. } = coverage;
    print(&value!({
        "schema": SCHEMA,
        "as_of": coverage.as_of.to_string(),
        "warnings": warnings(coverage),
        "counts": {
            "cases": counts.cases,
            "labeled": counts.labeled,
            "unlabeled": counts.unlabeled,
            "unanswerable": counts.unanswerable,
            "broken": counts.broken,
            "unreadable": counts.unreadable,
        },
        "sources": coverage.sources.iter().map(source).collect::<Vec<_>>(),
        "mostly_generated": coverage.mostly_generated(),
        "ages": {
            "week": ages.week,
            "month": ages.month,
            "older": ages.older,
            "later": ages.later,
            "unknown": ages.unknown,
            "newest": ages.newest.map(|day| day.to_string()),
            "stale": ages.stale,
        },
        "subsets": coverage.subsets.iter().map(subset).collect::<Vec<_>>(),
        "together": coverage
            .together
            .pairs()
            .into_iter()
            .map(|(a, b, cases)| value!({ "tags": [a, b], "cases": cases }))
            .collect::<Vec<_>>(),
        "contradictions": coverage.contradictions.iter().map(contradiction).collect::<Vec<_>>(),
        "untagged": coverage.untagged,
        "easy": coverage.easy.iter().map(easy).collect::<Vec<_>>(),
        "documents": { "all": coverage.documents, "without_case": coverage.documents.map(|_| &coverage.forgotten) },
    }))
}

fn source(row: &SourceRow) -> Value {
    let source = row.source.map(Source::as_str);
    value!({ "source": source, "cases": row.cases, "compared": row.compared, "easy": row.easy })
}

fn subset(row: &SubsetRow) -> Value {
    let (state, lacks) = match row.enough() {
        Enough::Empty => ("empty", row.target.unwrap_or(0)),
        Enough::Thin { lacks } => ("thin", lacks),
        Enough::Enough => ("enough", 0),
    };
    let SubsetRow { name, cases, labeled, target } = row;
    value!({ "name": name, "cases": cases, "labeled": labeled, "target": target, "state": state, "lacks": lacks })
}

fn contradiction(found: &Contradiction) -> Value {
    let Contradiction { case, place, doubt } = found;
    value!({
        "case": case,
        "file": place.file.display().to_string(),
        "line": place.line,
        "tag": doubt.tag(),
        "doubt": doubt.word(),
        "text": doubt.explain(),
    })
}

fn easy(easy: &Easy) -> Value {
    value!({
        "case": easy.case,
        "question": easy.question,
        "source": easy.source.map(Source::as_str),
        "chunk": easy.chunk.as_str(),
        "shared": easy.shared,
        "words": easy.words,
        "share": easy.share(),
    })
}
