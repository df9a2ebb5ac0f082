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
/// The topics that a thread takes at a time.
const TOPICS: usize = 256;

/// A line that is held.
struct Entry {
    topic: usize,
    /// Its place in the bytes that are held with it.
    from: usize,
    len: usize,
    /// Where it begins in the file.
    at: u64,
}

/// What is held of a part of the file.
struct Held {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
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
        let (starts, order) = by_topic(&held, topics);
        let batches: Vec<Range<usize>> =
            (0..topics).step_by(TOPICS).map(|from| from..(from + TOPICS).min(topics)).collect();
        for batch in each(&batches, |batch| some(&held, &starts, &order, batch, visit)) {
            for (topic, value) in batch? {
                read.topics[topic] = Some(value);
            }
        }
    }
    Ok(read)
}

/// Holds the lines of a part whose topics this pass is about. The first pass reads every line, so that the first that is wrong is
/// the one that is told.
fn hold(text: &Text, range: Range<u64>, pass: usize, passes: usize, find: Find<'_>) -> Result<Held, Stop> {
    let mut held =
        Held { bytes: Vec::new(), entries: Vec::new(), lines: 0, foreign: BTreeSet::new(), name: Vec::new() };
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
                        held.entries.push(Entry { topic, from: held.bytes.len(), len: next - from, at });
                        held.bytes.extend_from_slice(&bytes[from..next]);
                    }
                    Some(_) => {}
                    None if pass == 0 && !held.foreign.contains(parsed.topic) => {
                        held.foreign.insert(parsed.topic.to_vec());
                    }
                    None => {}
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

/// Which entries are of which topic: those of topic `t` are `order[starts[t]..starts[t + 1]]`, in the order of the file.
fn by_topic(held: &[Held], topics: usize) -> (Vec<usize>, Vec<(u32, u32)>) {
    let mut starts = vec![0; topics + 1];
    let entries = || {
        held.iter()
            .zip(0_u32..)
            .flat_map(|(part, at)| part.entries.iter().zip(0_u32..).map(move |(entry, n)| (entry, (at, n))))
    };
    for (entry, _) in entries() {
        starts[entry.topic + 1] += 1;
    }
    for topic in 0..topics {
        starts[topic + 1] += starts[topic];
    }
    let mut next = starts.clone();
    let mut order = vec![(0, 0); starts[topics]];
    for (entry, place) in entries() {
        order[next[entry.topic]] = place;
        next[entry.topic] += 1;
    }
    (starts, order)
}

fn some<R>(
    held: &[Held],
    starts: &[usize],
    order: &[(u32, u32)],
    topics: Range<usize>,
    visit: Visit<'_, R>,
) -> Result<Vec<(usize, R)>, Stop> {
    let (mut done, mut lines): (Vec<(usize, R)>, Vec<Line<'_>>) = (Vec::new(), Vec::new());
    for topic in topics {
        lines.clear();
        for &(part, entry) in &order[starts[topic]..starts[topic + 1]] {
            let part = &held[part as usize];
            let entry = &part.entries[entry as usize];
            let (parsed, _) = parse(&part.bytes[entry.from..entry.from + entry.len], 0, entry.at)?;
            lines.extend(parsed.map(|parsed| parsed.line));
        }
        if !lines.is_empty() {
            done.push((topic, visit(topic, &mut lines)?));
        }
    }
    Ok(done)
}
