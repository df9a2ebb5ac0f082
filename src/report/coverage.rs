//! What the cases cover, in three formats over one value, [`Coverage`].

mod json;
mod markdown;
mod text;

pub use self::{
    json::{SCHEMA, json},
    markdown::markdown,
    text::text,
};
use crate::eval::coverage::{Coverage, Easy};

/// So many entries of a list are shown to people; the JSON has all.
const MOST: usize = 20;

/// Stands in place of the documents without a case, where it is not known which documents there are.
pub const UNKNOWN: &str = "documents without any case: not known, for the corpus stays in its engine and is not listed";

/// What should be known before anything else, in sentences.
#[must_use]
pub fn warnings(coverage: &Coverage) -> Vec<String> {
    let Coverage { counts, ages, .. } = coverage;
    let mut warnings = Vec::new();
    if counts.cases == 0 {
        return vec!["there is no case".to_owned()];
    }
    if ages.stale
        && let Some(newest) = ages.newest
    {
        warnings.push(format!(
            "stale: no new case for two months, the last was added {newest}; people ask other questions by now"
        ));
    }
    if coverage.mostly_generated() {
        warnings.push(
            "most cases are generated: a model asks in the words of the chunk it was shown, so scores are too high"
                .to_owned(),
        );
    }
    if counts.broken > 0 {
        let noun = if counts.broken == 1 { "case has" } else { "cases have" };
        warnings.push(format!("{} {noun} a label that does not resolve: `caselight check` says which", counts.broken));
    }
    if counts.unreadable > 0 {
        let noun = if counts.unreadable == 1 { "entry" } else { "entries" };
        warnings.push(format!(
            "{} {noun} of the case files cannot be read and count nowhere here: `caselight check` says which",
            counts.unreadable
        ));
    }
    warnings
}

/// How alike a question and its chunk are, in words.
#[must_use]
pub fn shared(easy: &Easy) -> String {
    format!("{} of {} words", easy.shared, easy.words)
}

/// What the list of easy questions is about.
#[must_use]
pub fn about_easy() -> String {
    format!("at least {:.0} % of their telling words stand in the chunk that answers them", Easy::SHARE * 100.0)
}

#[cfg(test)]
mod tests;
