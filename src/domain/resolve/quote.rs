//! Finding a quote: as it is written, then folded, then across the boundary at which a splitter cut it.

use std::{cell::OnceCell, collections::HashSet, ops::Range, sync::Arc};

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::section::same_section;
use crate::domain::{chunk::Chunk, outline::Document};

/// The chunks that hold one occurrence of a quote: one, or the neighbours between which it is cut.
pub(super) type Hit<'d> = Vec<&'d Arc<Chunk>>;

/// Every place among `within` (chunks of `document`) that holds `quote`, in document order. What is found as written hides
/// what is only found folded, and that hides what is cut. A hit that is cut may reach into a chunk outside of `within`.
pub(super) fn find<'d>(quote: &str, within: &[&'d Arc<Chunk>], document: &'d Document) -> Vec<Hit<'d>> {
    let wanted = fold_passage(quote);
    if wanted.is_empty() {
        return Vec::new();
    }
    let exact: Vec<Hit<'d>> =
        within.iter().filter(|chunk| chunk.text.contains(quote)).map(|chunk| vec![*chunk]).collect();
    if !exact.is_empty() {
        return exact;
    }
    let folded: Vec<Hit<'d>> =
        within.iter().filter(|chunk| fold_passage(&chunk.text).contains(&wanted)).map(|chunk| vec![*chunk]).collect();
    if !folded.is_empty() {
        return folded;
    }
    cut(&wanted, within, document)
}

/// True if the hits can be told to be one passage: those that follow one another share a section or an overlap.
pub(super) fn one_passage(quote: &str, hits: &[Hit<'_>]) -> bool {
    hits.windows(2).all(|pair| {
        let both = || pair[0].iter().flat_map(|a| pair[1].iter().map(move |b| (a, b)));
        both().any(|(a, b)| same_section(a, b) || overlap(quote, a, b))
    })
}

/// True if `quote` stands in the text that the end of `a` and the beginning of `b` share.
fn overlap(quote: &str, a: &Chunk, b: &Chunk) -> bool {
    let (quote, a, b) = (fold_passage(quote), fold_passage(&a.text), fold_passage(&b.text));
    let (Some(last), Some(first)) = (a.rfind(&quote), b.find(&quote)) else { return false };
    last.checked_sub(first).and_then(|from| a.get(from..)).is_some_and(|shared| b.starts_with(shared))
}

/// Places where one chunk ends with the beginning of `wanted` and the following ones hold the rest, with or without overlap.
fn cut<'d>(wanted: &str, within: &[&Arc<Chunk>], document: &'d Document) -> Vec<Hit<'d>> {
    let inside: HashSet<&str> = within.iter().map(|chunk| chunk.id.as_str()).collect();
    let texts: Vec<OnceCell<String>> = document.chunks.iter().map(|_| OnceCell::new()).collect();
    let text = |at: usize| texts[at].get_or_init(|| fold_passage(&document.chunks[at].text)).as_str();
    let is_inside = |at: usize| inside.contains(document.chunks[at].id.as_str());
    let mut hits = Vec::new();
    let mut last_inside = None;
    for start in 0..document.chunks.len() {
        // A run that touches no wanted chunk within reach cannot count; a quote rarely spans more than two chunks.
        if last_inside.is_none_or(|at| at < start) {
            last_inside = (start..document.chunks.len()).find(|&at| is_inside(at));
        }
        let Some(inside) = last_inside else { break };
        if inside > start + REACH {
            continue;
        }
        let Some(end) = run_from(wanted, start, document.chunks.len(), &text) else { continue };
        if inside <= end {
            let chunks = document.chunks[start..=end].iter().filter(|chunk| !chunk.text.trim().is_empty());
            hits.push(chunks.collect());
        }
    }
    hits
}

/// How many chunks a quote may span.
const REACH: usize = 8;

/// The last chunk of the run that begins in `start` and holds `wanted` across boundaries.
fn run_from<'t>(wanted: &str, start: usize, count: usize, text: &impl Fn(usize) -> &'t str) -> Option<usize> {
    let first = text(start);
    let mut covered = ends(wanted).rev().find(|&at| first.ends_with(&wanted[..at]))?;
    for next in (start + 1..count.min(start + 1 + REACH)).filter(|&at| !text(at).is_empty()) {
        let text = text(next);
        // Where two chunks meet, the white space between them belongs to neither.
        let reach = covered + usize::from(wanted[covered..].starts_with(' '));
        if ends(wanted).any(|at| at <= reach && text.starts_with(&wanted[at..])) {
            return Some(next);
        }
        let whole = wanted.match_indices(text).map(|(at, _)| at).take_while(|&at| at <= reach).last()?;
        if whole + text.len() <= covered {
            return None;
        }
        covered = whole + text.len();
    }
    None
}

/// The inner positions at which a quote can be cut.
fn ends(wanted: &str) -> impl DoubleEndedIterator<Item = usize> {
    wanted.char_indices().map(|(at, _)| at).filter(|at| *at > 0)
}

/// Folds what a quote may lose on its way through an editor: all that [`crate::domain::text::fold`] folds, and typographic
/// quotation marks, dashes, ligatures, widths and invisible characters.
pub(super) fn fold_passage(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_each(text, &mut |c, _| folded.push(c));
    folded
}

/// The folded characters, and which bytes of `text` each comes from.
pub(super) fn fold_with_origin(text: &str) -> (Vec<char>, Vec<Range<usize>>) {
    let (mut chars, mut origins) = (Vec::with_capacity(text.len()), Vec::with_capacity(text.len()));
    fold_each(text, &mut |c, origin| {
        chars.push(c);
        origins.push(origin);
    });
    (chars, origins)
}

fn fold_each(text: &str, put: &mut impl FnMut(char, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut blank: Option<Range<usize>> = None;
    let mut begun = false;
    let mut emit = |c: char, origin: Range<usize>| {
        if c.is_whitespace() {
            blank = Some(blank.as_ref().map_or(origin.clone(), |blank| blank.start..origin.end));
        } else if !is_invisible(c) {
            if let Some(blank) = blank.take().filter(|_| begun) {
                put(' ', blank);
            }
            begun = true;
            put(plain(c), origin);
        }
    };
    let mut at = 0;
    while at < bytes.len() {
        // An ASCII character before another one composes with nothing.
        if bytes[at].is_ascii() && bytes.get(at + 1).is_none_or(u8::is_ascii) {
            emit(char::from(bytes[at].to_ascii_lowercase()), at..at + 1);
            at += 1;
            continue;
        }
        let rest = bytes[at + 1..].iter().position(u8::is_ascii).map_or(bytes.len(), |length| at + 1 + length);
        for (from, cluster) in text[at..rest].grapheme_indices(true) {
            let origin = at + from..at + from + cluster.len();
            for c in cluster.nfkc().flat_map(char::to_lowercase).nfkc() {
                emit(c, origin.clone());
            }
        }
        at = rest;
    }
}

/// Blanks of no width, soft hyphens and byte order marks.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}')
}

fn plain(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' | '‹' | '›' | '´' | '`' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        _ => c,
    }
}
