//! What is to be known of each run beside its numbers: leaks, results of unknown scope, partial answers, failed calls.

use crate::{
    domain::chunk::ChunkId,
    eval::run::{Run, RunOutcome},
};

/// What is to be known of a run beside its numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flagged {
    /// The results that their asker may not read, each with its case.
    pub leaks: Vec<(String, ChunkId)>,
    /// Of how many results nobody knows whether the asker may read them.
    pub scope_unknown: usize,
    /// How many results there are.
    pub results: usize,
    /// The cases whose answer was partial.
    pub partial: Vec<String>,
    /// The cases whose call failed, each with the reason.
    pub failed: Vec<(String, String)>,
}

impl Flagged {
    /// Goes through every case of `run`, within its depth.
    pub(super) fn new(run: &Run) -> Self {
        let mut flagged = Self::default();
        for case in &run.cases {
            let (results, partial) = match &case.outcome {
                RunOutcome::Answered { results, partial, .. } => (results, partial),
                RunOutcome::Failed(reason) => {
                    flagged.failed.push((case.id.clone(), reason.clone()));
                    continue;
                }
            };
            let results = &results[..results.len().min(run.header.cut.depth)];
            flagged.results += results.len();
            flagged.scope_unknown += results.iter().filter(|hit| hit.leaked.is_none()).count();
            let leaked = results.iter().filter(|hit| hit.leaked == Some(true));
            flagged.leaks.extend(leaked.map(|hit| (case.id.clone(), hit.id.clone())));
            flagged.partial.extend(partial.is_some().then(|| case.id.clone()));
        }
        flagged
    }
}
