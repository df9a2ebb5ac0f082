//! A corpus that is made up, the same each time: a few thousand chunks with words as unevenly common as in a language.
#![allow(dead_code, reason = "each bench uses its own part of this")]

use std::{fmt::Write as _, path::Path, time::Duration};

use caselight::corpus::Source;
use criterion::Criterion;

/// How many chunks the corpus has.
pub(crate) const CHUNKS: usize = 2_000;

/// Short measurements: what is measured takes long enough not to need more.
pub(crate) fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

/// Random numbers that are the same each time (xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).expect("it is below a usize")
    }

    /// One of 4,000 words, of which a few are very common.
    pub(crate) fn word(&mut self) -> String {
        const PARTS: [&str; 16] = [
            "pal", "ship", "re", "turn", "ware", "ment", "con", "tract", "pri", "cing", "dam", "age", "ter", "mi",
            "nal", "lo",
        ];
        let rank = self.below(4_000);
        let common = self.below(rank + 1);
        let mut word = String::new();
        let mut rest = common + 16;
        while rest > 0 {
            word.push_str(PARTS[rest % 16]);
            rest /= 16;
        }
        word
    }

    pub(crate) fn words(&mut self, n: usize) -> String {
        (0..n).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// The corpus as lines of JSON, each a chunk of some 120 words with a number of its own in the text.
pub(crate) fn jsonl() -> String {
    let mut random = Random::new();
    let mut lines = String::new();
    for n in 0..CHUNKS {
        let (document, heading, text) = (n / 8, random.words(2), random.words(120));
        writeln!(
            lines,
            "{{\"id\": \"chunk-{n}\", \"document\": \"Document {document}\", \"heading\": [\"{heading}\"], \"text\": \"{text} SKU-{n}\"}}"
        )
        .expect("writing to a string cannot fail");
    }
    lines
}

/// Writes the corpus into `folder`.
pub(crate) fn source(folder: &Path) -> Source {
    let path = folder.join("chunks.jsonl");
    std::fs::write(&path, jsonl()).expect("the folder of a bench can be written");
    Source::detect(&path).expect("the file was written just now")
}
