//! Who asks: the person as whom a question is put, and what that person may read.

use std::collections::{BTreeMap, BTreeSet};

use super::chunk::Chunk;

/// The person as whom a question is asked. Never unscoped: without a name it is anonymous and reads only what is for everybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asker {
    /// The name in the settings; `None` is the anonymous asker.
    pub name: Option<String>,
    /// What production calls this asker, where that is not the name.
    pub id: Option<String>,
    /// The groups this asker belongs to; `None` where only production knows them.
    pub groups: Option<BTreeSet<String>>,
}

/// Whether an asker may read a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It is for everybody, or a group is shared.
    May,
    /// It is for groups to which the asker does not belong.
    MayNot,
    /// It is for some groups, and which the asker belongs to is not known.
    Unknown,
}

impl Asker {
    /// Whether this asker may read `chunk`.
    #[must_use]
    pub fn access(&self, chunk: &Chunk) -> Access {
        self.access_to(&chunk.scope)
    }

    /// Whether this asker may read what is for the groups of `scope`; an empty one is for everybody.
    #[must_use]
    pub fn access_to(&self, scope: &[String]) -> Access {
        if scope.is_empty() {
            return Access::May;
        }
        match &self.groups {
            Some(groups) if scope.iter().any(|group| groups.contains(group)) => Access::May,
            Some(_) => Access::MayNot,
            None => Access::Unknown,
        }
    }

    /// True if the asker certainly may not read `chunk`.
    #[must_use]
    pub fn is_forbidden(&self, chunk: &Chunk) -> bool {
        self.access(chunk) == Access::MayNot
    }

    /// The known groups; none where only production knows them.
    pub fn known_groups(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().flatten().map(String::as_str)
    }

    /// What production is told: the id, else the name; `None` for the anonymous asker.
    #[must_use]
    pub fn identity(&self) -> Option<&str> {
        self.id.as_deref().or(self.name.as_deref())
    }

    /// The name for people: the settings' name, or `anonymous`.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or("anonymous")
    }
}

impl Default for Asker {
    /// The anonymous asker, who belongs to no group.
    fn default() -> Self {
        Self { name: None, id: None, groups: Some(BTreeSet::new()) }
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
    /// The askers by name.
    pub named: BTreeMap<String, Asker>,
    /// The name used where a case names none.
    pub default: Option<String>,
}

impl Askers {
    /// The asker of a case: its own, else the default, else anonymous. An unknown name is an error, never a silent default.
    pub fn find(&self, name: Option<&str>) -> Result<Asker, UnknownAsker> {
        let Some(name) = name.or(self.default.as_deref()) else {
            return Ok(Asker::default());
        };
        self.named
            .get(name)
            .cloned()
            .ok_or_else(|| UnknownAsker { name: name.to_owned(), known: self.named.keys().cloned().collect() })
    }
}
