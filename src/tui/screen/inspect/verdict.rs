//! What is said of a case above its ranking: the verdict and what it rests on, what is missing, the next step, and what further
//! requests, a kept run and repetitions say.

use ratatui::layout::Rect;

use super::{
    further::{probes, repeats},
    layout::most,
    since::since,
};
use crate::{
    domain::{case::Case, chunk::ChunkId},
    eval::{
        diagnosis::{Diagnosis, Kind},
        evaluate::CaseResult,
        foreign,
    },
    tui::{
        data::{Data, Then},
        screen::parts::{LABEL_WRONG, flags, verdict, wrapped},
        theme::Role,
        widget::canvas::{Piece, piece},
    },
};

/// A row of pieces.
pub(super) type Line<'a> = Vec<Piece<'a>>;

/// Case, asker, latency, the run beside it, tags.
pub(super) fn head<'a>(case: &Case, result: Option<&CaseResult>, then: Option<&Then<'_>>, data: &Data) -> Line<'a> {
    let mut text = format!(" {} · asker {}", case.id, data.asker(case).label());
    if data.running_one.as_ref() == Some(&case.id) {
        text.push_str(" · asking …");
    } else if let Some(latency) = result.and_then(|result| result.latency) {
        text.push_str(&format!(" · {:.1} ms", latency.as_secs_f64() * 1000.0));
    }
    let mut pieces = vec![piece(text, Role::Dim)];
    if let Some(then) = then {
        let kind = if then.run.committed { "baseline" } else { "run" };
        let text = format!(" · beside {kind} {}, {}", then.run.name, date(&then.run.header.started));
        pieces.push(piece(text, Role::Accent));
    } else if let Some(name) = data.lacks_beside() {
        pieces.push(piece(format!(" · {name} does not hold this case"), Role::Warning));
    }
    if !case.tags.is_empty() {
        pieces.push(piece(format!(" · {}", case.tags.join(" ")), Role::Dim));
    }
    pieces
}

/// The day of a time as run files write it.
pub(super) fn date(started: &str) -> &str {
    started.split('T').next().unwrap_or(started)
}

/// All that is said of a case, the most telling first, each a wrapped paragraph.
pub(super) fn said<'a>(
    case: &Case,
    result: Option<&CaseResult>,
    then: Option<&Then<'_>>,
    data: &Data,
    area: Rect,
    whole: bool,
) -> Vec<Line<'a>> {
    let width = usize::from(area.width);
    let foreign = result.and_then(|result| foreign::of_case(result, data.outline.as_ref()?));
    let mut said =
        foreign.iter().flat_map(|said| wrapped(&[piece(said.clone(), Role::Warning)], width)).collect::<Vec<_>>();
    said.extend(wrapped(&sentence(case, result, data), width));
    if let Some(reason) = &case.label_wrong {
        let text = format!(" the label is wrong: {reason}");
        said.extend(wrapped(&[piece(LABEL_WRONG, Role::Warning), piece(text, Role::Plain)], width));
    }
    let Some(result) = result else { return said };
    said.extend(flags(result).iter().flat_map(|flag| wrapped(flag, width)));
    if let Some(diagnosis) = &result.diagnosis {
        said.extend(parts(diagnosis, foreign.is_some(), data, width));
    }
    said.extend(then.into_iter().flat_map(|then| since(then, data, width)));
    said.extend(repeats(result, data, width));
    let room = usize::from(most(area, whole)).saturating_sub(said.len());
    said.extend(probes(result, data, width, room));
    said
}

/// The verdict, its causes, and what it rests on.
fn sentence<'a>(case: &Case, result: Option<&CaseResult>, data: &Data) -> Line<'a> {
    let name = |id: &ChunkId| data.title(id);
    let mut sentence = verdict(case, result, data);
    let Some(diagnosis) = result.and_then(|result| result.diagnosis.as_ref()) else { return sentence };
    for cause in &diagnosis.causes {
        sentence.push(piece(format!("; {}", cause.explain(&name)), Role::Plain));
    }
    // A broken label and a failed call rest on no list.
    if !matches!(diagnosis.kind, Kind::LabelBroken { .. } | Kind::RetrieverError { .. }) {
        sentence.push(piece(format!(" ({})", diagnosis.basis.explain()), Role::Plain));
    }
    sentence
}

/// What is missing, and the next step, unless the results are another corpus's: then that is what to look at.
fn parts<'a>(diagnosis: &Diagnosis, is_foreign: bool, data: &Data, width: usize) -> Vec<Line<'a>> {
    let name = |id: &ChunkId| data.title(id);
    let mut said = Vec::new();
    for requirement in diagnosis.requirements.iter().filter(|requirement| requirement.kind != diagnosis.kind) {
        let head = piece(format!("missing: {}", requirement.kind.word()), Role::Warning);
        let text = piece(format!(": {}", requirement.kind.explain(&name)), Role::Plain);
        said.extend(wrapped(&[head, text], width));
    }
    if is_foreign {
        return said;
    }
    let next = piece(format!(" {}", diagnosis.next_step()), Role::Plain);
    said.extend(wrapped(&[piece("next:", Role::Dim), next], width));
    said
}
