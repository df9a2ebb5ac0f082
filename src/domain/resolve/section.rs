//! Sections of a document, and which of them a heading path means.

use std::{collections::HashMap, sync::Arc};

use crate::domain::{chunk::Chunk, outline::Document, text::fold};

/// The chunks directly under one heading. All chunks of a document that have no heading form one section.
pub(super) struct Section<'d> {
    pub(super) chunks: Vec<&'d Arc<Chunk>>,
    path: Vec<String>,
    /// How many leading headings only repeat the document's name: 0 or 1.
    skip: usize,
}

impl<'d> Section<'d> {
    /// The heading path as the corpus has it.
    pub(super) fn heading(&self) -> &'d [String] {
        &self.chunks[0].heading
    }

    /// The same without a first heading that repeats the document's name.
    pub(super) fn short_heading(&self) -> &'d [String] {
        &self.chunks[0].heading[self.skip..]
    }

    /// The heading path, folded.
    pub(super) fn path(&self) -> &[String] {
        &self.path
    }

    fn short_path(&self) -> &[String] {
        &self.path[self.skip..]
    }
}

/// True if both chunks stand directly under the same heading.
pub(super) fn same_section(a: &Chunk, b: &Chunk) -> bool {
    a.document == b.document && a.heading == b.heading && (a.heading.is_empty() || a.section == b.section)
}

/// The sections of `document`, in order.
pub(super) fn sections(document: &Document) -> Vec<Section<'_>> {
    let name = fold(&document.name);
    let mut at: HashMap<(u32, &[String]), usize> = HashMap::new();
    let mut sections: Vec<Section<'_>> = Vec::new();
    for chunk in &document.chunks {
        let ordinal = if chunk.heading.is_empty() { 0 } else { chunk.section };
        let index = *at.entry((ordinal, &chunk.heading)).or_insert_with(|| {
            let path = folded(&chunk.heading);
            let skip = usize::from(path.first() == Some(&name));
            sections.push(Section { chunks: Vec::new(), path, skip });
            sections.len() - 1
        });
        sections[index].chunks.push(chunk);
    }
    sections
}

pub(super) fn folded(heading: &[String]) -> Vec<String> {
    heading.iter().map(|part| fold(part)).collect()
}

/// The sections that `heading` means: those of that very path, else those of that path with the document's name as first
/// heading written or left out, else those whose path ends with it.
pub(super) fn matching<'s, 'd>(
    heading: &[String],
    document: &str,
    sections: &'s [Section<'d>],
) -> Vec<&'s Section<'d>> {
    let want = folded(heading);
    let short = if want.first() == Some(&fold(document)) { &want[1..] } else { &want[..] };
    let by = |test: &dyn Fn(&Section<'_>) -> bool| -> Vec<&'s Section<'d>> {
        sections.iter().filter(|section| test(section)).collect()
    };
    let mut found = by(&|section| section.path == want);
    if found.is_empty() {
        found = by(&|section| section.short_path() == short);
    }
    if found.is_empty() && !want.is_empty() {
        found = by(&|section| section.path.ends_with(&want));
    }
    found
}

/// The sections below a heading that has no chunk of its own.
pub(super) fn below<'s, 'd>(heading: &[String], document: &str, sections: &'s [Section<'d>]) -> Vec<&'s Section<'d>> {
    let want = folded(heading);
    let short = if want.first() == Some(&fold(document)) { &want[1..] } else { &want[..] };
    let full: Vec<_> = sections
        .iter()
        .filter(|section| section.path.starts_with(&want) || section.short_path().starts_with(short))
        .collect();
    if !full.is_empty() || want.is_empty() {
        return full;
    }
    sections.iter().filter(|section| section.path.windows(want.len()).any(|part| part == want)).collect()
}

/// The heading path that means only `section`: the whole one, without a first heading that only repeats the document's name if
/// that is enough. Whole, because a shorter one would come to mean two sections once another page part has a heading like it.
pub(super) fn whole_heading(section: &Section<'_>, document: &str, sections: &[Section<'_>]) -> Option<Vec<String>> {
    let paths = [section.short_heading(), section.heading()];
    paths.into_iter().find(|heading| means_only(section, heading, document, sections)).map(<[String]>::to_vec)
}

fn means_only(section: &Section<'_>, heading: &[String], document: &str, sections: &[Section<'_>]) -> bool {
    matches!(matching(heading, document, sections)[..], [only] if std::ptr::eq(only, section))
}
