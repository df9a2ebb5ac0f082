//! Whether each case can be answered by whoever asks it, and which askers of the settings nobody needs.

use std::collections::BTreeSet;

use crate::domain::{
    asker::{Access, Asker, Askers},
    case::Case,
    chunk::Chunk,
    nearest::nearest,
    outline::Outline,
    resolve::Resolved,
};

/// A line for each requirement of a case that its asker cannot be answered, or of which nobody can tell.
pub(super) fn unanswerable(case: &Case, resolved: &Resolved, asker: &Asker, outline: &Outline) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, needed) in resolved.supporting.iter().enumerate() {
        let chunks: Vec<&Chunk> = needed.any_of.iter().filter_map(|id| outline.chunk(id)).map(AsRef::as_ref).collect();
        let access: Vec<Access> = chunks.iter().map(|chunk| asker.access(chunk)).collect();
        let Some(first) = chunks.first().filter(|_| !access.contains(&Access::May)) else { continue };
        // A case of one requirement needs no number.
        let which = match resolved.supporting.len() {
            1 => String::new(),
            of => format!(" (requirement {} of {of})", at + 1),
        };
        let scopes: BTreeSet<&str> = chunks.iter().flat_map(|chunk| &chunk.scope).map(String::as_str).collect();
        let scopes = scopes.into_iter().collect::<Vec<_>>().join(", ");
        let others = match chunks.len() - 1 {
            0 => String::new(),
            1 => ", nor its alternative".to_owned(),
            n => format!(", nor its {n} alternatives"),
        };
        let (place, id, who, what) = (&case.place, &case.id, asker.label(), first.title());
        lines.push(if access.contains(&Access::Unknown) {
            format!(
                "{place}: case `{id}`{which}: cannot tell whether {who} may read {what}, which is for {scopes}: the groups of \
                 {who} are not in the settings"
            )
        } else {
            let belongs = match asker.known_groups().collect::<Vec<_>>() {
                groups if groups.is_empty() => "belongs to no group".to_owned(),
                groups => format!("belongs to {}", groups.join(", ")),
            };
            format!("{place}: case `{id}`{which}: {who} may not read {what}{others}: it is for {scopes}, and {who} {belongs}")
        });
    }
    lines
}

/// What is odd about the askers of the settings: nobody asks as them, only production knows their groups, or a group of theirs
/// looks misspelt.
pub(super) fn odd(askers: &Askers, cases: &[Case], outline: &Outline) -> Vec<String> {
    let scopes: BTreeSet<&str> = outline
        .documents()
        .iter()
        .flat_map(|document| &document.chunks)
        .flat_map(|chunk| &chunk.scope)
        .map(String::as_str)
        .collect();
    let mut lines = Vec::new();
    for (name, asker) in &askers.named {
        let used =
            askers.default.as_deref() == Some(name) || cases.iter().any(|case| case.asker.as_deref() == Some(name));
        if !used {
            lines.push(format!("[askers.{name}]: no case is asked as {name}"));
        }
        let Some(groups) = &asker.groups else {
            lines.push(format!(
                "[askers.{name}]: it has no `groups`, so only production knows what {name} may read: leaks cannot be told, and \
                 the `local` retriever gives it what is for everybody only"
            ));
            continue;
        };
        // A group may well be on no chunk; one that looks like another is misspelt, as a rule.
        for group in groups.iter().filter(|group| !scopes.contains(group.as_str())) {
            if let Some(near) = nearest(group, scopes.iter().copied(), 1).first() {
                lines.push(format!("[askers.{name}]: no chunk is for the group {group}; did you mean `{near}`?"));
            }
        }
    }
    lines
}
