//! The fields of the index, and how a chunk becomes one entry of it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tantivy::{
    Index, TantivyDocument,
    schema::{BytesOptions, FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::TextAnalyzer,
};

use super::tokenizer::{self, Starts, Words};
use crate::domain::chunk::{Chunk, Origin};

/// Changes whenever an index of before cannot be used: other fields, another stored form.
const FORMAT: u32 = 1;

/// How many times as much a word in the document's name or the headings counts as one in the text.
pub(super) const TITLE_BOOST: f32 = 1.5;

/// The version of an index: its format, its words and the way sources are split.
pub(super) fn version() -> String {
    format!("{FORMAT}.{}.{}", tokenizer::VERSION, super::source::VERSION)
}

/// The fields by what they hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// Words of the text.
    pub(super) body: Field,
    /// Words of the document's name and the headings.
    pub(super) title: Field,
    /// The first letters of the words of both.
    pub(super) start: Field,
    /// The chunk's id.
    pub(super) id: Field,
    /// The document's name.
    pub(super) document: Field,
    /// The source file, to replace its chunks.
    pub(super) file: Field,
    /// The groups that may read it, or [`EVERYBODY`].
    pub(super) scope: Field,
    /// Where it stands in the source: sorts as the source does.
    pub(super) order: Field,
    /// The chunk as JSON.
    pub(super) chunk: Field,
}

const WORDS: &str = "words";
const STARTS: &str = "starts";

/// The name of the column that sorts as the source does.
pub(super) const ORDER: &str = "order";

/// The scope term of a chunk without groups. Those of groups begin with `=`.
pub(super) const EVERYBODY: &str = "*";

/// The scope term of a group.
pub(super) fn group(name: &str) -> String {
    key(&format!("={name}")).into_owned()
}

/// The schema and its fields.
pub(super) fn schema() -> (Schema, Fields) {
    let words = |tokenizer| {
        let indexing =
            TextFieldIndexing::default().set_tokenizer(tokenizer).set_index_option(IndexRecordOption::WithFreqs);
        TextOptions::default().set_indexing_options(indexing)
    };
    let exact = || {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_index_option(IndexRecordOption::Basic)
            .set_fieldnorms(false);
        TextOptions::default().set_indexing_options(indexing)
    };
    let mut builder = Schema::builder();
    let fields = Fields {
        body: builder.add_text_field("body", words(WORDS)),
        title: builder.add_text_field("title", words(WORDS)),
        start: builder.add_text_field("start", words(STARTS)),
        id: builder.add_text_field("id", exact()),
        document: builder.add_text_field("document", exact()),
        file: builder.add_text_field("file", exact()),
        scope: builder.add_text_field("scope", exact()),
        order: builder.add_text_field(ORDER, FAST),
        chunk: builder.add_bytes_field("chunk", BytesOptions::default().set_stored()),
    };
    (builder.build(), fields)
}

/// Teaches an index our words.
pub(super) fn register(index: &Index) {
    index.tokenizers().register(WORDS, TextAnalyzer::from(Words));
    index.tokenizers().register(STARTS, TextAnalyzer::from(Starts));
}

/// A name as an exact term; the engine takes no term above 64 KiB, so a very long one is known by its hash.
pub(super) fn key(name: &str) -> Cow<'_, str> {
    if name.len() <= 1024 {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("#{}", blake3::hash(name.as_bytes()).to_hex()))
    }
}

/// The order of a chunk: by file, then by its place in that file.
pub(super) fn order(file: &str, number: u64) -> String {
    format!("{file}\u{0}{number:012}")
}

/// One entry of the index.
pub(super) fn entry(fields: Fields, chunk: &Chunk, file: &str, number: u64) -> serde_json::Result<TantivyDocument> {
    let mut title = chunk.document.clone();
    for heading in chunk.short_heading() {
        title.push('\n');
        title.push_str(heading);
    }
    let mut entry = TantivyDocument::default();
    entry.add_text(fields.body, &chunk.text);
    entry.add_text(fields.title, &title);
    entry.add_text(fields.start, &title);
    entry.add_text(fields.start, &chunk.text);
    entry.add_text(fields.id, key(chunk.id.as_str()));
    entry.add_text(fields.document, key(&chunk.document));
    entry.add_text(fields.file, key(file));
    if chunk.scope.is_empty() {
        entry.add_text(fields.scope, EVERYBODY);
    }
    for name in &chunk.scope {
        entry.add_text(fields.scope, group(name));
    }
    entry.add_text(fields.order, key(&order(file, number)));
    entry.add_bytes(fields.chunk, &serde_json::to_vec(&Stored::from(chunk))?);
    Ok(entry)
}

/// A chunk as it is stored. The domain's own type stays free of any wire format.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Stored {
    id: String,
    document: String,
    heading: Vec<String>,
    text: String,
    position: u32,
    section: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    scope: Vec<String>,
    origin: Option<(String, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<(String, String)>,
}

impl From<&Chunk> for Stored {
    fn from(chunk: &Chunk) -> Self {
        let Chunk { id, document, heading, text, position, section, scope, origin, fields } = chunk.clone();
        Self {
            id: id.as_str().to_owned(),
            document,
            heading,
            text,
            position,
            section,
            scope,
            origin: origin.map(|origin| (origin.file, origin.line)),
            fields,
        }
    }
}

impl From<Stored> for Chunk {
    fn from(stored: Stored) -> Self {
        let Stored { id, document, heading, text, position, section, scope, origin, fields } = stored;
        let origin = origin.map(|(file, line)| Origin { file, line });
        Self { id: id.into(), document, heading, text, position, section, scope, origin, fields }
    }
}
