//! The gate: whether a run holds its thresholds and its baseline, and every line of why it does not.
//!
//! It reads the same [`Summary`] as a report, so the two never disagree.

mod failure;
mod held;
mod suggest;
#[cfg(test)]
mod tests;
mod threshold;

pub use self::{
    failure::{Claim, Failure, Warning, lowered},
    held::{Held, Room},
    suggest::{Line, Suggestion, suggest},
    threshold::{Metric, PERMISSION_NARROW, Threshold},
};
use super::{
    aggregate::{Subset, Summary},
    compare::{Difference, compare},
    evaluate::{CaseResult, State},
    run::Run,
};

/// The thresholds of one subset.
#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    /// The subset; [`ALL`] is every case.
    pub subset: &'a str,
    /// What it has to hold.
    pub thresholds: &'a [Threshold],
    /// The run against which none of its cases may have regressed.
    pub baseline: Option<Baseline<'a>>,
}

/// A run to hold a gate against.
#[derive(Debug, Clone, Copy)]
pub struct Baseline<'a> {
    /// As people call it: the file, or a name.
    pub name: &'a str,
    /// The run.
    pub run: &'a Run,
}

/// The name of the subset that is every case.
pub const ALL: &str = "all";

/// A run that a gate is held to.
#[derive(Debug, Clone, Copy)]
pub struct Evaluated<'a> {
    /// Its numbers.
    pub summary: &'a Summary,
    /// Its cases.
    pub results: &'a [CaseResult],
    /// The same as it is kept, to compare it with a baseline.
    pub run: &'a Run,
}

/// What a gate came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Every threshold that could be measured, met or not, in the order of the gates.
    pub held: Vec<Held>,
    /// Why it fails; empty if it passes.
    pub failures: Vec<Failure>,
    /// What does not fail it and should be known.
    pub warnings: Vec<Warning>,
}

impl Verdict {
    /// True if nothing fails.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// The highest claim of all failures: that it could not be measured, that cases had errors, that it is below.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.failures.iter().map(Failure::claim).max().unwrap_or(Claim::Fine)
    }
}

/// What a gate lets pass; it is warned of all the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Cases whose call failed.
    pub errors: bool,
    /// Cases whose answer was partial.
    pub partial: bool,
}

/// Holds `gates` to a run. Leaks fail every gate; case errors and partial answers do unless `allowed`. Recall of
/// [`PERMISSION_NARROW`] has to be 1 wherever a case carries that tag, named or not.
#[must_use]
pub fn check(evaluated: &Evaluated<'_>, gates: &[Gate<'_>], allowed: Allowed) -> Verdict {
    let Evaluated { summary, results, .. } = *evaluated;
    let mut verdict = Verdict { held: Vec::new(), failures: Vec::new(), warnings: Vec::new() };
    run_wide(&mut verdict, summary, results, allowed);
    each(&mut verdict, summary, results, gates, |verdict, gate| {
        if let Some(baseline) = gate.baseline {
            regressions(verdict, evaluated.run, gate.subset, baseline);
        }
    });
    verdict
}

/// How the thresholds of `gates` stand, whatever else a gate looks at: leaks, errors and baselines are left aside.
#[must_use]
pub fn thresholds(summary: &Summary, results: &[CaseResult], gates: &[Gate<'_>]) -> Verdict {
    let mut verdict = Verdict { held: Vec::new(), failures: Vec::new(), warnings: Vec::new() };
    each(&mut verdict, summary, results, gates, |_, _| {});
    verdict
}

/// Holds each gate's thresholds, then does `also` with it where its subset has numbers.
fn each(
    verdict: &mut Verdict,
    summary: &Summary,
    results: &[CaseResult],
    gates: &[Gate<'_>],
    also: impl Fn(&mut Verdict, &Gate<'_>),
) {
    if summary.counts.scored == 0 {
        return;
    }
    for gate in gates {
        let Some(subset) = held::subset(summary, gate.subset).filter(|subset| subset.n > 0) else {
            let failure = failure::no_cases(summary, gate.subset);
            if !verdict.failures.contains(&failure) {
                verdict.failures.push(failure);
            }
            continue;
        };
        for threshold in gate.thresholds {
            hold(verdict, summary, results, subset, *threshold, false);
        }
        also(verdict, gate);
    }
    let named = gates.iter().filter(|gate| gate.subset == PERMISSION_NARROW);
    let named = named.flat_map(|gate| gate.thresholds).any(|threshold| threshold.metric == Metric::Recall);
    if let Some(subset) = held::subset(summary, PERMISSION_NARROW).filter(|subset| subset.n > 0 && !named) {
        hold(verdict, summary, results, subset, Threshold { metric: Metric::Recall, value: 1.0 }, true);
    }
}

/// What concerns the run whatever its numbers.
fn run_wide(verdict: &mut Verdict, summary: &Summary, results: &[CaseResult], allowed: Allowed) {
    let ids = |wanted: fn(&CaseResult) -> bool| -> Vec<String> {
        results.iter().filter(|result| wanted(result)).map(|result| result.id.clone()).collect()
    };
    let counts = &summary.counts;
    let errors = ids(|result| matches!(result.state, State::Error(_)));
    match (errors.is_empty(), allowed.errors) {
        (true, _) => {}
        (false, true) => verdict.warnings.push(Warning::ErrorsAllowed { cases: errors }),
        (false, false) => verdict.failures.push(Failure::Errors { cases: errors }),
    }
    let partial = ids(|result| result.partial.is_some());
    match (partial.is_empty(), allowed.partial) {
        (true, _) => {}
        (false, true) => verdict.warnings.push(Warning::PartialAllowed { cases: partial }),
        (false, false) => verdict.failures.push(Failure::Partial { cases: partial }),
    }
    // Where calls failed and that is not allowed, the errors are the reason, and the claim is theirs.
    if counts.scored == 0 && verdict.failures.is_empty() {
        verdict.failures.push(Failure::NothingScored { cases: counts.cases });
    }
    if counts.leaks > 0 {
        let leaks = results.iter().flat_map(|result| result.leaked().map(|row| (result.id.clone(), row.id.clone())));
        verdict.failures.push(Failure::Leaks { leaks: leaks.collect() });
    }
    if counts.scope_unknown > 0 {
        verdict.warnings.push(Warning::ScopeUnknown { unknown: counts.scope_unknown, results: counts.results });
    }
}

fn hold(
    verdict: &mut Verdict,
    summary: &Summary,
    results: &[CaseResult],
    subset: &Subset,
    threshold: Threshold,
    implied: bool,
) {
    match held::held(subset, results, threshold, implied) {
        Some(held) => {
            if !held.met() {
                verdict.failures.push(Failure::Threshold(held.clone()));
            }
            verdict.held.push(held);
        }
        None => verdict.failures.push(Failure::Unmeasured {
            subset: subset.name.clone(),
            metric: threshold.metric,
            depth: summary.cut.depth,
        }),
    }
}

/// Fails for every case of `subset` that regressed against the baseline. Unlike in a comparison, another corpus does not bar
/// it, since a worsened document is what a gate is for; and cases that were labeled anew are left out and named.
fn regressions(verdict: &mut Verdict, run: &Run, subset: &str, baseline: Baseline<'_>) {
    let within = |tags: &[String]| subset == ALL || tags.iter().any(|tag| tag == subset);
    let only = |run: &Run| Run {
        header: run.header.clone(),
        cases: run.cases.iter().filter(|case| within(&case.tags)).cloned().collect(),
    };
    let comparison = compare(&only(baseline.run), &only(run));
    let name = || baseline.name.to_owned();
    let mut warn = |warning: Warning| {
        if !verdict.warnings.contains(&warning) {
            verdict.warnings.push(warning);
        }
    };
    for difference in &comparison.differences {
        match difference {
            Difference::K(was, is) => {
                verdict.failures.push(Failure::OtherK { baseline: name(), was: *was, is: *is });
                return;
            }
            Difference::Labels(cases) | Difference::Asked(cases) => {
                warn(Warning::Redefined { baseline: name(), cases: cases.clone() });
            }
            Difference::Corpus => warn(Warning::OtherCorpus { baseline: name() }),
            _ => {}
        }
    }
    if !comparison.only_a.is_empty() {
        warn(Warning::OnlyInBaseline { baseline: name(), cases: comparison.only_a.clone() });
    }
    if comparison.pairs == 0 {
        verdict.failures.push(Failure::NoPairs { baseline: name(), subset: subset.to_owned() });
    }
    for change in comparison.regressed.into_iter().filter(|change| !change.redefined) {
        let known = |failure: &Failure| {
            matches!(failure, Failure::Regressed { baseline: with, change: known, .. }
                if with == baseline.name && known.id == change.id)
        };
        if !verdict.failures.iter().any(known) {
            let regressed =
                Failure::Regressed { subset: subset.to_owned(), baseline: name(), change: Box::new(change) };
            verdict.failures.push(regressed);
        }
    }
}
