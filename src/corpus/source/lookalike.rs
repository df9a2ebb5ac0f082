//! Fields that are kept as they are but look like one that is read: most likely a slip of the hand.

use crate::corpus::{Note, Severity};

/// Which of `known` the field `name` is a slip for, if any: another case, a plural, or one letter beside.
pub(super) fn known_like(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let plain: String = name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let single = plain.strip_suffix('s').unwrap_or(&plain);
    let is_like = |known: &str| {
        // A name of two letters is one letter beside very many.
        let allowed = usize::from(known.len() > 3);
        [&*plain, single].iter().any(|name| strsim::damerau_levenshtein(name, known) <= allowed)
    };
    known.iter().copied().find(|known| is_like(known))
}

/// The note on a field `name` in that line which looks like `known`. `times` says how often it is there.
pub(super) fn note(name: &str, known: &str, what_is_so: &str, line: u64, times: u64) -> Note {
    let times = match times {
        0 | 1 => String::new(),
        2 => ", here and in one more line".to_owned(),
        times => format!(", here and in {} more lines", times - 1),
    };
    let what = format!(
        "the field `{name}` is only kept to be shown{times}; if it should be `{known}`, write it so: as it is, {what_is_so}"
    );
    Note { severity: Severity::Info, line: Some(line), what }
}
