//! What was asked of a case beside its own question, and what came: experiments, and the same question again.

use super::verdict::Line;
use crate::{
    domain::{asker::Asker, chunk::ChunkId},
    eval::{
        diagnosis::{Probed, probe::ProbeKind},
        evaluate::{CaseResult, Mark, State},
    },
    tui::{
        data::{Data, TIMES},
        screen::parts::wrapped,
        theme::Role,
        widget::{
            canvas::{Piece, piece},
            text,
        },
    },
};

/// The experiments, a line each where there is room for that, else one behind the other.
pub(super) fn probes<'a>(result: &CaseResult, data: &Data, width: usize, room: usize) -> Vec<Line<'a>> {
    let put = data.probes(&result.id);
    let goes_on = data.probing.as_ref() == Some(&result.id);
    if put.is_empty() && !goes_on {
        return Vec::new();
    }
    let left_out: Vec<Line<'a>> = data
        .left_out(&result.id)
        .explain(&result.asker)
        .into_iter()
        .filter(|_| !goes_on)
        .flat_map(|said| wrapped(&[piece(said, Role::Warning)], width))
        .collect();
    let room = room.saturating_sub(left_out.len());
    let noun = if put.len() == 1 { "request" } else { "requests" };
    let so_far = if goes_on { " …" } else { "" };
    let head = format!("asked further: {} of at most {} requests{so_far}", put.len(), data.most_probes());
    let head = if goes_on { head } else { format!("asked further: {} {noun}", put.len()) };
    let supporting: Vec<&ChunkId> =
        result.labels.iter().filter(|(_, mark)| *mark == Mark::Supporting).map(|(id, _)| id).collect();
    let asker = data.current().map(|case| data.asker(case)).unwrap_or_default();
    let lines: Vec<Line<'a>> = put.iter().map(|put| probe(put, &supporting, &asker, data)).collect();
    let each: Vec<Line<'a>> = lines.iter().flat_map(|line| wrapped(line, width)).collect();
    if each.len() < room {
        let mut said = vec![vec![piece(format!(" {head}"), Role::Dim)]];
        said.extend(each.into_iter().map(|mut line| {
            line.insert(0, piece("  ", Role::Plain));
            line
        }));
        said.extend(left_out);
        return said;
    }
    let mut said = packed(std::iter::once(vec![piece(head, Role::Dim)]).chain(lines), width);
    said.extend(left_out);
    said
}

/// One experiment: `● without rerank: rank 1`.
fn probe<'a>(put: &Probed, supporting: &[&ChunkId], asker: &Asker, data: &Data) -> Line<'a> {
    let other = &put.probe.asker;
    let who = if other == asker { String::new() } else { format!(" as {}", other.label()) };
    let (what, about) = match &put.probe.kind {
        ProbeKind::Deeper => (format!("deeper, {} results", put.probe.depth), supporting.to_vec()),
        ProbeKind::Without { stage } => (format!("without {stage}{who}"), supporting.to_vec()),
        ProbeKind::Unscoped => (format!("as {}", other.label()), supporting.to_vec()),
        ProbeKind::OwnWords { chunk, .. } if supporting.len() > 1 => {
            (format!("own words of {}{who}", data.title(chunk)), vec![chunk])
        }
        ProbeKind::OwnWords { chunk, .. } => (format!("its own words{who}"), vec![chunk]),
    };
    let answer = match &put.result {
        Ok(answer) => answer,
        Err(reason) => {
            return vec![
                piece("!", Role::Warning),
                piece(format!(" {what}: failed, which says nothing: {reason}"), Role::Plain),
            ];
        }
    };
    let found = about.iter().any(|id| put.rank(id).is_some());
    let came = |id: &&ChunkId| {
        let ends = match answer.results.len() {
            0 => ", no results".to_owned(),
            n if n < put.probe.depth => format!(", the list ends at {n}"),
            _ => String::new(),
        };
        let rank = put.rank(id).map_or_else(|| format!("not found{ends}"), |rank| format!("rank {rank}"));
        if about.len() > 1 { format!("{} {rank}", data.title(id)) } else { rank }
    };
    let came: Vec<String> = about.iter().map(came).collect();
    let partial = if answer.partial.is_some() { ", a part only" } else { "" };
    let (glyph, role) = if found { ("●", Role::Supporting) } else { ("○", Role::Distractor) };
    vec![piece(glyph, role), piece(format!(" {what}: {}{partial}", came.join(", ")), Role::Plain)]
}

/// Lines one behind the other, as many in a row as fit. One that is longer than a row is cut.
fn packed<'a>(lines: impl Iterator<Item = Line<'a>>, width: usize) -> Vec<Line<'a>> {
    let mut rows: Vec<Line<'a>> = Vec::new();
    let mut used = 0;
    for line in lines {
        let wide: usize = line.iter().map(|(text, _)| text::width(text)).sum();
        match rows.last_mut() {
            Some(row) if used + 3 + wide <= width => {
                row.push(piece(" · ", Role::Dim));
                row.extend(line);
                used += 3 + wide;
            }
            _ => {
                rows.push(std::iter::once(piece(" ", Role::Plain)).chain(line).collect());
                used = 1 + wide;
            }
        }
    }
    rows
}

/// What the same question led to each time, as far as it varies.
pub(super) fn repeats<'a>(result: &CaseResult, data: &Data, width: usize) -> Vec<Line<'a>> {
    let repeats = data.repeats(&result.id);
    let goes_on = data.repeating.as_ref() == Some(&result.id);
    if goes_on && repeats.len() < 2 {
        return vec![vec![piece(format!(" asked {} of {TIMES} times …", repeats.len()), Role::Dim)]];
    }
    if repeats.len() < 2 {
        return Vec::new();
    }
    let times =
        if goes_on { format!("{} of {TIMES} times …", repeats.len()) } else { format!("{} times", repeats.len()) };
    let varies = varying(result, &repeats, data);
    let line: [Piece<'_>; 2] = if varies.is_empty() {
        [
            piece("=", Role::Supporting),
            piece(format!(" asked {times}: the same ranks and verdict each time"), Role::Plain),
        ]
    } else {
        [piece("≈", Role::Warning), piece(format!(" asked {times}, not the same: {}", varies.join("; ")), Role::Plain)]
    };
    wrapped(&line, width)
}

/// The labeled chunks whose rank varies, and the verdict if it does.
fn varying(result: &CaseResult, repeats: &[CaseResult], data: &Data) -> Vec<String> {
    let changes = |values: &[String]| values.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let mut varies = Vec::new();
    for (id, _) in &result.labels {
        let rank = |repeat: &CaseResult| {
            let row = repeat.results.iter().find(|row| row.id == *id);
            let failed = matches!(repeat.state, State::Error(_));
            row.map_or_else(|| if failed { "error" } else { "–" }.to_owned(), |row| row.rank.to_string())
        };
        let ranks: Vec<String> = repeats.iter().map(rank).collect();
        if changes(&ranks) > 0 {
            varies.push(format!("{} rank {}", data.title(id), ranks.join(" ")));
        }
    }
    let word = |repeat: &CaseResult| {
        repeat.diagnosis.as_ref().map_or(repeat.state.word(), |diagnosis| diagnosis.kind.word()).to_owned()
    };
    let words: Vec<String> = repeats.iter().map(word).collect();
    match changes(&words) {
        0 => {}
        1 => varies.push(format!("verdict changed once: {}", words.join(" "))),
        2 => varies.push(format!("verdict changed twice: {}", words.join(" "))),
        n => varies.push(format!("verdict changed {n} times: {}", words.join(" "))),
    }
    varies
}
