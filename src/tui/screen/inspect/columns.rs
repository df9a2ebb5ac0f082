//! The columns of the ranking: rank, the rank in a kept run, mark, title, score, and the rank at each stage.

use super::{since::Was, verdict::Line};
use crate::{
    domain::{chunk::ChunkId, ranking::Stage},
    eval::{
        diagnosis::{Fell, Kind},
        evaluate::{CaseResult, Mark, Row},
    },
    tui::{
        data::Data,
        screen::parts::{SCOPE_UNKNOWN, result_mark, score, title_of},
        theme::Role,
        widget::{canvas::piece, text},
    },
};

const RANK: usize = 3;
const WAS: usize = 6;
const MARK: usize = 13;
const SCORE: usize = 8;
/// A title gets at least so many columns,
const TITLE: usize = 24;
/// a stage no more than these where it is known,
const WIDEST: usize = 12;
/// and the score gives way where it would get fewer.
const TIGHT: usize = 6;

/// How the width is shared out among the columns.
pub(super) struct Columns {
    title: usize,
    mark: usize,
    /// 0 where there is no room for it.
    score: usize,
    /// Width of each stage's column; 0 where there is no room for them.
    stage: usize,
    was: Option<Was>,
    /// Which chunks fell, and at which stage; `None` is the step from the last stage to the list.
    fell: Vec<(ChunkId, Option<String>)>,
}

impl Columns {
    pub(super) fn new(width: u16, result: &CaseResult, was: Option<Was>) -> Self {
        let (width, stages) = (usize::from(width), &result.stages);
        // A second glyph stands behind the first one.
        let flagged = |row: &Row| row.scope_unknown && row.mark != Mark::Unjudged;
        let mark = MARK + usize::from(result.results.iter().any(flagged));
        let fixed = 1 + RANK + 1 + mark + if was.is_some() { WAS } else { 0 };
        let room = width.saturating_sub(fixed + TITLE);
        let each = |room: usize| room.checked_div(stages.len()).unwrap_or(0);
        let score = if stages.is_empty() || each(room.saturating_sub(SCORE)) >= TIGHT { SCORE } else { 0 };
        let room = each(room.saturating_sub(score));
        let stage = if room < 4 { 0 } else { stages.iter().map(wide).max().unwrap_or(0).min(WIDEST).min(room) };
        let title = width.saturating_sub(fixed + score + stage * stages.len());
        Self { title, mark, score, stage, was, fell: fell(result) }
    }

    pub(super) fn header<'a>(&self, stages: &[Stage]) -> Line<'a> {
        let mut head = format!(" {:>RANK$} ", "#");
        if self.was.is_some() {
            head.push_str(&text::pad(" was", WAS));
        }
        head.push_str(&text::pad("", self.mark));
        head.push_str(&text::pad("document › heading", self.title));
        if self.score > 0 {
            head.push_str(&format!("{:>width$} ", "score", width = self.score - 1));
        }
        for stage in stages.iter().filter(|_| self.stage > 0) {
            let name = text::cut(&stage.name, self.stage - 1);
            // The last columns are for a glyph behind the rank.
            let name = if text::width(&name) + 3 <= self.stage { format!("{name}  ") } else { name };
            head.push_str(&" ".repeat(self.stage.saturating_sub(text::width(&name))));
            head.push_str(&name);
        }
        vec![piece(head, Role::Dim)]
    }

    pub(super) fn result<'a>(&self, result: &CaseResult, at: usize, data: &Data, selected: bool) -> Line<'a> {
        let row = &result.results[at];
        let (glyph, word, role) = result_mark(row);
        let flag = if row.scope_unknown && row.mark != Mark::Unjudged { SCOPE_UNKNOWN } else { "" };
        let mark = piece(text::pad(&format!("{glyph}{flag} {word}"), self.mark), role);
        let plain = if row.mark == Mark::Unjudged && !row.leaked { Role::Plain } else { role };
        let mut pieces = self.rank(&row.id, &row.rank.to_string(), selected);
        // A repeat did not come from anywhere: the chunk itself stands above.
        let was = if row.repeat { None } else { self.was(&row.id, Some(row.rank), row.mark) };
        pieces.extend(was.unwrap_or_else(|| self.no_was()));
        pieces.push(mark);
        pieces.push(piece(self.title(&row.id, data), plain));
        pieces.extend(self.score(row.score));
        pieces.extend(self.stages(&row.id, &result.stages));
        pieces
    }

    pub(super) fn missing<'a>(&self, id: &ChunkId, result: &CaseResult, data: &Data, selected: bool) -> Line<'a> {
        // A stage may tell of more than the list holds.
        let below = result.stages.last().is_some_and(|stage| stage.rank(id).is_some());
        let mut pieces = self.rank(id, "–", selected);
        pieces.extend(self.was(id, None, Mark::Supporting).unwrap_or_else(|| self.no_was()));
        pieces.push(piece(text::pad(if below { "● below" } else { "● not found" }, self.mark), Role::Supporting));
        pieces.push(piece(self.title(id, data), Role::Supporting));
        pieces.extend(self.score(None));
        pieces.extend(self.stages(id, &result.stages));
        pieces
    }

    /// The cursor, the rank, and whether the chunk fell after the last stage.
    fn rank<'a>(&self, id: &ChunkId, rank: &str, selected: bool) -> Line<'a> {
        let fell = self.fell.iter().any(|(chunk, stage)| chunk == id && stage.is_none());
        vec![
            piece(if selected { "▸" } else { " " }, Role::Accent),
            piece(format!("{rank:>RANK$}"), Role::Plain),
            if fell { piece("▼", Role::Distractor) } else { piece(" ", Role::Plain) },
        ]
    }

    fn was<'a>(&self, id: &ChunkId, now: Option<usize>, mark: Mark) -> Option<Line<'a>> {
        let (rank, glyph, role) = self.was.as_ref()?.cell(id, now, mark);
        let rank = format!("{:>3} ", text::cut(&rank, 3));
        Some(vec![piece(rank, Role::Dim), piece(format!("{glyph} "), role)])
    }

    fn no_was<'a>(&self) -> Line<'a> {
        self.was.iter().map(|_| piece(" ".repeat(WAS), Role::Plain)).collect()
    }

    fn score<'a>(&self, points: Option<f64>) -> Line<'a> {
        if self.score == 0 {
            return Vec::new();
        }
        let points = points.map_or_else(|| "–".to_owned(), score);
        vec![piece(format!("{points:>width$} ", width = self.score - 1), Role::Dim)]
    }

    fn title(&self, id: &ChunkId, data: &Data) -> String {
        match data.chunk(id) {
            Some(chunk) => text::pad(&title_of(chunk, data, self.title), self.title),
            None => text::pad(&id.to_string(), self.title),
        }
    }

    /// The rank at each stage, the word of the one that threw it away, and a glyph at the one where it fell.
    fn stages<'a>(&self, id: &ChunkId, stages: &[Stage]) -> Line<'a> {
        let cells = stages.iter().filter(|_| self.stage > 0).flat_map(|stage| {
            if let Some(why) = dropped(stage, id) {
                let wide = format!("✗ {why}");
                let fits = text::width(&wide) < self.stage;
                let word = text::cut(&if fits { wide } else { format!("✗{why}") }, self.stage - 1);
                let blank = " ".repeat(self.stage - text::width(&word));
                return [piece(blank, Role::Plain), piece(word, Role::Distractor)];
            }
            let rank = stage.rank(id).map_or_else(|| "–".to_owned(), |rank| rank.to_string());
            let fell = self.fell.iter().any(|(chunk, at)| chunk == id && at.as_ref() == Some(&stage.name));
            let glyph = match (fell, text::width(&rank) + 3 <= self.stage) {
                (false, _) => "  ",
                (true, true) => " ▼",
                (true, false) => "▼",
            };
            let width = self.stage - text::width(glyph);
            let role = if fell { Role::Distractor } else { Role::Plain };
            [piece(format!("{rank:>width$}"), Role::Plain), piece(glyph, role)]
        });
        cells.collect()
    }
}

/// The word of a stage that threw a chunk away.
fn dropped<'s>(stage: &'s Stage, id: &ChunkId) -> Option<&'s str> {
    if stage.rank(id).is_some() {
        return None;
    }
    let gone = stage.dropped.iter().find(|gone| gone.id == *id)?;
    Some(if gone.why.is_empty() { "out" } else { &gone.why })
}

/// What a stage's column would take: its name and the words of what it threw away.
fn wide(stage: &Stage) -> usize {
    let words = stage.dropped.iter().map(|gone| text::width(&gone.why).max(3) + 3);
    words.chain([text::width(&stage.name) + 3]).max().unwrap_or(0)
}

fn fell(result: &CaseResult) -> Vec<(ChunkId, Option<String>)> {
    let Some(diagnosis) = &result.diagnosis else { return Vec::new() };
    let kinds = diagnosis.requirements.iter().map(|requirement| &requirement.kind).chain([&diagnosis.kind]);
    let fell = kinds.filter_map(|kind| match kind {
        Kind::Demoted { chunk, fell: Fell::Stage(stage), .. } => Some((chunk.clone(), Some(stage.clone()))),
        Kind::Demoted { chunk, fell: Fell::AfterStages, .. } => Some((chunk.clone(), None)),
        _ => None,
    });
    fell.collect()
}
