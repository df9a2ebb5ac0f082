//! The terminal front end: `Msg` in, `App::update`, effects out, `App::view`.

pub mod keymap;
pub mod theme;
pub mod widget;
