//! Which cases the list shows: words of id, question or tags, `tag:…`, `state:…`, `verdict:…`.

use crate::{
    domain::case::{Case, Labeled},
    eval::evaluate::State,
    tui::data::Data,
};

/// What the filter's text asks for. Every part of it must hold.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    words: Vec<String>,
    tags: Vec<String>,
    states: Vec<String>,
    verdicts: Vec<String>,
}

/// The words of `state:`. `look` holds all that need a look, `holdout` all that are kept out of tuning, and `wrong-label` all
/// whose label somebody holds to be wrong, whatever else they are.
pub(super) const STATES: [&str; 9] =
    ["unlabeled", "not-run", "right", "failing", "error", "broken", "look", "holdout", "wrong-label"];

impl Filter {
    pub(super) fn parse(text: &str) -> Self {
        let mut filter = Self::default();
        for word in text.split_whitespace() {
            let word = word.to_lowercase();
            let (list, word) = match word.split_once(':') {
                Some(("tag", tag)) => (&mut filter.tags, tag.to_owned()),
                Some(("state", state)) => (&mut filter.states, state.to_owned()),
                Some(("verdict", verdict)) => (&mut filter.verdicts, verdict.to_owned()),
                _ => (&mut filter.words, word),
            };
            list.push(word);
        }
        filter
    }

    /// Words may be typed in part; so may tags, states and verdicts, while they are being typed.
    pub(super) fn passes(&self, case: &Case, data: &Data) -> bool {
        let text = format!("{} {} {}", case.id, case.question, case.tags.join(" ")).to_lowercase();
        let (state, look) = (state_word(case, data), data.needs_a_look(&case.id));
        let diagnosis = data.results.get(&case.id).and_then(|result| result.diagnosis.as_ref());
        let verdict = diagnosis.map_or("", |diagnosis| diagnosis.kind.word());
        let also =
            [("look", look), ("holdout", data.is_holdout(&case.id)), ("wrong-label", case.label_wrong.is_some())];
        let is = |wanted: &String| {
            state.starts_with(wanted.as_str()) || also.iter().any(|(word, is)| *is && word.starts_with(wanted.as_str()))
        };
        self.words.iter().all(|word| text.contains(word))
            && self.tags.iter().all(|tag| case.tags.iter().any(|own| own.to_lowercase().starts_with(tag)))
            && self.states.iter().all(is)
            && self.verdicts.iter().all(|wanted| verdict.starts_with(wanted.as_str()))
    }

    /// What to say where no case passes: the words of `state:` if one was typed that is none.
    pub(super) fn none_passes(&self) -> String {
        let unknown = self.states.iter().find(|wanted| !STATES.iter().any(|state| state.starts_with(wanted.as_str())));
        match unknown {
            Some(unknown) => format!("there is no state:{unknown}; there are {}", STATES.join(", ")),
            None => "no case passes the filter: esc shows all".to_owned(),
        }
    }
}

/// The word of `state:` that fits a case.
fn state_word(case: &Case, data: &Data) -> &'static str {
    match data.results.get(&case.id).map(|result| &result.state) {
        _ if !data.problems(&case.id).is_empty() => "broken",
        Some(State::Error(_)) => "error",
        _ if case.labeled() == Labeled::No => "unlabeled",
        Some(_) if data.needs_a_look(&case.id) => "failing",
        Some(State::Scored(_) | State::Unanswerable { .. }) => "right",
        _ if data.is_holdout(&case.id) => "holdout",
        _ => "not-run",
    }
}
