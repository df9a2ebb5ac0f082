//! Which chunk of the corpus a hit is, where a server may call it by another id than the corpus does.

mod overlap;

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    sync::Arc,
};

use self::overlap::Overlaps;
use super::{
    case::Target,
    chunk::{Chunk, ChunkId},
    outline::Outline,
    resolve,
    text::{clean, fold},
};

/// What a server sent of a chunk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passage {
    /// The server's id.
    pub id: Option<String>,
    /// The document's name.
    pub document: Option<String>,
    /// The heading path, outermost first; a path in one text is one heading.
    pub heading: Vec<String>,
    /// The passage.
    pub text: Option<String>,
}

/// What tells which chunk a hit is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum By {
    /// The id, which is the corpus's.
    #[default]
    Id,
    /// Document and heading path; among several chunks of a section the text.
    Heading,
    /// The text.
    Text,
}

impl By {
    /// As the settings write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Heading => "heading",
            Self::Text => "text",
        }
    }
}

/// What stands between the parts of a heading path that came as one text.
const SEPARATORS: [&str; 6] = [" › ", " > ", " / ", " | ", " » ", "/"];

/// How many characters of a text name a hit that is no chunk.
const NAMED_BY: usize = 60;

/// Knows the chunks of a corpus by what a server sends of them.
pub struct Recogniser {
    by: By,
    outline: Outline,
    /// The chunks of each folded text.
    by_text: HashMap<u128, Vec<Arc<Chunk>>>,
    overlaps: Overlaps,
}

impl Recogniser {
    /// A recogniser of the chunks of `outline`.
    #[must_use]
    pub fn new(by: By, outline: Outline) -> Self {
        let mut by_text: HashMap<u128, Vec<Arc<Chunk>>> = HashMap::new();
        let mut overlaps = Overlaps::default();
        if by == By::Text {
            for chunk in outline.documents().iter().flat_map(|document| &document.chunks) {
                match by_text.entry(fingerprint(&chunk.text)) {
                    Entry::Occupied(mut same) => same.get_mut().push(Arc::clone(chunk)),
                    Entry::Vacant(none) => {
                        none.insert(vec![Arc::clone(chunk)]);
                    }
                }
                overlaps.add(chunk);
            }
        }
        Self { by, outline, by_text, overlaps }
    }

    /// The chunk that a hit is; a name that no chunk has, and people can read, for one that is none or may be several.
    #[must_use]
    pub fn chunk(&self, passage: &Passage) -> ChunkId {
        let found = match self.by {
            By::Id => passage.id.as_deref().map(ChunkId::from).filter(|id| self.outline.chunk(id).is_some()),
            By::Heading => self.by_heading(passage),
            By::Text => self.by_text(passage),
        };
        found.unwrap_or_else(|| self.unknown(passage))
    }

    fn by_heading(&self, passage: &Passage) -> Option<ChunkId> {
        let document = passage.document.as_deref()?;
        let chunks = self.section(document, &passage.heading).or_else(|| match &passage.heading[..] {
            [one] => SEPARATORS.iter().filter(|separator| one.contains(*separator)).find_map(|separator| {
                let path: Vec<String> = one.split(separator).map(|part| part.trim().to_owned()).collect();
                self.section(document, &path)
            }),
            _ => None,
        })?;
        match &chunks[..] {
            [only] => Some(only.id.clone()),
            several => likest(passage.text.as_deref()?, several),
        }
    }

    /// The chunks directly under a heading path, as a reference without a quote has them.
    fn section(&self, document: &str, heading: &[String]) -> Option<Vec<&Arc<Chunk>>> {
        let target = Target::Section { document: document.to_owned(), heading: heading.to_vec(), quote: None };
        let ids = match resolve::direct_look_up(&target, &self.outline) {
            Some(ids) => ids,
            // A page without headings, or one whose hits name none: the whole document's chunks.
            None if heading.is_empty() => return self.document(document),
            None => return None,
        };
        Some(ids.iter().filter_map(|id| self.outline.chunk(id)).collect())
    }

    fn document(&self, name: &str) -> Option<Vec<&Arc<Chunk>>> {
        match self.outline.find(name)[..] {
            [document] => Some(document.chunks.iter().collect()),
            _ => None,
        }
    }

    fn by_text(&self, passage: &Passage) -> Option<ChunkId> {
        let text = passage.text.as_deref().filter(|text| !text.trim().is_empty())?;
        if let Some(same) = self.by_text.get(&fingerprint(text)) {
            return self.one_of(passage, same);
        }
        self.one_of(passage, &self.overlaps.best(text))
    }

    /// The only one, or the only one of the document and under the heading that the hit names.
    fn one_of(&self, passage: &Passage, chunks: &[Arc<Chunk>]) -> Option<ChunkId> {
        let named: HashSet<&str> = match &passage.document {
            Some(name) => self.outline.find(name).into_iter().map(|document| document.name.as_str()).collect(),
            None => HashSet::new(),
        };
        let heading: Vec<String> = passage.heading.iter().map(|part| fold(part)).collect();
        let under = |chunk: &Chunk| {
            let path: Vec<String> = chunk.heading.iter().map(|part| fold(part)).collect();
            path.ends_with(&heading)
        };
        let mut left: Vec<&Arc<Chunk>> = chunks.iter().collect();
        let narrow = |left: &mut Vec<&Arc<Chunk>>, test: &dyn Fn(&Chunk) -> bool| {
            if left.len() > 1 {
                left.retain(|chunk| test(chunk));
            }
        };
        if !named.is_empty() {
            narrow(&mut left, &|chunk| named.contains(chunk.document.as_str()));
        }
        if !heading.is_empty() {
            narrow(&mut left, &under);
        }
        if let Some(id) = &passage.id {
            // Twins that only their ids tell apart.
            if let Some(chunk) = left.iter().find(|chunk| chunk.id.as_str() == id) {
                return Some(chunk.id.clone());
            }
        }
        match left[..] {
            [only] => Some(only.id.clone()),
            _ => None,
        }
    }

    fn unknown(&self, passage: &Passage) -> ChunkId {
        let path = passage.document.iter().chain(&passage.heading).map(|part| clean(part)).collect::<Vec<_>>();
        let name = match (&passage.id, &passage.text, &path[..]) {
            (Some(id), _, _) => clean(id).into_owned(),
            (None, Some(text), []) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let short: String = text.chars().take(NAMED_BY).collect();
                let cut = if short.len() < text.len() { "…" } else { "" };
                format!("“{}{cut}”", clean(&short))
            }
            (None, _, path) => path.join(" › "),
        };
        // The document was found, but the hit does not say where in it.
        let name = if self.by == By::Heading && passage.heading.is_empty() && passage.document.is_some() {
            format!("{name} (no heading)")
        } else {
            name
        };
        // A chunk may have that very id, and be another one.
        if self.by != By::Id && self.outline.chunk(&name.as_str().into()).is_some() {
            return format!("the server's {name}").into();
        }
        if name.is_empty() { "a hit without id, text or heading".into() } else { name.into() }
    }
}

/// The chunk whose text is the same, else the only one that is alike enough.
fn likest(text: &str, chunks: &[&Arc<Chunk>]) -> Option<ChunkId> {
    let folded = fold(text);
    let same: Vec<&&Arc<Chunk>> = chunks.iter().filter(|chunk| fold(&chunk.text) == folded).collect();
    if let [only] = same[..] {
        return Some(only.id.clone());
    }
    let mut overlaps = Overlaps::default();
    for chunk in chunks {
        overlaps.add(chunk);
    }
    match &overlaps.best(text)[..] {
        [only] => Some(only.id.clone()),
        _ => None,
    }
}

fn fingerprint(text: &str) -> u128 {
    let mut half = [0; 16];
    half.copy_from_slice(&blake3::hash(fold(text).as_bytes()).as_bytes()[..16]);
    u128::from_le_bytes(half)
}

#[cfg(test)]
mod tests;
