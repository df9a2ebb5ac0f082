//! The command line as people and scripts meet it: arguments in; both outputs and the exit status out.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod check;
mod compare;
mod coverage;
mod faults;
mod files;
mod formats;
mod gate;
mod index;
mod init;
mod inspect;
mod keys;
mod local;
mod metrics;
mod numbers;
mod program;
mod reach;
mod run;
mod runs;
mod score;
mod settings;
mod split;
mod stopping;
#[path = "../support/mod.rs"]
mod support;
