//! The rows of the subsets: how many cases, how well, and how that stands with the gate.

use super::Line;
use crate::{
    eval::{
        aggregate::{Numbers, Reason, Subset},
        coverage::Enough,
    },
    tui::{
        data::{Data, Stands, Survey, Surveyed},
        screen::parts::ratio,
        theme::Role,
        widget::{
            canvas::piece,
            gauge::{self, Share},
            level, text,
        },
    },
};

/// The columns beside the name and the bar: cursor, glyph, cases, n, recall, mrr, precision, completeness, distractor above,
/// gate, misses left.
const FIXED: usize = 2 + 2 + 6 + 4 + 8 + 5 + 5 + 6 + 3 + 8 + 4;
/// A sparkline of the kept runs, where there is room for it.
const RUNS: usize = 18;
/// From this width on it stands at the end of each row, with why the subset is marked.
const WIDE: usize = 120;

/// How the width is shared out among the columns.
pub(super) struct Columns {
    name: usize,
    bar: usize,
    /// Of the sparkline and what is behind it.
    rest: usize,
    /// There are kept runs.
    runs: bool,
}

/// Whether a subset has the cases that it should have, as a glyph.
pub(super) fn enough(row: &Surveyed) -> (&'static str, Role) {
    match row.enough() {
        Enough::Empty => ("∅", Role::Distractor),
        Enough::Thin { .. } => ("◔", Role::Warning),
        Enough::Enough => (" ", Role::Plain),
    }
}

/// Glyph and role of how a subset stands with its gate.
pub(super) fn stands(stands: Stands) -> (&'static str, Role) {
    match stands {
        Stands::Free => (" ", Role::Plain),
        Stands::Part => ("…", Role::Dim),
        Stands::Passes => ("✓", Role::Supporting),
        Stands::Fails => ("✗", Role::Distractor),
    }
}

impl Columns {
    pub(super) fn new(width: u16, survey: &Survey, data: &Data) -> Self {
        let width = usize::from(width);
        let longest = survey.rows.iter().map(|row| text::width(&row.name)).max().unwrap_or(0);
        let room = width.saturating_sub(FIXED);
        let name = longest.clamp(8, 30).min((room * 3 / 5).max(8)) + 1;
        let room = room.saturating_sub(name);
        let bar = if width >= WIDE { (width / 4 - 14).min(room) } else { room };
        Self { name, bar, rest: room - bar, runs: !data.past().is_empty() }
    }

    pub(super) fn header(&self) -> Line {
        let scale = match self.bar {
            0..3 => String::new(),
            3..8 => format!("0{:>1$}", 1, self.bar - 1),
            bar => format!("0{:>1$}{2:>3$}", ".5", bar / 2, 1, bar - bar / 2 - 1),
        };
        let runs = if self.rest >= RUNS && self.runs { "  kept runs" } else { "" };
        let head = format!(
            "    {}{:>6}{:>4}{:>7} {}{:>5}{:>5}{:>6}{:>3}  {}{:>4}{runs}",
            text::pad("subset", self.name),
            "cases",
            "n",
            "recall",
            text::pad(&scale, self.bar),
            "mrr",
            "prec",
            "compl",
            "↑",
            text::pad("gate", 6),
            "left",
        );
        vec![piece(head, Role::Dim)]
    }

    pub(super) fn row(&self, row: &Surveyed, data: &Data, selected: bool) -> Line {
        let (glyph, role) = enough(row);
        let cases = match row.row.target {
            Some(target) => format!("{}/{target}", row.row.cases),
            None => row.row.cases.to_string(),
        };
        let mut line = vec![
            piece(if selected { "▸ " } else { "  " }, Role::Accent),
            piece(glyph, role),
            piece(" ", Role::Plain),
            piece(text::pad(&row.name, self.name), Role::Strong),
            piece(format!("{cases:>6}"), if glyph == " " { Role::Plain } else { role }),
        ];
        if let Some((subset, numbers)) = row.numbers() {
            self.numbers(&mut line, row, subset, numbers);
        } else {
            let room = FIXED - 10 + self.bar;
            line.push(piece(text::pad(&format!("   {}", none(row)), room), Role::Dim));
        }
        self.more(&mut line, row, data);
        line
    }

    fn numbers(&self, line: &mut Line, row: &Surveyed, subset: &Subset, numbers: &Numbers) {
        let few = if subset.too_few() { "~" } else { "" };
        line.push(piece(format!("{:>4}", subset.n), Role::Plain));
        line.push(piece(format!("{:>7} ", format!("{few}{}", ratio(numbers.recall))), Role::Strong));
        let recall = row.recall();
        let role = match recall {
            Some(held) if row.stands() != Stands::Part => {
                if held.met() {
                    Role::Supporting
                } else {
                    Role::Distractor
                }
            }
            _ => Role::Plain,
        };
        let mark = recall.map(|held| held.threshold.value);
        let interval = subset.recall_interval().map(|interval| (interval.low, interval.high));
        line.extend(gauge::share(Share { value: numbers.recall, interval, mark, role }, self.bar));
        let [mrr, precision, completeness] = [numbers.mrr, numbers.precision, numbers.completeness].map(ratio);
        line.push(piece(format!("{mrr:>5}{precision:>5}{completeness:>6}"), Role::Plain));
        let above = numbers.distractor_above;
        line.push(piece(format!("{above:>3}"), if above > 0 { Role::Distractor } else { Role::Dim }));
        let (glyph, role) = stands(row.stands());
        line.push(piece(format!("  {glyph}"), role));
        let held = match (row.missed(), row.recall()) {
            (Some(missed), _) if row.stands() != Stands::Part && row.recall() != Some(missed) => {
                missed.threshold.metric.to_string()
            }
            (_, Some(recall)) => ratio(recall.threshold.value),
            _ => row.held.first().map_or_else(String::new, |held| held.threshold.metric.to_string()),
        };
        line.push(piece(text::pad(&held, 5), role));
        let left = row.misses_left().filter(|_| row.stands() != Stands::Part);
        line.push(piece(format!("{:>4}", left.map_or_else(String::new, |left| left.to_string())), Role::Plain));
    }

    /// What there is room for in a wide terminal: the kept runs, and why one should look here.
    fn more(&self, line: &mut Line, row: &Surveyed, data: &Data) {
        if self.rest == 0 {
            return;
        }
        let mut room = self.rest;
        if self.rest >= RUNS && self.runs {
            let recalls: Vec<Option<f64>> =
                data.past().iter().map(|run| run.numbers(&row.name).map(|numbers| numbers.recall)).collect();
            line.push(piece(format!("  {}", text::pad(&level::sparkline(&recalls, RUNS - 2), RUNS - 2)), Role::Accent));
            room -= RUNS;
        }
        let subset = row.subset.as_ref().filter(|subset| subset.numbers.is_some());
        let mut why: Vec<String> = subset.into_iter().flat_map(|s| &s.marks).map(Reason::explain).collect();
        if subset.is_some_and(Subset::too_few) {
            why.insert(0, "too few to tell".to_owned());
        }
        line.push(piece(text::cut(&format!("  {}", why.join("; ")), room), Role::Dim));
    }
}

/// Why a subset has no numbers.
pub(super) fn none(row: &Surveyed) -> String {
    match (row.row.cases, row.row.target, row.may) {
        (0, Some(target), _) => format!("no cases: {target} wanted"),
        (0, None, _) => "no cases".to_owned(),
        (_, _, 0) => "all of its cases are in the holdout".to_owned(),
        _ if row.row.labeled == 0 => "none labeled".to_owned(),
        _ if row.asked == 0 => "not run".to_owned(),
        (_, _, may) if row.asked < may => format!("{} of {may} run, none scored", row.asked),
        _ => "none scored".to_owned(),
    }
}
