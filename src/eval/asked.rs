//! What an evaluation starts from: a case that is asked, where its list is cut, and what came of asking.

use crate::domain::{
    asker::Asker,
    case::Case,
    outline::Outline,
    ranking::{Answer, Hit, window},
    resolve::Resolved,
};

/// Where lists are cut: how many results are asked for, and how many of them count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The window's size, at least 1.
    pub k: usize,
    /// How many results are asked for, at least `k`.
    pub depth: usize,
    /// The Ks of recall@K, ascending.
    pub recall_at: Vec<usize>,
}

impl Cut {
    /// The Ks of recall@K where the settings name none.
    pub const RECALL_AT: [usize; 3] = [1, 5, 10];

    /// A window of `k` with recall@K at 1, 5 and 10, asking as deep as both need.
    #[must_use]
    pub fn new(k: usize) -> Self {
        let deepest = Self::RECALL_AT[Self::RECALL_AT.len() - 1];
        Self { k, depth: k.max(deepest), recall_at: Self::RECALL_AT.to_vec() }
    }

    /// The largest K of recall@K; `k` where there is none.
    #[must_use]
    pub fn max_k(&self) -> usize {
        self.recall_at.iter().copied().max().unwrap_or(self.k)
    }
}

/// What is known about a case before it is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The case.
    pub case: &'a Case,
    /// Its labels as chunks.
    pub resolved: &'a Resolved,
    /// Who asks.
    pub asker: &'a Asker,
    /// The corpus, for text and scope.
    pub outline: &'a Outline,
    /// Where lists are cut.
    pub cut: &'a Cut,
}

impl Asked<'_> {
    /// The results to depth. A retriever may send more than it was asked for; what lies beyond does not count.
    #[must_use]
    pub fn hits<'a>(&self, outcome: Outcome<'a>) -> &'a [Hit] {
        outcome.answer().map_or(&[], |answer| window(&answer.results, self.cut.depth))
    }
}

/// What came of asking.
#[derive(Debug, Clone, Copy)]
pub enum Outcome<'a> {
    /// The retriever answered, be it with an empty list.
    Answered(&'a Answer),
    /// The call failed; why.
    Failed(&'a str),
    /// The run ended before this case was asked.
    NotRun,
}

impl<'a> Outcome<'a> {
    /// The answer, if there is one.
    #[must_use]
    pub fn answer(self) -> Option<&'a Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            Self::Failed(_) | Self::NotRun => None,
        }
    }
}
