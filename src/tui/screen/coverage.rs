//! Coverage: what is thin, what is weak? Every subset with its cases and its numbers, and below them what else is to be known.
//!
//! ```text
//! counts
//! what is thin
//! what is weak
//! header
//! subsets …
//! rule with the legend
//! the subset under the cursor │ tags that stand together │ sources and ages │ what the cases leave out
//! ```
//!
//! What stands below the subsets is one text that scrolls; in a wide terminal it is three of them beside each other.

mod columns;
mod head;
mod sections;

use ratatui::layout::{Position, Rect};

use self::columns::Columns;
use super::Screen;
use crate::tui::{
    command::{self, Command, Context},
    data::{Data, Survey},
    effect::Out,
    theme::Role,
    widget::{
        canvas::{Canvas, Piece, below, piece, row},
        list::{ListCursor, Motion},
    },
};

/// Rows above the subsets: counts, thin, weak, header.
const HEAD: u16 = 4;
/// The least that is left below the subsets, the rule included.
const BELOW: u16 = 9;
/// From this width on the sections stand beside each other.
const BESIDE: u16 = 150;
/// How many rows one key scrolls.
const SCROLL: usize = 3;

/// A line of the screen.
type Line = Vec<Piece<'static>>;

/// Where one looks in what the cases cover.
#[derive(Debug, Default)]
pub struct CoverageScreen {
    /// The subset under the cursor; `None` is every case.
    subset: Option<String>,
    top: usize,
    scroll: usize,
}

impl CoverageScreen {
    /// Reads the kept runs, for some may have come.
    pub fn open(&mut self, data: &Data, out: &mut Out<'_>) {
        data.ask_past(out);
    }

    /// The filter that shows the cases of the subset under the cursor.
    #[must_use]
    pub fn filter(&self) -> String {
        self.subset.as_ref().map_or_else(String::new, |subset| format!("tag:{subset}"))
    }

    /// Does what a key asks for.
    pub fn command(&mut self, command: command::Coverage, data: &Data) {
        use command::Coverage as C;
        let (length, starts, height) = self.below(data);
        let most = length.saturating_sub(height);
        self.scroll = match command {
            // What cannot be moved to the top is not the next one; from the last it goes on at the first.
            C::NextSection => starts.into_iter().find(|start| *start > self.scroll).unwrap_or(0),
            C::ScrollDown => (self.scroll + SCROLL).min(most.max(self.scroll)),
            C::ScrollUp => self.scroll.saturating_sub(SCROLL),
        };
    }

    /// How long the longest text below the subsets is, where its sections start, and how many rows of it are seen.
    fn below(&self, data: &Data) -> (usize, Vec<usize>, usize) {
        let Some(survey) = data.survey() else { return (0, Vec::new(), 0) };
        let layout = Layout::new(Rect::new(0, 0, data.size.0, data.size.1.saturating_sub(3)), survey.rows.len());
        let texts =
            layout.below.iter().enumerate().map(|(at, place)| self.text(at, layout.below.len(), data, survey, *place));
        let texts: Vec<Vec<Vec<Line>>> = texts.collect();
        let length = |text: &Vec<Vec<Line>>| text.iter().map(Vec::len).sum::<usize>();
        let longest = texts.iter().max_by_key(|text| length(text));
        let mut starts = Vec::new();
        let mut at = 0;
        for section in longest.into_iter().flatten() {
            starts.push(at);
            at += section.len();
        }
        (at, starts, layout.below.first().map_or(0, |place| usize::from(place.height)))
    }

    /// The sections of one of the texts below the subsets.
    fn text(&self, at: usize, of: usize, data: &Data, survey: &Survey, place: Rect) -> Vec<Vec<Line>> {
        let Some(coverage) = data.coverage() else { return Vec::new() };
        let width = usize::from(place.width);
        let surveyed = survey.rows.get(self.selected(survey));
        let subset = || surveyed.map_or_else(Vec::new, |row| sections::subset(row, data, coverage, width));
        let together = || sections::together(&coverage.together, self.subset.as_deref(), width);
        let origin = || sections::origin(coverage, data, width);
        let gaps = || sections::gaps(coverage, width);
        match (of, at) {
            (1, _) => vec![subset(), together(), origin(), gaps()],
            (_, 0) => vec![subset(), together()],
            (_, 1) => vec![origin()],
            _ => vec![gaps()],
        }
    }

    /// The row under the cursor; that of every case where the subset is gone.
    fn selected(&self, survey: &Survey) -> usize {
        let name = self.subset.as_deref();
        let at = survey.rows.iter().skip(1).position(|row| Some(row.name.as_str()) == name);
        at.map_or(0, |at| at + 1)
    }
}

/// Where the parts of the screen are.
struct Layout {
    list: Rect,
    rule: Rect,
    below: Vec<Rect>,
}

impl Layout {
    fn new(area: Rect, rows: usize) -> Self {
        let body = below(area, HEAD);
        let most = body.height.saturating_sub(BELOW).max(body.height.min(3));
        let list = Rect { height: u16::try_from(rows).unwrap_or(u16::MAX).min(most), ..body };
        let rest = below(body, list.height);
        let text = below(rest, 1);
        let below = if area.width >= BESIDE {
            let width = text.width / 3;
            let part = |at: u16| Rect { x: text.x + at * width, width: width - 1, ..text };
            (0..3).map(part).collect()
        } else {
            vec![text]
        };
        Self { list, rule: row(rest, 0), below }
    }
}

impl Screen for CoverageScreen {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Coverage, Context::List, Context::Global, Context::Always]
    }

    fn offers(&self, command: Command, data: &Data) -> bool {
        match command {
            Command::Coverage(command::Coverage::NextSection) => data.size.0 < BESIDE,
            _ => true,
        }
    }

    fn moved(&mut self, motion: Motion, data: &mut Data) {
        let Some(survey) = data.survey() else { return };
        let layout = Layout::new(Rect::new(0, 0, data.size.0, data.size.1.saturating_sub(3)), survey.rows.len());
        let mut cursor = ListCursor { selected: self.selected(survey), top: self.top };
        cursor.apply(motion, survey.rows.len(), usize::from(layout.list.height));
        self.top = cursor.top;
        let name = survey.rows.get(cursor.selected).map(|row| row.name.clone());
        self.subset = name.filter(|_| cursor.selected > 0);
    }

    fn view(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let (Some(coverage), Some(survey)) = (data.coverage(), data.survey()) else {
            let text = if data.closed.is_some() {
                " the corpus is not open, so it is not known what the cases cover"
            } else {
                " what the cases cover is known once the corpus is open"
            };
            canvas.line(row(area, 0), &[piece(text, Role::Dim)]);
            return None;
        };
        for (at, line) in (0..).zip(head::head(coverage, survey, data, usize::from(area.width))) {
            canvas.line(row(area, at), &line);
        }
        let layout = Layout::new(area, survey.rows.len());
        let columns = Columns::new(area.width, survey, data);
        canvas.line(row(area, HEAD - 1), &columns.header());
        let cursor = ListCursor { selected: self.selected(survey), top: self.top };
        let visible = cursor.visible(survey.rows.len(), usize::from(layout.list.height));
        for (place, index) in layout.list.rows().zip(visible) {
            let over = (index == cursor.selected).then_some(Role::Selected);
            canvas.row(place, &columns.row(&survey.rows[index], data, index == cursor.selected), over);
        }
        canvas.rule(layout.rule, "█▓ recall  ▓▒ 95 % interval  │ threshold  ~ too few to tell  left: misses");
        for (at, place) in layout.below.iter().enumerate() {
            let text: Vec<Line> =
                self.text(at, layout.below.len(), data, survey, *place).into_iter().flatten().collect();
            self.scrolled(&text, layout.below.len() == 1, *place, canvas);
        }
        None
    }
}

impl CoverageScreen {
    /// As much of a text as there is place for; how much is hidden stands in its last row. One of several scrolls only as far as
    /// it is hidden; a single one shows each of its sections from the top.
    fn scrolled(&self, text: &[Line], single: bool, place: Rect, canvas: &mut Canvas<'_>) {
        let height = usize::from(place.height);
        let most = if single { text.len().saturating_sub(1) } else { text.len().saturating_sub(height) };
        let shown = &text[self.scroll.min(most)..];
        for (place, line) in place.rows().zip(shown) {
            canvas.line(place, line);
        }
        let hidden = shown.len().saturating_sub(height);
        if hidden > 0 && height > 0 {
            let more = format!(" {} more: J ", hidden + 1);
            let width = u16::try_from(more.len()).unwrap_or(0).min(place.width);
            let foot = Rect { x: place.right() - width, y: place.bottom() - 1, width, height: 1 };
            canvas.line(foot, &[piece(more, Role::Accent)]);
        }
    }
}
