//! Causes: what in the texts speaks for why a chunk stands where it stands.

use std::collections::{BTreeMap, HashSet};

use crate::{
    domain::{
        chunk::{Chunk, ChunkId},
        ranking::Hit,
        text::{fold, words},
    },
    eval::{
        asked::Asked,
        words::{is_code, is_telling, tokens, whole_text},
    },
};

/// Evidence beside a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// Many places of the window are of one document.
    CrowdedOut {
        /// The chunk that is not in the window.
        chunk: ChunkId,
        /// The document.
        document: String,
        /// How many of the window's places.
        chunks: usize,
    },
    /// The chunk and the question have no telling word in common.
    NoCommonWord {
        /// The chunk that is not in the window.
        chunk: ChunkId,
    },
    /// A code of the question stands in the chunk and in nothing in the window.
    ExactTokenIgnored {
        /// The chunk that is not in the window.
        chunk: ChunkId,
        /// The code, as the question writes it.
        token: String,
    },
    /// The window has a chunk that is almost the same text.
    Twin {
        /// The chunk that is not in the window.
        chunk: ChunkId,
        /// The other one.
        twin: ChunkId,
        /// Where that stands.
        rank: usize,
    },
}

impl Cause {
    /// The chunk that the cause is about.
    #[must_use]
    pub fn chunk(&self) -> &ChunkId {
        match self {
            Self::CrowdedOut { chunk, .. }
            | Self::NoCommonWord { chunk }
            | Self::ExactTokenIgnored { chunk, .. }
            | Self::Twin { chunk, .. } => chunk,
        }
    }

    /// The cause's name, in files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::CrowdedOut { .. } => "crowded_out",
            Self::NoCommonWord { .. } => "no_common_word",
            Self::ExactTokenIgnored { .. } => "exact_token_ignored",
            Self::Twin { .. } => "twin",
        }
    }
}

/// A document crowds the window out if it has at least this many of its places, and at least half of them.
const CROWD: usize = 3;
/// Two chunks of at least so many different words …
const TWIN_WORDS: usize = 8;
/// … are near-identical twins if they share at least this part of their words.
const TWIN_SHARE: f64 = 0.85;

/// Why `chunk`, which is not in `window`, may not be there.
pub(super) fn causes(asked: &Asked<'_>, window: &[Hit], chunk: &Chunk) -> Vec<Cause> {
    let shown: Vec<(usize, &Chunk)> = window
        .iter()
        .enumerate()
        .filter_map(|(at, hit)| asked.outline.chunk(&hit.id).map(|chunk| (at + 1, &**chunk)))
        .collect();
    let mut causes = Vec::new();
    causes.extend(exact_token(asked, &shown, chunk));
    causes.extend(no_common_word(asked, chunk));
    causes.extend(twin(&shown, chunk));
    causes.extend(crowded_out(&shown, window.len(), chunk));
    causes
}

fn asked_text(asked: &Asked<'_>) -> String {
    let turns = asked.case.context.iter().map(String::as_str).chain([asked.case.question.as_str()]);
    turns.collect::<Vec<_>>().join("\n")
}

fn exact_token(asked: &Asked<'_>, shown: &[(usize, &Chunk)], chunk: &Chunk) -> Option<Cause> {
    if shown.is_empty() {
        return None;
    }
    let question = asked_text(asked);
    let own = whole_text(chunk);
    let own: HashSet<String> = tokens(&own).map(fold).collect();
    let ignored = tokens(&question).filter(|token| is_code(token)).find(|token| {
        let folded = fold(token);
        own.contains(&folded)
            && !shown.iter().any(|(_, other)| tokens(&whole_text(other)).any(|word| fold(word) == folded))
    })?;
    Some(Cause::ExactTokenIgnored { chunk: chunk.id.clone(), token: ignored.to_owned() })
}

fn no_common_word(asked: &Asked<'_>, chunk: &Chunk) -> Option<Cause> {
    let question: Vec<String> = words(&asked_text(asked)).filter(|word| is_telling(word)).collect();
    let own: HashSet<String> = words(&whole_text(chunk)).collect();
    let common = own.iter().any(|word| question.iter().any(|asked| akin(asked, word)));
    (!question.is_empty() && !common).then(|| Cause::NoCommonWord { chunk: chunk.id.clone() })
}

/// True for the same word, and for two that differ only in their last letters, as its inflections do.
fn akin(a: &str, b: &str) -> bool {
    let shorter = a.chars().count().min(b.chars().count());
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    a == b || (common >= 4 && common + 2 >= shorter)
}

fn twin(shown: &[(usize, &Chunk)], chunk: &Chunk) -> Option<Cause> {
    let own: HashSet<String> = words(&chunk.text).collect();
    if own.len() < TWIN_WORDS {
        return None;
    }
    let (rank, twin) = shown.iter().find(|(_, other)| {
        let other: HashSet<String> = words(&other.text).collect();
        let common = own.intersection(&other).count();
        common as f64 / (own.len() + other.len() - common) as f64 >= TWIN_SHARE
    })?;
    Some(Cause::Twin { chunk: chunk.id.clone(), twin: twin.id.clone(), rank: *rank })
}

fn crowded_out(shown: &[(usize, &Chunk)], places: usize, chunk: &Chunk) -> Option<Cause> {
    let mut by_document: BTreeMap<&str, HashSet<&ChunkId>> = BTreeMap::new();
    for (_, other) in shown {
        by_document.entry(&other.document).or_default().insert(&other.id);
    }
    let (document, chunks) = by_document.into_iter().map(|(name, ids)| (name, ids.len())).max_by_key(|(_, n)| *n)?;
    let crowd = chunks >= CROWD && chunks * 2 >= places;
    crowd.then(|| Cause::CrowdedOut { chunk: chunk.id.clone(), document: document.to_owned(), chunks })
}
