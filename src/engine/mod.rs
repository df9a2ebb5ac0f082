//! Other people's servers: one client for all of them, and the ways they are asked. Names no retriever and no corpus.

pub mod client;
pub mod embed;
pub mod exact;
pub mod passages;
pub mod postgres;
pub mod preset;
pub mod rerank;
pub mod secret;
pub mod shape;
pub mod spec;
pub mod sql;
pub mod template;
#[cfg(test)]
mod testing;
