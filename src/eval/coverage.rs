//! Coverage: what the cases ask about, what they leave out, and which of them are too easy or say two things.
//!
//! Nothing is asked of a retriever; this is about the cases alone.

mod doubts;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::{ToSpan, civil::Date};

pub use self::doubts::{Contradiction, Doubt, Easy};
use crate::domain::{
    case::{Case, Labeled, Source},
    outline::Outline,
    resolve::Resolved,
};

/// What the cases cover.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// The day that ages are told from.
    pub as_of: Date,
    /// How many cases there are, and how far labeling has come.
    pub counts: Counts,
    /// One row for each source that a case can name, by descending value; then those that name none, if there are any.
    pub sources: Vec<SourceRow>,
    /// How old the cases are.
    pub ages: Ages,
    /// The subsets that were asked for in their order, then every other tag by name.
    pub subsets: Vec<SubsetRow>,
    /// Which tags stand together on a case.
    pub together: Together,
    /// Tags that say something else than the labels.
    pub contradictions: Vec<Contradiction>,
    /// Labeled cases without a tag: no subset shows them.
    pub untagged: Vec<String>,
    /// Questions that share most of their words with the chunk that answers them, the most alike first.
    pub easy: Vec<Easy>,
    /// Documents that no label points into, in the corpus's order; none where it is not known which there are.
    pub forgotten: Vec<String>,
    /// How many documents the corpus has; `None` where only a part of it is known.
    pub documents: Option<usize>,
}

/// How far labeling has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every case.
    pub cases: usize,
    /// With a supporting reference.
    pub labeled: usize,
    /// Without one yet.
    pub unlabeled: usize,
    /// Nothing in the corpus answers.
    pub unanswerable: usize,
    /// With a label that does not resolve; what it means is in none of the rows that look at chunks.
    pub broken: usize,
    /// Entries of the case files that cannot be read and so are no cases; told by whoever read the files.
    pub unreadable: usize,
}

/// The cases of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRow {
    /// The source; `None`: the case names none.
    pub source: Option<Source>,
    /// How many cases come from it.
    pub cases: usize,
    /// How many of them could be compared with their chunk: labeled, and with enough telling words.
    pub compared: usize,
    /// How many of those are artificially easy.
    pub easy: usize,
}

/// How old the cases are on the day of [`Coverage::as_of`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ages {
    /// Seven days or less.
    pub week: usize,
    /// Thirty days or less, and more than seven.
    pub month: usize,
    /// More than thirty days.
    pub older: usize,
    /// Added after that day.
    pub later: usize,
    /// Without a day, or with one that is none.
    pub unknown: usize,
    /// The latest day on which a case was added.
    pub newest: Option<Date>,
    /// No case is younger than two months: the set measures an increasingly historical distribution of questions.
    pub stale: bool,
}

/// All cases that carry one tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetRow {
    /// The tag.
    pub name: String,
    /// How many cases carry it.
    pub cases: usize,
    /// How many of them are labeled.
    pub labeled: usize,
    /// How many cases it should have.
    pub target: Option<usize>,
}

impl SubsetRow {
    /// Whether the subset has what it should.
    #[must_use]
    pub fn enough(&self) -> Enough {
        match self.target {
            _ if self.cases == 0 => Enough::Empty,
            Some(target) if self.cases < target => Enough::Thin { lacks: target - self.cases },
            _ => Enough::Enough,
        }
    }
}

/// Whether a subset has the cases that it should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enough {
    /// It has none.
    Empty,
    /// It is below its target.
    Thin {
        /// By how many cases.
        lacks: usize,
    },
    /// It has as many as its target, or has no target.
    Enough,
}

/// How often two tags stand on the same case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Together {
    /// The tags, in the order asked for.
    pub tags: Vec<String>,
    /// `cases[a][b]` is how many cases carry both `tags[a]` and `tags[b]`; `cases[a][a]`, how many carry `tags[a]`.
    pub cases: Vec<Vec<usize>>,
}

/// A subset and how many cases it should have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The tag.
    pub name: String,
    /// How many cases it should have, if anybody said so.
    pub cases: Option<usize>,
}

/// Days within which a case is of this week, and of this month.
const WEEK: i32 = 7;
const MONTH: i32 = 30;
/// Without a new case for so many months a set is stale.
const STALE_MONTHS: i32 = 2;

/// Looks at `cases`, whose labels as chunks are `resolved`, in the same order. `subsets` are shown in this order even without
/// cases; other tags follow by name.
#[must_use]
pub fn coverage(cases: &[Case], resolved: &[Resolved], outline: &Outline, subsets: &[Target], as_of: Date) -> Coverage {
    let both = || cases.iter().zip(resolved);
    let names = subsets.iter().map(|subset| subset.name.as_str());
    let together = Together::of(cases.iter().map(|case| case.tags.as_slice()), names);
    let compared: Vec<Option<Easy>> = both().map(|(case, resolved)| Easy::compare(case, resolved, outline)).collect();
    let sources = sources(cases, &compared);
    let mut easy: Vec<Easy> = compared.into_iter().flatten().filter(Easy::is_easy).collect();
    easy.sort_by(|a, b| b.share().total_cmp(&a.share()));
    Coverage {
        as_of,
        counts: counts(cases, resolved),
        sources,
        ages: ages(cases, as_of),
        subsets: rows(cases, &together.tags, subsets),
        together,
        contradictions: both().flat_map(|(case, resolved)| doubts::contradictions(case, resolved, outline)).collect(),
        untagged: untagged(cases),
        easy,
        forgotten: if outline.is_partial() { Vec::new() } else { forgotten(resolved, outline) },
        documents: (!outline.is_partial()).then(|| outline.documents().len()),
    }
}

impl Coverage {
    /// True if more than half of the cases were made by a model from a chunk.
    #[must_use]
    pub fn mostly_generated(&self) -> bool {
        let generated = self.sources.iter().find(|row| row.source == Some(Source::Generated));
        generated.is_some_and(|row| row.cases * 2 > self.counts.cases)
    }
}

impl Together {
    /// Counts the tags of some cases. `first` are the tags that lead, in this order, carried or not; others follow by name.
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a [String]>, first: impl IntoIterator<Item = &'a str>) -> Self {
        let cases: Vec<BTreeSet<&str>> =
            cases.into_iter().map(|tags| tags.iter().map(String::as_str).collect()).collect();
        let mut tags: Vec<&str> = Vec::new();
        let mut seen = BTreeSet::new();
        let others: BTreeSet<&str> = cases.iter().flatten().copied().collect();
        tags.extend(first.into_iter().chain(others).filter(|tag| seen.insert(*tag)));
        let at: HashMap<&str, usize> = tags.iter().enumerate().map(|(at, tag)| (*tag, at)).collect();
        let mut counts = vec![vec![0; tags.len()]; tags.len()];
        for case in &cases {
            for a in case {
                for b in case {
                    counts[at[a]][at[b]] += 1;
                }
            }
        }
        Self { tags: tags.into_iter().map(str::to_owned).collect(), cases: counts }
    }

    /// Which share of the cases that carry `tags[a]` also carry `tags[b]`, in `0.0..=1.0`; 0 where no case carries `tags[a]`.
    ///
    /// # Panics
    ///
    /// Where there is no such tag.
    #[must_use]
    pub fn share(&self, a: usize, b: usize) -> f64 {
        let all = self.cases[a][a];
        if all == 0 { 0.0 } else { self.cases[a][b] as f64 / all as f64 }
    }

    /// The pairs of different tags that stand together at all, the most frequent first.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&str, &str, usize)> {
        let mut pairs = Vec::new();
        for (a, row) in self.cases.iter().enumerate() {
            for (b, &cases) in row.iter().enumerate().skip(a + 1).filter(|(_, cases)| **cases > 0) {
                pairs.push((self.tags[a].as_str(), self.tags[b].as_str(), cases));
            }
        }
        pairs.sort_by_key(|(.., cases)| std::cmp::Reverse(*cases));
        pairs
    }
}

fn counts(cases: &[Case], resolved: &[Resolved]) -> Counts {
    let count = |labeled| cases.iter().filter(|case| case.labeled() == labeled).count();
    Counts {
        cases: cases.len(),
        labeled: count(Labeled::Yes),
        unlabeled: count(Labeled::No),
        unanswerable: count(Labeled::Unanswerable),
        unreadable: 0,
        broken: resolved.iter().filter(|resolved| !resolved.problems.is_empty()).count(),
    }
}

fn sources(cases: &[Case], compared: &[Option<Easy>]) -> Vec<SourceRow> {
    let row = |source| {
        let of = || cases.iter().zip(compared).filter(move |(case, _)| case.source == source);
        let compared = || of().filter_map(|(_, compared)| compared.as_ref());
        SourceRow {
            source,
            cases: of().count(),
            compared: compared().count(),
            easy: compared().filter(|compared| compared.is_easy()).count(),
        }
    };
    let mut rows: Vec<SourceRow> = Source::ALL.into_iter().map(|source| row(Some(source))).collect();
    rows.extend(Some(row(None)).filter(|row| row.cases > 0));
    rows
}

fn ages(cases: &[Case], as_of: Date) -> Ages {
    let mut ages = Ages::default();
    for case in cases {
        let Some(added) = case.added.as_ref().and_then(|added| added.trim().parse::<Date>().ok()) else {
            ages.unknown += 1;
            continue;
        };
        ages.newest = ages.newest.max(Some(added));
        let place = match (as_of - added).get_days() {
            days if days < 0 => &mut ages.later,
            days if days <= WEEK => &mut ages.week,
            days if days <= MONTH => &mut ages.month,
            _ => &mut ages.older,
        };
        *place += 1;
    }
    let limit = as_of.saturating_sub(STALE_MONTHS.months());
    ages.stale = ages.newest.is_some_and(|newest| newest <= limit);
    ages
}

fn rows(cases: &[Case], tags: &[String], subsets: &[Target]) -> Vec<SubsetRow> {
    let mut carried: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for case in cases {
        for tag in case.tags.iter().map(String::as_str).collect::<BTreeSet<_>>() {
            let (all, labeled) = carried.entry(tag).or_default();
            *all += 1;
            *labeled += usize::from(case.labeled() == Labeled::Yes);
        }
    }
    let row = |name: &String| {
        let (cases, labeled) = carried.get(name.as_str()).copied().unwrap_or_default();
        let target = subsets.iter().find(|subset| &subset.name == name).and_then(|subset| subset.cases);
        SubsetRow { name: name.clone(), cases, labeled, target }
    };
    tags.iter().map(row).collect()
}

fn untagged(cases: &[Case]) -> Vec<String> {
    let lacking = cases.iter().filter(|case| case.labeled() == Labeled::Yes && case.tags.is_empty());
    lacking.map(|case| case.id.clone()).collect()
}

fn forgotten(resolved: &[Resolved], outline: &Outline) -> Vec<String> {
    let labeled: BTreeSet<&str> = resolved
        .iter()
        .flat_map(|resolved| resolved.supporting.iter().flat_map(|needed| &needed.any_of).chain(&resolved.distractors))
        .filter_map(|id| outline.chunk(id))
        .map(|chunk| chunk.document.as_str())
        .collect();
    let documents = outline.documents().iter().map(|document| &document.name);
    documents.filter(|name| !labeled.contains(name.as_str())).cloned().collect()
}

#[cfg(test)]
mod tests;
