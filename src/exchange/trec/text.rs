//! A file as bytes that several readers take parts of, each at its own pace.

use std::{
    fs::File,
    io::{self, Read, Seek as _, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};

/// A file, or the bytes of one that cannot be read twice (a pipe).
#[derive(Debug)]
pub(super) struct Text {
    path: PathBuf,
    held: Option<Vec<u8>>,
    len: u64,
}

impl Text {
    /// Opens the file at `path`. What is no plain file is read into memory.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let about = file.metadata()?;
        let held = if about.is_file() {
            None
        } else {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Some(bytes)
        };
        let len = held.as_ref().map_or(about.len(), |bytes| bytes.len() as u64);
        Ok(Self { path: path.to_owned(), held, len })
    }

    /// The length in bytes when it was opened.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The file as it was named.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The bytes of a part.
    pub(super) fn part(&self, range: Range<u64>) -> io::Result<Box<dyn Read + '_>> {
        let place = |at: u64| usize::try_from(at).map_err(io::Error::other);
        if let Some(bytes) = &self.held {
            return Ok(Box::new(&bytes[place(range.start)?..place(range.end)?]));
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(range.start))?;
        Ok(Box::new(file.take(range.end.saturating_sub(range.start))))
    }

    /// The number of the line that begins at byte `at`, from 1.
    pub(super) fn line_number(&self, at: u64) -> io::Result<u64> {
        let mut part = self.part(0..at)?;
        let (mut block, mut lines) = (vec![0; 1 << 16], 1);
        loop {
            match part.read(&mut block)? {
                0 => return Ok(lines),
                n => lines += memchr::memchr_iter(b'\n', &block[..n]).count() as u64,
            }
        }
    }
}
