//! What a process prints, held within bounds: lines of its standard output, and the end of its standard error.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt};

use crate::{domain::text::clean, engine::secret::Secrets};

/// A line of output, without its end.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    /// The whole line; blank ones are not told.
    Whole(Vec<u8>),
    /// The first bytes of a line that is longer than it may be.
    TooLong(Vec<u8>),
}

/// Reads lines of at most `most` bytes; of a longer one it keeps the beginning and skips the rest.
pub(super) struct Lines<R> {
    from: R,
    most: usize,
    line: Vec<u8>,
    /// How long the line is so far.
    length: usize,
}

/// How much of a line that is too long is kept.
const BEGINNING: usize = 512;

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(super) fn new(from: R, most: usize) -> Self {
        Self { from, most, line: Vec::new(), length: 0 }
    }

    /// The next line that is not blank; `None` at the end. What was read is not lost where this is dropped and called again.
    pub(super) async fn next(&mut self) -> std::io::Result<Option<Line>> {
        loop {
            let buffer = self.from.fill_buf().await?;
            let ended = buffer.is_empty();
            let newline = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..newline.unwrap_or(buffer.len())];
            self.length += part.len();
            if self.length <= self.most {
                self.line.extend_from_slice(part);
            } else {
                let room = BEGINNING.saturating_sub(self.line.len());
                self.line.extend_from_slice(&part[..part.len().min(room)]);
                self.line.truncate(BEGINNING);
                self.line.shrink_to_fit();
            }
            let used = newline.map_or(part.len(), |at| at + 1);
            self.from.consume(used);
            if newline.is_some() || ended {
                let line = std::mem::take(&mut self.line);
                let length = std::mem::take(&mut self.length);
                if length > self.most {
                    return Ok(Some(Line::TooLong(line)));
                }
                if !line.trim_ascii().is_empty() {
                    return Ok(Some(Line::Whole(line)));
                }
                if ended {
                    return Ok(None);
                }
            }
        }
    }
}

/// The end of what a process printed to standard error. It may hold secrets until [`LastWords::lines`] cut them out.
#[derive(Debug, Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    /// True if something before these bytes was thrown away.
    cut: bool,
}

/// How many bytes are kept at least, where there are as many.
const KEPT: usize = 16 * 1024;
/// How many lines are told, and how many characters of each.
const LINES: usize = 20;
const WIDTH: usize = 300;

impl LastWords {
    /// Keeps the end of what comes, until the stream ends.
    pub(super) async fn listen(self, mut from: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; 4096];
        while let Ok(read @ 1..) = from.read(&mut buffer).await {
            self.add(&buffer[..read]);
        }
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes.extend_from_slice(bytes);
        if kept.bytes.len() > 2 * KEPT {
            let cut = kept.bytes.len() - KEPT;
            kept.bytes.drain(..cut);
            kept.cut = true;
        }
    }

    /// The last lines, without secrets and control characters.
    pub(super) fn lines(&self, secrets: &Secrets) -> Vec<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut whole = kept.bytes.as_slice();
        if kept.cut {
            // The first line is half a line and may begin with half a secret, which nothing would recognise.
            let begin = whole.iter().position(|byte| *byte == b'\n').map_or(whole.len(), |at| at + 1);
            whole = &whole[begin..];
        }
        // As one text, since a secret may have several lines.
        let text = secrets.redact(&String::from_utf8_lossy(whole));
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(LINES)..].iter().map(|line| short(line)).collect()
    }
}

/// A line as it may be shown.
fn short(line: &str) -> String {
    let line = clean(line);
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(text: &[u8], most: usize) -> Vec<Line> {
        let mut lines = Lines::new(tokio::io::BufReader::with_capacity(3, text), most);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.expect("memory can be read") {
            all.push(line);
        }
        all
    }

    #[tokio::test]
    async fn lines_are_whole_blank_ones_left_out_and_the_last_needs_no_end() {
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        assert_eq!(
            read(b"{\"a\": 1}\r\n\n \n{}\nlast", 100).await,
            [whole("{\"a\": 1}\r"), whole("{}"), whole("last")]
        );
        assert_eq!(read(b"", 100).await, []);
        assert_eq!(read(b"12345\n1234\n", 4).await, [Line::TooLong(b"12345".to_vec()), whole("1234")]);
    }

    #[tokio::test]
    async fn of_a_line_that_is_too_long_only_the_beginning_is_kept() {
        let long = [b"x".repeat(100_000), b"\nnext".to_vec()].concat();
        let lines = read(&long, 2000).await;
        assert_eq!(lines, [Line::TooLong(b"x".repeat(BEGINNING)), Line::Whole(b"next".to_vec())]);
    }

    #[test]
    fn last_words_are_the_last_lines_cleaned_without_secrets_and_without_half_a_line() {
        let secrets = Secrets::collect([("env", "${KEY}")], &|_| Some("s3cret of words".to_owned()));
        let secrets = secrets.expect("the variable is set");
        let words = LastWords::default();
        words.add(b"\x1b[31mred\x1b[0m s3cret of words!\n\n");
        assert_eq!(words.lines(&secrets), ["␛[31mred␛[0m ${KEY}!"]);
        words.add(format!("{}{}\n", "cret", "x".repeat(3 * KEPT)).as_bytes());
        words.add("é".repeat(400).as_bytes());
        assert_eq!(words.lines(&secrets), [format!("{}…", "é".repeat(WIDTH))]);
    }
}
