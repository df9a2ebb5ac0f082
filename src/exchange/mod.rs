//! Other tools' files: one file for each format, which knows its columns and says what is wrong by file, line and value.

pub mod trec;
