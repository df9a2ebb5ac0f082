//! How far the numbers of a summary can be trusted, and how ranks are spread.

use super::Subset;
use crate::eval::{
    evaluate::{CaseResult, Cut},
    stats::{self, Interval},
};

impl Subset {
    /// How many of its scored cases have recall 1.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a sum of 0s and 1s, but for rounding")]
    pub fn recalled(&self) -> usize {
        self.numbers.as_ref().map_or(0, |numbers| (numbers.recall * self.n as f64).round() as usize)
    }

    /// The 95 % interval of its recall; `None` if none of its cases is scored.
    #[must_use]
    pub fn recall_interval(&self) -> Option<Interval> {
        stats::wilson(self.recalled(), self.n)
    }

    /// True if its means rest on so few cases that they tell next to nothing.
    #[must_use]
    pub fn too_few(&self) -> bool {
        self.n < stats::TOO_FEW
    }
}

/// Where the first supporting chunk stands in each scored case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranks {
    /// How many cases have it at rank 1, 2 … depth.
    pub at: Vec<usize>,
    /// How many do not have it in the list.
    pub absent: usize,
}

/// Counts the ranks of the first supporting chunk over the scored cases.
#[must_use]
pub fn ranks<'a>(results: impl IntoIterator<Item = &'a CaseResult>, cut: &Cut) -> Ranks {
    let mut ranks = Ranks { at: vec![0; cut.depth], absent: 0 };
    for result in results.into_iter().filter(|result| result.scores().is_some()) {
        match result.rank.and_then(|rank| ranks.at.get_mut(rank - 1)) {
            Some(cases) => *cases += 1,
            None => ranks.absent += 1,
        }
    }
    ranks
}
