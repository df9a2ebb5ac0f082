//! Writes one index: every chunk of a source, or only those of the files that changed.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use tantivy::{Index, IndexWriter, TantivyDocument, Term, indexer::NoMergePolicy};

use super::{
    Activity, CorpusError, Note, Problem, Progress, Severity, Source,
    error::LISTED,
    manifest::{FileState, Manifest},
    schema::{self, Fields},
    source::{SourceFile, front_matter, jsonl, lines::line_ends, markdown},
    store, tokenizer,
};
use crate::domain::chunk::Chunk;

/// How much the engine may collect in memory before it writes a segment, in bytes.
const MEMORY: usize = 50_000_000;

/// Writes an index into a folder of its own.
pub(super) struct Writer<'a> {
    pub(super) source: &'a Source,
    pub(super) files: &'a [SourceFile],
    pub(super) folder: &'a Path,
    pub(super) progress: &'a dyn Fn(Progress),
}

/// The engine's writer with what it takes to use it.
struct Engine<'a> {
    writer: IndexWriter<TantivyDocument>,
    fields: Fields,
    folder: &'a Path,
}

impl Writer<'_> {
    /// Writes the chunks of all files, or, given a finished index of before, those of the files that are not in it as they are now. Fills in what the manifest says of each.
    pub(super) fn write(&self, manifest: &mut Manifest, old: Option<(PathBuf, Manifest)>) -> Result<(), CorpusError> {
        let old = old.filter(|(path, _)| matches!(self.source, Source::Markdown(_)) && self.take_over(path).is_ok());
        let mut engine = self.engine(old.is_some())?;
        match self.source {
            Source::Markdown(_) => self.pages(&mut engine, manifest, old.as_ref().map(|(_, manifest)| manifest))?,
            Source::Jsonl(_) => self.lines(&mut engine, manifest)?,
        }
        let total = self.files.iter().map(|file| file.len).sum();
        (self.progress)(Progress { activity: Activity::Writing, done: total, total });
        manifest.chunks = manifest.files.iter().map(|file| file.chunks).sum();
        engine.finish()
    }

    /// Puts a finished index into our folder. One that cannot be taken over is built anew.
    fn take_over(&self, path: &Path) -> Result<(), CorpusError> {
        store::copy_index(path, self.folder).map_err(CorpusError::io("copy", path))?;
        Index::open_in_dir(self.folder).map(drop).map_err(CorpusError::engine(self.folder))
    }

    fn engine(&self, taken_over: bool) -> Result<Engine<'_>, CorpusError> {
        let failed = || CorpusError::engine(self.folder);
        let (schema, fields) = schema::schema();
        let index = if taken_over {
            Index::open_in_dir(self.folder).map_err(failed())?
        } else {
            for entry in fs::read_dir(self.folder).into_iter().flatten().flatten() {
                // What a failed take-over left.
                let _ = fs::remove_file(entry.path());
            }
            Index::create_in_dir(self.folder, schema).map_err(failed())?
        };
        schema::register(&index);
        // One thread: chunks keep their order and segments their borders, so that two builds are the same.
        let writer = index.writer_with_num_threads(1, MEMORY).map_err(failed())?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Engine { writer, fields, folder: self.folder })
    }

    fn pages(
        &self,
        engine: &mut Engine<'_>,
        manifest: &mut Manifest,
        old: Option<&Manifest>,
    ) -> Result<(), CorpusError> {
        let mut before: HashMap<&str, &FileState> =
            old.iter().flat_map(|old| &old.files).map(|file| (file.name.as_str(), file)).collect();
        let total = self.files.iter().map(|file| file.len).sum();
        let mut done = 0;
        let mut problems = Vec::new();
        for (file, state) in self.files.iter().zip(&mut manifest.files) {
            let known = before.remove(file.name.as_str());
            if let Some(known) = known.filter(|known| known.hash == state.hash && known.document == state.document) {
                (state.chunks, state.notes) = (known.chunks, known.notes.clone());
            } else {
                if known.is_some() {
                    engine.remove(&file.name);
                }
                if let Err(problem) = page(engine, self.source, file, state)? {
                    problems.push(problem);
                }
            }
            done += file.len;
            (self.progress)(Progress { activity: Activity::Reading, done, total });
        }
        for name in before.keys() {
            engine.remove(name);
        }
        if problems.is_empty() { Ok(()) } else { Err(CorpusError::broken(problems)) }
    }

    fn lines(&self, engine: &mut Engine<'_>, manifest: &mut Manifest) -> Result<(), CorpusError> {
        let (Some(file), Some(state)) = (self.files.first(), manifest.files.first_mut()) else { return Ok(()) };
        let unreadable = || CorpusError::io("read", &file.path);
        let mut input = BufReader::with_capacity(1 << 16, fs::File::open(&file.path).map_err(unreadable())?);
        let mut reader = jsonl::Reader::new(&file.name);
        let (mut line, mut done) = (Vec::new(), 0);
        let mut problems = Vec::new();
        let mut long = LongWords::default();
        state.chunks = 0;
        for number in 1.. {
            line.clear();
            let read = input.read_until(b'\n', &mut line).map_err(unreadable())?;
            if read == 0 {
                break;
            }
            done += read as u64;
            match reader.line(&line, number) {
                Ok(None) => {}
                Ok(Some(chunk)) => {
                    state.chunks += 1;
                    // A broken file is not indexed, but read on to name more of what is wrong with it.
                    if problems.is_empty() {
                        long.look(&chunk);
                        engine.add(&chunk, &file.name, number)?;
                    }
                }
                Err(what) => problems.push(Problem { file: file.path.clone(), line: Some(number), what }),
            }
            if number.is_multiple_of(256) {
                (self.progress)(Progress { activity: Activity::Reading, done, total: file.len });
            }
        }
        state.notes = reader.notes().chain(long.note()).collect();
        if problems.is_empty() { Ok(()) } else { Err(CorpusError::broken(problems)) }
    }
}

/// Adds the chunks of one page.
fn page(
    engine: &mut Engine<'_>,
    source: &Source,
    file: &SourceFile,
    state: &mut FileState,
) -> Result<Result<(), Problem>, CorpusError> {
    (state.chunks, state.notes) = (0, Vec::new());
    let bytes = match file.page(source)? {
        Ok(bytes) => bytes,
        Err(trouble) => {
            state.set_unread(&trouble);
            let what = format!("cannot be read, so that it is not in the index: {trouble}; mend or remove it");
            state.notes.push(Note { severity: Severity::Error, line: None, what });
            return Ok(Ok(()));
        }
    };
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let line = line_ends(&bytes, 0..at) as u64 + 1;
            let what = format!("not UTF-8 at byte {at}, so that the page is not in the index; save it as UTF-8");
            state.notes.push(Note { severity: Severity::Error, line: Some(line), what });
            return Ok(Ok(()));
        }
    };
    let chunks = match markdown::chunks(text, &file.name, &state.document) {
        Ok(chunks) => chunks,
        Err(error) => return Ok(Err(Problem { file: file.path.clone(), line: Some(error.line), what: error.what })),
    };
    if let Ok(front) = front_matter::read(text) {
        state.notes.extend(front.notes);
    }
    if let Some(title) = state.title.as_ref().filter(|title| **title != state.document) {
        let what = format!("another page has the title “{title}” too, so both are named by their path");
        state.notes.push(Note { severity: Severity::Info, line: None, what });
    }
    if chunks.is_empty() {
        let what = "no text, so that it gives no chunk".to_owned();
        state.notes.push(Note { severity: Severity::Info, line: None, what });
    }
    let mut long = LongWords::default();
    for (number, chunk) in chunks.iter().enumerate() {
        long.look(chunk);
        engine.add(chunk, &file.name, number as u64)?;
    }
    state.notes.extend(long.note());
    state.chunks = chunks.len() as u64;
    Ok(Ok(()))
}

impl Engine<'_> {
    fn add(&mut self, chunk: &Chunk, file: &str, number: u64) -> Result<(), CorpusError> {
        let entry = schema::entry(self.fields, chunk, file, number);
        let entry = entry.map_err(|error| CorpusError::Stored { path: self.folder.to_owned(), error })?;
        self.writer.add_document(entry).map(drop).map_err(CorpusError::engine(self.folder))
    }

    fn remove(&mut self, file: &str) {
        self.writer.delete_term(Term::from_field_text(self.fields.file, &schema::key(file)));
    }

    /// Writes everything as one segment, so that chunks that were removed do not count in the scores.
    fn finish(mut self) -> Result<(), CorpusError> {
        let failed = || CorpusError::engine(self.folder);
        self.writer.commit().map_err(failed())?;
        // The engine keeps the files of whatever is still in someone's hand, so only ids are kept here.
        let metas = self.writer.index().searchable_segment_metas().map_err(failed())?;
        let is_one = metas.len() <= 1 && !metas.iter().any(tantivy::SegmentMeta::has_deletes);
        let segments: Vec<_> = metas.iter().map(tantivy::SegmentMeta::id).collect();
        drop(metas);
        if !is_one {
            self.writer.merge(&segments).wait().map_err(failed())?;
            self.writer.garbage_collect_files().wait().map_err(failed())?;
        }
        self.writer.wait_merging_threads().map_err(CorpusError::engine(self.folder))
    }
}

/// Counts words that the index knows by their beginning only.
#[derive(Default)]
struct LongWords {
    count: usize,
    chunks: Vec<String>,
    more: usize,
}

impl LongWords {
    fn look(&mut self, chunk: &Chunk) {
        let suspect = |text: &str| text.split_whitespace().any(|word| word.len() > tokenizer::LONGEST);
        if !suspect(&chunk.text) {
            return;
        }
        let count = tokenizer::cut_words(&chunk.text);
        if count == 0 {
            return;
        }
        self.count += count;
        if self.chunks.len() < LISTED {
            self.chunks.push(chunk.id.to_string());
        } else {
            self.more += 1;
        }
    }

    fn note(self) -> Option<Note> {
        if self.count == 0 {
            return None;
        }
        let words = if self.count == 1 { "word" } else { "words" };
        let more = if self.more > 0 { format!(" and {} more chunks", self.more) } else { String::new() };
        let what = format!(
            "{} {words} of more than {} bytes found by the first {} only, in {}{more}",
            self.count,
            tokenizer::LONGEST,
            tokenizer::LONGEST,
            self.chunks.join(", ")
        );
        Some(Note { severity: Severity::Info, line: None, what })
    }
}
