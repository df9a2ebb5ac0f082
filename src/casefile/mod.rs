//! Case files: read with file, line and column in every error, edited byte for byte, saved atomically.
//!
//! Only [`store`] touches the disk. The way of an edit: [`edit::Edit`] changes a case in memory; `plan` turns it into
//! operations on the file's tree; `splice` turns those into a [`patch::Patch`] of bytes; `check` reads the result again with
//! a second parser before anything is written.

pub mod edit;
pub mod file;
pub mod form;
pub mod patch;
pub mod problem;
pub mod store;

mod block;
mod change;
mod check;
mod json;
mod plan;
mod scalar;
mod shape;
mod splice;
#[cfg(test)]
mod tests;
mod tree;
mod yaml;
