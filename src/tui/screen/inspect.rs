//! Inspect: which stage lost it? One case run: the verdict, the numbers, the ranked window with its cut line, and the passage.
//!
//! ```text
//! case, asker, latency, the run beside it, tags
//! question
//! verdict and what it rests on, what is missing, next step, what the run beside it, repetitions and further requests say
//! numbers, or the line in which a reason is typed
//! header
//! results …, cut line, results below it, labeled chunks that are nowhere
//! rule with the chunk's title
//! the passage
//! ```

mod columns;
mod further;
mod items;
mod layout;
mod numbers;
mod since;
mod verdict;

use ratatui::layout::{Position, Rect};

use self::{
    columns::Columns,
    items::{Item, items},
    layout::{Layout, most},
    numbers::numbers,
    since::Was,
    verdict::{head, said},
};
use super::{Screen, marking};
use crate::{
    casefile::edit::Edit as CaseEdit,
    domain::chunk::ChunkId,
    eval::evaluate::{CaseResult, Mark},
    tui::{
        command::{self, Command, Context},
        data::{Data, Then, Tone},
        effect::{Out, Slot},
        theme::Role,
        widget::{
            canvas::{Canvas, below, piece, row},
            input::{Edit, Input},
            list::{ListCursor, Motion},
            passage,
        },
    },
};

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
    /// The verdict is shown whole, be it at the ranking's cost.
    whole: bool,
    /// Why the label is wrong, while that is typed.
    reason: Option<Input>,
}

impl InspectScreen {
    /// Shows the current case from its top.
    pub fn open(&mut self, data: &mut Data, out: &mut Out<'_>) {
        if self.case != data.current {
            *self = Self { case: data.current.clone(), whole: self.whole, ..Self::default() };
        }
        data.follow_beside(out);
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
            C::WholeVerdict => self.whole = !self.whole,
            C::Further => data.ask_further(out),
            C::Beside => data.next_beside(out),
            C::Repeat => data.repeat(out),
            C::LabelWrong => {
                self.reason = data.current().map(|case| Input::new(case.label_wrong.as_deref().unwrap_or_default()));
            }
            C::SaveReason => self.save_reason(data, out),
            C::DropReason => self.reason = None,
        }
    }

    /// True while the reason why the label is wrong is typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.reason.is_some()
    }

    /// Takes a change of the reason.
    pub fn typed(&mut self, edit: Edit) {
        if let Some(reason) = &mut self.reason {
            reason.apply(edit);
        }
    }

    /// Takes pasted text.
    pub fn pasted(&mut self, text: &str) {
        if let Some(reason) = &mut self.reason {
            reason.insert(text);
        }
    }

    /// Writes the reason into the case; an empty one takes an earlier one back.
    fn save_reason(&mut self, data: &mut Data, out: &mut Out<'_>) {
        let Some(reason) = self.reason.take().map(|input| input.text().trim().to_owned()) else { return };
        let Some(case) = data.current() else { return };
        let (id, reason) = (case.id.clone(), Some(reason).filter(|reason| !reason.is_empty()));
        if case.label_wrong != reason {
            data.edit(&id, CaseEdit::SetLabelWrong(reason), out);
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
    data.stop_asking(out);
    rerun(data, out);
    data.follow_beside(out);
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

impl Screen for InspectScreen {
    fn contexts(&self) -> &'static [Context] {
        if self.typing() {
            &[Context::Reason, Context::Typing, Context::Always]
        } else {
            &[Context::Inspect, Context::List, Context::Global, Context::Always]
        }
    }

    fn offers(&self, command: Command, data: &Data) -> bool {
        let id = data.current.as_deref().unwrap_or_default();
        match command {
            Command::Inspect(command::Inspect::Further) => !data.asks() && data.could_ask_further(id),
            Command::Inspect(command::Inspect::Beside | command::Inspect::Repeat) => data.current_result().is_some(),
            _ => true,
        }
    }

    fn moved(&mut self, motion: Motion, data: &mut Data) {
        self.scroll = 0;
        self.choose(data);
        let Some(result) = data.current_result() else { return };
        let rows = items(result, data).len();
        let cuts = usize::from(!result.results.is_empty());
        let area = Rect::new(0, 0, data.size.0, data.size.1.saturating_sub(3));
        let then = data.then();
        let said = |case| said(case, data.current_result(), then.as_ref(), data, area, self.whole);
        let said = data.current().map_or(0, |case| said(case).len());
        let layout = Layout::new(area, said, most(area, self.whole), rows);
        let height = usize::from(layout.list.height).saturating_sub(cuts);
        self.cursor.apply(motion, rows - cuts, height);
    }

    fn view(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let Some(case) = data.current() else {
            canvas.line(row(area, 0), &[piece("no case is selected: esc goes to the list", Role::Dim)]);
            return None;
        };
        let result = data.current_result();
        let then = data.then();
        let said = said(case, result, then.as_ref(), data, area, self.whole);
        let items = result.map_or(0, |result| items(result, data).len());
        let layout = Layout::new(area, said.len(), most(area, self.whole), items);
        canvas.line(layout.head, &head(case, result, then.as_ref(), data));
        let question = if case.context.is_empty() {
            format!(" {}", case.question)
        } else {
            format!(" {}   (after {} earlier turns)", case.question, case.context.len())
        };
        canvas.line(layout.question, &[piece(question, Role::Strong)]);
        for (at, (place, pieces)) in layout.said.rows().zip(&said).enumerate() {
            canvas.line(place, pieces);
            if at + 1 == usize::from(layout.said.height) && said.len() > at + 1 {
                let more = if self.whole { " …" } else { " … v" };
                let width = u16::try_from(more.chars().count()).unwrap_or(2).min(place.width);
                canvas.line(Rect { x: place.right() - width, width, ..place }, &[piece(more, Role::Accent)]);
            }
        }
        if let Some(result) = result {
            if self.reason.is_none() {
                canvas.line(layout.numbers, &numbers(result, then.as_ref(), usize::from(area.width)));
            }
            self.ranking(result, then.as_ref(), data, &layout, canvas);
        }
        let reason = self.reason.as_ref()?;
        canvas.input(layout.numbers, " the label is wrong, because: ", reason, true, false)
    }
}

impl InspectScreen {
    fn ranking(
        &self,
        result: &CaseResult,
        then: Option<&Then<'_>>,
        data: &Data,
        layout: &Layout,
        canvas: &mut Canvas<'_>,
    ) {
        let items = items(result, data);
        let columns = Columns::new(layout.list.width, result, then.map(Was::new));
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
