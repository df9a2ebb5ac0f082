//! Ids for the chunks of a page: `folder/page#heading/sub-heading`, the same as long as file and headings are.

use std::collections::HashSet;

use crate::domain::{chunk::ChunkId, text::fold};

/// Gives each chunk of one page an id of its own.
pub(super) struct Ids {
    base: String,
    title: Option<String>,
    taken: HashSet<String>,
}

impl Ids {
    /// Ids for the page `file` that calls itself `title`.
    pub(super) fn new(file: &str, title: Option<&str>) -> Self {
        // A `#` in a path would look like the end of the path; `.markdown` stays, so that `a.md` and `a.markdown` differ.
        let base = file.strip_suffix(".md").unwrap_or(file).replace('%', "%25").replace('#', "%23");
        Self { base, title: title.map(fold), taken: HashSet::new() }
    }

    /// The id of the next chunk under `heading`. The second and later ones of one heading path end in `-2`, `-3` …
    pub(super) fn next(&mut self, heading: &[String]) -> ChunkId {
        let path = match heading.split_first() {
            Some((first, rest)) if self.title.as_ref() == Some(&fold(first)) => rest,
            _ => heading,
        };
        let slugs = path.iter().map(|heading| slug(heading)).collect::<Vec<_>>().join("/");
        let plain = if slugs.is_empty() { self.base.clone() } else { format!("{}#{slugs}", self.base) };
        let mut id = plain.clone();
        let mut number = 1;
        while !self.taken.insert(id.clone()) {
            number += 1;
            id = if slugs.is_empty() { format!("{plain}#{number}") } else { format!("{plain}-{number}") };
        }
        ChunkId::from(id)
    }
}

/// Lower-case letters and digits, every run of anything else as one hyphen.
fn slug(heading: &str) -> String {
    let mut slug = String::new();
    for letter in fold(heading).chars() {
        if letter.is_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let end = slug.trim_end_matches('-').len();
    slug.truncate(end);
    if slug.is_empty() { "section".to_owned() } else { slug }
}
