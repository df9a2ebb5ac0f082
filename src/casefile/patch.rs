//! A change of a file as bytes: what goes, what comes, and its exact inverse.

use std::ops::Range;

/// One stretch of bytes that others take the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// Where the old bytes begin, in the file before the patch.
    pub at: usize,
    /// The bytes that go.
    pub old: Vec<u8>,
    /// The bytes that come.
    pub new: Vec<u8>,
}

/// Splices in the order of the file, none touching another's bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    splices: Vec<Splice>,
}

impl Patch {
    /// Builds a patch of `bytes` from replaced ranges and what takes their place. Insertions at one place keep their order.
    /// `None` if ranges overlap or lie outside.
    #[must_use]
    pub fn new(bytes: &[u8], mut changes: Vec<(Range<usize>, Vec<u8>)>) -> Option<Self> {
        changes.sort_by_key(|(range, _)| (range.start, range.end));
        let mut end = 0;
        let mut splices = Vec::with_capacity(changes.len());
        for (range, new) in changes {
            let old = bytes.get(range.clone())?.to_vec();
            if range.start < end {
                return None;
            }
            end = range.end;
            splices.push(Splice { at: range.start, old, new });
        }
        Some(Self { splices })
    }

    /// The splices, in the order of the file.
    #[must_use]
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// The bytes after the patch. `None` if `bytes` are not those the patch was made for.
    #[must_use]
    pub fn apply(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(bytes.len() + 128);
        let mut from = 0;
        for Splice { at, old, new } in &self.splices {
            out.extend_from_slice(bytes.get(from..*at)?);
            from = at + old.len();
            if bytes.get(*at..from)? != old.as_slice() {
                return None;
            }
            out.extend_from_slice(new);
        }
        out.extend_from_slice(bytes.get(from..)?);
        Some(out)
    }

    /// The patch that takes this one back, made for the bytes after it.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut splices = Vec::with_capacity(self.splices.len());
        let (mut grown, mut shrunk) = (0, 0);
        for Splice { at, old, new } in &self.splices {
            splices.push(Splice { at: at + grown - shrunk, old: new.clone(), new: old.clone() });
            grown += new.len();
            shrunk += old.len();
        }
        Self { splices }
    }

    /// From the first to the last byte that the patch replaces, in the file before it.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        match (self.splices.first(), self.splices.last()) {
            (Some(first), Some(last)) => first.at..last.at + last.old.len(),
            _ => 0..0,
        }
    }

    /// The same patch for a file in which its bytes begin `to - from` bytes later (or earlier). `None` if that is before the file.
    #[must_use]
    pub(super) fn moved(&self, from: usize, to: usize) -> Option<Self> {
        let splices = self.splices.iter().map(|splice| {
            let at = (splice.at + to).checked_sub(from)?;
            Some(Splice { at, ..splice.clone() })
        });
        Some(Self { splices: splices.collect::<Option<_>>()? })
    }
}
