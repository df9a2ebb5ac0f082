//! What several screens say in the same way: glyphs, numbers, and the sentence about a case.

use crate::{
    domain::{
        case::{Case, Labeled},
        chunk::Chunk,
        text::clean,
    },
    eval::{
        diagnosis::Kind,
        evaluate::{CaseResult, Mark, Row, State},
    },
    report::decimals,
    tui::{
        data::{Data, HIDDEN},
        theme::Role,
        widget::{
            canvas::{Piece, piece},
            passage, text,
        },
    },
};

/// The glyph of a mark, and its role. The word stands beside it wherever there is room.
pub(super) fn glyph(mark: Mark) -> (&'static str, Role) {
    match mark {
        Mark::Supporting => ("●", Role::Supporting),
        Mark::Distractor => ("✗", Role::Distractor),
        Mark::Unjudged => ("·", Role::Dim),
    }
}

/// What stands behind the glyph of a result of which nobody knows whether the asker may read it.
pub(super) const SCOPE_UNKNOWN: &str = "◌";

/// The glyph of a result that its asker may not read, and of a case that has one.
pub(super) const LEAKED: &str = "⚠";

/// The glyph of a case whose label somebody holds to be wrong.
pub(super) const LABEL_WRONG: &str = "≠";

/// Glyph, word and role of a result: a leak and a repeat come before what the labels say, and what the labels say before that
/// the corpus does not have the chunk or that its scope is not known.
pub(super) fn result_mark(row: &Row) -> (&'static str, &'static str, Role) {
    let (mark, role) = glyph(row.mark);
    if row.leaked {
        (LEAKED, "leaked", Role::Warning)
    } else if row.repeat {
        ("↺", "repeat", Role::Dim)
    } else if row.mark == Mark::Unjudged && row.unknown {
        ("?", "unknown", Role::Warning)
    } else if row.mark == Mark::Unjudged && row.scope_unknown {
        (SCOPE_UNKNOWN, "scope?", Role::Accent)
    } else {
        (mark, row.mark.word(), role)
    }
}

/// That an answer leaked or is partial, in a word before the verdict.
pub(super) fn alarm<'a>(result: Option<&CaseResult>) -> Option<Piece<'a>> {
    let (leaked, partial) = result.map(|result| (result.leaks() > 0, result.partial.is_some()))?;
    let words = match (leaked, partial) {
        (true, true) => "⚠ leaked, partial · ",
        (true, false) => "⚠ leaked · ",
        (false, true) => "partial · ",
        (false, false) => return None,
    };
    Some(piece(words, Role::Warning))
}

/// What is to be known of an answer beside its verdict: that it is partial, what leaked, whose scope is not known.
pub(super) fn flags<'a>(result: &CaseResult) -> Vec<Vec<Piece<'a>>> {
    let mut flags = Vec::new();
    if let Some(why) = &result.partial {
        flags.push(vec![
            piece("partial", Role::Warning),
            piece(format!(" answer, scored as it came: {why}"), Role::Plain),
        ]);
    }
    let (leaks, results) = (result.leaks(), result.results.len());
    if leaks > 0 {
        let ranks: Vec<String> = result.leaked().map(|row| row.rank.to_string()).collect();
        let text = format!(": {} may not read rank {}", result.asker, ranks.join(", "));
        flags.push(vec![piece("⚠ leaked", Role::Warning), piece(text, Role::Plain)]);
    }
    if result.scope_unknown() > 0 {
        let unknown = result.results.iter().filter(|row| row.unknown).count();
        let groups = result.scope_unknown() - unknown;
        let mut why = Vec::new();
        if groups > 0 {
            why.push(format!("only production knows {}'s groups", result.asker));
        }
        if unknown > 0 {
            why.push(format!("{unknown} not in the corpus"));
        }
        let text = format!(" for {} of {results}: {}", result.scope_unknown(), why.join(", "));
        flags.push(vec![piece(format!("{SCOPE_UNKNOWN} scope unknown"), Role::Accent), piece(text, Role::Plain)]);
    }
    flags
}

/// A ratio as people read it, as in the report: two decimals.
pub(super) fn ratio(value: f64) -> String {
    decimals(value, 2)
}

/// Pieces wrapped to `width` columns with a blank before each row. The first piece keeps its role, the rest is plain.
pub(super) fn wrapped<'a>(pieces: &[Piece<'_>], width: usize) -> Vec<Vec<Piece<'a>>> {
    let line: String = pieces.iter().map(|(text, _)| text.as_ref()).collect();
    let (first, role) = pieces.first().map_or((0, Role::Plain), |(text, role)| (text.len(), *role));
    let rows = passage::wrap(&line, std::slice::from_ref(&(0..first)), width.saturating_sub(2));
    rows.into_iter()
        .map(|row| {
            let mut pieces = vec![piece(" ", Role::Plain)];
            pieces.extend(row.into_iter().map(|part| piece(part.text, if part.lit { role } else { Role::Plain })));
            pieces
        })
        .collect()
}

/// The title of a chunk in `columns`, with its place in a section of several chunks.
pub(super) fn title_of(chunk: &Chunk, data: &Data, columns: usize) -> String {
    match data.part(chunk) {
        Some((at, of)) => {
            let place = format!(" ({at}/{of})");
            format!("{}{place}", title(chunk, columns.saturating_sub(place.len())))
        }
        None => title(chunk, columns),
    }
}

/// `Document › … › Heading` in `columns`: where it is too long, the last heading keeps its room, for it tells the chunks of
/// one document apart.
fn title(chunk: &Chunk, columns: usize) -> String {
    let whole = chunk.title();
    if text::width(&clean(&whole)) <= columns {
        return text::cut(&whole, columns);
    }
    let Some(last) = chunk.short_heading().last() else { return text::cut(&whole, columns) };
    let join = if chunk.short_heading().len() > 1 { " › … › " } else { " › " };
    let join = if text::width(join) * 3 > columns { " › " } else { join };
    let room = columns.saturating_sub(text::width(join));
    let heading = text::width(&clean(last))
        .min((room * 3).div_ceil(5))
        .max(room.saturating_sub(text::width(&clean(&chunk.document))));
    format!(
        "{}{join}{}",
        text::cut_middle(&chunk.document, room - heading.min(room)),
        text::cut(last, heading.min(room))
    )
}

/// A score of a retriever: as many digits as tell hits apart.
pub(super) fn score(value: f64) -> String {
    if value.abs() >= 10.0 { format!("{value:.1}") } else { format!("{value:.2}") }
}

/// The role of a ratio: 1 is good, 0 is bad, what lies between is neither.
pub(super) fn ratio_role(value: f64) -> Role {
    if value >= 1.0 {
        Role::Supporting
    } else if value <= 0.0 {
        Role::Distractor
    } else {
        Role::Plain
    }
}

/// What stands in place of numbers where a case has none.
pub(super) fn status(case: &Case, data: &Data) -> &'static str {
    if !data.problems(&case.id).is_empty() {
        return "broken label";
    }
    match (case.labeled(), data.results.get(&case.id).map(|result| &result.state)) {
        (_, Some(State::Error(_))) => "error",
        (Labeled::No, _) if data.is_holdout(&case.id) => "unlabeled holdout",
        (Labeled::No, _) => "unlabeled",
        _ if data.is_holdout(&case.id) => "holdout",
        (Labeled::Unanswerable, Some(State::Unanswerable { distracted: true })) => "✗ distracted",
        (Labeled::Unanswerable, Some(State::Unanswerable { distracted: false })) => "● clean",
        (Labeled::Unanswerable, _) => "unanswerable",
        (Labeled::Yes, _) => "not run",
    }
}

/// The diagnosis of a case: its kind and one sentence; or why there is none.
pub(super) fn verdict<'a>(case: &Case, result: Option<&CaseResult>, data: &Data) -> Vec<Piece<'a>> {
    if let Some(problem) = data.problems(&case.id).first() {
        return vec![
            piece("label_broken ", Role::Error),
            piece(format!("{}: {}", problem.target, problem.what()), Role::Plain),
        ];
    }
    let Some(result) = result else {
        let text = match case.labeled() {
            Labeled::No => "unlabeled: l searches the passage that answers it",
            _ if data.is_holdout(&case.id) => HIDDEN,
            _ => "not run: r runs it",
        };
        return vec![piece(text, Role::Dim)];
    };
    match &result.diagnosis {
        Some(diagnosis) => {
            let fine = matches!(diagnosis.kind, Kind::Found { .. } | Kind::UnanswerableClean);
            let role = if fine { Role::Supporting } else { Role::Warning };
            let sentence = diagnosis.sentence(&|id| data.title(id));
            // The sentence opens with the kind's word, which is shown by its role.
            let rest = sentence.strip_prefix(diagnosis.kind.word()).unwrap_or(&sentence).to_owned();
            vec![piece(diagnosis.kind.word(), role), piece(rest, Role::Plain)]
        }
        None => vec![piece("unlabeled: the window below is what the retriever returns; l labels it", Role::Dim)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(document: &str, heading: &[&str]) -> Chunk {
        Chunk {
            id: "c".into(),
            document: document.to_owned(),
            heading: heading.iter().map(|&part| part.to_owned()).collect(),
            text: String::new(),
            position: 0,
            section: 0,
            scope: Vec::new(),
            origin: None,
            fields: Vec::new(),
        }
    }

    #[test]
    fn a_title_that_is_too_long_keeps_its_last_heading() {
        let claims = chunk("Carrier Handbook", &["Claims", "Out of hours contacts"]);
        assert_eq!(title(&claims, 60), "Carrier Handbook › Claims › Out of hours contacts");
        assert_eq!(title(&claims, 40), "Carrier …book › … › Out of hours contac…");
        let policy = chunk("Returns Policy", &["Returns Policy", "Escalation"]);
        assert_eq!(title(&policy, 20), "Retu…cy › Escalation");
        for columns in 0..60 {
            assert!(text::width(&title(&claims, columns)) <= columns.max(3), "{columns}");
            assert!(text::width(&title(&policy, columns)) <= columns.max(3), "{columns}");
        }
    }
}
