//! Edits to cases: made at once here, written soon, and never lost in between.

use std::collections::HashMap;

use super::{Data, Tone};
use crate::{
    casefile::edit::Edit,
    domain::{
        case::{Case, Reference, Target},
        chunk::ChunkId,
        resolve,
    },
    tui::{
        effect::{Out, Write},
        msg::{CaseSet, Written},
    },
};

/// An edit that is not on disk yet.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    /// The case before the edit.
    seen: Case,
    edit: Edit,
    with_last: bool,
    /// It could not be saved; the user decides.
    failed: bool,
}

/// Which label of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelAt {
    /// An alternative of a requirement.
    Supporting {
        /// Index of the requirement.
        requirement: usize,
        /// Index in its group.
        alternative: usize,
    },
    /// A distractor, by index.
    Distractor(usize),
}

impl Data {
    /// How many edits are not on disk, and whether one of them failed.
    #[must_use]
    pub fn unsaved(&self) -> (usize, bool) {
        (self.pending.len(), self.pending.iter().any(|pending| pending.failed))
    }

    /// Makes an edit to a case: at once here, and soon on disk.
    pub fn edit(&mut self, id: &str, edit: Edit, out: &mut Out<'_>) -> bool {
        self.make(id, edit, false, out)
    }

    /// The same for an edit that belongs to the one before it: one undo takes both back.
    pub fn edit_with_last(&mut self, id: &str, edit: Edit, out: &mut Out<'_>) -> bool {
        self.make(id, edit, true, out)
    }

    fn make(&mut self, id: &str, edit: Edit, with_last: bool, out: &mut Out<'_>) -> bool {
        let Some(case) = self.cases.iter_mut().find(|case| case.id == id) else { return false };
        let seen = case.clone();
        if let Err(refused) = edit.apply(case) {
            self.say(Tone::Warning, refused.to_string());
            return false;
        }
        self.message = None;
        // Where the file lacks an edit before this one, both wait for the next try.
        let failed = self.has_failed(id);
        if !failed {
            out.write(Write::Edit { seen: Box::new(seen.clone()), edit: edit.clone(), with_last });
        }
        self.pending.push_back(Pending { seen, edit, with_last, failed });
        self.refresh(id);
        true
    }

    /// Takes in how a write ended.
    pub fn take_written(&mut self, written: Written) {
        match (&written.write, written.outcome) {
            (Write::Edit { seen, edit, .. }, Ok(_)) => {
                // The first: the same edit may have been made, taken back and made again since.
                if let Some(at) = self.pending.iter().position(|p| p.seen == **seen && p.edit == *edit) {
                    self.pending.remove(at);
                }
            }
            (Write::Edit { seen, .. }, Err(why)) if written.final_word && !self.has_failed(&seen.id) => {
                // Edits that were made on top of this one to the same case fall with it.
                self.pending.retain(|p| p.seen.id != seen.id);
                self.say(Tone::Error, why);
            }
            (Write::Edit { seen, edit, .. }, Err(why)) => {
                // An edit on top of one that failed cannot be made; the reason is that of the first.
                if !self.has_failed(&seen.id) {
                    self.say(Tone::Error, format!("not saved (ctrl-s tries again, u drops it): {why}"));
                }
                let same = |p: &&mut Pending| !p.failed && p.seen == **seen && p.edit == *edit;
                if let Some(pending) = self.pending.iter_mut().find(same) {
                    pending.failed = true;
                }
            }
            (Write::Undo, Ok(Some(done))) => {
                self.say(Tone::Done, format!("undone in {}: {}", done.case, done.what));
                self.current = Some(done.case);
            }
            (Write::Redo, Ok(Some(done))) => {
                self.say(Tone::Done, format!("made again in {}: {}", done.case, done.what));
                self.current = Some(done.case);
            }
            (Write::Undo, Ok(None)) => self.say(Tone::Warning, "nothing to undo"),
            (Write::Redo, Ok(None)) => self.say(Tone::Warning, "nothing to make again"),
            (Write::Refresh, Ok(_)) => {
                if let Some(set) = &written.cases {
                    // What cannot be read any more would silently be missing.
                    match set.problems.first() {
                        Some(problem) => {
                            self.say(Tone::Error, format!("changed outside, and cannot be read whole: {problem}"));
                        }
                        None => self.say(Tone::Warning, "a case file was changed outside: read again"),
                    }
                }
            }
            (_, Err(why)) => self.say(Tone::Error, why),
        }
        if let Some(set) = written.cases {
            self.set_cases(set);
        }
    }

    /// What is not on disk, edit by edit.
    #[must_use]
    pub fn lost(&self) -> Vec<String> {
        self.pending.iter().map(|pending| format!("{}: {}", pending.seen.id, pending.edit.describe())).collect()
    }

    /// Drops the edits that could not be saved. True if there were any.
    pub fn drop_failed(&mut self) -> bool {
        let before = self.pending.len();
        self.pending.retain(|pending| !pending.failed);
        let dropped = before - self.pending.len();
        if dropped > 0 {
            let files = self.files.clone();
            self.set_cases(files);
            self.say(Tone::Warning, format!("{dropped} unsaved edits dropped; the files are as they were"));
        }
        dropped > 0
    }

    /// Asks again for what could not be saved.
    pub fn save_again(&mut self, out: &mut Out<'_>) {
        for pending in self.pending.iter_mut().filter(|pending| pending.failed) {
            pending.failed = false;
            self.message = None;
            let (seen, edit, with_last) = (Box::new(pending.seen.clone()), pending.edit.clone(), pending.with_last);
            out.write(Write::Edit { seen, edit, with_last });
        }
    }

    /// The reference that gives `chunk` its mark: its requirement and alternative, or its place among the distractors.
    #[must_use]
    pub fn label_of(&self, case: &Case, chunk: &ChunkId) -> Option<LabelAt> {
        let outline = self.outline.as_deref()?;
        let holds = |target: &Target| {
            let one = Case {
                supporting: vec![Reference::from(target.clone()).into()],
                distractors: Vec::new(),
                ..case.clone()
            };
            resolve::resolve(&one, outline).supporting.iter().any(|needed| needed.any_of.contains(chunk))
        };
        for (requirement, entry) in case.supporting.iter().enumerate() {
            if let Some(alternative) = entry.any_of.iter().position(|reference| holds(&reference.target)) {
                return Some(LabelAt::Supporting { requirement, alternative });
            }
        }
        case.distractors.iter().position(|reference| holds(&reference.target)).map(LabelAt::Distractor)
    }

    fn has_failed(&self, id: &str) -> bool {
        self.pending.iter().any(|pending| pending.failed && pending.seen.id == id)
    }

    fn set_cases(&mut self, set: CaseSet) {
        self.cases_changed();
        let before = std::mem::replace(&mut self.cases, set.cases.clone());
        self.files = set;
        self.reapply();
        let same: HashMap<&str, &Case> = before.iter().map(|case| (case.id.as_str(), case)).collect();
        let changed: Vec<String> = self
            .cases
            .iter()
            .filter(|case| same.get(case.id.as_str()) != Some(case) || !self.resolved.contains_key(&case.id))
            .map(|case| case.id.clone())
            .collect();
        for id in &changed {
            let asked = |case: &Case| (case.question.clone(), case.context.clone(), case.asker.clone());
            let now = self.cases.iter().find(|case| case.id == *id).map(asked);
            if same.get(id.as_str()).map(|case| asked(case)) != now {
                // The answer is to another question than the case asks now.
                self.answers.remove(id);
                self.results.remove(id);
                self.forget(id);
            }
            self.refresh(id);
        }
        if self.current().is_none() {
            self.current = self.cases.first().map(|case| case.id.clone());
        }
    }

    /// Makes the edits that are not on disk yet to the cases as the files have them.
    pub(super) fn reapply(&mut self) {
        let mut touched = Vec::new();
        for pending in &self.pending {
            if let Some(case) = self.cases.iter_mut().find(|case| case.id == pending.seen.id)
                && pending.edit.apply(case).is_ok()
            {
                touched.push(case.id.clone());
            }
        }
        for id in &touched {
            self.refresh(id);
        }
    }
}
