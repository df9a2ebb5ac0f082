//! A rerank endpoint answers in many ways.
