//! One pass over a text that calls back for each of its words.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::LONGEST;

/// What a word is to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::corpus) enum Kind {
    /// A word that stands alone.
    Plain,
    /// Parts joined by a hyphen, underscore, full stop or apostrophe. Its parts follow.
    Compound,
    /// A part of the compound before it, or of the mixture of letters and digits before it.
    Part,
    /// One character of a script without blanks.
    Single,
    /// Two characters next to each other of a script without blanks.
    Pair,
}

/// A word as it is met.
#[derive(Debug)]
pub(in crate::corpus) struct Token<'a> {
    /// The word as it is compared, at most [`LONGEST`] bytes.
    pub(in crate::corpus) text: &'a str,
    /// Where it stands in the text, in bytes.
    pub(in crate::corpus) range: Range<usize>,
    /// What it is.
    pub(in crate::corpus) kind: Kind,
}

/// Calls `found` for each word of `text`, in order.
pub(in crate::corpus) fn for_each(text: &str, mut found: impl FnMut(Token<'_>)) {
    let mut run = Run::default();
    let mut at = 0;
    while let Some(cluster) = next_cluster(text, at) {
        let range = at..at + cluster.len();
        at = range.end;
        match class(cluster) {
            class @ (Class::Word | Class::Dense) => {
                if run.dense != (class == Class::Dense) {
                    run.flush(&mut found);
                    run.dense = class == Class::Dense;
                }
                run.push(cluster, range);
            }
            Class::Joiner if !run.dense && run.ends_in_word() => run.join(cluster, range),
            Class::Invisible => {}
            Class::Joiner | Class::Other => run.flush(&mut found),
        }
    }
    run.flush(&mut found);
}

/// The next character with what is attached to it. Plain ASCII, the common case, needs no look at the tables.
fn next_cluster(text: &str, at: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let first = *bytes.get(at)?;
    if first.is_ascii() && bytes.get(at + 1).is_none_or(u8::is_ascii) {
        return Some(&text[at..=at]);
    }
    text[at..].graphemes(true).next()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Dense,
    Joiner,
    Invisible,
    Other,
}

fn class(cluster: &str) -> Class {
    let Some(first) = cluster.chars().next() else { return Class::Other };
    match first {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Word,
        '-' | '_' | '.' | '\'' | '’' | '\u{2010}' | '\u{2011}' => Class::Joiner,
        // A soft hyphen, a word joiner or a byte order mark inside a word is not seen by who reads it.
        '\u{ad}' | '\u{2060}' | '\u{feff}' => Class::Invisible,
        _ if first.is_ascii() => Class::Other,
        _ if is_dense(first) => Class::Dense,
        _ if first.is_alphanumeric() => Class::Word,
        _ => Class::Other,
    }
}

/// True for letters of scripts that are written without blanks between words, and for Korean, where blanks are often left out.
fn is_dense(letter: char) -> bool {
    matches!(u32::from(letter),
        0x0E00..=0x0E7F        // Thai
        | 0x0E80..=0x0EFF      // Lao
        | 0x0F40..=0x0FBC      // Tibetan
        | 0x1000..=0x109F      // Myanmar
        | 0x1100..=0x11FF      // Hangul jamo
        | 0x1780..=0x17D3      // Khmer
        | 0x3005..=0x3007      // ideographic iteration mark and zero
        | 0x3041..=0x30FF      // kana
        | 0x3105..=0x318E      // bopomofo, Hangul compatibility jamo
        | 0x31A0..=0x31BF
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF      // ideographs
        | 0x4E00..=0x9FFF
        | 0xA960..=0xA97F
        | 0xAA60..=0xAA7F
        | 0xAC00..=0xD7FF      // Hangul syllables
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFFDC      // half-width kana and jamo
        | 0x20000..=0x3FFFF
    ) && letter != '\u{30FB}'
        && letter != '\u{0E3F}'
        && letter != '\u{0E5A}'
        && letter != '\u{0E5B}'
}

/// A stretch of text without a gap: an identifier with its joiners, or characters of a dense script.
#[derive(Default)]
struct Run {
    /// What was read, folded.
    folded: String,
    /// For each folded character, where it begins in `folded` and the cluster that it comes from.
    chars: Vec<(usize, Range<usize>)>,
    /// Parts of an identifier, as ranges of indices into `chars`. The last one is still growing.
    parts: Vec<Range<usize>>,
    /// Where in `chars` the letters changed to digits or back, within the parts.
    turns: Vec<usize>,
    /// A joiner that waits for the part after it.
    joiner: Option<(char, Range<usize>)>,
    /// True for a script without blanks.
    dense: bool,
}

impl Run {
    fn ends_in_word(&self) -> bool {
        !self.parts.is_empty() && self.joiner.is_none()
    }

    fn join(&mut self, cluster: &str, range: Range<usize>) {
        let joiner = match cluster.chars().next() {
            Some('\u{2010}' | '\u{2011}') | None => '-',
            Some('’') => '\'',
            Some(joiner) => joiner,
        };
        self.joiner = Some((joiner, range));
    }

    fn push(&mut self, cluster: &str, range: Range<usize>) {
        if let Some((joiner, place)) = self.joiner.take() {
            self.chars.push((self.folded.len(), place));
            self.folded.push(joiner);
            self.parts.push(self.chars.len()..self.chars.len());
        } else if self.parts.is_empty() {
            self.parts.push(0..0);
        }
        let from = self.folded.len();
        fold_into(&mut self.folded, cluster);
        for (offset, letter) in self.folded[from..].char_indices() {
            let index = self.chars.len();
            let was_digit = self.last_is_digit(from + offset);
            if let Some(part) = self.parts.last_mut() {
                if part.end > part.start && is_digit(letter) != was_digit {
                    self.turns.push(index);
                }
                part.end = index + 1;
            }
            self.chars.push((from + offset, range.clone()));
        }
    }

    fn last_is_digit(&self, before: usize) -> bool {
        self.folded[..before].chars().next_back().is_some_and(is_digit)
    }

    fn flush(&mut self, found: &mut impl FnMut(Token<'_>)) {
        if self.dense {
            self.emit_dense(found);
        } else if self.parts.len() > 1 {
            self.emit(0..self.chars.len(), Kind::Compound, found);
            for part in &self.parts {
                self.emit_part(part, Kind::Part, found);
            }
        } else if let Some(part) = self.parts.first() {
            self.emit_part(part, Kind::Plain, found);
        }
        self.folded.clear();
        self.chars.clear();
        self.parts.clear();
        self.turns.clear();
        self.joiner = None;
        self.dense = false;
    }

    fn emit_dense(&self, found: &mut impl FnMut(Token<'_>)) {
        for index in 0..self.chars.len() {
            self.emit(index..index + 1, Kind::Single, found);
            if index + 1 < self.chars.len() {
                self.emit(index..index + 2, Kind::Pair, found);
            }
        }
    }

    /// A part, and the pieces of a mixture of letters and digits in it. A hash has too many turns for its pieces to mean anything.
    fn emit_part(&self, part: &Range<usize>, kind: Kind, found: &mut impl FnMut(Token<'_>)) {
        self.emit(part.clone(), kind, found);
        let turns: Vec<usize> = self.turns.iter().copied().filter(|turn| part.contains(turn)).collect();
        if turns.is_empty() || turns.len() > 2 {
            return;
        }
        let mut from = part.start;
        for to in turns.into_iter().chain([part.end]) {
            if to - from > 1 {
                self.emit(from..to, Kind::Part, found);
            }
            from = to;
        }
    }

    fn emit(&self, chars: Range<usize>, kind: Kind, found: &mut impl FnMut(Token<'_>)) {
        let (Some((from, first)), Some((_, last))) = (self.chars.get(chars.start), self.chars.get(chars.end - 1))
        else {
            return;
        };
        let to = self.chars.get(chars.end).map_or(self.folded.len(), |(to, _)| *to);
        let text = &self.folded[*from..to];
        let text = &text[..text.floor_char_boundary(LONGEST)];
        found(Token { text, range: first.start..last.end, kind });
    }
}

fn is_digit(letter: char) -> bool {
    letter.is_numeric()
}

fn fold_into(folded: &mut String, cluster: &str) {
    if let [byte] = cluster.as_bytes() {
        folded.push(char::from(byte.to_ascii_lowercase()));
        return;
    }
    let lower = cluster
        .nfc()
        .flat_map(char::to_lowercase)
        .filter(|letter| !matches!(letter, '\u{ad}' | '\u{200c}' | '\u{200d}'));
    // The final sigma is the same letter as the one inside a word.
    folded.extend(lower.nfc().map(|letter| if letter == 'ς' { 'σ' } else { letter }));
}
