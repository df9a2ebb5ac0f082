//! Values that settings name and never hold: `${NAME}` inside headers and the values of a URL's query comes from the environment.
//!
//! A secret is expanded only on its way to a server, and cut out of every text that comes back.

use std::collections::BTreeMap;

/// The values of all `${NAME}` that the settings of one retriever name.
#[derive(Clone, Default)]
pub struct Secrets {
    values: BTreeMap<String, String>,
}

impl Secrets {
    /// Looks up every `${NAME}` of `texts`, each with the settings key that holds it, by `lookup`.
    pub fn collect<'a>(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SecretError> {
        let mut values = BTreeMap::new();
        for (place, text) in texts {
            for part in text.split("${").skip(1) {
                let Some((name, _)) = part.split_once('}') else {
                    return Err(SecretError::Malformed { text: text.to_owned(), place: place.to_owned() });
                };
                let unset = || SecretError::Unset { name: name.to_owned(), place: place.to_owned() };
                values.insert(name.to_owned(), lookup(name).filter(|value| !value.is_empty()).ok_or_else(unset)?);
            }
        }
        Ok(Self { values })
    }

    /// `text` with every `${NAME}` replaced by its value: only for what is sent.
    #[must_use]
    pub fn expand(&self, text: &str) -> String {
        self.values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("${{{name}}}"), value))
    }

    /// `text` with every value replaced by its `${NAME}`: for all that is shown or kept.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(value, &format!("${{{name}}}")))
    }

    /// The names, never the values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

/// A `${NAME}` that is not set, or is written where no secret may stand.
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
    /// `${` without an end, or a name that no variable has.
    #[error("`{text}` in {place} is no ${{NAME}}: a name is letters, digits and `_`; write `$${{` for a plain `${{`")]
    Malformed {
        /// What is written.
        text: String,
        /// Where, as a settings key.
        place: String,
    },
}
