//! What a broken reference may have meant: the nearest documents, sections, passages and ids.

use std::{collections::HashMap, sync::Arc};

use super::{
    direct,
    section::{Section, folded, sections},
    target::{Words, section_target, target_for},
};
use crate::domain::{
    case::Target,
    chunk::{Chunk, ChunkId},
    nearest::{best_first, likeness, nearest},
    outline::{Document, Outline},
    text::fold,
};

/// The most candidates that are offered.
const MOST: usize = 5;

/// Headings less alike than this are not worth offering.
const LEAST: f64 = 0.4;

/// A quote of fewer bytes says nothing about which document it comes from.
const TELLING: usize = 16;

/// The first few, without repeats and without the reference itself.
fn offer(candidates: impl IntoIterator<Item = Target>, instead_of: Option<&Target>) -> Vec<Target> {
    let mut offered: Vec<Target> = Vec::new();
    for candidate in candidates {
        if offered.len() == MOST {
            break;
        }
        if Some(&candidate) != instead_of && !offered.contains(&candidate) {
            offered.push(candidate);
        }
    }
    offered
}

/// For an unknown chunk id: the ids most like it.
pub(super) fn ids(id: &ChunkId, outline: &Outline) -> Vec<Target> {
    let known = outline.documents().iter().flat_map(|document| &document.chunks).map(|chunk| chunk.id.as_str());
    let known: Vec<&str> = known.collect();
    nearest(id.as_str(), known.iter().copied(), MOST).into_iter().map(|id| Target::Chunk(id.into())).collect()
}

/// For a document name that several documents bear: each of these by its own name.
pub(super) fn named(documents: &[&Document], heading: &[String], quote: Option<&String>) -> Vec<Target> {
    let target = |document: &&Document| Target::Section {
        document: document.name.clone(),
        heading: heading.to_vec(),
        quote: quote.cloned(),
    };
    let mut targets: Vec<Target> = documents.iter().map(target).collect();
    targets.sort_by_key(|target| !documents.iter().any(|document| direct(target, document).is_ok()));
    offer(targets, None)
}

/// For a document that does not exist: chunks elsewhere that hold the quote, documents of a like name where the rest of the
/// reference means something, documents with such a heading, and the nearest heading of documents of a like name.
pub(super) fn documents(name: &str, heading: &[String], quote: Option<&String>, outline: &Outline) -> Vec<Target> {
    let mut found: Vec<Target> = Vec::new();
    let everything = || outline.documents().iter().flat_map(|document| &document.chunks);
    if let Some(quote) = quote.filter(|quote| quote.trim().len() >= TELLING) {
        let holders = everything().filter(|chunk| chunk.text.contains(quote.trim())).take(MOST);
        found.extend(holders.map(|chunk| target_for(chunk, outline, false)));
    }
    let alike = like_named(name, outline);
    for document in &alike {
        let target =
            Target::Section { document: document.name.clone(), heading: heading.to_vec(), quote: quote.cloned() };
        found.extend(direct(&target, document).is_ok().then_some(target));
    }
    found.extend(same_heading(heading, None, outline));
    for document in alike {
        found.extend(headings(heading, document, outline).into_iter().take(1));
    }
    offer(found, None)
}

fn like_named<'o>(name: &str, outline: &'o Outline) -> Vec<&'o Document> {
    let mut by_name: HashMap<&str, &Document> = HashMap::new();
    for document in outline.documents().iter().rev() {
        if let Some(origin) = document.chunks.first().and_then(|chunk| chunk.origin.as_ref()) {
            by_name.insert(&origin.file, document);
            by_name.insert(origin.file.rsplit('/').next().unwrap_or(&origin.file), document);
        }
        by_name.insert(&document.name, document);
    }
    nearest(name, by_name.keys().copied(), MOST).into_iter().map(|name| by_name[name]).collect()
}

/// Sections of that last heading in any document but one.
fn same_heading(heading: &[String], except: Option<&Document>, outline: &Outline) -> Vec<Target> {
    let want = folded(heading);
    let Some(last) = want.last() else { return Vec::new() };
    let mut found: Vec<(usize, Target)> = Vec::new();
    for document in
        outline.documents().iter().filter(|document| except.is_none_or(|except| except.name != document.name))
    {
        if !document.chunks.iter().any(|chunk| chunk.heading.last().is_some_and(|heading| fold(heading) == *last)) {
            continue;
        }
        let sections = sections(document);
        for section in sections.iter().filter(|section| section.path().last() == Some(last)) {
            let shared = section.path().iter().rev().zip(want.iter().rev()).take_while(|(a, b)| a == b).count();
            found.push((shared, section_target(section, document, &sections, outline)));
        }
        if found.len() > MOST * MOST {
            break;
        }
    }
    found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    found.into_iter().map(|(_, target)| target).take(MOST).collect()
}

/// For a heading that `document` does not have: its headings most like it, else the same heading in other documents.
pub(super) fn headings(heading: &[String], document: &Document, outline: &Outline) -> Vec<Target> {
    let want = folded(heading);
    let sections = sections(document);
    let last = |path: &[String]| path.last().cloned().unwrap_or_default();
    let score = |section: &Section<'_>| {
        let path = section.path();
        0.75 * likeness(&last(&want), &last(path)) + 0.25 * likeness(&want.join(" "), &path.join(" "))
    };
    let mut scored: Vec<(f64, &Section<'_>)> = sections.iter().map(|section| (score(section), section)).collect();
    scored.retain(|(score, _)| *score >= LEAST);
    scored.sort_by(|a, b| best_first(a.0, b.0));
    let near = scored.into_iter().take(MOST).map(|(_, section)| section_target(section, document, &sections, outline));
    let near: Vec<Target> = near.collect();
    if near.is_empty() { offer(same_heading(heading, Some(document), outline), None) } else { offer(near, None) }
}

/// For a reference that means several sections, or a heading without a chunk of its own: each of these sections.
pub(super) fn each(found: &[&Section<'_>], document: &Document, outline: &Outline) -> Vec<Target> {
    let sections = sections(document);
    let targets =
        found.iter().take(MOST).flat_map(|section| match section_target(section, document, &sections, outline) {
            // No heading tells this section from its namesakes, so its chunks are offered one by one.
            Target::Section { quote: None, heading, document } => {
                vec![Target::Section { document, heading, quote: None }]
            }
            _ => passages(section.chunks.iter().copied().take(MOST), outline),
        });
    offer(targets, None)
}

/// Each chunk by the reference that a label would use.
pub(super) fn passages<'d>(chunks: impl IntoIterator<Item = &'d Arc<Chunk>>, outline: &Outline) -> Vec<Target> {
    chunks.into_iter().map(|chunk| target_for(chunk, outline, false)).collect()
}

/// For a quote that is nowhere: the chunks of its section that share most words with it.
pub(super) fn like_quote(quote: &str, within: &[&Arc<Chunk>], outline: &Outline, instead_of: &Target) -> Vec<Target> {
    let words = Words::of(quote);
    let mut scored: Vec<(f64, &Arc<Chunk>)> =
        within.iter().map(|chunk| (words.shared_with(&chunk.text), *chunk)).collect();
    scored.sort_by(|a, b| best_first(a.0, b.0));
    offer(passages(scored.into_iter().take(MOST).map(|(_, chunk)| chunk), outline), Some(instead_of))
}
