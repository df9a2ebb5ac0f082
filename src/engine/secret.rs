//! Values that settings name and never hold: `${NAME}` inside headers and the values of a URL's query comes from the environment.
//!
//! A secret is expanded only on its way to a server, and cut out of every text that comes back. `$${` stands for a plain `${`.
//!
//! A value that is a plain word of fewer than 8 letters, as `wrong`, stands in sentences that have nothing to do with it: it is cut
//! out wherever it may be a value (see `prose`), and stays as a word of a sentence, which tells nobody that it is the secret.

mod find;
mod form;
mod prose;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use find::Finder;
use form::{Piece, pieces};

/// The shortest value that is taken for a secret, in characters: a shorter one stands in too many texts to be cut out of them.
const SHORTEST: usize = 4;

/// From this length on, in characters, a value is also cut out of the bodies of good answers; a shorter one may well be a word of
/// a document, and is cut out of everything that is said about an answer.
const LONG: usize = 8;

/// What a value in a URL's query may hold as it is; all the rest is percent-encoded.
const IN_QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The values of all `${NAME}` that the settings of one retriever name. Neither shown nor printed by anything.
#[derive(Clone, Default)]
pub struct Secrets {
    values: BTreeMap<String, String>,
    all: Arc<Finder>,
    long: Arc<Finder>,
}

impl Secrets {
    /// Looks up every `${NAME}` of `texts`, each with the settings key that holds it, by `lookup`.
    pub fn collect<'a>(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SecretError> {
        let mut values = BTreeMap::new();
        let mut glued = BTreeSet::new();
        for (place, text) in texts {
            Self::check_braces(place, text)?;
            let mut before = "";
            let mut named: Option<&str> = None;
            for piece in pieces(text) {
                if let (Some(name), Piece::Text(after)) = (named, &piece)
                    && after.starts_with(is_glue)
                {
                    glued.insert(name);
                }
                match piece {
                    Piece::Name(name) => {
                        if before.ends_with(is_glue) || named.is_some() {
                            glued.extend([name].into_iter().chain(named));
                        }
                        (before, named) = ("", Some(name));
                        values.insert(name.to_owned(), value(name, place, lookup)?);
                    }
                    Piece::Malformed(_) => {
                        return Err(SecretError::Malformed { text: text.to_owned(), place: place.to_owned() });
                    }
                    Piece::Text(text) => (before, named) = (text, None),
                }
            }
        }
        let glued = |name: &str| glued.contains(name);
        let long = values.iter().filter(|(_, value)| value.chars().count() >= LONG);
        let long = Arc::new(Finder::new(long.map(|(name, value)| (name.as_str(), value.as_str())), &glued));
        let all = Arc::new(Finder::new(values.iter().map(|(name, value)| (name.as_str(), value.as_str())), &glued));
        Ok(Self { values, all, long })
    }

    /// Refuses a `${NAME}` in a text that is neither a header's value nor a URL: there it would be sent, or shown, as it is.
    pub fn check_place(place: &str, text: &str) -> Result<(), SecretError> {
        let named =
            pieces(text).find_map(|piece| if let Piece::Name(name) = piece { Some(name.to_owned()) } else { None });
        named.map_or(Ok(()), |name| Err(SecretError::Elsewhere { name, place: place.to_owned() }))
    }

    /// Refuses `$NAME` as all of a value, or as one of its words: it would be sent as it is written. A secret that really begins with
    /// `$` can itself come from the environment.
    pub fn check_braces(place: &str, text: &str) -> Result<(), SecretError> {
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, '=' | '&' | '?' | ':' | '/' | '@'));
        let named = words.filter_map(|word| word.strip_prefix('$')).find(|name| {
            let begins = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
            begins && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_') && name.len() > 1
        });
        let unbraced = |name: &str| SecretError::Unbraced { name: name.to_owned(), place: place.to_owned() };
        named.map_or(Ok(()), |name| Err(unbraced(name)))
    }

    /// Refuses a `${NAME}` in a URL anywhere but in the values of its query: host, path and names of a query are shown.
    pub fn check_url(place: &str, url: &str) -> Result<(), SecretError> {
        let (address, rest) = url.split_once('?').unwrap_or((url, ""));
        let (query, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let names = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(name, _)| name));
        names.chain([address, fragment]).try_for_each(|text| Self::check_place(place, text))
    }

    /// `text` with every `${NAME}` replaced by its value: only for what is sent, as the value of a header.
    #[must_use]
    pub fn expand(&self, text: &str) -> String {
        self.expanded(text, str::to_owned)
    }

    /// `url` with every `${NAME}` replaced by its value, percent-encoded: only for what is sent.
    #[must_use]
    pub fn expand_url(&self, url: &str) -> String {
        self.expanded(url, |value| utf8_percent_encode(value, IN_QUERY).to_string())
    }

    fn expanded(&self, text: &str, form: impl Fn(&str) -> String) -> String {
        let expanded = pieces(text).map(|piece| match piece {
            Piece::Text(text) | Piece::Malformed(text) => text.to_owned(),
            Piece::Name(name) => self.values.get(name).map_or_else(|| format!("${{{name}}}"), |value| form(value)),
        });
        expanded.collect()
    }

    /// `text` with every value replaced by its `${NAME}`, in whichever form it stands there (URL-encoded, escaped for JSON or
    /// HTML, as part of base64, in hex, and from 8 characters on in small or capital letters): for all that is shown or kept.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.all.cut_text(text, false)
    }

    /// As [`Secrets::redact`], for a text that was cut off at its end, where the beginning of a value may stand.
    #[must_use]
    pub fn redact_cut(&self, text: &str) -> String {
        self.all.cut_text(text, true)
    }

    /// The body of a good answer without any value of at least 8 characters; ids and texts stay as the server sent them.
    pub(super) fn redact_body(&self, body: Vec<u8>) -> Vec<u8> {
        match self.long.cut(&body, false) {
            std::borrow::Cow::Borrowed(_) => body,
            std::borrow::Cow::Owned(cut) => cut,
        }
    }

    /// The names, never the values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

/// `text` so written that no `${` in it is taken for a secret: for what comes from a case or a corpus into a header or URL.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace("${", "$${")
}

/// What makes one word with a value that it stands beside.
fn is_glue(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

fn value(name: &str, place: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, SecretError> {
    let (name, place) = (name.to_owned(), place.to_owned());
    match lookup(&name).filter(|value| !value.is_empty()) {
        None => Err(SecretError::Unset { name, place }),
        Some(value) if value.chars().any(char::is_control) => Err(SecretError::Control { name, place }),
        Some(value) if value.chars().count() < SHORTEST => Err(SecretError::Short { name, place }),
        Some(value) => Ok(value),
    }
}

/// Only the names: a value is not to be found in any log.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// A `${NAME}` that cannot be used, or is written where no secret may stand. Holds no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The environment has no such variable, or it is empty.
    #[error(
        "${{{name}}} in {place} is not set in the environment: set {name} before you start, as in `export {name}=…`"
    )]
    Unset {
        /// The variable.
        name: String,
        /// Where it is named, as a settings key.
        place: String,
    },
    /// `$NAME`, which stands for nothing.
    #[error(
        "`${name}` in {place} would be sent as it is written: write ${{{name}}} for the variable {name} of the environment"
    )]
    Unbraced {
        /// The variable.
        name: String,
        /// Where it is named, as a settings key.
        place: String,
    },
    /// `${` without an end, or a name that no variable has.
    #[error("`{text}` in {place} is no ${{NAME}}: a name is letters, digits and `_`; write `$${{` for a plain `${{`")]
    Malformed {
        /// What is written.
        text: String,
        /// Where, as a settings key.
        place: String,
    },
    /// It stands where it would be shown or sent as it is.
    #[error(
        "${{{name}}} may not stand in {place}: only the value of a header, or a value in a URL's query, is kept secret"
    )]
    Elsewhere {
        /// The variable.
        name: String,
        /// Where it is named, as a settings key.
        place: String,
    },
    /// The value is so short that cutting it out would cut up other text.
    #[error(
        "the value of ${{{name}}} in {place} is shorter than {SHORTEST} characters and cannot be kept out of what is shown: \
         take a longer secret, or write the value there if it is none"
    )]
    Short {
        /// The variable.
        name: String,
        /// Where it is named, as a settings key.
        place: String,
    },
    /// The value has a line end or another control character, which no header can carry.
    #[error("the value of ${{{name}}} in {place} has a line end or another control character: set {name} without it")]
    Control {
        /// The variable.
        name: String,
        /// Where it is named, as a settings key.
        place: String,
    },
}
