//! Where each document stands among the lines of a topic.

use super::run::Line;

/// The lines of a topic by their documents. A table of its own: there is one for each topic of a run, filled once and asked
/// seldom, so that what counts is how fast it is made.
#[derive(Debug)]
pub struct Places<'l, 'a> {
    lines: &'l [Line<'a>],
    /// The upper half of a document's hash, and below it its place from 1; 0 for nothing. A power of two of them, at most half full.
    slots: Vec<u64>,
}

impl<'l, 'a> Places<'l, 'a> {
    /// Takes in `lines`; two that name the same document, by their places, if any do.
    pub fn new(lines: &'l [Line<'a>]) -> Result<Self, (usize, usize)> {
        let mut places = Self { lines, slots: vec![0; (2 * lines.len().max(1)).next_power_of_two()] };
        for (line, at) in lines.iter().zip(0..) {
            let hash = hash(line.document);
            let slot = places.slot(line.document, hash);
            if places.slots[slot] != 0 {
                return Err((place(places.slots[slot]), at));
            }
            places.slots[slot] = hash & UPPER | (at as u64 + 1);
        }
        Ok(places)
    }

    /// The place of the line of `document`, from 0.
    #[must_use]
    pub fn get(&self, document: &str) -> Option<usize> {
        let slot = self.slots[self.slot(document.as_bytes(), hash(document.as_bytes()))];
        (slot != 0).then(|| place(slot))
    }

    /// The slot that holds the document, or the empty one where it belongs.
    fn slot(&self, document: &[u8], hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = index(hash) & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 || (slot & UPPER == hash & UPPER && self.lines[place(slot)].document == document) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }
}

const UPPER: u64 = 0xFFFF_FFFF_0000_0000;

fn place(slot: u64) -> usize {
    index(slot & !UPPER) - 1
}

/// The lower bits, which are all that counts.
#[expect(clippy::cast_possible_truncation, reason = "on a machine of 32 bits the lower ones are as good")]
fn index(hash: u64) -> usize {
    hash as usize
}

/// Not against malice: what is alike is compared.
fn hash(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = bytes.as_chunks::<8>();
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(ODD).rotate_left(29);
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
    mix(mix(hash, last), ODD)
}
