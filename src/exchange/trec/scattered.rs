//! A run whose topics do not stand together: the lines of some topics are held at a time, as many as fit.

use std::{collections::BTreeSet, ops::Range};

use super::{
    blocks::{Blocks, each, ranges},
    run::{Find, Line, Read, Stop, Visit, parse},
    shown,
    text::Text,
};

/// How much of the file is held at a time.
const HELD: u64 = 64 << 20;
/// The held lines are kept in so many heaps by topic, each small enough to be sorted where the processor has it at hand.
const HEAPS: usize = 128;

/// A line that is held.
struct Entry {
    topic: usize,
    /// Its place in the bytes of its heap.
    from: usize,
    len: usize,
    /// Where it begins in the file.
    at: u64,
}

/// The held lines of some topics, in the order of the file.
#[derive(Default)]
struct Heap {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// What is held of a part of the file.
struct Held {
    heaps: Vec<Heap>,
    lines: u64,
    foreign: BTreeSet<Vec<u8>>,
    name: Vec<u8>,
}

/// Reads the run, see [`super::RunFile::read`].
pub(super) fn read<R: Send>(text: &Text, topics: usize, find: Find<'_>, visit: Visit<'_, R>) -> Result<Read<R>, Stop> {
    let passes = usize::try_from(text.len().div_ceil(HELD)).unwrap_or(usize::MAX).max(1);
    let mut read =
        Read { topics: (0..topics).map(|_| None).collect(), lines: 0, foreign: Vec::new(), name: String::new() };
    let ranges = ranges(text)?;
    for pass in 0..passes {
        let held = each(&ranges, |range| hold(text, range, pass, passes, find));
        let held = held.into_iter().collect::<Result<Vec<Held>, Stop>>()?;
        if pass == 0 {
            read.lines = held.iter().map(|part| part.lines).sum();
            let foreign: BTreeSet<&Vec<u8>> = held.iter().flat_map(|part| &part.foreign).collect();
            read.foreign = foreign.iter().map(|topic| shown(topic)).collect();
            read.name = held.iter().rfind(|part| part.lines > 0).map(|part| shown(&part.name)).unwrap_or_default();
        }
        let heaps: Vec<usize> = (0..HEAPS).collect();
        for heap in each(&heaps, |heap| visited(held.iter().map(|part| &part.heaps[heap]), visit)) {
            for (topic, value) in heap? {
                read.topics[topic] = Some(value);
            }
        }
    }
    Ok(read)
}

/// Holds the lines of a part whose topics this pass is about. The first pass reads every line, so that the first that is wrong is
/// the one that is told.
fn hold(text: &Text, range: Range<u64>, pass: usize, passes: usize, find: Find<'_>) -> Result<Held, Stop> {
    let mut held = Held {
        heaps: (0..HEAPS).map(|_| Heap::default()).collect(),
        lines: 0,
        foreign: BTreeSet::new(),
        name: Vec::new(),
    };
    let mut blocks = Blocks::new(text, range)?;
    loop {
        let ended = blocks.more()?;
        let bytes = blocks.whole();
        let (mut from, mut name): (usize, &[u8]) = (0, b"");
        while from < bytes.len() {
            let (parsed, next) = parse(bytes, from, blocks.at)?;
            if let Some(parsed) = parsed {
                held.lines += 1;
                name = parsed.name;
                match find(parsed.topic) {
                    Some(topic) if topic % passes == pass => {
                        let at = blocks.at + from as u64;
                        let heap = &mut held.heaps[topic / passes % HEAPS];
                        heap.entries.push(Entry { topic, from: heap.bytes.len(), len: next - from, at });
                        heap.bytes.extend_from_slice(&bytes[from..next]);
                    }
                    None if pass == 0 && !held.foreign.contains(parsed.topic) => {
                        held.foreign.insert(parsed.topic.to_vec());
                    }
                    _ => {}
                }
            }
            from = next;
        }
        if !name.is_empty() {
            held.name = name.to_vec();
        }
        if ended {
            return Ok(held);
        }
        let done = bytes.len();
        blocks.drop_to(done);
    }
}

/// Visits the topics of a heap, which each part of the file has some lines of.
fn visited<'a, R>(parts: impl Iterator<Item = &'a Heap>, visit: Visit<'_, R>) -> Result<Vec<(usize, R)>, Stop> {
    let entry = |heap: &'a Heap| heap.entries.iter().map(move |entry| (entry, heap));
    let mut entries: Vec<(&Entry, &Heap)> = parts.flat_map(entry).collect();
    // Stable: the lines of a topic keep the order of the file.
    entries.sort_by_key(|(entry, _)| entry.topic);
    let (mut done, mut lines): (Vec<(usize, R)>, Vec<Line<'_>>) = (Vec::new(), Vec::new());
    for alike in entries.chunk_by(|(a, _), (b, _)| a.topic == b.topic) {
        lines.clear();
        for (entry, heap) in alike {
            let (parsed, _) = parse(&heap.bytes[entry.from..entry.from + entry.len], 0, entry.at)?;
            lines.extend(parsed.map(|parsed| parsed.line));
        }
        let topic = alike[0].0.topic;
        done.push((topic, visit(topic, &mut lines)?));
    }
    Ok(done)
}
