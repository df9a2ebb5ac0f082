//! A run none of whose results is in the corpus measured another corpus: its recall of 0 would be a lie.

use anyhow::bail;

use crate::{
    domain::outline::Outline,
    eval::{
        evaluate::CaseResult,
        foreign::{self, SAMPLES},
    },
};

/// After so many answers of which the corpus knows nothing, the rest of the run is not worth asking.
const ENOUGH: usize = 20;

/// What the results so far say about whose corpus it is.
#[derive(Debug, Default)]
pub(super) struct Foreign {
    /// Answers with at least one result.
    answers: usize,
    results: usize,
    known: bool,
    /// The first ids that were returned.
    returned: Vec<String>,
}

impl Foreign {
    /// Takes in a case. Refuses to go on once enough was answered and the corpus knows none of it.
    pub(super) fn add(&mut self, result: &CaseResult, outline: &Outline) -> anyhow::Result<()> {
        self.answers += usize::from(!result.results.is_empty());
        self.results += result.results.len();
        self.known |= result.results.iter().any(|row| !row.unknown);
        let more = SAMPLES.saturating_sub(self.returned.len());
        self.returned.extend(result.results.iter().take(more).map(|row| row.id.to_string()));
        if self.answers >= ENOUGH { self.refuse(outline) } else { Ok(()) }
    }

    /// Refuses results of which the corpus knows none.
    pub(super) fn refuse(&self, outline: &Outline) -> anyhow::Result<()> {
        if self.known || self.results == 0 {
            return Ok(());
        }
        bail!(foreign::sentence(self.results, &self.returned, outline))
    }
}
