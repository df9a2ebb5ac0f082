//! What stands below the subsets: the one under the cursor, tags that stand together, sources and ages, what the cases leave out.

use super::{Line, columns};
use crate::{
    eval::{
        aggregate::Reason,
        coverage::{Coverage, Enough, Together},
        gate::ALL,
    },
    report::{coverage as report, gate},
    tui::{
        data::{Data, Stands, Surveyed},
        screen::parts::ratio,
        theme::Role,
        widget::{
            canvas::{Piece, piece},
            gauge, level, passage, text,
        },
    },
};

/// The heading of a section.
fn heading(words: impl Into<String>) -> Line {
    vec![piece(format!(" {}", words.into()), Role::Strong)]
}

/// A glyph and a sentence, wrapped.
fn said(lines: &mut Vec<Line>, glyph: &'static str, role: Role, sentence: &str, width: usize) {
    let rows = passage::wrap(sentence, &[], width.saturating_sub(4));
    for (at, row) in rows.into_iter().enumerate() {
        let mut line: Line = if at == 0 {
            vec![piece(" ", Role::Plain), piece(text::pad(glyph, 2), role)]
        } else {
            vec![piece("   ", Role::Plain)]
        };
        line.extend(row.into_iter().map(|part| piece(part.text, Role::Plain)));
        lines.push(line);
    }
}

/// The subset under the cursor: its cases, its interval, each threshold, why it is marked, and its kept runs.
pub(super) fn subset(row: &Surveyed, data: &Data, coverage: &Coverage, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let (cases, labeled) = (row.row.cases, row.row.labeled);
    let lacks = match row.enough() {
        Enough::Thin { lacks } => format!(", lacks {lacks}"),
        _ => String::new(),
    };
    let wanted = row.row.target.map_or_else(String::new, |target| format!(" of {target} wanted{lacks}"));
    let run = if row.asked < row.may { format!(" · {} of {} run", row.asked, row.may) } else { String::new() };
    lines.push(heading(format!("{}: {cases} cases{wanted} · {labeled} labeled{run}", row.name)));
    match row.numbers() {
        Some((subset, numbers)) => {
            if let Some(interval) = subset.recall_interval() {
                let few = if subset.too_few() { ": too few to tell" } else { "" };
                let sentence = format!(
                    "recall {} of {}, 95 % interval {} to {}{few} · precision {} of at most {}",
                    ratio(numbers.recall),
                    subset.n,
                    ratio(interval.low),
                    ratio(interval.high),
                    ratio(numbers.precision),
                    ratio(numbers.precision_ceiling),
                );
                said(&mut lines, if subset.too_few() { "~" } else { "" }, Role::Dim, &sentence, width);
            }
        }
        None => said(&mut lines, "", Role::Dim, &columns::none(row), width),
    }
    held(&mut lines, row, width);
    for mark in row.subset.iter().flat_map(|subset| &subset.marks) {
        let glyph = match mark {
            Reason::DistractorAbove(_) => "↑",
            Reason::RecallUnderAll(_) => "▼",
            Reason::MissesThreshold { .. } => continue,
        };
        said(&mut lines, glyph, Role::Distractor, &mark.explain(), width);
    }
    let doubts = coverage.contradictions.iter().filter(|found| found.doubt.tag() == row.name);
    let doubts: Vec<&str> = doubts.map(|found| found.case.as_str()).collect();
    if !doubts.is_empty() {
        said(&mut lines, "?", Role::Warning, &format!("labels speak against the tag: {}", doubts.join(" ")), width);
    }
    lines.extend(past(&row.name, data, width));
    lines.push(Vec::new());
    lines
}

fn held(lines: &mut Vec<Line>, row: &Surveyed, width: usize) {
    if row.stands() == Stands::Part {
        let sentence = format!("{} of {} run: a threshold says nothing of a part", row.asked, row.may);
        said(lines, "…", Role::Dim, &sentence, width);
    } else {
        for held in &row.held {
            let (glyph, role) = columns::stands(if held.met() { Stands::Passes } else { Stands::Fails });
            let behind =
                if held.met() || held.cases.is_empty() { String::new() } else { format!(": {}", held.cases.join(" ")) };
            said(lines, glyph, role, &format!("{}{behind}", gate::standing(held)), width);
        }
        for metric in &row.unmeasured {
            let sentence = format!("{metric} is not known under this window: `caselight gate` says why");
            said(lines, "✗", Role::Distractor, &sentence, width);
        }
    }
    if let Some(against) = &row.against {
        said(lines, "·", Role::Dim, &format!("`caselight gate` also holds it against {against}"), width);
    }
}

/// The recall of the kept runs.
fn past(name: &str, data: &Data, width: usize) -> Vec<Line> {
    let config = data.config().map_or("", |config| config.name.as_str());
    let runs: Vec<_> = data.past().iter().map(|run| (run, run.numbers(name))).collect();
    let known: Vec<_> = runs.iter().filter_map(|(run, numbers)| Some((*run, (*numbers)?))).collect();
    let (Some((first, was)), Some((last, is))) = (known.first(), known.last()) else {
        let text = if data.past_is_awaited() {
            "reading the kept runs …".to_owned()
        } else {
            format!("no kept run of {config} has it: `caselight run` keeps one")
        };
        let mut lines = Vec::new();
        said(&mut lines, "", Role::Dim, &text, width);
        return lines;
    };
    let recalls: Vec<Option<f64>> = runs.iter().map(|(_, numbers)| numbers.map(|numbers| numbers.recall)).collect();
    let day = |started: &str| started.split('T').next().unwrap_or(started).to_owned();
    let spark = level::sparkline(&recalls, (width / 4).max(8));
    let over = if known.len() == 1 { "in the kept run".to_owned() } else { format!("over {} kept runs", known.len()) };
    let text = if known.len() == 1 {
        format!(" {}, {}", ratio(is.recall), day(&last.started))
    } else {
        let (from, to) = (day(&first.started), day(&last.started));
        let days = if from == to { to } else { format!("{from} to {to}") };
        format!(" {} → {}, {days}", ratio(was.recall), ratio(is.recall))
    };
    vec![vec![
        piece(format!("   recall {over} "), Role::Dim),
        piece(spark, Role::Accent),
        piece(text::cut(&text, width.saturating_sub(30)), Role::Plain),
    ]]
}

/// Which tags stand on the same cases: a block's height is the share of the row's cases, the number how many they are.
pub(super) fn together(together: &Together, subset: Option<&str>, width: usize) -> Vec<Line> {
    let mut lines = vec![heading("tagged together · height: share of the row's cases")];
    let tags = &together.tags;
    let longest = tags.iter().map(|tag| text::width(tag)).max().unwrap_or(0).clamp(4, 24).min(width / 3);
    let most = together.cases.iter().flatten().max().copied().unwrap_or(0);
    let digits = most.to_string().len();
    // A number of the row in front of its tag stands for the tag above the columns.
    let order = tags.len().to_string().len();
    let name = order + 2 + longest + 1;
    let cell = (digits + 2).max(order + 1);
    let columns = (width.saturating_sub(name) / cell).min(tags.len());
    let mut header = " ".repeat(name);
    for column in 0..columns {
        header.push_str(&format!("{:>cell$}", column + 1));
    }
    if columns < tags.len() {
        header.push_str(" …");
    }
    lines.push(vec![piece(header, Role::Dim)]);
    for (a, tag) in tags.iter().enumerate() {
        let role = if subset == Some(tag.as_str()) { Role::Accent } else { Role::Plain };
        let mut line = vec![piece(format!(" {:>order$} ", a + 1), Role::Dim), piece(text::pad(tag, longest), role)];
        for b in 0..columns {
            let cases = together.cases[a][b];
            let (shown, role) = match cases {
                0 => ("·".to_owned(), Role::Dim),
                cases if a == b => (format!("█{cases}"), Role::Dim),
                cases => (format!("{}{cases}", level::block(together.share(a, b))), Role::Accent),
            };
            line.push(piece(format!("{shown:>cell$}"), role));
        }
        lines.push(line);
    }
    lines.push(Vec::new());
    lines
}

/// A name, a count, and what is to be said of it.
type Counted<'a> = (&'a str, usize, String);

/// Where the cases came from, how old they are, how far labeling is, and the kept runs.
pub(super) fn origin(coverage: &Coverage, data: &Data, width: usize) -> Vec<Line> {
    let all = coverage.counts.cases;
    let sources = coverage.sources.iter().map(|row| {
        let easy = if row.easy > 0 { format!(" {} easy", row.easy) } else { String::new() };
        (row.source.map_or("not said", |source| source.as_str()), row.cases, easy)
    });
    let ages = &coverage.ages;
    let rare = [("added later", ages.later), ("not known", ages.unknown)].into_iter().filter(|(_, n)| *n > 0);
    let always = [("this week", ages.week), ("this month", ages.month), ("older", ages.older)];
    let counts = &coverage.counts;
    let labels = [("labeled", counts.labeled), ("unlabeled", counts.unlabeled), ("unanswerable", counts.unanswerable)];
    let bare = |(name, n)| (name, n, String::new());
    let groups: [(&str, Vec<Counted<'_>>); 3] = [
        ("came from", sources.collect()),
        ("age", always.into_iter().chain(rare).map(bare).collect()),
        ("labels", labels.map(bare).into()),
    ];
    let beside = if width >= 72 { 3 } else { 1 };
    let column = width / beside;
    let drawn = groups.map(|(title, rows)| {
        let mut lines = vec![heading(title)];
        lines.extend(rows.into_iter().map(|(name, n, easy)| counted(name, n, all, &easy, column)));
        lines
    });
    let mut lines = if beside == 1 {
        drawn.into_iter().flat_map(|mut group| (group.push(Vec::new()), group).1).collect()
    } else {
        side_by_side(&drawn, column)
    };
    if let Some(newest) = ages.newest {
        said(&mut lines, "", Role::Dim, &format!("newest case added {newest}, ages as of {}", coverage.as_of), width);
    }
    lines.extend(past(ALL, data, width));
    lines.push(Vec::new());
    lines
}

/// A name, a count, and its bar.
fn counted(name: &str, n: usize, all: usize, behind: &str, width: usize) -> Line {
    let bar = gauge::count(n, all, width.saturating_sub(22 + text::width(behind)).min(30));
    vec![
        piece(format!(" {}{n:>4} ", text::pad(name, 15)), Role::Plain),
        piece(bar, Role::Accent),
        piece(behind.to_owned(), Role::Warning),
    ]
}

fn side_by_side(groups: &[Vec<Line>], column: usize) -> Vec<Line> {
    let rows = groups.iter().map(Vec::len).max().unwrap_or(0);
    let row = |at: usize| {
        let mut line: Line = Vec::new();
        for group in groups {
            let pieces = group.get(at).cloned().unwrap_or_default();
            let wide: usize = pieces.iter().map(|(text, _): &Piece<'_>| text::width(text)).sum();
            line.extend(pieces);
            line.push(piece(" ".repeat(column.saturating_sub(wide)), Role::Plain));
        }
        line
    };
    (0..rows).map(row).collect()
}

/// What the cases leave out, and which of them are doubtful.
pub(super) fn gaps(coverage: &Coverage, width: usize) -> Vec<Line> {
    let mut lines = vec![heading("left out and doubtful")];
    for warning in report::warnings(coverage) {
        said(&mut lines, "⚠", Role::Warning, &warning, width);
    }
    let contradictions = &coverage.contradictions;
    said(&mut lines, "", Role::Dim, &format!("labels that contradict tags: {}", contradictions.len()), width);
    for found in contradictions {
        let sentence = format!("{}: {}, but {}", found.case, found.doubt.tag(), found.doubt.explain());
        said(&mut lines, "?", Role::Warning, &sentence, width);
    }
    if !coverage.untagged.is_empty() {
        let sentence = format!("labeled, without a tag: no subset shows them: {}", coverage.untagged.join(" "));
        said(&mut lines, "?", Role::Warning, &sentence, width);
    }
    if !coverage.easy.is_empty() {
        let sentence = format!("artificially easy: {}: {}", coverage.easy.len(), report::about_easy());
        said(&mut lines, "≈", Role::Warning, &sentence, width);
        for easy in &coverage.easy {
            let sentence = format!("{}: {}: {}", easy.case, report::shared(easy), easy.question.trim());
            said(&mut lines, "", Role::Dim, &sentence, width);
        }
    }
    match coverage.documents {
        Some(all) => {
            let sentence = format!("documents without any case: {} of {all}", coverage.forgotten.len());
            said(&mut lines, "", Role::Dim, &sentence, width);
            for name in &coverage.forgotten {
                said(&mut lines, "∅", Role::Distractor, name, width);
            }
        }
        None => said(&mut lines, "", Role::Dim, report::UNKNOWN, width),
    }
    lines
}
