//! What a person can change in a case, and what that does to it.

use crate::domain::case::{Case, Reference, Requirement, Target};

/// One change to one case, small enough to be undone as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Adds a supporting reference as a requirement of its own, at the end.
    AddSupporting(Target),
    /// Adds an alternative to a requirement; an entry that stood alone becomes an `any_of` group.
    AddAlternative {
        /// Index in [`Case::supporting`].
        requirement: usize,
        /// The new alternative.
        target: Target,
    },
    /// Removes a supporting reference; with its last alternative the requirement goes, a group left with one stays a group.
    RemoveSupporting {
        /// Index in [`Case::supporting`].
        requirement: usize,
        /// Index in [`Requirement::any_of`].
        alternative: usize,
    },
    /// Points a supporting reference elsewhere (relink).
    ReplaceSupporting {
        /// Index in [`Case::supporting`].
        requirement: usize,
        /// Index in [`Requirement::any_of`].
        alternative: usize,
        /// What it names from now on.
        target: Target,
    },
    /// Points a distractor elsewhere (relink).
    ReplaceDistractor {
        /// Index in [`Case::distractors`].
        index: usize,
        /// What it names from now on.
        target: Target,
    },
    /// Adds a distractor at the end.
    AddDistractor(Target),
    /// Removes the distractor of that index.
    RemoveDistractor(usize),
    /// Adds a tag at the end.
    AddTag(String),
    /// Removes a tag.
    RemoveTag(String),
    /// Says whether anything in the corpus answers.
    SetAnswerable(bool),
    /// Names the asker, or nobody.
    SetAsker(Option<String>),
    /// Rewords the question.
    SetQuestion(String),
    /// Says why the labels are wrong, or that they are not.
    SetLabelWrong(Option<String>),
    /// Replaces the notes.
    SetNotes(Option<String>),
}

/// Why an edit makes no sense for a case. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditRefused {
    /// It would change nothing.
    #[error("case `{case}` already is that way: {what}")]
    NoChange {
        /// The case's id.
        case: String,
        /// The edit, described.
        what: String,
    },
    /// It names an entry that the case does not have.
    #[error("case `{case}` has no {entry}")]
    NoSuchEntry {
        /// The case's id.
        case: String,
        /// The missing entry, such as ``tag `x` ``.
        entry: String,
    },
    /// A text that must not be empty is.
    #[error("{what} cannot be empty")]
    Empty {
        /// Which text.
        what: &'static str,
    },
    /// Supporting references and `answerable: false` exclude each other.
    #[error("case `{case}` {state}; {remedy}")]
    Contradiction {
        /// The case's id.
        case: String,
        /// What stands in the way.
        state: &'static str,
        /// What to do first.
        remedy: &'static str,
    },
}

impl Edit {
    /// Applies the edit to a case in memory. Refused if it would change nothing or make no sense; the case is then untouched.
    pub fn apply(&self, case: &mut Case) -> Result<(), EditRefused> {
        match self {
            Self::AddSupporting(target) => {
                must_be_answerable(case)?;
                check_target(target)?;
                if case.supporting.iter().any(|r| !r.group && r.any_of.iter().any(|r| r.target == *target)) {
                    return Err(self.no_change(case));
                }
                case.supporting.push(Reference::from(target.clone()).into());
            }
            Self::AddAlternative { requirement, target } => {
                check_target(target)?;
                let refused = self.no_change(case);
                let entry = requirement_mut(case, *requirement)?;
                if entry.any_of.iter().any(|r| r.target == *target) {
                    return Err(refused);
                }
                entry.group = true;
                entry.any_of.push(target.clone().into());
            }
            Self::RemoveSupporting { requirement, alternative } => {
                reference_mut(case, *requirement, *alternative)?;
                let any_of = &mut case.supporting[*requirement].any_of;
                any_of.remove(*alternative);
                if any_of.is_empty() {
                    case.supporting.remove(*requirement);
                }
            }
            Self::ReplaceSupporting { requirement, alternative, target } => {
                check_target(target)?;
                let refused = self.no_change(case);
                replace(reference_mut(case, *requirement, *alternative)?, target, refused)?;
            }
            Self::ReplaceDistractor { index, target } => {
                check_target(target)?;
                let refused = self.no_change(case);
                let missing = no_entry(case, format!("distractor {}", index + 1));
                replace(case.distractors.get_mut(*index).ok_or(missing)?, target, refused)?;
            }
            Self::AddDistractor(target) => {
                check_target(target)?;
                if case.distractors.iter().any(|r| r.target == *target) {
                    return Err(self.no_change(case));
                }
                case.distractors.push(target.clone().into());
            }
            Self::RemoveDistractor(index) => {
                if *index >= case.distractors.len() {
                    return Err(no_entry(case, format!("distractor {}", index + 1)));
                }
                case.distractors.remove(*index);
            }
            Self::AddTag(tag) => {
                check_text("a tag", tag)?;
                if case.tags.contains(tag) {
                    return Err(self.no_change(case));
                }
                case.tags.push(tag.clone());
            }
            Self::RemoveTag(tag) => {
                let at = case.tags.iter().position(|t| t == tag);
                let at = at.ok_or_else(|| no_entry(case, format!("tag `{tag}`")))?;
                case.tags.remove(at);
            }
            Self::SetAnswerable(answerable) => {
                if case.answerable == *answerable {
                    return Err(self.no_change(case));
                }
                if !answerable && !case.supporting.is_empty() {
                    return Err(EditRefused::Contradiction {
                        case: case.id.clone(),
                        state: "has supporting references",
                        remedy: "remove them before saying that nothing answers",
                    });
                }
                case.answerable = *answerable;
            }
            Self::SetAsker(asker) => {
                asker.as_deref().map_or(Ok(()), |asker| check_text("an asker's name", asker))?;
                set(&mut case.asker, asker.clone(), || self.no_change_of(&case.id))?;
            }
            Self::SetQuestion(question) => {
                check_text("a question", question)?;
                set(&mut case.question, question.clone(), || self.no_change_of(&case.id))?;
            }
            Self::SetLabelWrong(reason) => {
                reason.as_deref().map_or(Ok(()), |reason| check_text("the reason why a label is wrong", reason))?;
                set(&mut case.label_wrong, reason.clone(), || self.no_change_of(&case.id))?;
            }
            Self::SetNotes(notes) => set(&mut case.notes, notes.clone(), || self.no_change_of(&case.id))?,
        }
        Ok(())
    }

    /// The edit in a few words, for a status line: ``add tag `negation` ``.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::AddSupporting(target) => format!("add supporting {target}"),
            Self::AddAlternative { requirement, target } => {
                format!("add alternative {target} to requirement {}", requirement + 1)
            }
            Self::RemoveSupporting { requirement, alternative: 0 } => format!("remove supporting {}", requirement + 1),
            Self::RemoveSupporting { requirement, alternative } => {
                format!("remove alternative {} of requirement {}", alternative + 1, requirement + 1)
            }
            Self::ReplaceSupporting { requirement, target, .. } => {
                format!("relink supporting {} to {target}", requirement + 1)
            }
            Self::ReplaceDistractor { index, target } => format!("relink distractor {} to {target}", index + 1),
            Self::AddDistractor(target) => format!("add distractor {target}"),
            Self::RemoveDistractor(index) => format!("remove distractor {}", index + 1),
            Self::AddTag(tag) => format!("add tag `{tag}`"),
            Self::RemoveTag(tag) => format!("remove tag `{tag}`"),
            Self::SetAnswerable(true) => "mark answerable".to_owned(),
            Self::SetAnswerable(false) => "mark unanswerable".to_owned(),
            Self::SetAsker(Some(asker)) => format!("set asker {asker}"),
            Self::SetAsker(None) => "remove asker".to_owned(),
            Self::SetQuestion(_) => "reword the question".to_owned(),
            Self::SetLabelWrong(Some(_)) => "mark the label wrong".to_owned(),
            Self::SetLabelWrong(None) => "no longer mark the label wrong".to_owned(),
            Self::SetNotes(Some(_)) => "change notes".to_owned(),
            Self::SetNotes(None) => "remove notes".to_owned(),
        }
    }

    fn no_change(&self, case: &Case) -> EditRefused {
        self.no_change_of(&case.id)
    }

    fn no_change_of(&self, case: &str) -> EditRefused {
        EditRefused::NoChange { case: case.to_owned(), what: self.describe() }
    }
}

fn must_be_answerable(case: &Case) -> Result<(), EditRefused> {
    if case.answerable {
        return Ok(());
    }
    Err(EditRefused::Contradiction {
        case: case.id.clone(),
        state: "is marked unanswerable",
        remedy: "mark it answerable before adding a supporting reference",
    })
}

fn set<T: PartialEq>(field: &mut T, value: T, refused: impl Fn() -> EditRefused) -> Result<(), EditRefused> {
    if *field == value {
        return Err(refused());
    }
    *field = value;
    Ok(())
}

fn replace(reference: &mut Reference, target: &Target, refused: EditRefused) -> Result<(), EditRefused> {
    if reference.target == *target {
        return Err(refused);
    }
    reference.target = target.clone();
    Ok(())
}

fn no_entry(case: &Case, entry: String) -> EditRefused {
    EditRefused::NoSuchEntry { case: case.id.clone(), entry }
}

fn requirement_mut(case: &mut Case, requirement: usize) -> Result<&mut Requirement, EditRefused> {
    let missing = no_entry(case, format!("requirement {}", requirement + 1));
    case.supporting.get_mut(requirement).ok_or(missing)
}

fn reference_mut(case: &mut Case, requirement: usize, alternative: usize) -> Result<&mut Reference, EditRefused> {
    let missing = no_entry(case, format!("alternative {} of requirement {}", alternative + 1, requirement + 1));
    requirement_mut(case, requirement)?.any_of.get_mut(alternative).ok_or(missing)
}

fn check_text(what: &'static str, text: &str) -> Result<(), EditRefused> {
    if text.trim().is_empty() { Err(EditRefused::Empty { what }) } else { Ok(()) }
}

fn check_target(target: &Target) -> Result<(), EditRefused> {
    match target {
        Target::Chunk(id) => check_text("a chunk's id", id.as_str()),
        Target::Section { document, heading, quote } => {
            check_text("a document's name", document)?;
            heading.iter().try_for_each(|part| check_text("a heading", part))?;
            quote.iter().try_for_each(|quote| check_text("a quote", quote))
        }
    }
}
