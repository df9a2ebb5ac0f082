//! The ranked list of a case: the cut line, the marks, and the rank of each chunk at each stage.

use unicode_width::UnicodeWidthStr;

use super::{
    View,
    lines::{Lines, WIDTH, cut, left, right},
    rule,
};
use crate::{
    domain::{
        chunk::{Chunk, ChunkId},
        ranking::Stage,
    },
    eval::evaluate::{Mark, Row},
    report::flags,
};

/// Columns of rank, mark and score, each with the blank after or before it.
const RANK: usize = 5;
const MARK: usize = 13;
const SCORE: usize = 8;
/// A title gets at least so many.
const TITLE: usize = 24;

pub(super) fn window(out: &mut Lines, view: &View<'_>) {
    let result = view.result;
    if result.latency.is_none() {
        return;
    }
    out.line("");
    if let Some(partial) = &result.partial {
        out.wrapped(&format!("only a part was answered: {partial}"), "  ");
    }
    let layout = Layout::new(view, &result.stages);
    if result.results.is_empty() {
        out.line("no results");
    }
    let elsewhere = result.labels.iter().filter(|(id, _)| result.results.iter().all(|row| &row.id != id));
    let elsewhere: Vec<&(ChunkId, Mark)> = elsewhere.collect();
    if !result.results.is_empty() || !elsewhere.is_empty() {
        out.line(&layout.head());
    }
    for row in &result.results {
        out.line(&layout.row(view, row));
        if row.rank == view.cut.k {
            out.line(&rule(&format!("k = {}", view.cut.k)));
        }
    }
    if !elsewhere.is_empty() {
        out.line(&rule("not in the list"));
    }
    for (id, mark) in elsewhere {
        out.line(&layout.chunk(view, "–", mark_words(*mark), id, None));
    }
    notes(out, view);
}

/// What has to be known of the results beside their ranks.
fn notes(out: &mut Lines, view: &View<'_>) {
    let results = &view.result.results;
    let count = |is: fn(&Row) -> bool| results.iter().filter(|row| is(row)).count();
    let (leaked, unknown, hidden) = (count(|row| row.leaked), count(|row| row.unknown), count(|row| row.scope_unknown));
    if leaked > 0 {
        out.line(&format!("⚠ {leaked} that {} may not read (leaked)", view.result.asker));
    }
    let example = results.iter().find(|row| row.unknown);
    if let Some(said) = example.and_then(|row| flags::foreign(unknown, results.len(), &row.id)) {
        out.wrapped(&format!("? {said}"), "  ");
    }
    if hidden > 0 {
        out.line(&format!("scope unknown of {hidden}: whether the asker may read them nobody here knows"));
    }
}

struct Layout<'a> {
    stages: &'a [Stage],
    title: usize,
    scores: bool,
}

impl<'a> Layout<'a> {
    fn new(view: &View<'_>, stages: &'a [Stage]) -> Self {
        let fixed = RANK + MARK + stages.iter().map(column).sum::<usize>();
        let room = WIDTH.saturating_sub(fixed);
        let any = view.result.results.iter().any(|row| row.score.is_some());
        let scores = any && room >= TITLE + SCORE;
        Self { stages, title: room.saturating_sub(if scores { SCORE } else { 0 }).max(TITLE), scores }
    }

    fn head(&self) -> String {
        let score = if self.scores { right("score", SCORE) } else { String::new() };
        let stages: String = self.stages.iter().map(|stage| right(&cut(&stage.name, WIDEST), column(stage))).collect();
        let title = left("document › heading", self.title);
        format!("{} {}{title}{score}{stages}", right("#", RANK - 1), " ".repeat(MARK))
    }

    fn row(&self, view: &View<'_>, row: &Row) -> String {
        let mark = match row {
            Row { leaked: true, .. } => "⚠ leaked",
            Row { repeat: true, .. } => "↺ repeat",
            Row { mark: Mark::Unjudged, unknown: true, .. } => "? unknown",
            Row { mark: Mark::Unjudged, scope_unknown: true, .. } => "◌ scope?",
            _ => mark_words(row.mark),
        };
        self.chunk(view, &row.rank.to_string(), mark, &row.id, row.score)
    }

    fn chunk(&self, view: &View<'_>, rank: &str, mark: &str, id: &ChunkId, score: Option<f64>) -> String {
        let chunk = view.outline.chunk(id);
        let title = chunk.map_or_else(|| cut(id.as_str(), self.title), |chunk| short(chunk, self.title));
        let score = match score {
            _ if !self.scores => String::new(),
            Some(score) if score.abs() >= 10.0 => right(&format!("{score:.1}"), SCORE),
            Some(score) => right(&format!("{score:.2}"), SCORE),
            None => right("–", SCORE),
        };
        let at = |stage: &Stage| match stage.rank(id) {
            Some(rank) => rank.to_string(),
            None if stage.dropped.iter().any(|gone| &gone.id == id) => "out".to_owned(),
            None => "–".to_owned(),
        };
        let stages: String = self.stages.iter().map(|stage| right(&at(stage), column(stage))).collect();
        format!("{} {}{}{score}{stages}", right(rank, RANK - 1), left(mark, MARK), left(&title, self.title))
    }
}

/// A stage's name takes no more columns than this.
const WIDEST: usize = 12;

/// How wide the column of a stage is.
fn column(stage: &Stage) -> usize {
    cut(&stage.name, WIDEST).width().max(3) + 2
}

fn mark_words(mark: Mark) -> &'static str {
    match mark {
        Mark::Supporting => "● supporting",
        Mark::Distractor => "✗ distractor",
        Mark::Unjudged => "· unjudged",
    }
}

/// A title in `columns`: where it is too long, the last heading keeps its room, which tells the chunks of a document apart.
fn short(chunk: &Chunk, columns: usize) -> String {
    let whole = chunk.title();
    let Some(last) = chunk.short_heading().last().filter(|_| whole.width() > columns) else {
        return cut(&whole, columns);
    };
    let join = if chunk.short_heading().len() > 1 { " › … › " } else { " › " };
    let room = columns.saturating_sub(join.width());
    let heading = last.width().min((room * 3 / 5).max(room.saturating_sub(chunk.document.width())));
    format!("{}{join}{}", cut(&chunk.document, room - heading), cut(last, heading))
}
