//! A gate's verdict as JSON, for scripts; this file owns its schema.

use serde_json::{Value, json};

use super::{SCHEMA, compare};
use crate::{
    eval::{
        evaluate::CaseResult,
        gate::{Claim, Failure, Held, Room},
    },
    report::{
        flags,
        gate::{self, View},
    },
};

/// The whole verdict as indented JSON with a final line end. Numbers are not rounded.
#[must_use]
pub fn json(view: &View<'_>) -> String {
    super::print(&value(view))
}

/// The same as a value.
#[must_use]
pub fn value(view: &View<'_>) -> Value {
    let View { verdict, config, k, baseline, .. } = *view;
    json!({
        "schema": SCHEMA,
        "config": config,
        "k": k,
        "baseline": baseline.is_some(),
        "passed": verdict.passed(),
        "claim": match verdict.claim() {
            Claim::Fine => "fine",
            Claim::Below => "below",
            Claim::CaseErrors => "case_errors",
            Claim::CouldNotRun => "could_not_run",
        },
        "thresholds": verdict.held.iter().map(held).collect::<Vec<_>>(),
        "failures": verdict.failures.iter().map(|failure| self::failure(failure, view)).collect::<Vec<_>>(),
        "warnings": verdict.warnings.iter().map(|warning| gate::warning(warning, view)).collect::<Vec<_>>(),
    })
}

fn held(held: &Held) -> Value {
    json!({
        "subset": held.subset,
        "metric": held.threshold.metric.to_string(),
        "value": held.value,
        "threshold": held.threshold.value,
        "at_most": held.threshold.metric.at_most(),
        "met": held.met(),
        "n": held.n,
        "cases": held.cases,
        "interval": held.interval.as_ref().map(compare::interval),
        "room": held.room().map(|room| match room {
            Room::Cases(cases) => json!({ "cases": cases }),
            Room::Margin(margin) => json!({ "margin": margin }),
        }),
        "implied": held.implied,
    })
}

/// Why calls failed, each reason once with all its cases.
fn reasons(results: &[CaseResult]) -> Value {
    flags::failed(results).iter().map(|(reason, cases)| json!({ "reason": reason, "cases": cases })).collect()
}

fn failure(failure: &Failure, view: &View<'_>) -> Value {
    let mut fields = json!({
        "what": failure.word(),
        "subset": failure.subset(),
        "cases": failure.cases(),
        "text": gate::failure(failure, view),
    });
    match failure {
        Failure::Threshold(below) => {
            fields["metric"] = json!(below.threshold.metric.to_string());
            fields["value"] = json!(below.value);
            fields["threshold"] = json!(below.threshold.value);
        }
        Failure::Regressed { baseline, change, .. } => {
            fields["baseline"] = json!(baseline);
            fields["change"] = compare::change("regressed", change, view.name);
        }
        Failure::Errors { .. } => fields["reasons"] = reasons(view.results),
        _ => {}
    }
    fields
}
