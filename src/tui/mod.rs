//! The terminal front end: `Msg` in, `App::update`, effects out, `App::view`.

pub mod app;
pub mod command;
pub mod data;
pub mod effect;
pub mod event_loop;
pub mod jobs;
pub mod keymap;
pub mod msg;
pub mod runtime;
pub mod screen;
pub mod terminal;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod theme;
pub mod widget;
