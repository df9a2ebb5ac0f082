//! Output formats: one file each over one value, [`Report`].

pub mod compare;
pub mod gate;
pub mod json;
pub mod noise;
pub mod run_file;
pub mod split;
pub mod table;

use crate::eval::{aggregate::Summary, evaluate::CaseResult, metric::TOLERANCE};

/// A run, ready to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The config's name.
    pub config: &'a str,
    /// The retriever's name.
    pub retriever: &'a str,
    /// The retriever is the embedded one: a baseline, not production.
    pub baseline: bool,
    /// The numbers.
    pub summary: &'a Summary,
    /// The cases, in the order of their files.
    pub results: &'a [CaseResult],
}

/// A metric in print, with so many decimals; half a unit of the last one is rounded up. Sums of doubles that miss a half by a
/// hair print as the fraction they stand for: 0.625 is 0.63 however it was added up.
#[must_use]
pub fn decimals(value: f64, places: usize) -> String {
    format!("{:.places$}", value + TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::decimals;

    #[test]
    fn a_half_is_rounded_up_and_a_hair_is_forgiven() {
        let cases = [(0.625, "0.63"), (0.125, "0.13"), (0.7 + 0.1 + 0.2 - 0.375, "0.63"), (0.0, "0.00"), (1.0, "1.00")];
        for (value, expected) in cases {
            assert_eq!(decimals(value, 2), expected, "{value}");
        }
        assert_eq!(decimals((0.7 + 0.8 + 0.9) / 3.0, 1), "0.8");
    }
}
