//! The corpus: sources of chunks, the embedded index over them, and search.
