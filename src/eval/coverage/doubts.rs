//! What makes one case doubtful: a tag that its labels do not bear out, or a question made of its own answer's words.

use std::collections::{BTreeSet, HashSet};

use crate::{
    domain::{
        case::{Case, Labeled, Place, Source},
        chunk::{Chunk, ChunkId},
        outline::Outline,
        resolve::Resolved,
        text::words,
    },
    eval::words::{is_code, is_telling, tokens, whole_text},
};

/// A tag that says something else than the labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The case.
    pub case: String,
    /// Where it begins.
    pub place: Place,
    /// What is contradicted.
    pub doubt: Doubt,
}

/// What a tag promises and a case does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// `exact_token`, and no word of the question looks like a code.
    NoToken,
    /// `multi_chunk`, and the answer needs one thing.
    OneRequirement,
    /// `multi_hop`, and every supporting chunk is of one document.
    OneDocument,
    /// `permission_narrow`, and the case names no asker.
    NoAsker,
    /// `permission_narrow`, and what answers is for everybody.
    ForEverybody,
    /// `follow_up`, and there are no turns before it.
    NoContext,
}

impl Doubt {
    /// The tag that is doubted.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::NoToken => "exact_token",
            Self::OneRequirement => "multi_chunk",
            Self::OneDocument => "multi_hop",
            Self::NoAsker | Self::ForEverybody => "permission_narrow",
            Self::NoContext => "follow_up",
        }
    }

    /// The name for files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::NoToken => "no_token",
            Self::OneRequirement => "one_requirement",
            Self::OneDocument => "one_document",
            Self::NoAsker => "no_asker",
            Self::ForEverybody => "for_everybody",
            Self::NoContext => "no_context",
        }
    }

    /// What speaks against the tag.
    #[must_use]
    pub fn explain(self) -> &'static str {
        match self {
            Self::NoToken => "no word of the question looks like a code",
            Self::OneRequirement => "the answer needs one thing only",
            Self::OneDocument => "everything that supports it stands in one document",
            Self::NoAsker => "the case names no asker",
            Self::ForEverybody => "everything that supports it is for everybody",
            Self::NoContext => "there is no context before it",
        }
    }
}

/// The tags of a case that it does not keep. Labels are only held against a tag where they exist and resolve.
pub(super) fn contradictions(case: &Case, resolved: &Resolved, outline: &Outline) -> Vec<Contradiction> {
    let tagged = |doubt: Doubt| case.tags.iter().any(|tag| tag == doubt.tag());
    let supporting: Vec<&Chunk> =
        supporting(resolved).filter_map(|id| outline.chunk(id)).map(|chunk| &**chunk).collect();
    let sure = case.labeled() == Labeled::Yes && resolved.problems.is_empty() && !supporting.is_empty();
    let documents: BTreeSet<&str> = supporting.iter().map(|chunk| chunk.document.as_str()).collect();
    let holds = |doubt| match doubt {
        Doubt::NoToken => !tokens(&case.question).any(is_code),
        Doubt::OneRequirement => sure && resolved.supporting.len() < 2,
        Doubt::OneDocument => sure && documents.len() < 2,
        Doubt::NoAsker => case.asker.is_none(),
        Doubt::ForEverybody => sure && supporting.iter().all(|chunk| chunk.scope.is_empty()),
        Doubt::NoContext => case.context.is_empty(),
    };
    let every = [
        Doubt::NoToken,
        Doubt::OneRequirement,
        Doubt::OneDocument,
        Doubt::NoAsker,
        Doubt::ForEverybody,
        Doubt::NoContext,
    ];
    let found = every.into_iter().filter(|doubt| tagged(*doubt) && holds(*doubt));
    found.map(|doubt| Contradiction { case: case.id.clone(), place: case.place.clone(), doubt }).collect()
}

/// How much of a question stands in the chunk that answers it. Where nearly all does, any retriever finds it, and a high score
/// tells nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Easy {
    /// The case.
    pub case: String,
    /// The question.
    pub question: String,
    /// Where it came from.
    pub source: Option<Source>,
    /// The supporting chunk that shares most with it.
    pub chunk: ChunkId,
    /// How many of the question's telling words stand in the chunk, its headings or its document's name.
    pub shared: usize,
    /// Of how many different ones.
    pub words: usize,
}

impl Easy {
    /// A question that shares at least this part of its telling words is artificially easy.
    pub const SHARE: f64 = 0.8;
    /// Questions of fewer telling words are not compared: a code and a noun are how people look things up.
    pub const LEAST: usize = 3;

    /// The part of the telling words that is shared, in `0.0..=1.0`.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.shared as f64 / self.words as f64
    }

    /// True from [`Easy::SHARE`] on.
    #[must_use]
    pub fn is_easy(&self) -> bool {
        self.share() >= Self::SHARE - crate::eval::metric::TOLERANCE
    }

    /// Compares a question with each chunk that supports it; `None` if there is nothing to compare.
    pub(super) fn compare(case: &Case, resolved: &Resolved, outline: &Outline) -> Option<Self> {
        let asked: BTreeSet<String> = words(&case.question).filter(|word| is_telling(word)).collect();
        if asked.len() < Self::LEAST {
            return None;
        }
        let mut best: Option<(usize, &ChunkId)> = None;
        for id in supporting(resolved) {
            let Some(chunk) = outline.chunk(id) else { continue };
            let own: HashSet<String> = words(&whole_text(chunk)).collect();
            let shared = asked.iter().filter(|word| own.contains(*word)).count();
            if best.is_none_or(|(most, _)| shared > most) {
                best = Some((shared, id));
            }
        }
        let (shared, chunk) = best?;
        Some(Self {
            case: case.id.clone(),
            question: case.question.clone(),
            source: case.source,
            chunk: chunk.clone(),
            shared,
            words: asked.len(),
        })
    }
}

fn supporting(resolved: &Resolved) -> impl Iterator<Item = &ChunkId> {
    resolved.supporting.iter().flat_map(|needed| &needed.any_of)
}
