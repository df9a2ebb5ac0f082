//! Output formats: one file each over one value, [`Report`].

pub mod json;
pub mod table;

use crate::eval::{aggregate::Summary, evaluate::CaseResult};

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
