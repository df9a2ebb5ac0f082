//! Ways to reach retrieval: one trait, an adapter each, and `run`, the only caller of them.
