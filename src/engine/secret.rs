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
