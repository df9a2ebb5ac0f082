//! The `caselight` program.

fn main() {}
