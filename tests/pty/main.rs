//! The real program in a real terminal: whole jobs, odd sizes and texts, and every way out.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test says by a panic what is wrong")]

mod colour;
mod editing;
mod inspect;
mod label_one_case;
mod leaving;
mod odd_text;
mod project;
mod search;
mod session;
mod sizes;
