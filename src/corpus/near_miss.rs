//! Fields that look like a known one and are none: a misspelt `scope` would open a page to everybody without a word.

use super::{Note, Severity};
use crate::domain::text::fold;

/// From this likeness on a name is taken for a misspelt one.
const ALIKE: f64 = 0.8;

/// The fields that a page's metadata may have.
pub(super) const OF_PAGES: &[&str] = &["title", "scope"];
/// The fields that a line of chunks may have.
pub(super) const OF_LINES: &[&str] = &["id", "document", "heading", "text", "scope"];

/// Collects fields that look like a known one, each once.
pub(super) struct NearMisses {
    known: &'static [&'static str],
    found: Vec<Note>,
    seen: Vec<String>,
}

impl NearMisses {
    pub(super) fn new(known: &'static [&'static str]) -> Self {
        Self { known, found: Vec::new(), seen: Vec::new() }
    }

    /// Looks through the other fields of a chunk, which stand on `line`.
    pub(super) fn look(&mut self, fields: &[(String, String)], line: u64) {
        for (name, _) in fields {
            let folded = fold(name);
            let meant = self
                .known
                .iter()
                .find(|known| folded == **known || strsim::normalized_damerau_levenshtein(&folded, known) >= ALIKE);
            let Some(meant) = meant.filter(|_| !self.seen.contains(name)) else { continue };
            let loss = if *meant == "scope" { ", and what has it is for everybody" } else { "" };
            let what =
                format!("the field `{name}` is not known, so that it is only shown{loss}; did you mean `{meant}`?");
            self.found.push(Note { severity: Severity::Info, line: Some(line), what });
            self.seen.push(name.clone());
        }
    }

    pub(super) fn notes(self) -> Vec<Note> {
        self.found
    }
}

/// A note on a page whose first line opens a block of metadata that nothing closes: what stands in it, a scope too, is text.
pub(super) fn unclosed(text: &str) -> Option<Note> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim_end);
    let opened = lines.next() == Some("---") && lines.next().is_some_and(|line| line.contains(':'));
    let closed = text.lines().skip(1).any(|line| matches!(line.trim_end(), "---" | "..."));
    let what = "the metadata that opens on the first line is not closed by a line `---`, so that it is read as text; a \
                scope in it does not hold";
    (opened && !closed).then(|| Note { severity: Severity::Info, line: Some(1), what: what.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(known: &'static [&'static str], name: &str) -> Option<String> {
        let mut misses = NearMisses::new(known);
        misses.look(&[(name.to_owned(), "hr".to_owned())], 2);
        misses.look(&[(name.to_owned(), "hr".to_owned())], 9);
        let notes = misses.notes();
        assert!(notes.len() <= 1, "each once");
        notes.first().map(|note| note.what.clone())
    }

    #[test]
    fn a_field_that_looks_like_a_known_one_is_told() {
        for name in ["scopes", "Scope", "SCOPE", "socpe"] {
            let what = said(OF_PAGES, name).unwrap_or_else(|| panic!("{name} passes"));
            assert!(what.contains(&format!("`{name}`")) && what.contains("for everybody"), "{what}");
        }
        for name in ["owner", "type", "version", "tags", "effective"] {
            assert_eq!(said(OF_PAGES, name), None);
        }
        for (name, meant) in [("headings", "heading"), ("docment", "document"), ("texts", "text")] {
            assert!(said(OF_LINES, name).is_some_and(|what| what.ends_with(&format!("did you mean `{meant}`?"))));
        }
        for name in ["url", "tokens", "index", "title"] {
            assert_eq!(said(OF_LINES, name), None);
        }
    }

    #[test]
    fn metadata_that_is_never_closed_is_told_and_a_rule_is_not() {
        for (text, told) in [
            ("---\nscope: [hr]\n# A\n", true),
            ("\u{feff}---\nscope: [hr]\n", true),
            ("---\nscope: [hr]\n---\n# A\n", false),
            ("---\n\n# A rule above\n", false),
            ("# A\n---\nscope: x\n", false),
            ("", false),
        ] {
            assert_eq!(unclosed(text).is_some(), told, "{text:?}");
        }
    }
}
