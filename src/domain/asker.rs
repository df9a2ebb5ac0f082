//! Who asks: the person as whom a question is put, and what that person may read.

use std::collections::{BTreeMap, BTreeSet};

use super::chunk::Chunk;

/// The person as whom a question is asked. Never unscoped: without a name it is anonymous and reads only what is for everybody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asker {
    /// The name in the settings; `None` is the anonymous asker.
    pub name: Option<String>,
    /// The groups this asker belongs to.
    pub groups: BTreeSet<String>,
}

impl Asker {
    /// True if `chunk` is for everybody or shares a group with this asker.
    #[must_use]
    pub fn may_read(&self, chunk: &Chunk) -> bool {
        chunk.scope.is_empty() || chunk.scope.iter().any(|group| self.groups.contains(group))
    }

    /// The name for people: the settings' name, or `anonymous`.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or("anonymous")
    }
}

/// A case or the settings name an asker that the settings do not define.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown asker `{name}`: the settings define {}", list(.known))]
pub struct UnknownAsker {
    /// The name that was asked for.
    pub name: String,
    /// The names that exist.
    pub known: Vec<String>,
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The askers of the settings, and who asks when a case names nobody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Askers {
    /// Groups by asker name.
    pub groups: BTreeMap<String, BTreeSet<String>>,
    /// The name used where a case names none.
    pub default: Option<String>,
}

impl Askers {
    /// The asker of a case: its own, else the default, else anonymous. An unknown name is an error, never a silent default.
    pub fn find(&self, name: Option<&str>) -> Result<Asker, UnknownAsker> {
        let Some(name) = name.or(self.default.as_deref()) else {
            return Ok(Asker::default());
        };
        match self.groups.get(name) {
            Some(groups) => Ok(Asker { name: Some(name.to_owned()), groups: groups.clone() }),
            None => Err(UnknownAsker { name: name.to_owned(), known: self.groups.keys().cloned().collect() }),
        }
    }
}
