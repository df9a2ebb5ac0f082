//! From references to chunks: what a label means in the corpus as it is today, or why it means nothing.

mod approx;
mod candidates;
mod moved;
mod quote;
mod say;
mod section;
mod target;
#[cfg(test)]
mod tests;

use std::{collections::HashSet, sync::Arc};

pub use target::target_for;

use self::{
    moved::Sought,
    quote::Hit,
    section::{Section, below, matching, same_section, sections},
};
use super::{
    case::{Case, Place, Reference, Target},
    chunk::{Chunk, ChunkId},
    outline::{Document, Outline},
};

/// A case whose references were looked up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved {
    /// What the answer needs. A section without a quote that holds several chunks gives one requirement for each.
    pub supporting: Vec<Needed>,
    /// The chunks that look right and are wrong, in the case's order, without repeats.
    pub distractors: Vec<ChunkId>,
    /// What could not be resolved. A run refuses to start unless this is empty.
    pub problems: Vec<Problem>,
}

/// One requirement as chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed {
    /// Any one of these satisfies it. Never empty.
    pub any_of: Vec<ChunkId>,
    /// Which entry of `Case::supporting` it comes from.
    pub requirement: usize,
}

/// A reference that means nothing, or more than one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The case's id.
    pub case: String,
    /// Where the reference stands; the case's place for one that is in no file.
    pub place: Place,
    /// The reference.
    pub target: Target,
    /// What is wrong with it.
    pub kind: ProblemKind,
    /// What it may have meant, best first, each ready to take its place.
    pub candidates: Vec<Target>,
}

/// What is wrong with a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// No document has that name.
    NoDocument,
    /// Several documents have that name; these are their names.
    ManyDocuments(Vec<String>),
    /// The document has no such heading path.
    NoSection,
    /// Several sections have that heading path; the id of the first chunk of each.
    ManySections(Vec<ChunkId>),
    /// The heading stands there without any chunk of its own: its text is in sub-sections.
    EmptySection,
    /// The section does not hold the quote.
    NoQuote,
    /// The quote is only found approximately, or elsewhere in the document: to be confirmed.
    Moved {
        /// The chunks that hold it now.
        to: Vec<ChunkId>,
        /// The words found there.
        found: String,
    },
    /// No chunk has that id.
    NoChunk,
    /// The chunk is both supporting and distractor in this case.
    Contradiction(ChunkId),
}

/// Why a reference could not be looked up: a [`Problem`] without its case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What is wrong.
    pub kind: ProblemKind,
    /// What it may have meant, best first, each ready to take its place.
    pub candidates: Vec<Target>,
}

/// Looks up every reference of `case`.
///
/// A requirement that is written twice counts once: the later one gives no [`Needed`].
#[must_use]
pub fn resolve(case: &Case, outline: &Outline) -> Resolved {
    let mut resolved = Resolved::default();
    let mut said: HashSet<Vec<ChunkId>> = HashSet::new();
    for (index, requirement) in case.supporting.iter().enumerate() {
        let found: Vec<Vec<ChunkId>> =
            requirement.any_of.iter().filter_map(|reference| resolved.chunks(case, reference, outline)).collect();
        // What is one alternative in a group is a requirement of its own outside of one.
        let one_is_enough = requirement.group || requirement.any_of.iter().any(is_quoted);
        let needed =
            if one_is_enough { vec![found.concat()] } else { found.concat().into_iter().map(|id| vec![id]).collect() };
        for mut any_of in needed {
            let mut seen = HashSet::new();
            any_of.retain(|id| seen.insert(id.clone()));
            let mut key = any_of.clone();
            key.sort();
            if !any_of.is_empty() && said.insert(key) {
                resolved.supporting.push(Needed { any_of, requirement: index });
            }
        }
    }
    let supporting: HashSet<ChunkId> = resolved.supporting.iter().flat_map(|needed| &needed.any_of).cloned().collect();
    for reference in &case.distractors {
        for id in resolved.chunks(case, reference, outline).unwrap_or_default() {
            if supporting.contains(&id) {
                let kind = ProblemKind::Contradiction(id.clone());
                resolved.problems.push(problem(case, reference, Trouble { kind, candidates: Vec::new() }));
            }
            if !resolved.distractors.contains(&id) {
                resolved.distractors.push(id);
            }
        }
    }
    resolved
}

impl Resolved {
    /// The chunks of one reference; what is wrong with it goes to the problems.
    fn chunks(&mut self, case: &Case, reference: &Reference, outline: &Outline) -> Option<Vec<ChunkId>> {
        match look_up(&reference.target, outline) {
            Ok(chunks) => Some(chunks),
            Err(trouble) => {
                self.problems.push(problem(case, reference, trouble));
                None
            }
        }
    }
}

fn problem(case: &Case, reference: &Reference, trouble: Trouble) -> Problem {
    Problem {
        case: case.id.clone(),
        place: reference.place.as_ref().unwrap_or(&case.place).clone(),
        target: reference.target.clone(),
        kind: trouble.kind,
        candidates: trouble.candidates,
    }
}

fn is_quoted(reference: &Reference) -> bool {
    matches!(reference.target, Target::Section { quote: Some(_), .. })
}

/// Looks up one reference: the chunks it means, in document order and never none, or what is wrong with it.
///
/// The chunks of a quoted reference are alternatives (an overlap, a cut); those of a section without a quote are not.
/// A quote that stands in several sections means one passage only where these overlap; else it is ambiguous.
pub fn look_up(target: &Target, outline: &Outline) -> Result<Vec<ChunkId>, Trouble> {
    let (name, heading, quote) = match target {
        Target::Chunk(id) if outline.chunk(id).is_some() => return Ok(vec![id.clone()]),
        Target::Chunk(id) => {
            return Err(Trouble { kind: ProblemKind::NoChunk, candidates: candidates::ids(id, outline) });
        }
        Target::Section { document, heading, quote } => (document, heading, quote.as_ref()),
    };
    match outline.find(name)[..] {
        [document] => direct(target, document).map_err(|why| explain(target, why, document, outline)),
        [] => Err(Trouble {
            kind: ProblemKind::NoDocument,
            candidates: candidates::documents(name, heading, quote, outline),
        }),
        ref many => Err(Trouble {
            kind: ProblemKind::ManyDocuments(many.iter().map(|document| document.name.clone()).collect()),
            candidates: candidates::named(many, heading, quote),
        }),
    }
}

/// What a reference means as it stands, without any search for what else it may have meant; `None` for nothing or several things.
pub(super) fn direct_look_up(target: &Target, outline: &Outline) -> Option<Vec<ChunkId>> {
    let Target::Section { document, .. } = target else { return None };
    match outline.find(document)[..] {
        [document] => direct(target, document).ok(),
        _ => None,
    }
}

/// Why a reference means nothing in a document, before anybody looked for what it may have meant.
enum Why<'d> {
    NoSection,
    EmptySection,
    ManySections(Vec<&'d Arc<Chunk>>),
    NoQuote,
}

/// What a reference means in `document` as it stands there: no approximation, no search elsewhere.
fn direct<'d>(target: &Target, document: &'d Document) -> Result<Vec<ChunkId>, Why<'d>> {
    let Target::Section { heading, quote, .. } = target else { return Err(Why::NoSection) };
    let sections = sections(document);
    let matched = matching(heading, &document.name, &sections);
    let Some(quote) = quote else {
        return match matched[..] {
            [section] => Ok(ids(section.chunks.iter().copied())),
            [] if !heading.is_empty() && !below(heading, &document.name, &sections).is_empty() => {
                Err(Why::EmptySection)
            }
            [] => Err(Why::NoSection),
            ref many => Err(Why::ManySections(many.iter().map(|section| section.chunks[0]).collect())),
        };
    };
    let within = sought_in(heading, document, &matched);
    let hits = quote::find(quote, &within, document);
    if hits.is_empty() {
        return Err(if matched.is_empty() && !heading.is_empty() { Why::NoSection } else { Why::NoQuote });
    }
    if quote::one_passage(quote, &hits) {
        return Ok(distinct(&hits));
    }
    Err(Why::ManySections(one_of_each_section(&hits)))
}

/// The chunks among which a quote is sought first: the section's, or without a heading the whole document's.
fn sought_in<'d>(heading: &[String], document: &'d Document, matched: &[&Section<'d>]) -> Vec<&'d Arc<Chunk>> {
    if heading.is_empty() {
        document.chunks.iter().collect()
    } else {
        matched.iter().flat_map(|section| section.chunks.iter().copied()).collect()
    }
}

fn ids<'d>(chunks: impl Iterator<Item = &'d Arc<Chunk>>) -> Vec<ChunkId> {
    chunks.map(|chunk| chunk.id.clone()).collect()
}

fn distinct(hits: &[Hit<'_>]) -> Vec<ChunkId> {
    let mut seen = HashSet::new();
    ids(hits.iter().flatten().copied().filter(|chunk| seen.insert(&chunk.id)))
}

fn one_of_each_section<'d>(hits: &[Hit<'d>]) -> Vec<&'d Arc<Chunk>> {
    let mut firsts: Vec<&Arc<Chunk>> = Vec::new();
    for chunk in hits.iter().flatten() {
        if !firsts.iter().any(|first| same_section(first, chunk)) {
            firsts.push(chunk);
        }
    }
    firsts
}

/// Looks for what a reference may have meant that means nothing in `document`.
fn explain(target: &Target, why: Why<'_>, document: &Document, outline: &Outline) -> Trouble {
    let Target::Section { heading, quote, .. } = target else {
        return Trouble { kind: ProblemKind::NoSection, candidates: Vec::new() };
    };
    let sections = sections(document);
    let matched = matching(heading, &document.name, &sections);
    let (kind, candidates) = match why {
        Why::ManySections(firsts) => {
            let candidates = match quote {
                Some(_) => candidates::passages(firsts.iter().copied().take(5), outline),
                None => candidates::each(&matched, document, outline),
            };
            (ProblemKind::ManySections(ids(firsts.into_iter())), candidates)
        }
        Why::EmptySection => {
            let below = below(heading, &document.name, &sections);
            (ProblemKind::EmptySection, candidates::each(&below, document, outline))
        }
        Why::NoSection | Why::NoQuote => {
            let within = sought_in(heading, document, &matched);
            let missing = if matches!(why, Why::NoQuote) { ProblemKind::NoQuote } else { ProblemKind::NoSection };
            match quote.as_deref().map(|quote| (quote, moved::seek(quote, target, &within, document, outline))) {
                Some((_, Sought::Moved { to, found, instead })) => (ProblemKind::Moved { to, found }, vec![instead]),
                Some((_, Sought::Several(candidates))) => (missing, candidates),
                Some((quote, Sought::Nowhere)) if !within.is_empty() => {
                    (ProblemKind::NoQuote, candidates::like_quote(quote, &within, outline, target))
                }
                _ => (missing, candidates::headings(heading, document, outline)),
            }
        }
    };
    Trouble { kind, candidates }
}
