//! Splits a Markdown page by its headings: a section is the text directly under one heading, byte for byte.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{
    front_matter::{self, FrontMatter, FrontMatterError},
    lines::{line_ends, line_start},
    slug::Ids,
    split::split,
};
use crate::domain::chunk::{Chunk, Origin};

/// The chunks of the page `file` with the content `text`, in order. `document` is the name that they carry.
///
/// - Text before the first heading has an empty heading path; a page without headings is one section.
/// - A heading without text and without sub-headings gives a chunk with empty text, so that it can be labeled.
/// - A heading that has only sub-headings gives none.
/// - Headings in quotes, lists and code are text.
pub(in crate::corpus) fn chunks(text: &str, file: &str, document: &str) -> Result<Vec<Chunk>, FrontMatterError> {
    let front = front_matter::read(text)?;
    let mut page = Page {
        file,
        document,
        ids: Ids::new(file, front.title.as_deref()),
        lines: Lines { text, at: 0, line: 1 },
        chunks: Vec::new(),
        sections: 0,
        front: &front,
    };
    let Outline { headings, blocks } = outline(text, front.end);
    let first = headings.first().map_or(text.len(), |heading| heading.range.start);
    page.section(&[], front.end..first, &blocks, None);
    let mut path: Vec<(usize, String)> = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        path.retain(|(level, _)| *level < heading.level);
        path.push((heading.level, heading.text.clone()));
        let next = headings.get(index + 1);
        let end = next.map_or(text.len(), |next| next.range.start.max(heading.range.end));
        let is_leaf = next.is_none_or(|next| next.level <= heading.level);
        let names: Vec<String> = path.iter().map(|(_, name)| name.clone()).collect();
        page.section(&names, heading.range.end..end, &blocks, is_leaf.then_some(heading.range.start));
    }
    Ok(page.chunks)
}

struct Heading {
    level: usize,
    text: String,
    range: Range<usize>,
}

struct Outline {
    headings: Vec<Heading>,
    /// Where each top-level block begins, at the start of its line.
    blocks: Vec<usize>,
}

/// The headings and blocks at the top level of the page.
fn outline(text: &str, from: usize) -> Outline {
    let mut outline = Outline { headings: Vec::new(), blocks: Vec::new() };
    let body = &text[from..];
    let mut depth = 0_usize;
    let mut heading: Option<Heading> = None;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        let range = from + line_start(body, range.start)..from + range.end;
        if depth == 0 {
            outline.blocks.push(range.start);
        }
        match event {
            Event::Start(tag) => {
                if let (0, Tag::Heading { level, .. }) = (depth, tag) {
                    heading = Some(Heading { level: level as usize, text: String::new(), range });
                }
                depth += 1;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                if let (0, TagEnd::Heading(_), Some(mut done)) = (depth, end, heading.take_if(|_| depth == 0)) {
                    // The parser's ranges may overlap, as where a table row and a heading share a line.
                    let before = outline.headings.last().map_or(from, |last| last.range.end);
                    done.range.start = done.range.start.max(before);
                    done.range.end = done.range.end.max(done.range.start);
                    done.text = done.text.split_whitespace().collect::<Vec<_>>().join(" ");
                    outline.headings.push(done);
                }
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    heading.text.push_str(&words);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(heading) = &mut heading {
                    heading.text.push(' ');
                }
            }
            _ => {}
        }
    }
    outline
}

struct Page<'a> {
    file: &'a str,
    document: &'a str,
    front: &'a FrontMatter,
    ids: Ids,
    lines: Lines<'a>,
    chunks: Vec<Chunk>,
    sections: u32,
}

impl Page<'_> {
    /// Adds the chunks of one section. `heading_at` is where the heading stands if it is worth a chunk without text.
    fn section(&mut self, heading: &[String], range: Range<usize>, blocks: &[usize], heading_at: Option<usize>) {
        let text = self.lines.text;
        let range = trim(text, range);
        if range.is_empty() || (heading_at.is_none() && only_rules(&text[range.clone()])) {
            let Some(at) = heading_at else { return };
            self.add(heading, "", at);
        } else {
            for piece in split(text, range, blocks) {
                let piece = trim(text, piece);
                if !piece.is_empty() {
                    self.add(heading, &text[piece.clone()], piece.start);
                }
            }
        }
        self.sections += 1;
    }

    fn add(&mut self, heading: &[String], text: &str, at: usize) {
        self.chunks.push(Chunk {
            id: self.ids.next(heading),
            document: self.document.to_owned(),
            heading: heading.to_vec(),
            text: text.to_owned(),
            position: u32::try_from(self.chunks.len()).unwrap_or(u32::MAX),
            section: self.sections,
            scope: self.front.scope.clone(),
            origin: Some(Origin { file: self.file.to_owned(), line: self.lines.line_of(at) }),
            fields: self.front.fields.clone(),
        });
    }
}

/// True for text that is nothing but lines drawn between sections.
fn only_rules(text: &str) -> bool {
    text.chars().all(|letter| letter.is_whitespace() || matches!(letter, '-' | '*' | '_'))
}

/// Leaves out blank lines before and after, and blanks at the very end; the first line keeps its indentation.
fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let end = range.start + part.trim_end().len();
    let blank = part.len() - part.trim_start().len();
    let start = range.start + line_start(part, blank);
    start.min(end)..end
}

/// Counts lines on the way through a text.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    /// The line of `at`, from 1. Asked in rising order.
    fn line_of(&mut self, at: usize) -> u32 {
        let more = line_ends(self.text.as_bytes(), self.at..at);
        self.at = self.at.max(at);
        self.line = self.line.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        self.line
    }
}
