//! x
pub mod chord;
