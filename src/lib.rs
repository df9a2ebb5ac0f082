//! Caselight labels, runs and debugs the evaluation cases of a retrieval system.
//!
//! The map, in reading order. Arrows point down this list, never up; `tests/architecture.rs` holds them.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`domain`] | the words: cases, chunks, references, rankings. No I/O. |
//! | [`eval`] | the numbers: metrics, diagnosis, summaries. No I/O. |
//! | [`report`] | one file per output format over one value. No I/O. |
//! | [`casefile`] | case files: read, edited byte for byte, saved |
//! | [`engine`] | other people's servers: one client, and how each kind is asked |
//! | [`exchange`] | other tools' files, in and out |
//! | [`corpus`] | sources of chunks, the index over them, corpus search |
//! | [`retriever`] | ways to reach retrieval; only `retriever::run` calls one |
//! | [`project`] | what both faces open: settings, cases, index |
//! | [`cli`] | the command line: one file per command |
//! | [`tui`] | the terminal front end |

pub mod casefile;
pub mod cli;
pub mod corpus;
pub mod domain;
pub mod engine;
pub mod eval;
pub mod exchange;
pub mod project;
pub mod report;
pub mod retriever;
pub mod tui;
