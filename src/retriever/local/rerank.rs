//! The lexical rerank: the first candidates in the order of how well heading and phrases match the question.
//!
//! A candidate's score is the share of the question's telling words that stand in its heading path, plus the share of the question
//! that stands in its text as one unbroken phrase. Each is between 0 and 1. Ties keep the order they came in. It knows no meaning:
//! a heading that repeats the question wins over a passage that answers it, which is what such a stage gets wrong in production too.

use std::collections::HashSet;

use crate::domain::{chunk::Chunk, text::words};

/// Words of fewer letters tell little, unless they hold a digit.
const TELLING: usize = 4;

/// No score is higher: one for the heading, one for the phrase.
pub const MOST: f64 = 2.0;

/// The score of `chunk` for `question`, between 0 and [`MOST`].
#[must_use]
pub fn score(question: &str, chunk: &Chunk) -> f64 {
    let asked: Vec<String> = words(question).collect();
    heading(&asked, chunk) + phrase(&asked, chunk)
}

/// The share of the question's telling words in the heading path.
fn heading(asked: &[String], chunk: &Chunk) -> f64 {
    let telling: HashSet<&String> = asked.iter().filter(|word| tells(word)).collect();
    if telling.is_empty() {
        return 0.0;
    }
    let heading: HashSet<String> = chunk.short_heading().iter().flat_map(|part| words(part)).collect();
    let found = telling.iter().filter(|word| heading.contains(**word)).count();
    found as f64 / telling.len() as f64
}

fn tells(word: &str) -> bool {
    word.chars().count() >= TELLING || word.chars().any(|c| c.is_numeric() || !c.is_ascii())
}

/// The longest run of the question's words, in their order, that stands unbroken in the text, as a share of the question.
fn phrase(asked: &[String], chunk: &Chunk) -> f64 {
    if asked.is_empty() {
        return 0.0;
    }
    // For each place in the question, how long a run ends there with the text's last word.
    let mut runs = vec![0_usize; asked.len() + 1];
    let mut longest = 0;
    for word in words(&chunk.text) {
        for at in (0..asked.len()).rev() {
            runs[at + 1] = if asked[at] == word { runs[at] + 1 } else { 0 };
            longest = longest.max(runs[at + 1]);
        }
    }
    longest as f64 / asked.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(heading: &str, text: &str) -> Chunk {
        Chunk {
            id: "c".into(),
            document: "Policy".to_owned(),
            heading: vec!["Policy".to_owned(), heading.to_owned()],
            text: text.to_owned(),
            position: 0,
            section: 0,
            scope: Vec::new(),
            origin: None,
            fields: Vec::new(),
        }
    }

    #[test]
    fn heading_and_phrase_each_give_their_share() {
        let question = "What is the escalation path?";
        for (heading, text, expected) in [
            ("Escalation path", "", 2.0 / 3.0),
            ("Escalation", "", 1.0 / 3.0),
            ("Contacts", "Ask what is the escalation path today.", 1.0),
            ("Contacts", "The path of escalation: what is it, the escalation?", 2.0 / 5.0),
            ("Contacts", "", 0.0),
        ] {
            let scored = score(question, &chunk(heading, text));
            assert!((scored - expected).abs() < 1e-12, "{heading} / {text}: {scored} instead of {expected}");
        }
    }

    #[test]
    fn a_question_without_words_scores_nothing() {
        assert!(score(" ?! ", &chunk("Escalation", "what")).abs() < 1e-12);
    }
}
