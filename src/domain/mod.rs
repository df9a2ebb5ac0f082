//! The words of the program: cases, chunks, references and rankings. Nothing here reads a file, waits or draws.

pub mod asker;
pub mod case;
pub mod chunk;
pub mod nearest;
pub mod outline;
pub mod ranking;
pub mod recognise;
pub mod resolve;
pub mod text;
