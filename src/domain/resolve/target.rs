//! The reference that a label should use for a chunk.

use std::{collections::HashSet, sync::Arc};

use unicode_segmentation::UnicodeSegmentation;

use super::{
    direct,
    quote::fold_passage,
    section::{Section, matching, same_section, sections, whole_heading},
    sought_in,
};
use crate::domain::{
    case::Target,
    chunk::Chunk,
    outline::{Document, Outline},
    text::fold,
};

/// The most words of a quote.
const MOST_WORDS: usize = 14;

/// A quote is preferred from this many words on: shorter ones say little to a reader.
const FEW_WORDS: usize = 6;

/// The most characters of a quote, for scripts without blanks and for very long words.
const MOST_CHARACTERS: usize = 100;

/// How many passages are tried before the chunk's id is used.
const MOST_TRIES: usize = 600;

/// The reference that a label should use for `chunk`: its section by its whole heading path, with a short quote where the section holds other chunks too. The chunk's id where `prefer_id` asks for it or no
/// quote can tell the chunk from another. Looked up in `outline` it gives exactly this chunk.
#[must_use]
pub fn target_for(chunk: &Chunk, outline: &Outline, prefer_id: bool) -> Target {
    let by_id = || Target::Chunk(chunk.id.clone());
    if prefer_id {
        return by_id();
    }
    let found = outline.find(&chunk.document);
    let [document] = found[..] else { return by_id() };
    let sections = sections(document);
    let Some(section) = sections.iter().find(|section| same_section(section.chunks[0], chunk)) else { return by_id() };
    let whole = whole_heading(section, &document.name, &sections);
    let target = |heading: &[String], quote: Option<String>| Target::Section {
        document: document.name.clone(),
        heading: heading.to_vec(),
        quote,
    };
    if let Some(heading) = whole.as_deref().filter(|heading| !(heading.is_empty() && has_headings_only_below(section)))
        && section.chunks.len() == 1
    {
        return target(heading, None);
    }
    let heading = whole.as_deref().unwrap_or(section.short_heading());
    let rivals = rivals(chunk, heading, document, &sections);
    if rivals.iter().any(|rival| rival.text.contains(chunk.text.trim())) {
        return by_id();
    }
    let quoted = |quote: &str| {
        let target = target(heading, Some(quote.to_owned()));
        matches!(direct(&target, document), Ok(found) if found[..] == [chunk.id.clone()]).then_some(target)
    };
    let unique = |quote: &&str| rivals.iter().all(|rival| !rival.text.contains(*quote));
    if let Some(target) = passages(&chunk.text).into_iter().take(MOST_TRIES).filter(unique).find_map(quoted) {
        return target;
    }
    // Where chunks overlap much, only words on both sides of a line break may be this chunk's alone.
    let folded: Vec<String> = rivals.iter().map(|rival| fold_passage(&rival.text)).collect();
    let unique = |quote: &&str| {
        let quote = fold_passage(quote);
        folded.iter().all(|rival| !rival.contains(&quote))
    };
    let text = chunk.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut across = [MOST_WORDS, 2 * MOST_WORDS].into_iter().flat_map(|words| runs(&text, words)).take(MOST_TRIES);
    across.by_ref().filter(unique).find_map(quoted).unwrap_or_else(by_id)
}

/// A chunk without any heading is labeled with a quote even where it stands alone: more text may come to stand beside it.
fn has_headings_only_below(section: &Section<'_>) -> bool {
    section.heading().is_empty() && !section.chunks[0].text.trim().is_empty()
}

/// The other chunks among which a quote under `heading` is sought; the nearest first, for they are the likeliest to share words.
fn rivals<'d>(
    chunk: &Chunk,
    heading: &[String],
    document: &'d Document,
    sections: &[Section<'d>],
) -> Vec<&'d Arc<Chunk>> {
    let mut rivals = sought_in(heading, document, &matching(heading, &document.name, sections));
    rivals.retain(|rival| rival.id != chunk.id);
    rivals.sort_by_key(|rival| rival.position.abs_diff(chunk.position));
    rivals
}

/// Passages of `text` that could serve as a quote, the most readable first: beginnings of sentences, then of shorter
/// ones, then runs of words from anywhere, then table rows. None spans a line break.
fn passages(text: &str) -> Vec<&str> {
    let (tables, prose): (Vec<&str>, Vec<&str>) = text
        .lines()
        .map(unmarked)
        .filter(|line| line.chars().any(char::is_alphanumeric))
        .partition(|line| line.contains('|'));
    let sentences =
        || prose.iter().flat_map(|line| line.split_sentence_bounds()).map(|sentence| beginning(sentence, MOST_WORDS));
    let long = |passage: &&str| passage.split_whitespace().count() >= FEW_WORDS || passage.chars().count() >= 30;
    let has_letters = |passage: &&str| passage.chars().any(char::is_alphanumeric);
    let mut passages: Vec<&str> = sentences().filter(long).collect();
    passages.extend(sentences().filter(|passage| !long(passage)).filter(has_letters));
    for lines in [&prose, &tables] {
        for words in [FEW_WORDS + 2, MOST_WORDS] {
            passages.extend(lines.iter().flat_map(|line| runs(line, words)).filter(has_letters));
        }
        passages.extend(lines.iter().copied());
    }
    passages
}

/// A line without the Markdown marks at its beginning.
fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let text = line.trim_start_matches(|c: char| matches!(c, '#' | '>' | '*' | '-' | '+') || c.is_whitespace());
    if text.is_empty() { line } else { text }
}

/// The first words of `text`, cut where a word ends.
fn beginning(text: &str, words: usize) -> &str {
    let text = text.trim();
    let mut count = 0;
    let mut in_word = false;
    for (at, (byte, part)) in text.split_word_bound_indices().enumerate() {
        let blank = part.chars().all(char::is_whitespace);
        count += usize::from(!blank && !in_word);
        in_word = !blank;
        let too_long = at > 0 && text[..byte + part.len()].chars().count() > MOST_CHARACTERS;
        if count > words || too_long {
            return text[..byte].trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':'));
        }
    }
    text
}

/// Runs of that many words, beginning at every word of `line`.
fn runs(line: &str, words: usize) -> impl Iterator<Item = &str> {
    line.split_word_bound_indices()
        .filter(|(_, part)| part.chars().any(char::is_alphanumeric))
        .map(move |(at, _)| beginning(&line[at..], words))
}

/// A target for the section itself: by the shortest heading that means only it, else by its first chunk.
pub(super) fn section_target(
    section: &Section<'_>,
    document: &Document,
    sections: &[Section<'_>],
    outline: &Outline,
) -> Target {
    match whole_heading(section, &document.name, sections) {
        Some(heading) => Target::Section { document: document.name.clone(), heading, quote: None },
        None => target_for(section.chunks[0], outline, false),
    }
}

/// The words of a quote, to see which chunk shares most of them.
pub(super) struct Words(HashSet<String>);

impl Words {
    pub(super) fn of(text: &str) -> Self {
        Self(fold(text).unicode_words().map(str::to_owned).collect())
    }

    /// Which share of these words stands in `text`.
    pub(super) fn shared_with(&self, text: &str) -> f64 {
        let theirs = Self::of(text);
        self.0.intersection(&theirs.0).count() as f64 / self.0.len().max(1) as f64
    }
}
