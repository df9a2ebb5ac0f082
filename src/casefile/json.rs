//! One JSON text as a [`Tree`] with the exact bytes of every value; a small strict scanner, because spans are what an edit needs.

use std::collections::HashMap;

use super::{
    problem::FileProblemKind,
    tree::{Kind, Node, NodeId, Style, Tree},
};
use crate::domain::text::clean;

const MAX_DEPTH: usize = 64;

/// What is wrong, and its byte offset in the text.
pub(super) type Refusal = (usize, FileProblemKind);

/// Reads one JSON value that fills `text`. `offset` is where the text begins in its file, `line` its line there.
pub(super) fn parse(text: &str, offset: usize, line: u32) -> Result<(Tree, NodeId), Refusal> {
    let mut scanner = Scanner { text, at: 0, offset, line, counted: (0, 1), tree: Tree::default() };
    scanner.blanks();
    let root = scanner.value(0)?;
    scanner.blanks();
    if scanner.at < text.len() {
        return Err(scanner.expected("the end of the line"));
    }
    Ok((scanner.tree, root))
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    offset: usize,
    line: u32,
    /// Up to which byte columns have been counted, and the column there.
    counted: (usize, u32),
    tree: Tree,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn expected(&self, what: &str) -> Refusal {
        let found = match self.text[self.at..].chars().next() {
            Some(found) => format!("`{}`", clean(found.encode_utf8(&mut [0; 4]))),
            None => "the end of the line".to_owned(),
        };
        (self.at, FileProblemKind::Syntax(format!("expected {what}, found {found}")))
    }

    fn eat(&mut self, byte: u8, what: &str) -> Result<(), Refusal> {
        if self.peek() != Some(byte) {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(())
    }

    fn push(&mut self, kind: Kind, start: usize, flow: bool) -> NodeId {
        let (from, column) = self.counted;
        let more = self.text[from..start].chars().count();
        self.counted = (start, column.saturating_add(u32::try_from(more).unwrap_or(u32::MAX)));
        self.tree.nodes.push(Node {
            kind,
            span: self.offset + start..self.offset + self.at,
            line: self.line,
            column: self.counted.1,
            flow,
            tagged: false,
            shared: false,
        });
        self.tree.nodes.len() - 1
    }

    fn value(&mut self, depth: usize) -> Result<NodeId, Refusal> {
        if depth > MAX_DEPTH {
            return Err((self.at, FileProblemKind::TooMuch(format!("it is nested more than {MAX_DEPTH} deep"))));
        }
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => self.map(depth),
            Some(b'[') => self.list(depth),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<NodeId, Refusal> {
        let start = self.at;
        let rest = &self.text[start..];
        let len =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))).unwrap_or(rest.len());
        let word = &rest[..len];
        if !matches!(word, "true" | "false" | "null") && !is_number(word) {
            return Err(self.expected("a JSON value"));
        }
        self.at += len;
        Ok(self.push(Kind::Scalar(word.into(), Style::Plain), start, false))
    }

    fn string(&mut self) -> Result<NodeId, Refusal> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(byte) if byte >= 0x20 => self.at += 1,
                Some(_) => return Err(self.expected("an escaped control character")),
                None => {
                    self.at = self.text.len();
                    return Err(self.expected("a closing `\"`"));
                }
            }
        }
        self.at += 1;
        let raw = self.text.get(start..self.at).unwrap_or_default();
        let text = serde_json::from_str::<String>(raw);
        let text = text.map_err(|_| (start, FileProblemKind::Syntax(format!("{raw} is not a JSON string"))))?;
        Ok(self.push(Kind::Scalar(text.into(), Style::Double), start, false))
    }

    fn list(&mut self, depth: usize) -> Result<NodeId, Refusal> {
        let start = self.at;
        self.at += 1;
        let id = self.push(Kind::List(Vec::new()), start, true);
        let mut items = Vec::new();
        self.blanks();
        if self.peek() != Some(b']') {
            loop {
                self.blanks();
                items.push(self.value(depth + 1)?);
                self.blanks();
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
            }
        }
        self.eat(b']', "`,` or `]`")?;
        self.close(id, Kind::List(items));
        Ok(id)
    }

    fn map(&mut self, depth: usize) -> Result<NodeId, Refusal> {
        let start = self.at;
        self.at += 1;
        let id = self.push(Kind::Map(Vec::new()), start, true);
        let mut entries = Vec::new();
        let mut seen = HashMap::<String, u32>::new();
        self.blanks();
        if self.peek() != Some(b'}') {
            loop {
                self.blanks();
                if self.peek() != Some(b'"') {
                    return Err(self.expected("a key in quotes"));
                }
                let at = self.at;
                let key = self.string()?;
                let name = self.tree.text(key).unwrap_or_default().to_owned();
                if let Some(first) = seen.insert(name.clone(), self.line) {
                    return Err((at, FileProblemKind::DuplicateKey { key: name, first }));
                }
                self.blanks();
                self.eat(b':', "`:`")?;
                self.blanks();
                entries.push((key, self.value(depth + 1)?));
                self.blanks();
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
            }
        }
        self.eat(b'}', "`,` or `}`")?;
        self.close(id, Kind::Map(entries));
        Ok(id)
    }

    fn close(&mut self, id: NodeId, kind: Kind) {
        self.tree.nodes[id].kind = kind;
        self.tree.nodes[id].span.end = self.offset + self.at;
    }
}

/// JSON's own grammar of numbers.
fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (word, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}
