//! A retriever that is a program, with real programs: every way in which one answers, fails, hangs and leaves something behind.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod answers;
mod binary;
mod endings;
mod examples;
mod python;
#[path = "../support/mod.rs"]
mod support;
