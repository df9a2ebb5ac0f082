//! Coverage as text for a terminal of 80 columns: bars with their numbers, then lists.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::{MOST, UNKNOWN, about_easy, shared, warnings};
use crate::{
    domain::text::clean,
    eval::coverage::{Ages, Coverage, Enough, SourceRow},
    report::table::plural,
};

/// The columns of a line, of a name at its start, and of a bar.
const WIDTH: usize = 80;
const NAME: usize = 20;
const BAR: usize = 24;

/// The whole report, with a final line end. Text of cases is made safe for a terminal.
#[must_use]
pub fn text(coverage: &Coverage) -> String {
    let Coverage { counts, .. } = coverage;
    let mut out = Lines::default();
    out.line(&format!("coverage — {}, as of {}", plural(counts.cases, "case"), coverage.as_of));
    let warnings = warnings(coverage);
    if !warnings.is_empty() {
        out.line("");
        for warning in warnings {
            out.wrapped("⚠️ ", &warning);
        }
    }
    out.line("");
    let cases = counts.cases;
    for (name, n) in
        [("labeled", counts.labeled), ("unlabeled", counts.unlabeled), ("unanswerable", counts.unanswerable)]
    {
        out.line(&format!("{}{n:>5}  {}", name_of(name), bar(n, cases)));
    }
    sources(&mut out, &coverage.sources, cases);
    ages(&mut out, &coverage.ages, cases);
    subsets(&mut out, coverage);
    let pairs = coverage.together.pairs();
    let pairs: Vec<String> = pairs.iter().map(|(a, b, n)| format!("{n:>3} {a} + {b}")).collect();
    out.list("tags that stand together", &pairs, true);
    let contradictions = coverage.contradictions.iter();
    let contradictions = contradictions.map(|found| {
        let (place, doubt) = (&found.place, found.doubt);
        format!("{}:{}: {}: {}, but {}", place.file.display(), place.line, found.case, doubt.tag(), doubt.explain())
    });
    out.list("tags that the case does not bear out", &contradictions.collect::<Vec<_>>(), true);
    out.list("labeled, without a tag: no subset shows them", &coverage.untagged, true);
    let easy = coverage.easy.iter().map(|easy| format!("{}: {}: {}", easy.case, shared(easy), easy.question.trim()));
    out.list(&format!("artificially easy: {}", about_easy()), &easy.collect::<Vec<_>>(), true);
    match coverage.documents {
        Some(all) => {
            let title = format!("{} of {} without any case", coverage.forgotten.len(), plural(all, "document"));
            out.list(&title, &coverage.forgotten, false);
        }
        None => out.line(&format!("\n{UNKNOWN}")),
    }
    out.0
}

fn sources(out: &mut Lines, rows: &[SourceRow], cases: usize) {
    out.line("");
    out.line(&format!("{}cases  {:<BAR$}  too easy", name_of("source"), ""));
    for row in rows {
        let name = row.source.map_or("not said", |source| source.as_str());
        let easy = if row.compared == 0 { String::new() } else { format!("{} of {}", row.easy, row.compared) };
        out.line(&format!("{}{:>5}  {}  {easy}", name_of(name), row.cases, bar(row.cases, cases)));
    }
}

fn ages(out: &mut Lines, ages: &Ages, cases: usize) {
    out.line("");
    out.line(&format!("{}cases", name_of("age")));
    let always = [("this week", ages.week), ("this month", ages.month), ("older", ages.older)];
    let rare = [("later than that day", ages.later), ("day not known", ages.unknown)];
    for (name, n) in always.into_iter().chain(rare.into_iter().filter(|(_, n)| *n > 0)) {
        out.line(&format!("{}{n:>5}  {}", name_of(name), bar(n, cases)));
    }
}

fn subsets(out: &mut Lines, coverage: &Coverage) {
    out.line("");
    out.line(&format!("{}cases  {:<BAR$}  labeled  target", name_of("subset"), ""));
    let most = coverage.subsets.iter().map(|row| row.cases).max().unwrap_or(0);
    for row in &coverage.subsets {
        let target = row.target.map_or_else(|| "–".to_owned(), |target| target.to_string());
        let state = match row.enough() {
            Enough::Empty => "  empty".to_owned(),
            Enough::Thin { lacks } => format!("  lacks {lacks}"),
            Enough::Enough => String::new(),
        };
        let bar = bar(row.cases, row.target.unwrap_or(most));
        out.line(&format!("{}{:>5}  {bar}  {:>7}  {target:>6}{state}", name_of(&row.name), row.cases, row.labeled));
    }
}

/// A name in its column, cut where it is longer.
fn name_of(name: &str) -> String {
    let name = cut(&clean(name), NAME - 1);
    format!("{name}{}", " ".repeat(NAME - name.width()))
}

/// `n` of `whole` in block characters; anything at all is seen.
fn bar(n: usize, whole: usize) -> String {
    let filled = (n * BAR + whole / 2).checked_div(whole).unwrap_or(0);
    let filled = if n == 0 { 0 } else { filled.clamp(1, BAR) };
    format!("{}{}", "█".repeat(filled), "░".repeat(BAR - filled))
}

/// `text` in at most `width` columns.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for grapheme in text.graphemes(true) {
        if cut.width() + grapheme.width() + 1 > width {
            break;
        }
        cut.push_str(grapheme);
    }
    cut + "…"
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, line: &str) {
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }

    /// Words over as many lines as they take, after `before` on the first and further in on the others.
    fn wrapped(&mut self, before: &str, words: &str) {
        let mut line = before.to_owned();
        let indent = " ".repeat(if before.trim().is_empty() { before.len() * 2 } else { before.width() });
        for word in clean(words).split_whitespace() {
            let word = cut(word, WIDTH - indent.len());
            if line.width() + word.width() > WIDTH && line.trim() != before.trim() {
                self.line(&line);
                line.clone_from(&indent);
            }
            line.push_str(&word);
            line.push(' ');
        }
        self.line(&line);
    }

    /// A title, counted or not, and the first of its entries; nothing at all of an empty list.
    fn list(&mut self, title: &str, entries: &[String], counted: bool) {
        if entries.is_empty() {
            return;
        }
        self.line("");
        let title = if counted { format!("{title} ({})", entries.len()) } else { title.to_owned() };
        self.wrapped("", &title);
        for entry in entries.iter().take(MOST) {
            self.wrapped("  ", &cut(&clean(entry), 2 * WIDTH));
        }
        if entries.len() > MOST {
            self.line(&format!("  … and {} more: --format json lists all", entries.len() - MOST));
        }
    }
}
