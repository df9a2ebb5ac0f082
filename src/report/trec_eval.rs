//! The numbers in `trec_eval`'s own form, which scripts read: name, topic, value, with tabs between.

use std::fmt::Write as _;

use crate::{
    domain::text::clean,
    eval::trec_eval::{self, Value, Wanted},
};

/// What `trec_eval` prints.
#[derive(Debug)]
pub struct View<'a> {
    /// What was measured.
    pub wanted: &'a Wanted,
    /// The official measures are wanted, among which it counts the run's name and how many topics there are.
    pub official: bool,
    /// The name of the run.
    pub run: &'a str,
    /// The topics by id, in the order of print, each with its values.
    pub topics: &'a [(&'a str, &'a [f64])],
    /// Each topic's values are printed too.
    pub each: bool,
}

/// The lines, each with its line end.
#[must_use]
pub fn text(view: &View<'_>) -> String {
    let names = trec_eval::names(view.wanted);
    let mut out = String::new();
    if view.each {
        for (topic, values) in view.topics {
            let topic = clean(topic);
            let shown = names.iter().zip(*values).filter(|(name, _)| !name.overall_only);
            shown.for_each(|(name, value)| line(&mut out, name, &topic, *value));
        }
    }
    if view.official {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{:<22}\tall\t{}", "runid", clean(view.run));
        let _ = writeln!(out, "{:<22}\tall\t{}", "num_q", view.topics.len());
    }
    let overall = trec_eval::overall(view.topics.iter().map(|(_, values)| *values), view.wanted);
    names.iter().zip(&overall).for_each(|(name, value)| line(&mut out, name, "all", *value));
    out
}

fn line(out: &mut String, name: &Value, topic: &str, value: f64) {
    let decimals = if name.count { 0 } else { 4 };
    // Writing to a string cannot fail. Rust rounds a double in print as C does: by all of its digits.
    let _ = writeln!(out, "{:<22}\t{topic}\t{value:.decimals$}", name.name);
}
