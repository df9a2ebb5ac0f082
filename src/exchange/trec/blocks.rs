//! A run whose topics stand together, read once: several threads, each with a few blocks of it in memory.

use std::{
    collections::BTreeSet,
    io::{self, Read as _},
    ops::Range,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use super::{
    run::{Find, Line, Parsed, Read, Stop, Visit, parse},
    shown,
    text::Text,
};

/// How much of a file is read at a time.
const BLOCK: usize = 1 << 19;
/// The parts that each thread takes, so that none waits long for another.
const PARTS: u64 = 4;
/// A part is not made smaller than this.
const LEAST: u64 = 1 << 20;
/// More threads than this only wait for the disk.
const THREADS: usize = 8;

/// What a part of a file came to.
struct Part<R> {
    topics: Vec<(usize, R)>,
    lines: u64,
    foreign: BTreeSet<Vec<u8>>,
    name: Vec<u8>,
}

/// Reads the run, see [`super::RunFile::read`]; [`Stop::Scattered`] once a topic stands in a second place.
pub(super) fn read<R: Send>(text: &Text, topics: usize, find: Find<'_>, visit: Visit<'_, R>) -> Result<Read<R>, Stop> {
    let seen: Vec<AtomicBool> = (0..topics).map(|_| AtomicBool::new(false)).collect();
    let parts = each(&ranges(text)?, |range| part(text, range, &seen, find, visit));
    // Where topics are scattered, what is wrong with a line is said by the other reader, which sees them in order.
    if parts.iter().any(|part| matches!(part, Err(Stop::Scattered))) {
        return Err(Stop::Scattered);
    }
    let mut read =
        Read { topics: (0..topics).map(|_| None).collect(), lines: 0, foreign: Vec::new(), name: String::new() };
    let mut foreign = BTreeSet::new();
    for part in parts {
        let part = part?;
        for (topic, value) in part.topics {
            read.topics[topic] = Some(value);
        }
        read.lines += part.lines;
        foreign.extend(part.foreign);
        if part.lines > 0 {
            read.name = shown(&part.name);
        }
    }
    read.foreign = foreign.iter().map(|topic| shown(topic)).collect();
    Ok(read)
}

fn part<R>(
    text: &Text,
    range: Range<u64>,
    seen: &[AtomicBool],
    find: Find<'_>,
    visit: Visit<'_, R>,
) -> Result<Part<R>, Stop> {
    let mut part = Part { topics: Vec::new(), lines: 0, foreign: BTreeSet::new(), name: Vec::new() };
    let finish = |part: &mut Part<R>, topic: &[u8], lines: &mut Vec<Line<'_>>| {
        if lines.is_empty() {
            return Ok(());
        }
        part.lines += lines.len() as u64;
        match find(topic) {
            Some(at) if seen[at].swap(true, Ordering::Relaxed) => return Err(Stop::Scattered),
            Some(at) => part.topics.push((at, visit(at, lines)?)),
            None => drop(part.foreign.insert(topic.to_vec())),
        }
        lines.clear();
        Ok(())
    };
    let mut blocks = Blocks::new(text, range)?;
    loop {
        let ended = blocks.more()?;
        let bytes = blocks.whole();
        let (mut lines, mut topic, mut begun, mut from): (Vec<Line<'_>>, &[u8], usize, usize) = (Vec::new(), b"", 0, 0);
        let mut last: &[u8] = b"";
        while from < bytes.len() {
            let (parsed, next) = parse(bytes, from, blocks.at)?;
            if let Some(Parsed { topic: of, name, line }) = parsed {
                if of != topic {
                    finish(&mut part, topic, &mut lines)?;
                    (topic, begun) = (of, from);
                }
                lines.push(line);
                last = name;
            }
            from = next;
        }
        if !last.is_empty() {
            part.name = last.to_vec();
        }
        if ended {
            finish(&mut part, topic, &mut lines)?;
            return Ok(part);
        }
        // The last topic may go on: its lines are read again with the next block.
        let keep = if lines.is_empty() { bytes.len() } else { begun };
        blocks.drop_to(keep);
    }
}

/// Does `work` on each range, on several threads, and returns what came of each in their order. After an error no further range
/// is begun; those before it are all done, so that the first error is the same every time.
pub(super) fn each<T: Send, R: Sync + Clone>(
    work_on: &[R],
    work: impl Fn(R) -> Result<T, Stop> + Sync,
) -> Vec<Result<T, Stop>> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = work_on.get(at) else { break };
            let result = work(range.clone());
            if result.is_err() {
                failed.store(true, Ordering::Relaxed);
            }
            done.push((at, result));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS).min(work_on.len());
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let mut done = worker();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The file in parts that each begin with a line of another topic than the line before.
pub(super) fn ranges(text: &Text) -> Result<Vec<Range<u64>>, Stop> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS) as u64;
    let parts = (threads * PARTS).min(text.len() / LEAST).max(1);
    let (mut ranges, mut from) = (Vec::new(), 0);
    for part in 1..parts {
        let to = boundary(text, text.len() * part / parts)?;
        if to > from {
            ranges.push(from..to);
            from = to;
        }
    }
    ranges.push(from..text.len());
    Ok(ranges)
}

/// Where the topic ends that stands behind byte `from`; the file's end if none begins after it.
fn boundary(text: &Text, from: u64) -> Result<u64, Stop> {
    // From a byte earlier, so that a line that begins at `from` is seen to begin there.
    let mut blocks = Blocks::new(text, from.saturating_sub(1)..text.len())?;
    let mut first: Option<Vec<u8>> = None;
    let mut begun = false;
    loop {
        let ended = blocks.more()?;
        let bytes = blocks.whole();
        let mut at = 0;
        if !begun {
            at = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
            begun = at > 0;
        }
        while at < bytes.len() {
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |more| at + more + 1);
            let line = &bytes[at..end];
            if let Some(topic) = super::columns(line).next().filter(|_| !super::is_idle(line)) {
                match &first {
                    None => first = Some(topic.to_vec()),
                    Some(first) if first != topic => return Ok(blocks.at + at as u64),
                    Some(_) => {}
                }
            }
            at = end;
        }
        if ended {
            return Ok(text.len());
        }
        let read = bytes.len();
        blocks.drop_to(read);
    }
}

/// A part of a file a block at a time, with what is still needed of the blocks before.
pub(super) struct Blocks<'a> {
    part: Box<dyn io::Read + 'a>,
    buffer: Vec<u8>,
    filled: usize,
    ended: bool,
    /// Where the bytes in memory begin in the file.
    pub(super) at: u64,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(text: &'a Text, range: Range<u64>) -> io::Result<Self> {
        let at = range.start;
        Ok(Self { part: text.part(range)?, buffer: Vec::new(), filled: 0, ended: false, at })
    }

    /// Reads on, at least one line further. True at the end.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        loop {
            // A topic that is longer than a block is read on by doubling, lest its lines be read again too often.
            let room = self.filled + self.filled.max(BLOCK);
            if self.buffer.len() < room {
                self.buffer.resize(room, 0);
            }
            let mut new = 0;
            while self.filled < room && !self.ended {
                let n = self.part.read(&mut self.buffer[self.filled..room])?;
                self.filled += n;
                new += n;
                self.ended = n == 0;
            }
            let lines = memchr::memchr(b'\n', &self.buffer[self.filled - new..self.filled]).is_some();
            if self.ended || lines {
                return Ok(self.ended);
            }
        }
    }

    /// The bytes in memory up to the last whole line; at the end all of them.
    pub(super) fn whole(&self) -> &[u8] {
        let bytes = &self.buffer[..self.filled];
        if self.ended { bytes } else { memchr::memrchr(b'\n', bytes).map_or(&[], |end| &bytes[..=end]) }
    }

    /// Forgets the bytes before `from`.
    pub(super) fn drop_to(&mut self, from: usize) {
        self.buffer.copy_within(from..self.filled, 0);
        self.filled -= from;
        self.at += from as u64;
    }
}
