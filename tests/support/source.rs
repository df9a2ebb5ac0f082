//! Reads Rust sources into the full names that each module uses.
//!
//! `use` braces are written out, `super::` and `self::` resolved, and imported words replaced by what they stand for, so
//! that no spelling hides a name. Tests, comments and texts are left out.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// A source file: the module it is, and every full name in it.
pub(crate) struct File {
    /// As in `tui::screen::label`, without `crate`.
    pub(crate) module: String,
    pub(crate) names: BTreeSet<String>,
}

pub(crate) struct Crate {
    pub(crate) files: Vec<File>,
}

impl Crate {
    pub(crate) fn read() -> Self {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        read_folder(&src, "", &mut files);
        assert!(files.len() > 50, "only {} files in {}", files.len(), src.display());
        Self { files }
    }

    /// Every module, with those above it.
    pub(crate) fn modules(&self) -> BTreeSet<String> {
        self.files.iter().flat_map(|file| (1..=3).map(|levels| cut(&file.module, levels))).collect()
    }

    /// Modules of which each names the next and the last the first, two levels deep; empty without such a ring.
    ///
    /// A module and the one that holds it are one here: a folder's `mod.rs` speaks of its parts and they of what it defines.
    pub(crate) fn ring(&self) -> Vec<String> {
        let modules: BTreeSet<String> = self.files.iter().map(|file| cut(&file.module, 2)).collect();
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in &self.files {
            let from = cut(&file.module, 2);
            for name in file.names.iter().filter_map(|name| name.strip_prefix("crate::")) {
                let to = [cut(name, 2), cut(name, 1)].into_iter().find(|to| modules.contains(to));
                let Some(to) = to.filter(|to| *to != from && !under(to, &from) && !under(&from, to)) else { continue };
                arrows.entry(from.clone()).or_default().insert(to);
            }
        }
        ring(&arrows)
    }
}

/// What is left when modules that nobody names, or that name nobody, are taken away one after the other.
fn ring(arrows: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut arrows = arrows.clone();
    loop {
        let before = arrows.len();
        let named: BTreeSet<String> = arrows.values().flatten().cloned().collect();
        let naming: BTreeSet<String> = arrows.keys().cloned().collect();
        arrows.retain(|from, to| {
            to.retain(|to| naming.contains(to));
            !to.is_empty() && named.contains(from)
        });
        if arrows.len() == before {
            break;
        }
    }
    // Everything that is left names something that is left: following the arrows must come back.
    let mut path: Vec<String> = arrows.keys().take(1).cloned().collect();
    while let Some(next) = path.last().and_then(|last| arrows[last].first()) {
        if let Some(at) = path.iter().position(|seen| seen == next) {
            return path.split_off(at);
        }
        path.push(next.clone());
    }
    path
}

/// The first `levels` parts of a name.
pub(crate) fn cut(name: &str, levels: usize) -> String {
    name.split("::").take(levels).collect::<Vec<_>>().join("::")
}

fn read_folder(folder: &Path, module: &str, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if ["tests", "testing"].contains(&stem.as_str()) {
            continue;
        }
        let below = [module, &stem].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("::");
        if path.is_dir() {
            read_folder(&path, &below, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = match stem.as_str() {
                "mod" => module,
                // The root of the library holds only declarations.
                "lib" => continue,
                _ => &below,
            };
            let names = names(module, &fs::read_to_string(&path).unwrap());
            files.push(File { module: module.to_owned(), names });
        }
    }
}

/// The full names in the code of `module`: paths (`crate::…`, `std::…`), macros (`name!`) and method calls (`.name(`).
pub(crate) fn names(module: &str, source: &str) -> BTreeSet<String> {
    let code = code(source);
    let tokens: Vec<&str> = tokens(&code);
    let mut names = BTreeSet::new();
    let mut imported: BTreeMap<&str, String> = BTreeMap::new();
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            let mut found = Vec::new();
            at = use_tree(&tokens, at + 1, &mut Vec::new(), &mut found);
            for (path, word) in found {
                let full = resolve(module, &path);
                imported.insert(word, full.clone());
                names.insert(full);
            }
        } else if is_word(tokens[at]) {
            let start = at;
            while tokens.get(at + 1) == Some(&"::") && tokens.get(at + 2).is_some_and(|token| is_word(token)) {
                at += 2;
            }
            let path: Vec<&str> = tokens[start..=at].iter().copied().filter(|token| *token != "::").collect();
            match tokens.get(at + 1) {
                Some(&"!") if path.len() == 1 => drop(names.insert(format!("{}!", path[0]))),
                Some(&"(") if start > 0 && tokens[start - 1] == "." => drop(names.insert(format!(".{}(", path[0]))),
                _ if path.len() > 1 => paths.push(path),
                _ => {}
            }
            at += 1;
        } else {
            at += 1;
        }
    }
    for path in paths {
        names.insert(match imported.get(path[0]) {
            Some(full) => [&[full.as_str()], &path[1..]].concat().join("::"),
            None => resolve(module, &path),
        });
    }
    names
}

/// Reads one tree of a `use` from `at` on into whole paths and the words that they bring, and says where it ends.
fn use_tree<'a>(
    tokens: &[&'a str],
    mut at: usize,
    prefix: &mut Vec<&'a str>,
    found: &mut Vec<(Vec<&'a str>, &'a str)>,
) -> usize {
    let depth = prefix.len();
    loop {
        match tokens.get(at).copied() {
            Some("::") => {
                at += 1;
                continue;
            }
            Some("{") => {
                at += 1;
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    at = use_tree(tokens, at, prefix, found);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                at += 1;
                break;
            }
            Some("*") => {
                found.push((prefix.clone(), "*"));
                at += 1;
                break;
            }
            Some("self") if depth > 0 && prefix.len() == depth => at += 1,
            Some(word) if is_word(word) => {
                prefix.push(word);
                at += 1;
            }
            _ => break,
        }
        if tokens.get(at) != Some(&"::") {
            let mut word = prefix.last().copied().unwrap_or_default();
            if tokens.get(at) == Some(&"as") {
                word = tokens.get(at + 1).copied().unwrap_or_default();
                at += 2;
            }
            found.push((prefix.clone(), word));
            break;
        }
    }
    prefix.truncate(depth);
    at
}

/// A path as it is written in `module`, from the root on.
fn resolve(module: &str, path: &[&str]) -> String {
    let mut base: Vec<&str> = module.split("::").collect();
    let mut rest = path;
    match path.first() {
        Some(&"self") => rest = &rest[1..],
        Some(&"super") => {}
        _ => return path.join("::"),
    }
    while rest.first() == Some(&"super") {
        base.pop();
        rest = &rest[1..];
    }
    [&["crate"], base.as_slice(), rest]
        .concat()
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("::")
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c == '_' || c.is_alphabetic()) && token != "as"
}

/// Words, `::`, and every other sign on its own.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c == '_' || c.is_alphanumeric();
        let length = if is_part(first) {
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The code without comments, texts and tests.
fn code(source: &str) -> String {
    let plain = plain(source);
    let mut code = String::new();
    let mut rest = plain.as_str();
    while let Some(at) = rest.find("#[cfg(test)]") {
        code.push_str(&rest[..at]);
        rest = &rest[at..];
        // The item ends with its block, or with a semicolon before any.
        let mut depth = 0_usize;
        let end = rest.char_indices().find_map(|(at, c)| {
            depth = match c {
                '{' => depth + 1,
                '}' => depth.saturating_sub(1),
                _ => depth,
            };
            (depth == 0 && (c == '}' || c == ';')).then_some(at + 1)
        });
        rest = &rest[end.unwrap_or(rest.len())..];
    }
    code + rest
}

/// `source` with every comment, string and character literal replaced by a blank.
fn plain(source: &str) -> String {
    let mut plain = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|after| after.len() - after.trim_start_matches('#').len());
        let raw = raw.filter(|hashes| {
            rest[1 + hashes..].starts_with('"') && !plain.ends_with(|c: char| c == '_' || c.is_alphanumeric())
        });
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if let Some(hashes) = raw {
            let start = 2 + hashes;
            let end = format!("\"{}", "#".repeat(hashes));
            rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len())
        } else if first == '"' {
            closing(rest, '"')
        } else if first == '\'' && is_character(rest) {
            closing(rest, '\'')
        } else {
            plain.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        plain.push(' ');
        rest = &rest[skipped..];
    }
    plain
}

/// The length of a literal that begins and ends with `quote`.
fn closing(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + c.len_utf8();
        }
        escaped = !escaped && c == '\\';
    }
    rest.len()
}

/// A quote that opens a character, not a lifetime.
fn is_character(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    match chars.next() {
        Some('\\') => true,
        Some(_) => chars.next() == Some('\''),
        None => false,
    }
}

/// True where `name` is `outer` or stands below it.
pub(crate) fn under(outer: &str, name: &str) -> bool {
    name.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
