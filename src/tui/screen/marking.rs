//! Marking a chunk of the current case, wherever it is shown.

use crate::{
    casefile::edit::Edit as CaseEdit,
    domain::{
        case::{Case, Target},
        chunk::Chunk,
        resolve::target_for,
    },
    eval::evaluate::Mark,
    tui::{
        data::{Data, LabelAt, Tone},
        effect::Out,
    },
};

/// Marks a chunk, or takes the mark off if it has it already. A chunk of the other mark changes sides.
pub(super) fn toggle(chunk: &Chunk, mark: Mark, data: &mut Data, out: &mut Out<'_>) {
    let Some(case) = data.current() else { return };
    let id = case.id.clone();
    let before = data.mark(&id, &chunk.id);
    if before != mark && cannot_refer(case, chunk, data) {
        data.say(Tone::Warning, NOT_HERE);
        return;
    }
    if (before, mark) == (Mark::Distractor, Mark::Supporting)
        && let Err(refused) = CaseEdit::AddSupporting(target(case, chunk, data)).apply(&mut case.clone())
    {
        // Said before the other mark is taken off, not after.
        data.say(Tone::Warning, refused.to_string());
        return;
    }
    let mut changes_sides = false;
    if before != Mark::Unjudged
        && let Some(at) = data.label_of(case, &chunk.id)
    {
        if !data.edit(&id, remove(at), out) || before == mark {
            return;
        }
        changes_sides = true;
    }
    let Some(case) = data.current() else { return };
    let target = target(case, chunk, data);
    let edit = match mark {
        Mark::Distractor => CaseEdit::AddDistractor(target),
        _ => CaseEdit::AddSupporting(target),
    };
    let made = if changes_sides { data.edit_with_last(&id, edit, out) } else { data.edit(&id, edit, out) };
    if made
        && let Some(case) = data.current()
        && data.asker(case).is_forbidden(chunk)
    {
        let text =
            format!("{} may not read this chunk: it is for {}", data.asker(case).label(), chunk.scope.join(", "));
        data.say(Tone::Warning, text);
    }
}

/// Why a passage is not marked of whose document only a part is here.
pub(super) const NOT_HERE: &str = "not marked: its document is not here whole, which a reference to a passage needs; search for it, or run the case, to fetch it";

/// True where no reference to a chunk can be written: it takes the whole document to tell passages apart.
pub(super) fn cannot_refer(case: &Case, chunk: &Chunk, data: &Data) -> bool {
    !is_short(case) && data.awaits(chunk)
}

/// True for a case whose references are ids.
fn is_short(case: &Case) -> bool {
    case.place.file.extension().is_some_and(|ending| ending == "jsonl")
}

/// The reference to write for a chunk: by id where the case's file is in the short form, else by section.
pub(super) fn target(case: &Case, chunk: &Chunk, data: &Data) -> Target {
    match &data.outline {
        Some(outline) => target_for(chunk, outline, is_short(case)),
        None => Target::Chunk(chunk.id.clone()),
    }
}

/// The edit that takes a label off.
pub(super) fn remove(at: LabelAt) -> CaseEdit {
    match at {
        LabelAt::Supporting { requirement, alternative } => CaseEdit::RemoveSupporting { requirement, alternative },
        LabelAt::Distractor(index) => CaseEdit::RemoveDistractor(index),
    }
}
