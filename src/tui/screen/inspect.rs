//! Inspect: which stage lost it? One case run: the verdict, the numbers, the ranked window with its cut line, and the passage.
//!
//! ```text
//! case, asker, latency, tags
//! question
//! verdict, what is missing, next step
//! numbers
//! header
//! results …, cut line, results below it, labeled chunks that are nowhere
//! rule with the chunk's title
//! the passage
//! ```

use ratatui::layout::{Position, Rect};

use super::{
    Screen, marking,
    parts::{SCOPE_UNKNOWN, flags, ratio, ratio_role, result_mark, score, title_of, verdict, wrapped},
};
use crate::{
    domain::{case::Case, chunk::ChunkId, ranking::Stage},
    eval::evaluate::{CaseResult, Mark, Row, State},
    tui::{
        command::{self, Context},
        data::{Data, Tone},
        effect::{Out, Slot},
        theme::Role,
        widget::{
            canvas::{Canvas, Piece, below, piece, row},
            list::{ListCursor, Motion},
            passage, text,
        },
    },
};

/// From this width on the passage stands beside the ranking.
const BESIDE: u16 = 140;
/// How many rows one key scrolls the passage.
const SCROLL: usize = 3;

/// Where one looks in a case that was run.
#[derive(Debug, Default)]
pub struct InspectScreen {
    case: Option<String>,
    /// The cursor was moved. Until then it stands on the first supporting chunk, which is what one looks for.
    chosen: bool,
    cursor: ListCursor,
    scroll: usize,
}

/// One row of the ranking.
enum Item {
    /// The result of that index.
    Result(usize),
    /// The line below the window.
    Cut,
    /// A labeled chunk that is not in the list.
    Missing(ChunkId),
}

impl InspectScreen {
    /// Shows the current case from its top.
    pub fn open(&mut self, data: &Data) {
        if self.case != data.current {
            *self = Self { case: data.current.clone(), ..Self::default() };
        }
    }

    /// Does what a key asks for.
    pub fn command(&mut self, command: command::Inspect, data: &mut Data, out: &mut Out<'_>) {
        use command::Inspect as C;
        match command {
            C::NextConfig => next_config(data, out),
            C::Wider => resize(data, data.k + 1, out),
            C::Narrower => resize(data, data.k.saturating_sub(1).max(1), out),
            C::Supporting => self.toggle(Mark::Supporting, data, out),
            C::Distractor => self.toggle(Mark::Distractor, data, out),
            C::ScrollDown => self.scroll += SCROLL,
            C::ScrollUp => self.scroll = self.scroll.saturating_sub(SCROLL),
        }
    }

    fn toggle(&mut self, mark: Mark, data: &mut Data, out: &mut Out<'_>) {
        self.choose(data);
        let Some(id) = data.current_result().and_then(|result| self.selected(result, data)) else { return };
        match data.chunk(&id).cloned() {
            Some(chunk) => marking::toggle(&chunk, mark, data, out),
            None => data.say(Tone::Warning, format!("the corpus has no chunk `{id}`: it cannot be labeled")),
        }
    }

    /// The cursor, which counts results and missing chunks, on one that is still there.
    fn at(&self, result: &CaseResult, items: &[Item]) -> usize {
        let mut rows = items.iter().filter(|item| !matches!(item, Item::Cut));
        if self.chosen {
            return self.cursor.selected.min(rows.count().saturating_sub(1));
        }
        let supporting = |item: &Item| match item {
            Item::Result(index) => result.results[*index].mark == Mark::Supporting,
            Item::Missing(_) => true,
            Item::Cut => false,
        };
        rows.position(supporting).unwrap_or(0)
    }

    /// Keeps the cursor on the row where it stands now.
    fn choose(&mut self, data: &Data) {
        if let Some(result) = data.current_result() {
            self.cursor.selected = self.at(result, &items(result, data));
            self.chosen = true;
        }
    }

    /// The chunk under the cursor.
    fn selected(&self, result: &CaseResult, data: &Data) -> Option<ChunkId> {
        let items = items(result, data);
        match items.iter().filter(|item| !matches!(item, Item::Cut)).nth(self.at(result, &items))? {
            Item::Result(index) => Some(result.results[*index].id.clone()),
            Item::Missing(id) => Some(id.clone()),
            Item::Cut => None,
        }
    }
}

/// Goes to the next config; what was answered under another one is forgotten.
fn next_config(data: &mut Data, out: &mut Out<'_>) {
    if data.about.configs.len() < 2 {
        data.say(Tone::Warning, "the settings define one config only");
        return;
    }
    data.config = (data.config + 1) % data.about.configs.len();
    data.k = data.config().map_or(data.k, |config| config.k);
    data.forget_answers();
    if data.running.is_some() {
        out.cancel(Slot::RunAll);
        data.run_ended(Slot::RunAll);
    }
    rerun(data, out);
}

/// Tries out another window. Asks again only if it is deeper than what was asked for.
fn resize(data: &mut Data, k: usize, out: &mut Out<'_>) {
    let before = data.depth();
    data.k = k;
    if data.depth() > before {
        // The other cases were not asked as deep; they are not run under this window.
        data.forget_answers();
        rerun(data, out);
    } else {
        data.evaluate_all();
    }
    let saved = data.config().map_or(k, |config| config.k);
    let note = if k == saved { String::new() } else { format!(" (tried out; the config says {saved})") };
    data.say(Tone::Done, format!("k = {k}{note}"));
}

fn rerun(data: &mut Data, out: &mut Out<'_>) {
    if let Some(id) = data.current.clone() {
        data.run(Slot::RunOne, &[id], out);
    }
}

/// The rows of the ranking: the window, its cut line, what lies below, and the labeled chunks that are nowhere.
fn items(result: &CaseResult, data: &Data) -> Vec<Item> {
    let mut items = Vec::new();
    for index in 0..result.results.len() {
        if index == data.k {
            items.push(Item::Cut);
        }
        items.push(Item::Result(index));
    }
    if !result.results.is_empty() && result.results.len() <= data.k {
        items.push(Item::Cut);
    }
    // Where the call failed, nothing was asked and so nothing is missing.
    if let Some(resolved) = data.resolved(&result.id).filter(|_| !matches!(result.state, State::Error(_))) {
        let mut seen = Vec::new();
        for id in resolved.supporting.iter().flat_map(|needed| &needed.any_of) {
            if !seen.contains(&id) && !result.results.iter().any(|row| row.id == *id) {
                seen.push(id);
            }
        }
        items.extend(seen.into_iter().cloned().map(Item::Missing));
    }
    items
}

/// Where the parts of the screen are.
struct Layout {
    head: Rect,
    question: Rect,
    said: Rect,
    numbers: Rect,
    header: Rect,
    list: Rect,
    rule: Rect,
    passage: Rect,
}

impl Layout {
    /// `said` is how many rows verdict and next step need, `items` how many the ranking has.
    fn new(area: Rect, said: usize, items: usize) -> Self {
        let fit = |rows: usize| u16::try_from(rows).unwrap_or(u16::MAX);
        let said = fit(said).min(if area.height < 24 { 4 } else { 10 });
        let said = Rect { height: said.min(below(area, 2).height), ..below(area, 2) };
        let body = below(area, 3 + said.height);
        let (left, right) = if area.width >= BESIDE {
            let width = area.width * 11 / 20;
            (Rect { width, ..body }, Rect { x: body.x + width + 1, width: body.width - width - 1, ..body })
        } else {
            let rest = body.height.saturating_sub(1);
            let least = (rest / 4).max(u16::from(rest > 6));
            // Without any item one row says so.
            let list = fit(items.max(1)).min(rest.saturating_sub(least + 1));
            (Rect { height: 1 + list, ..body }, below(body, 1 + list))
        };
        Self {
            head: row(area, 0),
            question: row(area, 1),
            numbers: row(area, 2 + said.height),
            said,
            header: row(left, 0),
            list: below(left, 1),
            rule: row(right, 0),
            passage: below(right, 1),
        }
    }
}

impl Screen for InspectScreen {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Inspect, Context::List, Context::Global, Context::Always]
    }

    fn moved(&mut self, motion: Motion, data: &mut Data) {
        self.scroll = 0;
        self.choose(data);
        let Some(result) = data.current_result() else { return };
        let rows = items(result, data).len();
        let cuts = usize::from(!result.results.is_empty());
        let area = Rect::new(0, 0, data.size.0, data.size.1.saturating_sub(3));
        let said = data.current().map_or(0, |case| said(case, data.current_result(), data, area.width).len());
        let height = usize::from(Layout::new(area, said, rows).list.height).saturating_sub(cuts);
        self.cursor.apply(motion, rows - cuts, height);
    }

    fn view(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let Some(case) = data.current() else {
            canvas.line(row(area, 0), &[piece("no case is selected: esc goes to the list", Role::Dim)]);
            return None;
        };
        let result = data.current_result();
        let said = said(case, result, data, area.width);
        let items = result.map_or(0, |result| items(result, data).len());
        let layout = Layout::new(area, said.len(), items);
        canvas.line(layout.head, &head(case, result, data));
        let question = if case.context.is_empty() {
            format!(" {}", case.question)
        } else {
            format!(" {}   (after {} earlier turns)", case.question, case.context.len())
        };
        canvas.line(layout.question, &[piece(question, Role::Strong)]);
        for (at, (place, pieces)) in layout.said.rows().zip(&said).enumerate() {
            canvas.line(place, pieces);
            if at + 1 == usize::from(layout.said.height) && said.len() > at + 1 {
                canvas.line(Rect { x: place.right().saturating_sub(2), width: 2, ..place }, &[piece(" …", Role::Dim)]);
            }
        }
        if let Some(result) = result {
            canvas.line(layout.numbers, &numbers(result));
            self.ranking(result, data, &layout, canvas);
        }
        None
    }
}

impl InspectScreen {
    fn ranking(&self, result: &CaseResult, data: &Data, layout: &Layout, canvas: &mut Canvas<'_>) {
        let items = items(result, data);
        let columns = Columns::new(layout.list.width, result);
        canvas.line(layout.header, &columns.header(&result.stages));
        if items.is_empty() {
            canvas.line(row(layout.list, 0), &[piece(" no results", Role::Warning)]);
            return;
        }
        let cut = items.iter().position(|item| matches!(item, Item::Cut));
        let at = self.at(result, &items);
        let selected = if cut.is_some_and(|cut| at >= cut) { at + 1 } else { at };
        let cursor = ListCursor { selected, top: self.cursor.top };
        for (place, index) in layout.list.rows().zip(cursor.visible(items.len(), usize::from(layout.list.height))) {
            let over = (index == selected).then_some(Role::Selected);
            match &items[index] {
                Item::Cut => canvas.rule(place, &format!("k = {}", data.k)),
                Item::Result(at) => canvas.row(place, &columns.result(result, *at, data, index == selected), over),
                Item::Missing(id) => canvas.row(place, &columns.missing(id, result, data, index == selected), over),
            }
        }
        let Some(id) = self.selected(result, data) else { return };
        canvas.rule(layout.rule, &data.title(&id));
        if let Some(chunk) = data.chunk(&id) {
            let lit = Data::lit(&chunk.text, &result.question, false);
            let width = layout.passage.width.saturating_sub(2);
            let place = Rect { x: layout.passage.x + 1.min(layout.passage.width), width, ..layout.passage };
            let rows = passage::wrap(&chunk.text, &lit, usize::from(width));
            let skip = self.scroll.min(rows.len().saturating_sub(1));
            canvas.rows(place, &rows[skip..], Role::Plain);
        } else {
            self.foreign(&id, result, layout.passage, canvas);
        }
    }
}

impl InspectScreen {
    /// The passage of a chunk that the corpus does not have: as the retriever sent it, if it did.
    fn foreign(&self, id: &ChunkId, result: &CaseResult, place: Rect, canvas: &mut Canvas<'_>) {
        let text = result.results.iter().find(|row| row.id == *id).and_then(|row| row.text.as_deref());
        let Some(text) = text else {
            return canvas.line(place, &[piece(" the corpus has no chunk of this id", Role::Warning)]);
        };
        canvas.line(row(place, 0), &[piece(" the corpus has no such chunk; as the retriever sent it:", Role::Warning)]);
        let lit = Data::lit(text, &result.question, false);
        let width = place.width.saturating_sub(2);
        let rows = passage::wrap(text, &lit, usize::from(width));
        let skip = self.scroll.min(rows.len().saturating_sub(1));
        canvas.rows(Rect { x: place.x + 1.min(place.width), width, ..below(place, 1) }, &rows[skip..], Role::Plain);
    }
}

fn head<'a>(case: &Case, result: Option<&CaseResult>, data: &Data) -> Vec<Piece<'a>> {
    let mut text = format!(" {} · asker {}", case.id, data.asker(case).label());
    if data.running_one.as_ref() == Some(&case.id) {
        text.push_str(" · asking …");
    } else if let Some(latency) = result.and_then(|result| result.latency) {
        text.push_str(&format!(" · {:.1} ms", latency.as_secs_f64() * 1000.0));
    }
    if !case.tags.is_empty() {
        text.push_str(&format!(" · {}", case.tags.join(" ")));
    }
    vec![piece(text, Role::Dim)]
}

/// The verdict with its evidence, and the next step, wrapped.
fn said<'a>(case: &Case, result: Option<&CaseResult>, data: &Data, width: u16) -> Vec<Vec<Piece<'a>>> {
    let width = usize::from(width);
    let mut verdict = verdict(case, result, data);
    let flags = || result.into_iter().flat_map(flags).flat_map(|flag| wrapped(&flag, width));
    let Some(diagnosis) = result.and_then(|result| result.diagnosis.as_ref()) else {
        return wrapped(&verdict, width).into_iter().chain(flags()).collect();
    };
    let name = |id: &ChunkId| data.title(id);
    for cause in &diagnosis.causes {
        verdict.push(piece(format!("; {}", cause.explain(&name)), Role::Plain));
    }
    let mut said: Vec<_> = wrapped(&verdict, width).into_iter().chain(flags()).collect();
    for requirement in diagnosis.requirements.iter().filter(|requirement| requirement.kind != diagnosis.kind) {
        let head = piece(format!("missing: {}", requirement.kind.word()), Role::Warning);
        let text = piece(format!(": {}", requirement.kind.explain(&name)), Role::Plain);
        said.extend(wrapped(&[head, text], width));
    }
    said.extend(wrapped(
        &[piece("next:", Role::Dim), piece(format!(" {}", diagnosis.next_step()), Role::Plain)],
        width,
    ));
    said
}

fn numbers<'a>(result: &CaseResult) -> Vec<Piece<'a>> {
    let scores = match &result.state {
        State::Scored(scores) => scores,
        other => return vec![piece(format!(" {}", other.word()), Role::Dim)],
    };
    let above = if scores.distractor_above { ("yes", Role::Distractor) } else { ("no", Role::Plain) };
    vec![
        piece(" recall ", Role::Dim),
        piece(format!("{:.0}", scores.recall), ratio_role(scores.recall)),
        piece("  mrr ", Role::Dim),
        piece(ratio(scores.mrr), ratio_role(scores.mrr)),
        piece("  precision ", Role::Dim),
        piece(ratio(scores.precision), Role::Plain),
        piece(format!(" of {}", ratio(scores.precision_ceiling)), Role::Dim),
        piece("  completeness ", Role::Dim),
        piece(ratio(scores.completeness), ratio_role(scores.completeness)),
        piece("  distractor↑ ", Role::Dim),
        piece(above.0, above.1),
    ]
}

/// How the width is shared out among the columns.
struct Columns {
    title: usize,
    mark: usize,
    /// Width of each stage's column; 0 where there is no room for them.
    stage: usize,
}

const RANK: usize = 3;
const MARK: usize = 13;
const SCORE: usize = 7;

impl Columns {
    fn new(width: u16, result: &CaseResult) -> Self {
        let (width, stages) = (usize::from(width), &result.stages);
        // A second glyph stands behind the first one.
        let flagged = |row: &Row| row.scope_unknown && row.mark != Mark::Unjudged;
        let mark = MARK + usize::from(result.results.iter().any(flagged));
        let fixed = 1 + RANK + 1 + mark + 1 + SCORE;
        let wanted = stages.iter().map(|stage| text::width(&stage.name) + 2).max().unwrap_or(0).clamp(0, 12);
        let room = width.saturating_sub(fixed + 24);
        let stage = if stages.is_empty() || room / stages.len() < 4 { 0 } else { wanted.min(room / stages.len()) };
        Self { title: width.saturating_sub(fixed + stage * stages.len()), stage, mark }
    }

    fn header<'a>(&self, stages: &[Stage]) -> Vec<Piece<'a>> {
        let mut head = format!(" {:>RANK$} {}", "#", text::pad("", self.mark));
        head.push_str(&text::pad("document › heading", self.title));
        head.push_str(&format!("{:>SCORE$} ", "score"));
        if self.stage > 0 {
            for stage in stages {
                let name = text::cut(&stage.name, self.stage - 1);
                head.push_str(&format!("{name:>width$}", width = self.stage));
            }
        }
        vec![piece(head, Role::Dim)]
    }

    fn result<'a>(&self, result: &CaseResult, at: usize, data: &Data, selected: bool) -> Vec<Piece<'a>> {
        let row = &result.results[at];
        let (glyph, word, role) = result_mark(row);
        let flag = if row.scope_unknown && row.mark != Mark::Unjudged { SCOPE_UNKNOWN } else { "" };
        let title = self.title(&row.id, data);
        let points = row.score.map_or_else(|| "–".to_owned(), score);
        let plain = if row.mark == Mark::Unjudged && !row.leaked { Role::Plain } else { role };
        let mut pieces = vec![
            piece(if selected { "▸" } else { " " }, Role::Accent),
            piece(format!("{:>RANK$} ", row.rank), Role::Plain),
            piece(text::pad(&format!("{glyph}{flag} {word}"), self.mark), role),
            piece(title, plain),
            piece(format!("{points:>SCORE$} "), Role::Dim),
        ];
        pieces.extend(self.stages(&row.id, &result.stages));
        pieces
    }

    fn missing<'a>(&self, id: &ChunkId, result: &CaseResult, data: &Data, selected: bool) -> Vec<Piece<'a>> {
        // A stage may tell of more than the list holds.
        let below = result.stages.last().is_some_and(|stage| stage.rank(id).is_some());
        let mut pieces = vec![
            piece(if selected { "▸" } else { " " }, Role::Accent),
            piece(format!("{:>RANK$} ", "–"), Role::Plain),
            piece(text::pad(if below { "● below" } else { "● not found" }, self.mark), Role::Supporting),
            piece(self.title(id, data), Role::Supporting),
            piece(format!("{:>SCORE$} ", "–"), Role::Dim),
        ];
        pieces.extend(self.stages(id, &result.stages));
        pieces
    }

    fn title(&self, id: &ChunkId, data: &Data) -> String {
        match data.chunk(id) {
            Some(chunk) => text::pad(&title_of(chunk, data, self.title), self.title),
            None => text::pad(&id.to_string(), self.title),
        }
    }

    fn stages<'a>(&self, id: &ChunkId, stages: &[Stage]) -> Vec<Piece<'a>> {
        if self.stage == 0 {
            return Vec::new();
        }
        let rank = |stage: &Stage| stage.rank(id).map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        stages.iter().map(|stage| piece(format!("{:>width$}", rank(stage), width = self.stage), Role::Plain)).collect()
    }
}
