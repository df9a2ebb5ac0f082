//! Parts that know nothing of the app: a cursor in a list, a line of text, a wrapped passage, bars.

pub mod canvas;
pub mod gauge;
pub mod input;
pub mod level;
pub mod list;
pub mod passage;
pub mod text;
