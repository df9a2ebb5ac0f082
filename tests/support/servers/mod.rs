//! Real servers for tests: found where `.ci/servers` installed them, started on a free loopback port, ended with the test.
//!
//! `let Some(postgres) = Postgres::start() else { return };` is how a test begins. Where the servers are not installed the test
//! fails if `CI` is set, and otherwise says on standard error that it did not run. A server is ended, with all it started and its
//! folder, when its value is dropped, when the test panics and when the test process dies.
//!
//! Each server's `shared()` gives one instance for all tests of the process; its data is a test's own by the name of the database,
//! collection or index. A test that stops the server or changes its settings takes `start()`.
#![allow(dead_code, reason = "each test crate uses its own part of this")]

mod chunk;
pub(crate) mod http;
mod install;
mod postgres;
mod process;

pub(crate) use chunk::Chunk;
pub(crate) use postgres::Postgres;
