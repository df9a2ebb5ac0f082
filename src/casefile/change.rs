//! One edit of one file from end to end: plan, splice, and the guard that lets nothing doubtful be written.

use super::{
    check,
    edit::{Edit, EditRefused},
    file::{self, CaseFile, Spot, yaml_tree},
    json,
    patch::Patch,
    plan::{self, Op},
    splice::{Change, Splicer},
    tree::{Kind, NodeId, Tree},
};
use crate::domain::case::{Case, Place, Reference, Requirement};

/// A file after an edit, and the bytes that made it.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) patch: Patch,
    pub(super) file: CaseFile,
}

/// Why a change is not made.
#[derive(Debug)]
pub(super) enum Refused {
    /// The edit makes no sense for the case.
    Senseless(EditRefused),
    /// It cannot be made in place; the place for an editor, and the reason.
    Unsafe(Place, String),
}

/// Makes `edit` of the case at `index`. The file itself is not touched: the result is a new one.
pub(super) fn change(file: &CaseFile, index: usize, edit: &Edit) -> Result<Changed, Refused> {
    let case = &file.cases[index];
    let mut wanted = case.clone();
    edit.apply(&mut wanted).map_err(Refused::Senseless)?;
    let mut expected = file.cases.clone();
    expected[index] = wanted;
    let unsafe_here = |reason: String| Refused::Unsafe(case.place.clone(), reason);
    match &file.spots[index] {
        Spot::Node(node, _) => {
            let (tree, root) =
                yaml_tree(&file.bytes).map_err(|_| unsafe_here("the file is not well formed".to_owned()))?;
            let root = root.ok_or_else(|| unsafe_here("the file is empty".to_owned()))?;
            change_yaml(file, &tree, root, *node, index, edit, &expected)
        }
        Spot::Line(line, has_id) => {
            let raw = std::str::from_utf8(&file.bytes[line.clone()]).unwrap_or_default();
            let (tree, root) =
                json::parse(raw, 0, case.place.line).map_err(|(_, kind)| unsafe_here(kind.to_string()))?;
            let ops = plan::plan(&tree, root, file.form, case, *has_id, edit);
            let ops = ops.map_err(|(_, reason)| unsafe_here(reason))?;
            let mut splicer = Splicer {
                text: raw,
                tree: &tree,
                case: root,
                others: &[],
                json: true,
                line_end: "\n",
                changes: Vec::new(),
            };
            splice(&mut splicer, &ops, &tree, root).map_err(|(_, reason)| unsafe_here(reason))?;
            let mut value = tree.value(root);
            plan::apply(&ops, &mut value).ok_or_else(|| unsafe_here("the edit does not fit the line".to_owned()))?;
            let moved =
                splicer.changes.into_iter().map(|(range, new)| (range.start + line.start..range.end + line.start, new));
            let changed = patched(file, moved.collect()).map_err(unsafe_here)?;
            let grown = changed.file.bytes.len() + line.end - file.bytes.len();
            let new_line = std::str::from_utf8(&changed.file.bytes[line.start..grown]).unwrap_or_default();
            check::json(new_line, &value)
                .map_err(|reason| unsafe_here(format!("the result reads differently: {reason}")))?;
            same_cases(&changed.file.cases, &expected).map_err(unsafe_here)?;
            Ok(changed)
        }
    }
}

fn change_yaml(
    file: &CaseFile,
    tree: &Tree,
    root: NodeId,
    node: NodeId,
    index: usize,
    edit: &Edit,
    expected: &[Case],
) -> Result<Changed, Refused> {
    let text = std::str::from_utf8(&file.bytes).unwrap_or_default();
    let refused = |(at, reason): plan::Refusal| {
        let at = tree.node(at);
        let place = Place { file: file.path.clone(), line: at.line, column: at.column };
        Refused::Unsafe(place, reason)
    };
    let unsafe_here = |reason: String| refused((node, reason));
    if matches!(tree.node(node).kind, Kind::Alias(_)) {
        return Err(unsafe_here("the whole case is an alias of another".to_owned()));
    }
    let ops = plan::plan(tree, node, file.form, &file.cases[index], true, edit).map_err(refused)?;
    let others: Vec<NodeId> =
        file.spots.iter().filter_map(|spot| if let Spot::Node(node, _) = spot { Some(*node) } else { None }).collect();
    let mut splicer = Splicer {
        text,
        tree,
        case: node,
        others: &others,
        json: false,
        line_end: line_end(text, tree.node(node).span.start),
        changes: Vec::new(),
    };
    splice(&mut splicer, &ops, tree, node).map_err(refused)?;
    let mut value = tree.value(node);
    plan::apply(&ops, &mut value).ok_or_else(|| unsafe_here("the edit does not fit the case".to_owned()))?;
    let changed = patched(file, splicer.changes).map_err(unsafe_here)?;
    let new_text = std::str::from_utf8(&changed.file.bytes).unwrap_or_default();
    check::yaml(new_text, tree, root, Some((node, &value)))
        .map_err(|reason| unsafe_here(format!("the result would read differently: {reason}")))?;
    same_cases(&changed.file.cases, expected).map_err(unsafe_here)?;
    Ok(changed)
}

fn splice(splicer: &mut Splicer<'_>, ops: &[Op], tree: &Tree, case: NodeId) -> Result<(), plan::Refusal> {
    for op in ops {
        plan::not_shared(tree, case, op)?;
        splicer.op(op)?;
    }
    Ok(())
}

/// The file's line end where the case stands.
fn line_end(text: &str, from: usize) -> &'static str {
    let newline = text[from..].find('\n').map(|at| from + at).or_else(|| text[..from].rfind('\n'));
    match newline {
        Some(at) if at > 0 && text.as_bytes()[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// The file after the changes. Every byte outside them is the same, which is verified by taking them back.
fn patched(file: &CaseFile, changes: Vec<Change>) -> Result<Changed, String> {
    let patch = Patch::new(&file.bytes, changes).ok_or("its parts overlap in the file")?;
    apply_patch(file, patch)
}

/// The file after a patch, read again.
pub(super) fn apply_patch(file: &CaseFile, patch: Patch) -> Result<Changed, String> {
    let bytes = patch.apply(&file.bytes).ok_or("the file holds other bytes")?;
    if patch.inverse().apply(&bytes).as_ref() != Some(&file.bytes) {
        return Err("it could not be taken back".to_owned());
    }
    Ok(Changed { patch, file: file::read(&file.path, bytes) })
}

/// Says whether a file after an undo or redo holds exactly the expected cases, by both parsers.
pub(super) fn verify(file: &CaseFile, expected: &[Case]) -> Result<(), String> {
    same_cases(&file.cases, expected)?;
    if file.spots.iter().any(|spot| matches!(spot, Spot::Node(..))) {
        let (tree, root) = yaml_tree(&file.bytes).map_err(|(_, _, kind)| kind.to_string())?;
        let text = std::str::from_utf8(&file.bytes).unwrap_or_default();
        return root.map_or(Ok(()), |root| check::yaml(text, &tree, root, None));
    }
    Ok(())
}

fn same_cases(found: &[Case], expected: &[Case]) -> Result<(), String> {
    let differs = found.iter().zip(expected).find(|(found, expected)| !same(found, expected));
    match differs {
        Some((_, expected)) => Err(format!("case `{}` would read differently", expected.id)),
        None if found.len() != expected.len() => Err("the number of cases would change".to_owned()),
        None => Ok(()),
    }
}

/// Says whether two cases say the same, wherever they stand.
pub(super) fn same(a: &Case, b: &Case) -> bool {
    fn references(a: &[Reference], b: &[Reference]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.target == b.target)
    }
    fn requirements(a: &[Requirement], b: &[Requirement]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.group == b.group && references(&a.any_of, &b.any_of))
    }
    let Case {
        id,
        question,
        asker,
        tags,
        source,
        added,
        supporting,
        distractors,
        context,
        answerable,
        label_wrong,
        notes,
        place: _,
    } = a;
    *id == b.id
        && *question == b.question
        && *asker == b.asker
        && *tags == b.tags
        && *source == b.source
        && *added == b.added
        && requirements(supporting, &b.supporting)
        && references(distractors, &b.distractors)
        && *context == b.context
        && *answerable == b.answerable
        && *label_wrong == b.label_wrong
        && *notes == b.notes
}
