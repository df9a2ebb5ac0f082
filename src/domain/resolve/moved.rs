//! Where a quote went that no longer stands in its section.

use std::sync::Arc;

use super::{
    approx::{Near, Nearest, nearest_passage},
    candidates, direct, distinct,
    quote::{self, Hit},
    section::{same_section, sections, whole_heading},
    target::target_for,
};
use crate::domain::{
    case::Target,
    chunk::{Chunk, ChunkId},
    outline::{Document, Outline},
};

/// What the search for a lost quote came to.
pub(super) enum Sought {
    /// One passage, to be confirmed.
    Moved {
        to: Vec<ChunkId>,
        found: String,
        instead: Target,
    },
    /// Several passages, about equally good.
    Several(Vec<Target>),
    Nowhere,
}

/// Seeks `quote` elsewhere in the document, then approximately in its section (`within`), then approximately anywhere.
pub(super) fn seek(
    quote: &str,
    target: &Target,
    within: &[&Arc<Chunk>],
    document: &Document,
    outline: &Outline,
) -> Sought {
    let all: Vec<&Arc<Chunk>> = document.chunks.iter().collect();
    let wider = if within.len() < all.len() { &all[..] } else { &[] };
    let hits = quote::find(quote, wider, document);
    if !hits.is_empty() {
        let words = quote.split_whitespace().collect::<Vec<_>>().join(" ");
        return settle(&words, &hits, target, document, outline, Some(quote));
    }
    for chunks in [within, wider] {
        match nearest_passage(quote, chunks) {
            Nearest::None => {}
            Nearest::Clear(near) => {
                let hits: Vec<Hit<'_>> = near.iter().map(|near| vec![near.chunk]).collect();
                return settle(&near[0].found, &hits, target, document, outline, None);
            }
            Nearest::Unclear(near) => return Sought::Several(contenders(&near, document, outline)),
        }
    }
    Sought::Nowhere
}

/// One passage is a move; several are for a person to choose from.
fn settle(
    words: &str,
    hits: &[Hit<'_>],
    target: &Target,
    document: &Document,
    outline: &Outline,
    as_written: Option<&str>,
) -> Sought {
    if !quote::one_passage(words, hits) {
        let firsts = hits.iter().filter_map(|hit| hit.first().copied()).take(5);
        return Sought::Several(candidates::passages(firsts, outline));
    }
    let to = distinct(hits);
    let Some(first) = hits.iter().flatten().next() else { return Sought::Nowhere };
    let instead = replacements(words, first, target, document)
        .into_iter()
        .find(|candidate| matches!(direct(candidate, document), Ok(found) if found == to))
        .unwrap_or_else(|| target_for(first, outline, false));
    Sought::Moved { to, found: as_written.unwrap_or(words).to_owned(), instead }
}

/// The reference with the words found: under the heading as it is written, else under the one they stand under now.
fn replacements(words: &str, chunk: &Chunk, target: &Target, document: &Document) -> Vec<Target> {
    let Target::Section { document: name, heading, .. } = target else { return Vec::new() };
    let with = |heading: &[String]| Target::Section {
        document: name.clone(),
        heading: heading.to_vec(),
        quote: Some(words.to_owned()),
    };
    let sections = sections(document);
    let section = sections.iter().find(|section| same_section(section.chunks[0], chunk));
    let now = section.and_then(|section| whole_heading(section, &document.name, &sections));
    [Some(heading.as_slice()), now.as_deref(), Some(&chunk.heading)].into_iter().flatten().map(with).collect()
}

/// Each contender by its own words.
fn contenders(near: &[Near<'_>], document: &Document, outline: &Outline) -> Vec<Target> {
    near.iter()
        .take(5)
        .map(|near| {
            let named = Target::Section { document: document.name.clone(), heading: Vec::new(), quote: None };
            replacements(&near.found, near.chunk, &named, document)
                .into_iter()
                .skip(1)
                .find(|candidate| direct(candidate, document).is_ok())
                .unwrap_or_else(|| target_for(near.chunk, outline, false))
        })
        .collect()
}
