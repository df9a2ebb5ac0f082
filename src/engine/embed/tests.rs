//! An embeddings endpoint answers in many ways.
