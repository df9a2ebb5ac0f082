//! What both faces open: the settings, the cases and the corpus of one place.

pub mod settings;
