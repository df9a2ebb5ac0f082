//! Parts that know nothing of the app: a cursor in a list, a line of text, a wrapped passage.

pub mod canvas;
pub mod input;
pub mod list;
pub mod passage;
pub mod text;
