//! Cases: what needs me? The list with a filter, each case's state and last result, and the verdict on the one under the cursor.
//!
//! ```text
//! counts                                            filter
//! header
//! rows …
//! rule
//! verdict on the case under the cursor
//! ```

mod filter;

use ratatui::layout::{Position, Rect};

use self::filter::Filter;
use super::{
    Screen,
    parts::{LABEL_WRONG, LEAKED, alarm, ratio, ratio_role, status, verdict, wrapped},
};
use crate::{
    domain::case::{Case, Labeled},
    tui::{
        command::{self, Context},
        data::{Data, Tone},
        theme::Role,
        widget::{
            canvas::{Canvas, Piece, below, piece, row},
            input::{Edit, Input},
            list::{ListCursor, Motion},
            text,
        },
    },
};

/// Rows above and below the list: counts, header, rule, verdict (two rows), and what is known of the case.
const AROUND: u16 = 6;

/// Where one looks in the list of cases.
#[derive(Debug, Default)]
pub struct CasesScreen {
    filter: Input,
    typing: bool,
    top: usize,
}

impl CasesScreen {
    /// The cases that pass the filter, in file order.
    #[must_use]
    pub fn listed<'a>(&self, data: &'a Data) -> Vec<&'a Case> {
        let filter = Filter::parse(self.filter.text());
        data.cases.iter().filter(|case| filter.passes(case, data)).collect()
    }

    /// Does what a key asks for.
    pub fn command(&mut self, command: command::Cases, data: &mut Data) {
        use command::Cases as C;
        match command {
            C::Filter => self.typing = true,
            C::EndFilter => self.typing = false,
            C::ClearFilter => self.filter = Input::default(),
            C::NextUnlabeled => {
                let filter = Filter::parse(self.filter.text());
                next_unlabeled(data, |case, data| filter.passes(case, data));
            }
            C::NextLook => {
                let filter = Filter::parse(self.filter.text());
                next_look(data, |case, data| filter.passes(case, data));
            }
        }
    }

    /// Takes a change of the filter's text. The case under the cursor stays, if it still passes.
    pub fn typed(&mut self, edit: Edit, data: &mut Data) {
        if self.filter.apply(edit) {
            self.keep_or_first(data);
        }
    }

    /// Takes pasted text.
    pub fn pasted(&mut self, text: &str, data: &mut Data) {
        self.filter.insert(text);
        self.keep_or_first(data);
    }

    /// Shows the cases that pass this filter.
    pub fn filtered(&mut self, filter: &str, data: &mut Data) {
        self.filter = Input::new(filter);
        self.typing = false;
        self.keep_or_first(data);
    }

    /// The filter's text.
    #[must_use]
    pub fn filter(&self) -> &str {
        self.filter.text()
    }

    /// True while the filter is being typed.
    #[must_use]
    pub fn typing(&self) -> bool {
        self.typing
    }

    /// What one looks for by a filter stands at its top.
    fn keep_or_first(&self, data: &mut Data) {
        let filter = Filter::parse(self.filter.text());
        if !data.current().is_some_and(|case| filter.passes(case, data))
            && let Some(first) = self.listed(data).first()
        {
            data.current = Some(first.id.clone());
        }
    }

    /// The case under the cursor is one that is listed: where the current one is not, the next that is becomes current.
    pub fn keep_in_list(&self, data: &mut Data) {
        let filter = Filter::parse(self.filter.text());
        let at = data.cases.iter().position(|case| Some(&case.id) == data.current.as_ref()).unwrap_or(0);
        let (before, after) = data.cases.split_at(at);
        let listed = |case: &&Case| filter.passes(case, data);
        if let Some(case) = after.iter().find(listed).or_else(|| before.iter().rfind(listed)) {
            data.current = Some(case.id.clone());
        }
    }

    fn cursor(&self, listed: &[&Case], data: &Data) -> ListCursor {
        let selected = listed.iter().position(|case| Some(&case.id) == data.current.as_ref()).unwrap_or(0);
        ListCursor { selected, top: self.top }
    }
}

/// Goes to the next unlabeled case `among` all after the current one, around the end; says so if there is none.
pub fn next_unlabeled(data: &mut Data, among: impl Fn(&Case, &Data) -> bool) {
    next(data, |case, _| case.labeled() == Labeled::No, among, ["without a label", "every case is labeled"]);
}

/// Goes to the next case that needs a look after the current one, around the end.
fn next_look(data: &mut Data, among: impl Fn(&Case, &Data) -> bool) {
    next(
        data,
        |case, data| data.needs_a_look(&case.id),
        among,
        ["to look at", "no case that was run needs a look: R runs them all"],
    );
}

/// `words`: what such a case is called, and what to say where there is none.
fn next(
    data: &mut Data,
    wanted: impl Fn(&Case, &Data) -> bool,
    among: impl Fn(&Case, &Data) -> bool,
    words: [&str; 2],
) {
    let at = data.cases.iter().position(|case| Some(&case.id) == data.current.as_ref()).map_or(0, |at| at + 1);
    let around = data.cases[at..].iter().chain(&data.cases);
    let mut found = around.filter(|case| wanted(case, data)).peekable();
    let none = found.peek().is_none();
    match found.find(|case| among(case, data)).map(|case| case.id.clone()) {
        Some(id) if Some(&id) == data.current.as_ref() => {
            data.say(Tone::Warning, format!("this is the only case {} that passes the filter", words[0]));
        }
        Some(id) => data.current = Some(id),
        None if none => data.say(Tone::Done, words[1]),
        None => data.say(Tone::Warning, format!("no case {} passes the filter: esc shows all", words[0])),
    }
}

impl Screen for CasesScreen {
    fn contexts(&self) -> &'static [Context] {
        if self.typing {
            &[Context::Filter, Context::Typing, Context::Always]
        } else {
            &[Context::Cases, Context::List, Context::Global, Context::Always]
        }
    }

    fn moved(&mut self, motion: Motion, data: &mut Data) {
        let listed = self.listed(data);
        let mut cursor = self.cursor(&listed, data);
        // The screen's body is two rows shorter than the terminal, and the tabs take one more.
        let height = usize::from(data.size.1.saturating_sub(3 + AROUND));
        cursor.apply(motion, listed.len(), height);
        self.top = cursor.top;
        let current = listed.get(cursor.selected).map(|case| case.id.clone());
        data.current = current.or_else(|| data.current.clone());
    }

    fn view(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let listed = self.listed(data);
        let at = self.head(data, &listed, row(area, 0), canvas);
        let columns = Columns::new(area.width, &listed);
        canvas.line(row(area, 1), &columns.header());
        let height = area.height.saturating_sub(AROUND);
        let list = Rect { height, ..below(area, 2) };
        let cursor = self.cursor(&listed, data);
        for (place, index) in list.rows().zip(cursor.visible(listed.len(), usize::from(height))) {
            let over = (index == cursor.selected).then_some(Role::Selected);
            canvas.row(place, &columns.case(listed[index], data, index == cursor.selected), over);
        }
        if listed.is_empty() && data.outline.is_some() {
            let text = if data.cases.is_empty() && !data.files.problems.is_empty() {
                "no case could be read: `caselight check` lists why"
            } else if data.cases.is_empty() {
                "no cases yet: write one into a .yaml file beside the settings, with a question_id and a question"
            } else {
                &Filter::parse(self.filter.text()).none_passes()
            };
            canvas.line(row(list, 0), &[piece(text, Role::Dim)]);
        }
        let foot = below(area, area.height.saturating_sub(4));
        canvas.rule(row(foot, 0), "");
        if let Some(case) = listed.get(cursor.selected) {
            let result = data.results.get(&case.id);
            let said: Vec<Piece<'_>> = alarm(result).into_iter().chain(verdict(case, result, data)).collect();
            let rows = wrapped(&said, usize::from(area.width));
            for (at, pieces) in rows.iter().take(2).enumerate() {
                canvas.line(row(foot, if at == 0 { 1 } else { 2 }), pieces);
            }
            canvas.line(row(foot, 3), &about(case, data));
        }
        at
    }
}

impl CasesScreen {
    fn head(&self, data: &Data, listed: &[&Case], area: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let filtered = !self.filter.text().is_empty() || self.typing;
        let width = if filtered { area.width / 2 } else { area.width };
        let summary = data.summary();
        let scored = summary.counts.scored;
        let unlabeled = data.cases.iter().filter(|case| case.labeled() == Labeled::No).count();
        let look = data.cases.iter().filter(|case| data.needs_a_look(&case.id)).count();
        let of = if listed.len() == data.cases.len() { String::new() } else { format!("{} of ", listed.len()) };
        let mut text = format!("{of}{} cases", data.cases.len());
        if let Some(numbers) = &summary.all.numbers {
            text.push_str(&format!(" · {scored} scored · recall {}", ratio(numbers.recall)));
        }
        text.push_str(&format!(" · {unlabeled} unlabeled · {look} need a look"));
        let text = text::cut(&text, usize::from(width.saturating_sub(u16::from(filtered))));
        canvas.line(Rect { width, ..area }, &[piece(text, Role::Strong)]);
        if !filtered {
            return None;
        }
        let place = Rect { x: area.x + width, width: area.width - width, ..area };
        canvas.input(place, "/ ", &self.filter, self.typing, false)
    }
}

/// Asker, source and file of a case.
fn about<'a>(case: &Case, data: &Data) -> Vec<Piece<'a>> {
    let mut text = format!(" asker {}", data.asker(case).label());
    if let Some(reason) = &case.label_wrong {
        text = format!(" {LABEL_WRONG} the label is wrong: {reason} ·{text}");
    }
    if let Some(source) = case.source {
        text.push_str(&format!(" · from {}", source.as_str()));
    }
    if let Some(added) = &case.added {
        text.push_str(&format!(" · added {added}"));
    }
    let file = case.place.file.file_name().unwrap_or_default().to_string_lossy();
    text.push_str(&format!(" · {file}:{}", case.place.line));
    vec![piece(text, Role::Dim)]
}

/// How the width is shared out among the columns.
struct Columns {
    id: usize,
    question: usize,
    tags: usize,
    kind: usize,
}

/// The numbers' columns: rank, recall, completeness, distractor above.
const NUMBERS: usize = 5 + 7 + 7 + 3;

impl Columns {
    fn new(width: u16, listed: &[&Case]) -> Self {
        let width = usize::from(width);
        let kind = if width >= 120 { 26 } else { 0 };
        let id = listed.iter().map(|case| text::width(&case.id)).max().unwrap_or(0).clamp(7, 11) + 1;
        let rest = width.saturating_sub(2 + id + NUMBERS + kind + 2);
        let tags = (rest / 3).min(40);
        Self { id, question: rest - tags, tags, kind }
    }

    fn header<'a>(&self) -> Vec<Piece<'a>> {
        let kind = if self.kind > 0 { text::pad("  verdict", self.kind) } else { String::new() };
        let head = format!(
            "  {}{} {} {:>5}{:>7}{:>7}{:>3}{kind}",
            text::pad("id", self.id),
            text::pad("question", self.question),
            text::pad("tags", self.tags),
            "rank",
            "recall",
            "compl",
            "↑",
        );
        vec![piece(head, Role::Dim)]
    }

    fn case<'a>(&self, case: &Case, data: &Data, selected: bool) -> Vec<Piece<'a>> {
        let result = data.results.get(&case.id);
        let leaked = result.is_some_and(|result| result.leaks() > 0);
        let look = match &case.label_wrong {
            Some(_) => LABEL_WRONG,
            None if leaked => LEAKED,
            None if data.needs_a_look(&case.id) => "!",
            None => " ",
        };
        let mut pieces = vec![
            piece(if selected { "▸" } else { " " }, Role::Accent),
            piece(look, if look == " " { Role::Plain } else { Role::Warning }),
            piece(text::pad(&case.id, self.id), Role::Strong),
            piece(text::pad(&case.question, self.question), Role::Plain),
            piece(" ", Role::Plain),
            piece(text::pad(&case.tags.join(" "), self.tags), Role::Dim),
            piece(" ", Role::Plain),
        ];
        match result.and_then(|result| result.scores().map(|scores| (result, scores))) {
            Some((result, scores)) if data.problems(&case.id).is_empty() => {
                let rank = result.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
                let (found, role) =
                    if scores.recall > 0.0 { ("●", Role::Supporting) } else { ("○", Role::Distractor) };
                pieces.push(piece(format!("{rank:>5}"), Role::Plain));
                pieces.push(piece(format!("{:>7}", format!("{found} {:.0}", scores.recall)), role));
                pieces.push(piece(format!("{:>7}", ratio(scores.completeness)), ratio_role(scores.completeness)));
                let above = if scores.distractor_above { "↑" } else { "" };
                pieces.push(piece(format!("{above:>3}"), Role::Distractor));
            }
            _ => {
                let role = if data.problems(&case.id).is_empty() { Role::Dim } else { Role::Error };
                pieces.push(piece(format!(" {}", text::pad(status(case, data), NUMBERS - 1)), role));
            }
        }
        if self.kind > 0
            && let Some(diagnosis) = result.and_then(|result| result.diagnosis.as_ref())
        {
            pieces.push(piece(format!("  {}", text::pad(diagnosis.kind.word(), self.kind - 2)), Role::Dim));
        }
        pieces
    }
}
