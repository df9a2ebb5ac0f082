//! How the labeling screen is drawn.

use std::sync::Arc;

use ratatui::layout::{Position, Rect};

use super::{Focus, LabelScreen, rows};
use crate::{
    corpus::tokenizer,
    domain::{
        case::{Case, Labeled, Target},
        chunk::Chunk,
        resolve::ProblemKind,
    },
    eval::evaluate::Mark,
    tui::{
        data::{Data, LabelAt},
        screen::parts::{glyph, score, title_of},
        theme::Role,
        widget::{
            canvas::{Canvas, Piece, below, piece, row},
            passage, text,
        },
    },
};

/// Where the parts of the screen are.
pub(super) struct Layout {
    progress: Rect,
    question: Rect,
    context: Rect,
    search: Rect,
    pub(super) hits: Rect,
    divider: Rect,
    document: Rect,
    rule: Rect,
    labels: Rect,
    tags: Rect,
}

impl Layout {
    pub(super) fn new(case: &Case, area: Rect) -> Self {
        let wide = usize::from(area.width.max(1));
        let long = text::width(&case.question) + text::width(&case.id) + 2 > wide;
        let question = if long && area.height > 16 { 2 } else { 1 };
        let context = u16::from(!case.context.is_empty());
        let labels = u16::try_from(rows(case).len()).unwrap_or(u16::MAX).clamp(1, (area.height / 4).max(1));
        let top = 1 + question + context + 1;
        let bottom = 1 + labels + 1;
        let body = Rect { height: area.height.saturating_sub(top + bottom), ..below(area, top) };
        let left = body.width * 9 / 20;
        let foot = below(area, top + body.height);
        Self {
            progress: row(area, 0),
            question: Rect { height: question.min(area.height), ..below(area, 1) },
            context: Rect { height: context, ..below(area, 1 + question) },
            search: row(area, 1 + question + context),
            hits: Rect { width: left, ..body },
            divider: Rect { x: body.x + left, width: 2.min(body.width - left), ..body },
            document: Rect {
                x: body.x + (left + 2).min(body.width),
                width: body.width.saturating_sub(left + 2),
                ..body
            },
            rule: row(foot, 0),
            labels: Rect { height: labels.min(below(foot, 1).height), ..below(foot, 1) },
            tags: row(foot, 1 + labels),
        }
    }
}

impl LabelScreen {
    /// Draws the screen; gives the place of the text cursor.
    pub(super) fn draw(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let Some(case) = data.current() else {
            canvas.line(row(area, 0), &[piece("no case is selected: esc goes to the list", Role::Dim)]);
            return None;
        };
        let layout = Layout::new(case, area);
        canvas.line(layout.progress, &progress(case, data));
        Self::question(case, &layout, canvas);
        let at = canvas.input(layout.search, " / ", &self.search, self.focus == Focus::Search, self.selected);
        self.hits(case, data, layout.hits, canvas);
        for place in layout.divider.rows() {
            canvas.line(place, &[piece("│", Role::Dim)]);
        }
        if let Some(chunk) = self.chunk(data) {
            self.document(case, &chunk, data, layout.document, canvas);
        }
        canvas.rule(layout.rule, if self.focus == Focus::Labels { "labels" } else { "" });
        self.labels(case, data, layout.labels, canvas);
        canvas.line(layout.tags, &tags(case));
        at
    }
}

impl LabelScreen {
    fn question(case: &Case, layout: &Layout, canvas: &mut Canvas<'_>) {
        let line = format!("{}  {}", case.id, case.question);
        let width = usize::from(layout.question.width.saturating_sub(1));
        let place = Rect { x: layout.question.x + 1.min(layout.question.width), ..layout.question };
        let place = Rect { width: u16::try_from(width).unwrap_or(0), ..place };
        canvas.rows(place, &passage::wrap(&line, &[], width), Role::Strong);
        if let Some(turn) = case.context.last() {
            canvas.line(layout.context, &[piece(format!(" after: {turn}"), Role::Dim)]);
        }
    }

    fn hits(&self, case: &Case, data: &Data, area: Rect, canvas: &mut Canvas<'_>) {
        let hits = self.shown();
        if hits.is_empty() {
            let text = match () {
                () if data.closed.is_some() => "the corpus could not be opened",
                () if data.outline.is_none() => "opening the corpus …",
                () if !tokenizer::is_searchable(self.search.text()) => "nothing to search for: type a word",
                () if self.found_for != self.search.text() && self.gave_up => "the search failed",
                () if self.found_for != self.search.text() => "searching …",
                () => "no chunk has any of these words",
            };
            canvas.line(row(area, 0), &[piece(format!(" {text}"), Role::Dim)]);
        }
        let shown = self.cursor.visible(hits.len(), usize::from(area.height));
        for (place, (nth, index)) in area.rows().zip(shown.enumerate()) {
            let hit = &hits[index];
            let mark = data.mark(&case.id, &hit.chunk.id);
            let (glyph, role) = match mark {
                Mark::Unjudged if data.asker(case).is_forbidden(&hit.chunk) => ("⚠", Role::Warning),
                Mark::Unjudged => (" ", Role::Plain),
                _ => glyph(mark),
            };
            let digit = if nth < 9 { (nth + 1).to_string() } else { " ".to_owned() };
            let here = if index == self.cursor.selected { "▸" } else { " " };
            let points = format!("{:>5} ", score(f64::from(hit.score)));
            let room = usize::from(area.width).saturating_sub(4 + points.len());
            let pieces = [
                piece(format!("{digit}{here}"), Role::Dim),
                piece(glyph, role),
                piece(points, Role::Dim),
                piece(title_of(&hit.chunk, data, room), if mark == Mark::Unjudged { Role::Plain } else { role }),
            ];
            let over = match (index == self.cursor.selected, self.focus) {
                (true, Focus::Labels) => Some(Role::Marked),
                (true, _) => Some(Role::Selected),
                _ => None,
            };
            canvas.row(place, &pieces, over);
        }
    }

    fn document(&self, case: &Case, chunk: &Arc<Chunk>, data: &Data, area: Rect, canvas: &mut Canvas<'_>) {
        let document = data.outline.as_ref().and_then(|outline| outline.find(&chunk.document).into_iter().next());
        // Of a document that is still on its way the chunk alone is there.
        let chunks: &[Arc<Chunk>] = document.map_or(std::slice::from_ref(chunk), |document| &document.chunks);
        let at = chunks.iter().position(|other| other.id == chunk.id).unwrap_or(0);
        let place = if data.awaits(chunk) { "…".to_owned() } else { format!("{}/{}", at + 1, chunks.len()) };
        let room = usize::from(area.width).saturating_sub(place.len() + 1);
        canvas.line(
            row(area, 0),
            &[piece(text::pad(&chunk.document, room), Role::Strong), piece(format!(" {place}"), Role::Dim)],
        );
        let path = chunk
            .short_heading()
            .iter()
            .flat_map(|part| [piece("› ", Role::Dim), piece(part, Role::Strong), piece(" ", Role::Plain)]);
        canvas.line(row(area, 1), &path.collect::<Vec<_>>());
        canvas.line(row(area, 2), &about(case, chunk, data));
        let body = below(area, 3);
        let rows = self.passages(chunks, at, usize::from(body.width), usize::from(body.height));
        for (place, (row, role)) in body.rows().zip(&rows) {
            canvas.rows(place, std::slice::from_ref(row), *role);
        }
    }

    /// The rows to show: from the selected chunk's first row, moved by the scroll, into the chunks before and after it.
    fn passages(&self, chunks: &[Arc<Chunk>], at: usize, width: usize, height: usize) -> Vec<(passage::Row, Role)> {
        let typed = self.search.text();
        let prefix = self.focus == Focus::Search;
        let block = |index: usize| -> Vec<(passage::Row, Role)> {
            let chunk = &chunks[index];
            let role = if index == at { Role::Plain } else { Role::Dim };
            let rows = passage::wrap(&chunk.text, &Data::lit(&chunk.text, typed, prefix), width);
            let mut block: Vec<_> = rows.into_iter().map(|row| (row, role)).collect();
            if chunk.text.trim().is_empty() {
                block.push((
                    vec![passage::Piece { text: "(a heading without text)".to_owned(), lit: false }],
                    Role::Dim,
                ));
            }
            block
        };
        let ruler = |index: usize, word: &str| {
            let heading = chunks[index].heading.last().map_or("text before the first heading", String::as_str);
            let head = text::cut(&format!("┄┄ {word}: › {heading} "), width);
            let fill = "┄".repeat(width.saturating_sub(text::width(&head)));
            (vec![passage::Piece { text: format!("{head}{fill}"), lit: false }], Role::Dim)
        };
        if chunks.is_empty() {
            return Vec::new();
        }
        let mut rows = block(at);
        let mut skip = usize::try_from(self.scroll.max(0)).unwrap_or(0);
        let mut back = usize::try_from(-self.scroll.min(0)).unwrap_or(0);
        let mut before = at;
        let mut above = Vec::new();
        while back > above.len() && before > 0 {
            let mut part = vec![ruler(before - 1, "before")];
            part.extend(block(before - 1));
            if before == at {
                part.push(ruler(at, "this"));
            }
            part.extend(above);
            above = part;
            before -= 1;
        }
        back = back.min(above.len());
        let mut shown = above.split_off(above.len() - back);
        shown.append(&mut rows);
        let mut after = at + 1;
        while shown.len() < skip + height && after < chunks.len() {
            shown.push(ruler(after, "next"));
            shown.extend(block(after));
            after += 1;
        }
        skip = skip.min(shown.len().saturating_sub(1));
        shown.split_off(skip)
    }

    fn labels(&self, case: &Case, data: &Data, area: Rect, canvas: &mut Canvas<'_>) {
        let rows = rows(case);
        if rows.is_empty() {
            let text = if case.answerable {
                "no label yet: 1-9 or enter marks what answers, d what only looks right"
            } else {
                "● nothing in the corpus answers this (0 takes that back)"
            };
            canvas.line(row(area, 0), &[piece(format!(" {text}"), Role::Dim)]);
            return;
        }
        let shown = self.label.visible(rows.len(), usize::from(area.height));
        for (place, index) in area.rows().zip(shown) {
            let row = &rows[index];
            let problem = data.problems(&case.id).iter().find(|problem| problem.target == row.reference.target);
            let (glyph, role) = match row.at {
                _ if problem.is_some() => ("!", Role::Error),
                LabelAt::Supporting { .. } => glyph(Mark::Supporting),
                LabelAt::Distractor(_) => glyph(Mark::Distractor),
            };
            let join = match (row.first, row.group) {
                (false, _) => " or ",
                (true, true) => " any ",
                (true, false) => " ",
            };
            let here = self.focus == Focus::Labels && index == self.label.selected;
            let mut pieces = vec![
                piece(format!("{}{glyph}", if here { "▸" } else { " " }), role),
                piece(join, Role::Dim),
                piece(named(&row.reference.target, data), Role::Plain),
            ];
            match problem.map(|problem| (&problem.kind, problem)) {
                Some((ProblemKind::Moved { .. }, _)) => pieces.push(piece("  moved: c confirms", Role::Warning)),
                Some((_, problem)) => {
                    if let Some(candidate) = problem.candidates.first() {
                        pieces.push(piece(format!("  c → {candidate}"), Role::Warning));
                    }
                    pieces.push(piece(format!("  {}", problem.what()), Role::Error));
                }
                None => {}
            }
            let over = here.then_some(Role::Selected);
            canvas.row(place, &pieces, over);
        }
    }
}

/// What a label names, for people: a chunk that is labeled by id has its title too.
fn named(target: &Target, data: &Data) -> String {
    match target {
        Target::Chunk(id) if data.chunk(id).is_some() => format!("{}  by id {id}", data.title(id)),
        other => other.to_string(),
    }
}

fn progress<'a>(case: &Case, data: &Data) -> Vec<Piece<'a>> {
    let (labeled, of) = data.progress();
    let state = match case.labeled() {
        Labeled::No => "unlabeled · ",
        Labeled::Yes => "",
        Labeled::Unanswerable => "unanswerable · ",
    };
    let thin = match data.thinnest() {
        Some((tag, has, of)) => format!("thinnest: {tag} {has} of {of}"),
        None if data.about.subsets.iter().any(|(_, target)| target.is_some()) => {
            "every subset has its target".to_owned()
        }
        None => "no subset has a target".to_owned(),
    };
    vec![
        piece(format!(" {labeled} of {of} labeled"), Role::Strong),
        piece(format!(" · {state}asker {}", data.asker(case).label()), Role::Plain),
        piece(format!(" · {thin}"), Role::Dim),
    ]
}

fn tags<'a>(case: &Case) -> Vec<Piece<'a>> {
    let tags = if case.tags.is_empty() { "none: t opens the list".to_owned() } else { case.tags.join("  ") };
    vec![piece(" tags ", Role::Dim), piece(tags, if case.tags.is_empty() { Role::Dim } else { Role::Strong })]
}

/// Scope and other fields of a chunk; a warning where the asker may not read it.
fn about<'a>(case: &Case, chunk: &Chunk, data: &Data) -> Vec<Piece<'a>> {
    let asker = data.asker(case);
    let mut pieces = Vec::new();
    if asker.is_forbidden(chunk) {
        pieces.push(piece(
            format!("⚠ only {}: {} may not read it", chunk.scope.join(", "), asker.label()),
            Role::Warning,
        ));
        pieces.push(piece(" ", Role::Plain));
    } else if !chunk.scope.is_empty() {
        pieces.push(piece(format!("for {}  ", chunk.scope.join(", ")), Role::Dim));
    }
    pieces.extend(chunk.fields.iter().map(|(name, value)| piece(format!("{name} {value}  "), Role::Dim)));
    pieces
}
