//! Finding words that are almost those of a quote: the passage at the least edit distance.
//!
//! The distances come from Myers' bit-parallel algorithm over blocks of 64 characters, which makes a long quote in a long
//! document a matter of milliseconds.

use std::{collections::HashMap, sync::Arc};

use super::quote::{fold_passage, fold_with_origin};
use crate::domain::chunk::Chunk;

/// One edit in this many characters is still the same quote: a similarity of 0.8.
const CHARACTERS_PER_EDIT: usize = 5;

/// Shorter quotes are only found as they are.
const SHORTEST: usize = 5;

/// Longer quotes are only found as they are, in folded characters.
const LONGEST: usize = 4_096;

/// The most work spent on one quote, in blocks of 64 characters of the quote times characters of text.
const MOST_WORK: usize = 40_000_000;

/// A passage almost like the quote.
pub(super) struct Near<'d> {
    pub(super) chunk: &'d Arc<Chunk>,
    /// Edits between the folded quote and the folded passage.
    distance: usize,
    /// The words of the passage, white space collapsed.
    pub(super) found: String,
}

/// The chunks of `within` that hold the passage nearest to `quote`, or every contender where none is clearly the nearest.
pub(super) enum Nearest<'d> {
    None,
    /// One wording, in one or several chunks.
    Clear(Vec<Near<'d>>),
    /// Different wordings that are about equally near.
    Unclear(Vec<Near<'d>>),
}

pub(super) fn nearest_passage<'d>(quote: &str, within: &[&'d Arc<Chunk>]) -> Nearest<'d> {
    let wanted: Vec<char> = fold_passage(quote).chars().collect();
    let text: usize = within.iter().map(|chunk| chunk.text.len()).sum();
    if !(SHORTEST..=LONGEST).contains(&wanted.len()) || wanted.len().div_ceil(64).saturating_mul(text) > MOST_WORK {
        return Nearest::None;
    }
    let allowed = wanted.len() / CHARACTERS_PER_EDIT;
    let pattern = Pattern::new(&wanted);
    let mut best = allowed;
    let mut ends = Vec::new();
    for chunk in within {
        if let Some((distance, end)) = pattern.nearest_end(fold_passage(&chunk.text).chars(), allowed) {
            best = best.min(distance);
            ends.push((*chunk, distance, end));
        }
    }
    let margin = (wanted.len() / 20).max(1);
    let mut near: Vec<Near<'d>> = ends
        .into_iter()
        .filter(|(_, distance, _)| *distance <= best + margin)
        .map(|(chunk, distance, end)| Near { chunk, distance, found: words(&wanted, &chunk.text, distance, end) })
        .collect();
    near.sort_by_key(|near| near.distance);
    let Some(first) = near.first() else { return Nearest::None };
    let wording = fold_passage(&first.found);
    // A neighbour that overlaps holds the same words less a few at its edge.
    near.retain(|near| {
        let found = fold_passage(&near.found);
        found == wording || !wording.contains(&found)
    });
    if near.iter().all(|near| fold_passage(&near.found) == wording) {
        Nearest::Clear(near)
    } else {
        Nearest::Unclear(near)
    }
}

/// The words of `text` that match `wanted` at `distance`, ending with the folded character `end`, widened to whole words.
fn words(wanted: &[char], text: &str, distance: usize, end: usize) -> String {
    let (chars, origins) = fold_with_origin(text);
    let window = &chars[(end + 1).saturating_sub(wanted.len() + distance)..=end];
    let mut start = end + 1 - length_before(wanted, window);
    let mut end = end.max(start);
    while start > 0 && chars[start].is_alphanumeric() && chars[start - 1].is_alphanumeric() {
        start -= 1;
    }
    while end + 1 < chars.len() && chars[end].is_alphanumeric() && chars[end + 1].is_alphanumeric() {
        end += 1;
    }
    let passage = &text[origins[start].start..origins[end].end];
    passage.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many characters at the end of `window` match `wanted` best, by plain edit distance from the back.
fn length_before(wanted: &[char], window: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=window.len()).collect();
    for (i, expected) in wanted.iter().rev().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, found) in window.iter().rev().enumerate() {
            let substituted = diagonal + usize::from(expected != found);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    let by_fit = |&length: &usize| (row[length], length.abs_diff(wanted.len()));
    (1..=window.len()).min_by_key(by_fit).unwrap_or(0)
}

/// A quote prepared for the search: for each character, the places at which it stands.
struct Pattern {
    length: usize,
    blocks: usize,
    places: HashMap<char, Vec<u64>>,
    nowhere: Vec<u64>,
}

/// The vertical differences of one block of the distance matrix's column.
#[derive(Clone, Copy)]
struct Block {
    up: u64,
    down: u64,
}

impl Pattern {
    fn new(wanted: &[char]) -> Self {
        let blocks = wanted.len().div_ceil(64);
        let mut places: HashMap<char, Vec<u64>> = HashMap::new();
        for (at, c) in wanted.iter().enumerate() {
            places.entry(*c).or_insert_with(|| vec![0; blocks])[at / 64] |= 1 << (at % 64);
        }
        Self { length: wanted.len(), blocks, places, nowhere: vec![0; blocks] }
    }

    /// The least distance of any passage of `text`, if it is at most `allowed`, and the first character at which one ends.
    fn nearest_end(&self, text: impl Iterator<Item = char>, allowed: usize) -> Option<(usize, usize)> {
        let mut column = vec![Block { up: u64::MAX, down: 0 }; self.blocks];
        let last_bit = 1u64 << ((self.length - 1) % 64);
        let mut distance = self.length;
        let mut best = None;
        for (at, c) in text.enumerate() {
            let equal = self.places.get(&c).unwrap_or(&self.nowhere);
            let mut carry = 0;
            for (index, (block, equal)) in column.iter_mut().zip(equal).enumerate() {
                let high = if index + 1 == self.blocks { last_bit } else { 1 << 63 };
                carry = block.advance(*equal, carry, high);
            }
            distance = distance.saturating_add_signed(carry);
            if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, at));
            }
        }
        best
    }
}

impl Block {
    /// One step to the right. `carry` is the horizontal difference that enters above, the result the one that leaves at the
    /// bit `high`: each -1, 0 or 1.
    fn advance(&mut self, equal: u64, carry: isize, high: u64) -> isize {
        let vertical = equal | self.down;
        let equal = equal | u64::from(carry < 0);
        let horizontal = ((equal & self.up).wrapping_add(self.up) ^ self.up) | equal;
        let mut right = self.down | !(horizontal | self.up);
        let mut left = self.up & horizontal;
        let leaves = isize::from(right & high != 0) - isize::from(left & high != 0);
        right = (right << 1) | u64::from(carry > 0);
        left = (left << 1) | u64::from(carry < 0);
        self.up = left | !(vertical | right);
        self.down = right & vertical;
        leaves
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The textbook's way: one cell at a time.
    fn least_distance(wanted: &[char], text: &[char]) -> usize {
        let mut column: Vec<usize> = (0..=wanted.len()).collect();
        let mut least = wanted.len();
        for found in text {
            let mut diagonal = column[0];
            for (i, expected) in wanted.iter().enumerate() {
                let substituted = diagonal + usize::from(expected != found);
                diagonal = column[i + 1];
                column[i + 1] = substituted.min(diagonal + 1).min(column[i] + 1);
            }
            least = least.min(column[wanted.len()]);
        }
        least
    }

    proptest! {
        #[test]
        fn the_bit_parallel_distance_is_the_textbook_distance(wanted in "[abc]{1,150}", text in "[abc]{1,200}") {
            let (wanted, text): (Vec<char>, Vec<char>) = (wanted.chars().collect(), text.chars().collect());
            let found = Pattern::new(&wanted).nearest_end(text.iter().copied(), wanted.len()).map(|(distance, _)| distance);
            prop_assert_eq!(found.unwrap_or(wanted.len()), least_distance(&wanted, &text));
        }
    }
}
