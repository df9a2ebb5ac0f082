//! Results of which the corpus knows none: whoever returned them searched another corpus.

use super::evaluate::CaseResult;
use crate::domain::outline::Outline;

/// How many of each side's ids are shown.
pub const SAMPLES: usize = 2;

/// What to say of one case whose results are all unknown to the corpus; `None` where it knows one, or there are none.
#[must_use]
pub fn of_case(result: &CaseResult, outline: &Outline) -> Option<String> {
    let all = !result.results.is_empty() && result.results.iter().all(|row| row.unknown);
    let returned: Vec<String> = result.results.iter().take(SAMPLES).map(|row| row.id.to_string()).collect();
    all.then(|| sentence(result.results.len(), &returned, outline))
}

/// That the corpus knows none of so many returned ids, of which `returned` are the first, and what to do about it.
#[must_use]
pub fn sentence(results: usize, returned: &[String], outline: &Outline) -> String {
    let has = outline.documents().iter().flat_map(|document| &document.chunks);
    let has: Vec<String> = has.take(SAMPLES).map(|chunk| chunk.id.to_string()).collect();
    format!(
        "the corpus knows none of the {results} returned ids: the retriever returns {}, the corpus has {}; index the chunks that \
         production has, or, where its ids change, let the retriever's `recognise = \"heading\"` or `\"text\"` find the \
         chunks",
        returned.join(", "),
        if has.is_empty() { "no chunk at all".to_owned() } else { has.join(", ") }
    )
}
