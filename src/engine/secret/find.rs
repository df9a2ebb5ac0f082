//! Finds the values of secrets in a text, in every form in which a server may send them back.

use std::borrow::Cow;

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD},
};

use super::{
    LONG, SHORTEST,
    form::spellings,
    prose::{is_prose, is_word},
};

/// All that must not be shown, the longest first.
#[derive(Default)]
pub(super) struct Finder {
    needles: Vec<Needle>,
}

/// One text that must not be shown.
struct Needle {
    chars: Vec<char>,
    /// What stands in its place, `${NAME}`.
    shown: String,
    /// True for a short plain word, which stands in prose as well: it is cut out only where it stands as a value.
    word: bool,
    /// Where it is a secret in base64: whether the characters beside it hold some bits of it too.
    base64: Option<Beside>,
    /// True if its letters may be small or capital.
    any_case: bool,
}

#[derive(Clone, Copy)]
struct Beside {
    before: bool,
    after: bool,
}

impl Finder {
    /// A finder of these values by name. `glued` tells of which names something else is sent in one piece with the value, so that
    /// nothing tells where it begins or ends.
    pub(super) fn new<'a>(values: impl Iterator<Item = (&'a str, &'a str)>, glued: &dyn Fn(&str) -> bool) -> Self {
        let mut needles = Vec::new();
        for (name, value) in values {
            for value in parts(value) {
                let word = !glued(name) && is_word(&value);
                let shown = format!("${{{name}}}");
                needles.extend(in_base64(value.as_bytes(), &shown));
                let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or_default();
                let hex = value.bytes().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
                needles.push(Needle { chars: hex, shown: shown.clone(), word: false, base64: None, any_case: true });
                let chars: Vec<char> = value.chars().collect();
                // A shorter one may be a word, which begins a sentence with a capital letter.
                let any_case = chars.len() >= LONG;
                needles.push(Needle { chars, shown, word, base64: None, any_case });
            }
        }
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.chars.len()));
        Self { needles }
    }

    /// `text` with all of them replaced. With `open` its end was cut off, and what may be the beginning of one goes too.
    pub(super) fn cut_text(&self, text: &str, open: bool) -> String {
        String::from_utf8_lossy(&self.cut(text.as_bytes(), open)).into_owned()
    }

    /// As [`Finder::cut_text`], for bytes of any encoding that has ASCII in it.
    pub(super) fn cut<'t>(&self, text: &'t [u8], open: bool) -> Cow<'t, [u8]> {
        if self.needles.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut begins = [false; 256];
        for byte in self.needles.iter().flat_map(Needle::first_bytes) {
            begins[usize::from(byte)] = true;
        }
        let mut out: Vec<u8> = Vec::new();
        // What of the text is already in `out`.
        let mut done = 0;
        let mut at = 0;
        while at < text.len() {
            let found = if begins[usize::from(text[at])] { self.at(text, at, open) } else { None };
            let Some((needle, mut length)) = found else {
                at += 1;
                continue;
            };
            out.extend(&text[done..at]);
            if let Some(beside) = needle.base64 {
                if beside.before && out.last().copied().is_some_and(is_base64) && at > done {
                    out.pop();
                }
                let after = text[at + length..].first().copied();
                length += usize::from(beside.after && after.is_some_and(is_base64));
                length += text[at + length..].iter().take(2).take_while(|&&byte| byte == b'=').count();
            }
            out.extend(needle.shown.as_bytes());
            at += length;
            done = at;
        }
        if done == 0 {
            return Cow::Borrowed(text);
        }
        out.extend(&text[done..]);
        Cow::Owned(out)
    }

    /// The longest value that stands at `at`, and how many bytes it takes there.
    fn at(&self, text: &[u8], at: usize, open: bool) -> Option<(&Needle, usize)> {
        let found = self.needles.iter().filter_map(|needle| Some((needle, needle.length(&text[at..], open)?)));
        let mut found = found.filter(|(needle, length)| !(needle.word && is_prose(text, at, *length)));
        let first = found.next()?;
        Some(found.fold(first, |longest, other| if other.1 > longest.1 { other } else { longest }))
    }
}

impl Needle {
    /// With which bytes a spelling of it can begin.
    fn first_bytes(&self) -> impl Iterator<Item = u8> {
        let mut buffer = [0; 4];
        let first = self.chars.first().copied().unwrap_or_default();
        let plain = first.encode_utf8(&mut buffer).as_bytes()[0];
        let other = self.twin(first).and_then(|twin| u8::try_from(twin).ok()).unwrap_or(plain);
        [plain, other, b'%', b'\\', b'&', b'+'].into_iter()
    }

    /// The character that stands for `c` in the other alphabet of base64, or in the other case.
    fn twin(&self, c: char) -> Option<char> {
        match c {
            'a'..='z' if self.any_case => Some(c.to_ascii_uppercase()),
            'A'..='Z' if self.any_case => Some(c.to_ascii_lowercase()),
            '+' if self.base64.is_some() => Some('-'),
            '/' if self.base64.is_some() => Some('_'),
            _ => None,
        }
    }

    /// How many bytes it takes at the beginning of `text`, in whichever spelling; `None` where it does not stand there.
    fn length(&self, text: &[u8], open: bool) -> Option<usize> {
        let mut ends = vec![0];
        for (index, &c) in self.chars.iter().enumerate() {
            let mut next = Vec::new();
            for &end in &ends {
                let rest = &text[end..];
                let mut push = |length: usize| {
                    if !next.contains(&(end + length)) {
                        next.push(end + length);
                    }
                };
                spellings(rest, c, &mut push);
                if let Some(twin) = self.twin(c) {
                    spellings(rest, twin, &mut push);
                }
                if open && index > 0 && next.is_empty() && is_stump(rest) {
                    return Some(text.len());
                }
            }
            if next.is_empty() {
                return None;
            }
            ends = next;
        }
        ends.into_iter().max()
    }
}

/// Whether a text ends here, or within one spelling.
fn is_stump(rest: &[u8]) -> bool {
    rest.is_empty() || (rest.len() < 12 && matches!(rest[0], b'%' | b'\\' | b'&' | 0x80..))
}

/// A value, and what a server that takes it apart may send back: the token after `Bearer`, the password within Basic.
fn parts(value: &str) -> Vec<String> {
    let mut parts = vec![value.to_owned()];
    let schemes = ["bearer", "basic", "token", "apikey", "api-key", "key"];
    let token = value.split_once(' ').filter(|(scheme, _)| schemes.contains(&scheme.to_ascii_lowercase().as_str()));
    let token = token.map_or(value, |(_, token)| token.trim());
    parts.push(token.to_owned());
    let decoded = STANDARD.decode(token).or_else(|_| STANDARD_NO_PAD.decode(token)).ok();
    let decoded = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
    if let Some(pair) = decoded.filter(|pair| !pair.chars().any(char::is_control))
        && let Some((_, password)) = pair.split_once(':')
    {
        parts.push(password.to_owned());
        parts.push(pair);
    }
    parts.retain(|part| part.chars().count() >= SHORTEST);
    parts.sort();
    parts.dedup();
    parts
}

/// What of `value` is the same in the base64 of any text that holds it, for each place that it can have in a group of three bytes.
fn in_base64(value: &[u8], shown: &str) -> Vec<Needle> {
    let needle = |before: usize| {
        let padded = [&[0; 2][..before], value].concat();
        let text = STANDARD_NO_PAD.encode(&padded);
        let whole = padded.len() * 8 / 6;
        let chars: Vec<char> = text.chars().take(whole).skip((before * 8).div_ceil(6)).collect();
        let beside = Beside { before: before > 0, after: padded.len() % 3 != 0 };
        Needle { chars, shown: shown.to_owned(), word: false, base64: Some(beside), any_case: false }
    };
    (0..3).map(needle).filter(|needle| needle.chars.len() >= SHORTEST).collect()
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}
