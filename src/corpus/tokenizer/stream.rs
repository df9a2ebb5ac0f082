//! The two tokenizers of the index: whole words, and the beginnings of words.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::{
    START,
    scan::{Kind, for_each},
};

/// Gives the words of a text to the index.
#[derive(Debug, Clone, Default)]
pub(in crate::corpus) struct Words;

/// Gives the first one to four letters of each word to the index, so that a short prefix is one look-up.
#[derive(Debug, Clone, Default)]
pub(in crate::corpus) struct Starts;

impl Tokenizer for Words {
    type TokenStream<'a> = Buffered;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Buffered {
        let mut stream = Buffered::default();
        let mut position = 0_usize;
        for_each(text, |token| {
            // A compound stands where its first part stands, and a pair where its first character does.
            stream.push(position, token.range.start, token.range.end, token.text);
            if !matches!(token.kind, Kind::Compound | Kind::Single) {
                position += 1;
            }
        });
        stream
    }
}

impl Tokenizer for Starts {
    type TokenStream<'a> = Buffered;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Buffered {
        let mut stream = Buffered::default();
        let mut position = 0_usize;
        // A compound and its first part begin alike; what they share is given once.
        let (mut before, mut before_at) = (String::new(), None);
        for_each(text, |token| {
            if matches!(token.kind, Kind::Single | Kind::Pair) {
                return;
            }
            let shared = if before_at == Some(token.range.start) { common(&before, token.text) } else { 0 };
            for (at, letter) in token.text.char_indices().take(START) {
                let end = at + letter.len_utf8();
                if end > shared {
                    stream.push(position, token.range.start, token.range.end, &token.text[..end]);
                }
            }
            before.clear();
            before.push_str(token.text);
            before_at = Some(token.range.start);
            position += 1;
        });
        stream
    }
}

/// How many bytes two words have in common at their beginning.
fn common(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// Words that were found, one after the other in one text.
#[derive(Debug, Default)]
pub(in crate::corpus) struct Buffered {
    text: String,
    tokens: Vec<Span>,
    next: usize,
    token: Token,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    text: (usize, usize),
    offset: (usize, usize),
    position: usize,
}

impl Buffered {
    fn push(&mut self, position: usize, from: usize, to: usize, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.tokens.push(Span { text: (start, self.text.len()), offset: (from, to), position });
    }
}

impl TokenStream for Buffered {
    fn advance(&mut self) -> bool {
        let Some(span) = self.tokens.get(self.next) else { return false };
        self.next += 1;
        self.token.text.clear();
        self.token.text.push_str(&self.text[span.text.0..span.text.1]);
        (self.token.offset_from, self.token.offset_to) = span.offset;
        self.token.position = span.position;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
