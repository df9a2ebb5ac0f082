//! The numbers: metrics, diagnosis, summaries. One function computes a number, whoever shows it.

pub mod aggregate;
pub mod asked;
pub mod compare;
pub mod coverage;
pub mod diagnosis;
pub mod elsewhere;
pub mod evaluate;
pub mod foreign;
pub mod gate;
pub mod metric;
pub mod noise;
pub mod run;
pub mod split;
pub mod stats;
#[cfg(test)]
pub(crate) mod testing;
pub mod trec_eval;
mod words;
