//! Cuts a section that is too long for one chunk, at the gentlest place there is.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::lines::lines;

/// How many characters a chunk has at most where paragraphs allow it. Embedding models read about 512 tokens, which this is.
pub(super) const LONG: usize = 2_000;

/// How many characters one paragraph, table or code block may have before it is torn.
pub(super) const TOO_LONG: usize = 8_000;

/// The pieces of `section`, a range of `text`, of which each fits a chunk. `blocks` are where its top-level blocks begin.
///
/// Paragraphs are packed up to [`LONG`]. A single block that is longer stays whole up to [`TOO_LONG`]; beyond that it is
/// cut between lines, and a line that long between characters.
pub(super) fn split(text: &str, section: Range<usize>, blocks: &[usize]) -> Vec<Range<usize>> {
    if length(&text[section.clone()]) <= LONG {
        return vec![section];
    }
    let mut cuts: Vec<usize> = vec![section.start];
    cuts.extend(blocks.iter().copied().filter(|at| section.start < *at && *at < section.end));
    cuts.push(section.end);
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces = Vec::new();
    for block in cuts.windows(2).map(|pair| pair[0]..pair[1]) {
        if length(&text[block.clone()]) <= TOO_LONG {
            pieces.push(block);
        } else {
            tear(text, block, &mut pieces);
        }
    }
    pack(text, pieces)
}

fn tear(text: &str, block: Range<usize>, pieces: &mut Vec<Range<usize>>) {
    let mut at = block.start;
    for line in lines(&text[block]) {
        let range = at..at + line.len();
        at = range.end;
        if length(line) <= TOO_LONG {
            pieces.push(range);
            continue;
        }
        let mut from = range.start;
        let mut count = 0;
        for (offset, cluster) in line.grapheme_indices(true) {
            count += cluster.chars().count();
            if count > LONG && range.start + offset > from {
                pieces.push(from..range.start + offset);
                from = range.start + offset;
                count = cluster.chars().count();
            }
        }
        pieces.push(from..range.end);
    }
}

/// Joins neighbours as long as they fit.
fn pack(text: &str, pieces: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut packed: Vec<Range<usize>> = Vec::new();
    let mut size = 0;
    for piece in pieces {
        let more = length(&text[piece.clone()]);
        match packed.last_mut() {
            Some(last) if size + more <= LONG => {
                last.end = piece.end;
                size += more;
            }
            _ => {
                packed.push(piece);
                size = more;
            }
        }
    }
    packed
}

fn length(text: &str) -> usize {
    text.chars().count()
}
