//! The numbers: metrics, diagnosis, summaries. One function computes a number, whoever shows it.
