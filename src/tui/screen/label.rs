//! Label: which passage answers this? Search on the left, the chunk in its document on the right, the labels below.
//!
//! ```text
//! progress
//! id and question (up to two rows), earlier turns
//! / search line
//! hits …            │ document, heading path, place
//!                   │ the passage, then what follows it
//! rule
//! labels …
//! tags
//! ```

use std::{sync::Arc, time::Duration};

use ratatui::layout::{Position, Rect};

use super::{
    Screen, marking,
    parts::{glyph, score, title_of},
};
use crate::{
    casefile::edit::Edit as CaseEdit,
    corpus::{Found, tokenizer},
    domain::{
        case::{Case, Labeled, Reference, Target},
        chunk::Chunk,
        resolve::{self, ProblemKind},
    },
    eval::evaluate::Mark,
    tui::{
        command::{self, Context},
        data::{Data, LabelAt, Tone},
        effect::{Job, Out, Slot},
        theme::Role,
        widget::{
            canvas::{Canvas, Piece, below, piece, row},
            input::{Edit, Input},
            list::{ListCursor, Motion},
            passage, text,
        },
    },
};

/// How long typing must pause before a search starts: shorter than the time between two keys of a fast typist, so that
/// a burst of keys is one search.
pub const PAUSE: Duration = Duration::from_millis(30);
/// How many hits a search asks for.
const HITS: usize = 50;
/// How many rows one key scrolls the document.
const SCROLL: i32 = 4;

/// What has the focus.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Focus {
    #[default]
    Hits,
    Search,
    Labels,
}

/// Where one looks while labeling.
#[derive(Debug, Default)]
pub struct LabelScreen {
    /// The case whose question the search line was filled with.
    case: Option<String>,
    search: Input,
    focus: Focus,
    hits: Vec<Found>,
    /// What the hits were found for.
    found_for: String,
    cursor: ListCursor,
    label: ListCursor,
    scroll: i32,
}

/// One row of the list of labels.
struct Row<'a> {
    at: LabelAt,
    reference: &'a Reference,
    /// The first of its requirement, or a distractor.
    first: bool,
    group: bool,
}

impl LabelScreen {
    /// Shows the current case: fills the search line with its question, and searches.
    pub fn open(&mut self, data: &Data, out: &mut Out<'_>) {
        let Some(case) = data.current() else { return };
        if self.case.as_ref() == Some(&case.id) && data.outline.is_some() && !self.found_for.is_empty() {
            return;
        }
        let id = case.id.clone();
        let question = case.question.clone();
        *self = Self { case: Some(id), search: Input::new(&question), ..Self::default() };
        self.start(Duration::ZERO, out);
    }

    /// Takes in hits.
    pub fn show(&mut self, typed: String, hits: Vec<Found>) {
        if typed == self.search.text() {
            let before = self.hits.get(self.cursor.selected).map(|hit| hit.chunk.id.clone());
            let same = self.found_for == typed;
            self.hits = hits;
            self.found_for = typed;
            let kept = before.filter(|_| same).and_then(|id| self.hits.iter().position(|hit| hit.chunk.id == id));
            self.cursor = ListCursor { selected: kept.unwrap_or(0), top: 0 };
            self.scroll = 0;
        }
    }

    /// True while the search line is being typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.focus == Focus::Search
    }

    /// Takes a change of the search line.
    pub fn typed(&mut self, edit: Edit, out: &mut Out<'_>) {
        if self.search.apply(edit) {
            self.start(PAUSE, out);
        }
    }

    /// Takes pasted text.
    pub fn pasted(&mut self, text: &str, out: &mut Out<'_>) {
        self.search.insert(text);
        self.start(PAUSE, out);
    }

    /// Does what a key asks for.
    pub fn command(&mut self, command: command::Label, data: &mut Data, out: &mut Out<'_>) {
        use command::Label as C;
        match command {
            C::Search => self.focus = Focus::Search,
            C::EndSearch => self.focus = Focus::Hits,
            C::Supporting => self.toggle(self.cursor.selected, Mark::Supporting, data, out),
            C::Nth(n) => {
                let shown = self.cursor.visible(self.hits.len(), self.list_height(data));
                let at = shown.start + usize::from(n) - 1;
                if at < shown.end {
                    self.cursor.selected = at;
                    self.scroll = 0;
                    self.toggle(at, Mark::Supporting, data, out);
                }
            }
            C::Distractor => self.toggle(self.cursor.selected, Mark::Distractor, data, out),
            C::Alternative => self.alternative(data, out),
            C::Unanswerable => {
                if let Some(case) = data.current() {
                    let (id, answerable) = (case.id.clone(), case.answerable);
                    data.edit(&id, CaseEdit::SetAnswerable(!answerable), out);
                }
            }
            C::NextUnlabeled => {}
            C::Focus => {
                let any = data.current().is_some_and(|case| case.references().next().is_some());
                self.focus = if self.focus == Focus::Labels || !any { Focus::Hits } else { Focus::Labels };
            }
            C::Remove => self.remove(data, out),
            C::Relink => self.relink(data, out),
            C::ScrollDown => self.scroll += SCROLL,
            C::ScrollUp => self.scroll -= SCROLL,
        }
    }

    fn start(&self, after: Duration, out: &mut Out<'_>) {
        if tokenizer::is_searchable(self.search.text()) {
            let job = Job::Search { typed: self.search.text().to_owned(), limit: HITS };
            out.start(Slot::Search, after, job);
        } else {
            out.cancel(Slot::Search);
        }
    }

    /// The hits to show: none where there is nothing to search for.
    fn shown(&self) -> &[Found] {
        if tokenizer::is_searchable(self.search.text()) { &self.hits } else { &[] }
    }

    fn toggle(&self, hit: usize, mark: Mark, data: &mut Data, out: &mut Out<'_>) {
        if let Some(hit) = self.shown().get(hit) {
            marking::toggle(&Arc::clone(&hit.chunk), mark, data, out);
        }
    }

    fn alternative(&self, data: &mut Data, out: &mut Out<'_>) {
        let (Some(hit), Some(case)) = (self.shown().get(self.cursor.selected), data.current()) else { return };
        let Some(requirement) = case.supporting.len().checked_sub(1) else {
            data.say(Tone::Warning, "an alternative needs a supporting chunk first: enter marks one");
            return;
        };
        if data.mark(&case.id, &hit.chunk.id) == Mark::Supporting {
            data.say(Tone::Warning, "this chunk is supporting already");
            return;
        }
        let (id, target) = (case.id.clone(), marking::target(case, &hit.chunk, data));
        data.edit(&id, CaseEdit::AddAlternative { requirement, target }, out);
    }

    fn selected_label(&self, data: &Data) -> Option<LabelAt> {
        let case = data.current()?;
        rows(case).get(self.label.selected).map(|row| row.at)
    }

    fn remove(&mut self, data: &mut Data, out: &mut Out<'_>) {
        let (Some(at), Some(id)) = (self.selected_label(data), data.current.clone()) else { return };
        data.edit(&id, marking::remove(at), out);
        let left = data.current().map_or(0, |case| rows(case).len());
        self.label.selected = self.label.selected.min(left.saturating_sub(1));
        if left == 0 {
            self.focus = Focus::Hits;
        }
    }

    fn relink(&self, data: &mut Data, out: &mut Out<'_>) {
        let (Some(at), Some(case)) = (self.selected_label(data), data.current()) else { return };
        let id = case.id.clone();
        let rows = rows(case);
        let wanted = &rows[self.label.selected.min(rows.len() - 1)].reference.target;
        let problem = data.problems(&id).iter().find(|problem| problem.target == *wanted);
        let Some(problem) = problem else {
            data.say(Tone::Done, "this label is not broken");
            return;
        };
        let Some(target) = problem.candidates.first().cloned() else {
            data.say(Tone::Warning, "no candidate is near: search for the passage and mark it, then remove this label");
            return;
        };
        let edit = match at {
            LabelAt::Supporting { requirement, alternative } => {
                CaseEdit::ReplaceSupporting { requirement, alternative, target }
            }
            LabelAt::Distractor(index) => CaseEdit::ReplaceDistractor { index, target },
        };
        data.edit(&id, edit, out);
    }

    /// Rows of the list of hits in the terminal as it is.
    fn list_height(&self, data: &Data) -> usize {
        // The tabs, the message and the footer take a row each.
        let area = Rect::new(0, 0, data.size.0, data.size.1.saturating_sub(3));
        data.current().map_or(1, |case| usize::from(Layout::new(case, area).hits.height))
    }

    /// The chunk to show on the right: the hit, or what the selected label means.
    fn chunk(&self, data: &Data) -> Option<Arc<Chunk>> {
        if self.focus == Focus::Labels {
            let case = data.current()?;
            let target = &rows(case).get(self.label.selected)?.reference.target;
            let outline = data.outline.as_deref()?;
            // Of a broken label its nearest candidate is shown, so that one sees what `c` would point it to.
            let found = resolve::look_up(target, outline).or_else(|trouble| {
                trouble.candidates.first().map_or(Ok(Vec::new()), |near| resolve::look_up(near, outline))
            });
            return data.chunk(found.ok()?.first()?).cloned();
        }
        self.shown().get(self.cursor.selected).map(|hit| Arc::clone(&hit.chunk))
    }
}

fn rows(case: &Case) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for (requirement, entry) in case.supporting.iter().enumerate() {
        for (alternative, reference) in entry.any_of.iter().enumerate() {
            let at = LabelAt::Supporting { requirement, alternative };
            rows.push(Row { at, reference, first: alternative == 0, group: entry.any_of.len() > 1 });
        }
    }
    for (index, reference) in case.distractors.iter().enumerate() {
        rows.push(Row { at: LabelAt::Distractor(index), reference, first: true, group: false });
    }
    rows
}

/// Where the parts of the screen are.
struct Layout {
    progress: Rect,
    question: Rect,
    context: Rect,
    search: Rect,
    hits: Rect,
    divider: Rect,
    document: Rect,
    rule: Rect,
    labels: Rect,
    tags: Rect,
}

impl Layout {
    fn new(case: &Case, area: Rect) -> Self {
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

impl Screen for LabelScreen {
    fn contexts(&self) -> &'static [Context] {
        match self.focus {
            Focus::Hits => &[Context::Label, Context::List, Context::Global, Context::Always],
            Focus::Search => &[Context::Search, Context::Typing, Context::Always],
            Focus::Labels => &[Context::Labels, Context::List, Context::Global, Context::Always],
        }
    }

    fn moved(&mut self, motion: Motion, data: &mut Data) {
        self.scroll = 0;
        if self.focus == Focus::Labels {
            let len = data.current().map_or(0, |case| rows(case).len());
            self.label.apply(motion, len, 4);
        } else {
            let height = self.list_height(data);
            self.cursor.apply(motion, self.shown().len(), height);
        }
    }

    fn view(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let Some(case) = data.current() else {
            canvas.line(row(area, 0), &[piece("no case is selected: esc goes to the list", Role::Dim)]);
            return None;
        };
        let layout = Layout::new(case, area);
        canvas.line(layout.progress, &progress(case, data));
        self.question(case, &layout, canvas);
        let at = canvas.input(layout.search, " / ", &self.search, self.focus == Focus::Search);
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
    fn question(&self, case: &Case, layout: &Layout, canvas: &mut Canvas<'_>) {
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
                () if data.outline.is_none() => "opening the corpus …",
                () if !tokenizer::is_searchable(self.search.text()) => "nothing to search for: type a word",
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
                Mark::Unjudged if !data.asker(case).may_read(&hit.chunk) => ("⚠", Role::Warning),
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

    fn document(&self, case: &Case, chunk: &Chunk, data: &Data, area: Rect, canvas: &mut Canvas<'_>) {
        let document = data.outline.as_ref().and_then(|outline| outline.find(&chunk.document).into_iter().next());
        let chunks: &[Arc<Chunk>] = document.map_or(&[], |document| &document.chunks);
        let at = chunks.iter().position(|other| other.id == chunk.id).unwrap_or(0);
        let place = format!("{}/{}", at + 1, chunks.len());
        let room = usize::from(area.width).saturating_sub(place.len() + 1);
        canvas.line(
            row(area, 0),
            &[piece(text::pad(&chunk.document, room), Role::Strong), piece(format!(" {place}"), Role::Dim)],
        );
        let path: String = chunk.short_heading().iter().map(|heading| format!("› {heading} ")).collect();
        canvas.line(row(area, 1), &[piece(path, Role::Strong)]);
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
    let thin = data.thinnest().map_or_else(
        || "every subset has its target".to_owned(),
        |(tag, has, of)| format!("thinnest: {tag} {has} of {of}"),
    );
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
    if !asker.may_read(chunk) {
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
