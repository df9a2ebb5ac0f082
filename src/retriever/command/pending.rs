//! Which question a line of a program's output answers: the one whose number it carries, else the only one or the oldest.

use std::collections::{BTreeSet, VecDeque};

use serde_json::Value;

use crate::engine::exact;

/// The questions that one process holds, oldest first.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// True if the program is given several questions at once, and so may answer them in any order.
    several: bool,
    /// How many were asked so far: the number of the last one.
    asked: u64,
    /// What has no answer yet, in the order of asking; a question that was given up stays, for its answer may still come.
    open: VecDeque<u64>,
    /// Of these, the ones that nobody waits for any more.
    given_up: BTreeSet<u64>,
    /// A line that could not be read, after which answers without a number may be of any question.
    broken: Option<String>,
}

/// What a line means.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    /// The answer to this question.
    Answer(u64, Value),
    /// This question is answered by something that is no answer: why.
    Broken(u64, String),
    /// Nobody waits for it.
    Late,
    /// Nothing that the program answers can be told apart any more: why.
    Lost(String),
    /// It may answer any of the open questions, and so none of them has an answer: why.
    Unnumbered(String),
}

impl Pending {
    /// Nothing asked yet of a program that is given `concurrency` questions at once.
    pub(super) fn new(concurrency: usize) -> Self {
        Self { several: concurrency > 1, ..Self::default() }
    }

    /// The number of the next question.
    pub(super) fn ask(&mut self) -> u64 {
        self.asked += 1;
        self.open.push_back(self.asked);
        self.asked
    }

    /// Nobody waits for this question any more.
    pub(super) fn give_up(&mut self, number: u64) {
        if self.open.contains(&number) {
            self.given_up.insert(number);
        }
    }

    /// What a line that is not blank means.
    pub(super) fn line(&mut self, line: &[u8]) -> Line {
        // Some programs of Windows begin their output with it.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let value: Value = match serde_json::from_slice(&exact::long_numbers_as_text(line)) {
            Ok(Value::Object(object)) => Value::Object(object),
            Ok(_) => return self.broken(line, "no object"),
            Err(_) => return self.broken(line, "no JSON"),
        };
        let number = match value.get("n") {
            None | Some(Value::Null) => match (&self.broken, self.open.front()) {
                (Some(broken), _) => {
                    let why = "and its answers carry no `n`, so none of them can be told from another";
                    return Line::Lost(format!("{broken}, {why}"));
                }
                (None, Some(_)) if self.several && self.open.len() > 1 => {
                    let open = self.open.len();
                    return Line::Unnumbered(format!(
                        "answered without `n` while {open} questions were open, so nobody knows which one it answered: \
                         with `concurrency` above 1 each answer has to repeat the `n` of its question"
                    ));
                }
                (None, Some(oldest)) => *oldest,
                (None, None) => return Line::Late,
            },
            Some(number) => match number.as_u64().filter(|number| (1..=self.asked).contains(number)) {
                Some(number) if self.open.contains(&number) => number,
                // A second answer to the same question: the first one counts.
                Some(_) => return Line::Late,
                None => return self.broken(line, "of an `n` that no question had"),
            },
        };
        self.open.retain(|open| *open != number);
        if self.given_up.remove(&number) { Line::Late } else { Line::Answer(number, value) }
    }

    /// What a line means that is too long to be read.
    pub(super) fn too_long(&mut self, beginning: &[u8], most: usize) -> Line {
        self.broken(beginning, &format!("more than {} MiB long", most >> 20))
    }

    /// The oldest question that somebody waits for has this line for an answer.
    fn broken(&mut self, line: &[u8], what: &str) -> Line {
        let text = String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN)]).into_owned();
        let beginning: String = text.chars().take(SHOWN).collect();
        let cut = if beginning.len() < text.len() || line.len() > 4 * SHOWN { "…" } else { "" };
        let reason = format!("printed a line that is {what}: `{beginning}{cut}`");
        self.broken.get_or_insert_with(|| reason.clone());
        let hint =
            "its standard output is for answers, one JSON object a line; anything else belongs on standard error";
        let waited = self.open.iter().position(|number| !self.given_up.contains(number));
        match waited.and_then(|at| self.open.remove(at)) {
            Some(number) => Line::Broken(number, format!("it {reason}; {hint}")),
            None => Line::Late,
        }
    }
}

/// How many characters of a line are shown.
const SHOWN: usize = 80;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(questions: usize) -> Pending {
        let mut pending = Pending::default();
        for number in 1..=questions {
            assert_eq!(pending.ask(), number as u64);
        }
        pending
    }

    #[test]
    fn an_answer_without_a_number_is_nobodys_where_several_questions_are_put_at_once() {
        let mut pending = Pending::new(2);
        assert_eq!((pending.ask(), pending.ask()), (1, 2));
        let Line::Unnumbered(why) = pending.line(br#"{"a": 1}"#) else { panic!("it may answer either") };
        assert!(why.contains("2 questions were open") && why.contains("`concurrency` above 1"), "{why}");
        assert!(matches!(pending.line(br#"{"n": 2}"#), Line::Answer(2, _)));
        assert!(matches!(pending.line(b"{}"), Line::Answer(1, _)), "one open question leaves no choice");
        pending.ask();
        pending.give_up(3);
        pending.ask();
        assert!(
            matches!(pending.line(b"{}"), Line::Unnumbered(_)),
            "the answer to one that was given up may still come"
        );
    }

    #[test]
    fn answers_with_a_number_come_in_any_order_and_those_without_in_the_order_of_asking() {
        let mut pending = asked(4);
        assert_eq!(pending.line(br#"{"n": 3, "a": 1}"#), Line::Answer(3, json!({"n": 3, "a": 1})));
        assert_eq!(pending.line(br#"{"a": 2}"#), Line::Answer(1, json!({"a": 2})));
        assert_eq!(pending.line(br#"{"a": 3}"#), Line::Answer(2, json!({"a": 3})));
        assert_eq!(pending.line(br#"{"a": 4}"#), Line::Answer(4, json!({"a": 4})));
        assert_eq!(pending.line(br#"{"a": 5}"#), Line::Late);
    }

    #[test]
    fn a_byte_order_mark_before_an_answer_is_none_of_it() {
        assert_eq!(asked(1).line("\u{feff}{\"n\": 1}".as_bytes()), Line::Answer(1, json!({"n": 1})));
    }

    #[test]
    fn an_id_that_no_number_holds_is_exact() {
        let line = br#"{"n": 1, "results": [{"id": 123456789012345678901234567890}]}"#;
        let Line::Answer(1, value) = asked(1).line(line) else { panic!("it is an answer") };
        assert_eq!(value["results"][0]["id"], json!("123456789012345678901234567890"));
    }

    #[test]
    fn a_late_answer_goes_to_nobody_else() {
        let mut pending = asked(2);
        pending.give_up(1);
        assert_eq!(pending.line(br#"{"late": true}"#), Line::Late);
        assert_eq!(pending.line(br#"{"n": 1}"#), Line::Late);
        assert!(matches!(pending.line(b"{}"), Line::Answer(2, _)));
    }

    #[test]
    fn the_first_of_two_answers_to_one_question_counts() {
        let mut pending = asked(2);
        assert!(matches!(pending.line(br#"{"n": 1}"#), Line::Answer(1, _)));
        assert_eq!(pending.line(br#"{"n": 1}"#), Line::Late);
        assert!(matches!(pending.line(br#"{"n": 2}"#), Line::Answer(2, _)));
    }

    #[test]
    fn a_line_that_is_no_answer_is_the_oldest_questions_error_with_its_beginning() {
        for (line, expected) in [
            ("Loading model…", "it printed a line that is no JSON: `Loading model…`; its standard output is for"),
            ("[1]", "it printed a line that is no object: `[1]`; "),
            (r#"{"n": 7}"#, "it printed a line that is of an `n` that no question had: `{\"n\": 7}`; "),
            (r#"{"n": "1"}"#, "it printed a line that is of an `n` that no question had: `{\"n\": \"1\"}`; "),
            (r#"{"score": NaN}"#, "it printed a line that is no JSON: `{\"score\": NaN}`; "),
        ] {
            let mut pending = asked(2);
            pending.give_up(1);
            let Line::Broken(2, reason) = pending.line(line.as_bytes()) else { panic!("{line}") };
            assert!(reason.starts_with(expected), "{reason}");
        }
        let Line::Broken(1, reason) = asked(1).line("ü".repeat(5000).as_bytes()) else { panic!() };
        assert!(reason.contains(&format!("`{}…`", "ü".repeat(80))), "{reason}");
        assert_eq!(Pending::default().line(b"hello"), Line::Late);
    }

    #[test]
    fn after_such_a_line_an_answer_without_a_number_belongs_to_nobody() {
        let mut pending = asked(3);
        pending.line(b"Loading");
        assert!(matches!(pending.line(br#"{"n": 2}"#), Line::Answer(2, _)), "a number still tells");
        let Line::Lost(why) = pending.line(b"{}") else { panic!() };
        assert!(why.contains("`Loading`, and its answers carry no `n`"), "{why}");
    }
}
