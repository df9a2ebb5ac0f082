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

mod draw;

use std::{sync::Arc, time::Duration};

use ratatui::layout::{Position, Rect};

use self::draw::Layout;
use super::{Screen, marking};
use crate::{
    casefile::edit::Edit as CaseEdit,
    corpus::{Found, tokenizer},
    domain::{
        case::{Case, Reference},
        chunk::Chunk,
        resolve,
    },
    eval::evaluate::Mark,
    tui::{
        command::{self, Context},
        data::{Data, LabelAt, Tone},
        effect::{Job, Out, Slot},
        widget::{
            canvas::Canvas,
            input::{Edit, Input},
            list::{ListCursor, Motion},
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
    /// The search line is selected: the first letter takes its place.
    selected: bool,
    focus: Focus,
    hits: Vec<Found>,
    /// What the hits were found for.
    found_for: String,
    cursor: ListCursor,
    label: ListCursor,
    scroll: i32,
    /// The last search broke off: its hits, or their documents, will not come.
    gave_up: bool,
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
    /// Shows the current case: fills the search line with its question, unless it is shown already, and searches.
    pub fn open(&mut self, data: &Data, out: &mut Out<'_>) {
        let Some(case) = data.current() else { return };
        if self.case.as_ref() != Some(&case.id) {
            // Letters on their way to the search line must not become commands.
            let focus = if self.typing() { Focus::Search } else { Focus::Hits };
            *self = Self { case: Some(case.id.clone()), search: Input::new(&case.question), focus, ..Self::default() };
        } else if !self.found_for.is_empty() && !self.gave_up {
            return;
        }
        self.start(Duration::ZERO, out);
    }

    /// Takes in hits.
    pub fn show(&mut self, typed: String, hits: Vec<Found>) {
        if typed == self.search.text() {
            let before = self.hits.get(self.cursor.selected).map(|hit| hit.chunk.id.clone());
            let same = self.found_for == typed;
            self.hits = hits;
            self.found_for = typed;
            self.gave_up = false;
            let kept = before.filter(|_| same).and_then(|id| self.hits.iter().position(|hit| hit.chunk.id == id));
            self.cursor = ListCursor { selected: kept.unwrap_or(0), top: 0 };
            self.scroll = 0;
        }
    }

    /// Takes in that a search broke off: what it has not brought will not come.
    pub fn give_up(&mut self) {
        self.gave_up = true;
        if self.found_for != self.search.text() {
            // Those of another search are not the answer to this one.
            self.hits.clear();
        }
    }

    /// True while the hits of what stands in the search line are on their way.
    #[must_use]
    pub fn waits(&self, data: &Data) -> bool {
        let opening = data.outline.is_none() && data.closed.is_none();
        let searching = tokenizer::is_searchable(self.search.text()) && self.found_for != self.search.text();
        let seen = self.cursor.visible(self.shown().len(), Self::list_height(data));
        let coming = self.shown().get(self.cursor.selected).into_iter().chain(&self.shown()[seen]);
        opening || (!self.gave_up && (searching || coming.into_iter().any(|hit| data.awaits(&hit.chunk))))
    }

    /// True while the search line is being typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.focus == Focus::Search
    }

    /// Takes a change of the search line.
    pub fn typed(&mut self, edit: Edit, out: &mut Out<'_>) {
        let replaces = matches!(edit, Edit::Insert(_) | Edit::Backspace | Edit::Delete | Edit::Word);
        let mut changed = std::mem::take(&mut self.selected) && replaces && self.search.apply(Edit::Clear);
        changed |= self.search.apply(edit);
        if changed {
            self.start(PAUSE, out);
        }
    }

    /// Takes pasted text.
    pub fn pasted(&mut self, text: &str, out: &mut Out<'_>) {
        if std::mem::take(&mut self.selected) {
            self.search.apply(Edit::Clear);
        }
        self.search.insert(text);
        self.start(PAUSE, out);
    }

    /// Does what a key asks for.
    pub fn command(&mut self, command: command::Label, data: &mut Data, out: &mut Out<'_>) {
        use command::Label as C;
        match command {
            C::Search => {
                self.focus = Focus::Search;
                self.selected = !self.search.text().is_empty();
            }
            C::EndSearch => {
                self.focus = Focus::Hits;
                self.selected = false;
            }
            C::Question => {
                if let Some(case) = data.current() {
                    self.search = Input::new(&case.question);
                    self.selected = self.focus == Focus::Search;
                    self.start(Duration::ZERO, out);
                }
            }
            C::Supporting => self.toggle(self.cursor.selected, Mark::Supporting, data, out),
            C::Nth(n) => {
                let shown = self.cursor.visible(self.hits.len(), Self::list_height(data));
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

    fn start(&mut self, after: Duration, out: &mut Out<'_>) {
        self.gave_up = false;
        if tokenizer::is_searchable(self.search.text()) {
            // While nothing is being typed, the last word is a whole one.
            let whole = after.is_zero();
            let job = Job::Search { typed: self.search.text().to_owned(), whole, limit: HITS };
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
        if marking::cannot_refer(case, &hit.chunk, data) {
            data.say(Tone::Warning, marking::NOT_HERE);
            return;
        }
        let (id, target) = (case.id.clone(), marking::target(case, &hit.chunk, data));
        let edit = CaseEdit::AddAlternative { requirement, target };
        if data.mark(&id, &hit.chunk.id) == Mark::Distractor
            && let Some(at) = data.label_of(case, &hit.chunk.id)
        {
            // One chunk cannot be both: it changes sides.
            if data.edit(&id, marking::remove(at), out) {
                data.edit_with_last(&id, edit, out);
            }
            return;
        }
        data.edit(&id, edit, out);
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
    fn list_height(data: &Data) -> usize {
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
            let height = Self::list_height(data);
            self.cursor.apply(motion, self.shown().len(), height);
        }
    }

    fn view(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        self.draw(data, area, canvas)
    }
}
