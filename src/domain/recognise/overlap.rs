//! Chunks by runs of words, to find the one that a text is a part of, or holds, or nearly is.

use std::{collections::HashMap, sync::Arc};

use crate::domain::{chunk::Chunk, text::words};

/// How many words a run has.
const RUN: usize = 4;

/// Of a long text only one run of so many is kept, always the same ones; a text with few runs keeps all.
const KEPT: u64 = 4;
const FEW: usize = 24;

/// Which share of the runs of the shorter text the other must have.
const ENOUGH: f64 = 0.7;

/// A run that stands in more chunks than this tells nothing.
const COMMON: usize = 200;

/// Chunks by the runs of words in them.
#[derive(Default)]
pub(super) struct Overlaps {
    chunks: Vec<Arc<Chunk>>,
    by_run: HashMap<u64, Vec<u32>>,
}

impl Overlaps {
    pub(super) fn add(&mut self, chunk: &Arc<Chunk>) {
        let Ok(at) = u32::try_from(self.chunks.len()) else { return };
        self.chunks.push(Arc::clone(chunk));
        let runs = runs(&chunk.text);
        let few = runs.len() <= FEW;
        for run in runs.into_iter().filter(|run| few || run % KEPT == 0) {
            let chunks = self.by_run.entry(run).or_default();
            if chunks.len() <= COMMON && chunks.last() != Some(&at) {
                chunks.push(at);
            }
        }
    }

    /// The chunks that share most words with `text`, if that is enough; several where none shares clearly more than the others.
    pub(super) fn best(&self, text: &str) -> Vec<Arc<Chunk>> {
        let mine = runs(text);
        let mut shared: HashMap<u32, usize> = HashMap::new();
        for run in &mine {
            let chunks = self.by_run.get(run).filter(|chunks| chunks.len() <= COMMON);
            for &chunk in chunks.into_iter().flatten() {
                *shared.entry(chunk).or_default() += 1;
            }
        }
        let mut likely: Vec<(usize, u32)> = shared.into_iter().map(|(chunk, runs)| (runs, chunk)).collect();
        likely.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        likely.truncate(16);
        let mut alike: Vec<(f64, f64, u32)> = Vec::new();
        for (_, chunk) in likely {
            let theirs = runs(&self.chunks[chunk as usize].text);
            let both = mine.iter().filter(|run| theirs.binary_search(run).is_ok()).count() as f64;
            let (shorter, longer) = (mine.len().min(theirs.len()), mine.len().max(theirs.len()));
            alike.push((both / shorter.max(1) as f64, both / longer.max(1) as f64, chunk));
        }
        alike.retain(|(share, ..)| *share >= ENOUGH);
        // By how much of both is the same: a chunk that is only a part of the text gives way to one that is the text.
        alike.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)));
        let best = alike.first().map_or(0.0, |(_, of_both, _)| *of_both);
        let close = alike.iter().take_while(|(_, of_both, _)| *of_both >= best * 0.9);
        close.map(|(.., chunk)| Arc::clone(&self.chunks[*chunk as usize])).collect()
    }
}

/// The runs of words of a text as numbers, sorted, without repeats; a text of fewer words is one run.
fn runs(text: &str) -> Vec<u64> {
    let words: Vec<String> = words(text).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut runs: Vec<u64> = words.windows(RUN.min(words.len())).map(number).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// The same number for the same words, in every process.
fn number(words: &[String]) -> u64 {
    // FNV-1a, with its well mixed upper half folded into the lower one.
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash ^ (hash >> 32)
}
