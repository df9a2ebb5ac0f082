//! What differs between two runs before any case is looked at, and whether they compare fairly all the same.

use super::moves::text_changed;
use crate::{
    domain::chunk::ChunkId,
    eval::run::{Header, RunCase},
};

/// Something that is not the same in two runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The window's size.
    K(usize, usize),
    /// The labels of these paired cases.
    Labels(Vec<String>),
    /// The question or the asker of these paired cases.
    Asked(Vec<String>),
    /// The corpus.
    Corpus,
    /// The text of these labeled chunks.
    Texts(Vec<ChunkId>),
    /// How many results were asked for.
    Depth(usize, usize),
    /// The config's name.
    Config(String, String),
    /// The retriever's name.
    Retriever(String, String),
    /// The config's parameters.
    Params(String, String),
    /// The version of Caselight.
    Tool(String, String),
}

impl Difference {
    /// True if two runs that differ in this do not compare fairly.
    #[must_use]
    pub fn bars(&self) -> bool {
        matches!(self, Self::K(..) | Self::Labels(_) | Self::Asked(_) | Self::Corpus)
    }

    /// The word for files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::K(..) => "k",
            Self::Labels(_) => "labels",
            Self::Asked(_) => "asked",
            Self::Corpus => "corpus",
            Self::Texts(_) => "texts",
            Self::Depth(..) => "depth",
            Self::Config(..) => "config",
            Self::Retriever(..) => "retriever",
            Self::Params(..) => "params",
            Self::Tool(..) => "tool",
        }
    }

    /// The difference as a clause; `name` turns a chunk into words.
    #[must_use]
    pub fn explain(&self, name: &dyn Fn(&ChunkId) -> String) -> String {
        match self {
            Self::K(a, b) => format!("k: {a} -> {b}"),
            Self::Labels(cases) => format!("labels of {}: {}", plural(cases.len(), "case"), cases.join(" ")),
            Self::Asked(cases) => {
                format!("question or asker of {}: {}", plural(cases.len(), "case"), cases.join(" "))
            }
            Self::Corpus => "corpus: not the same chunks".to_owned(),
            Self::Texts(chunks) => {
                let names: Vec<String> = chunks.iter().map(name).collect();
                format!("text of {}: {}", plural(chunks.len(), "labeled chunk"), names.join(", "))
            }
            Self::Depth(a, b) => format!("depth: {a} -> {b}"),
            Self::Config(a, b) => format!("config: {a} -> {b}"),
            Self::Retriever(a, b) => format!("retriever: {a} -> {b}"),
            Self::Params(a, b) => format!("params: {a} -> {b}"),
            Self::Tool(a, b) => format!("caselight: {a} -> {b}"),
        }
    }
}

fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Everything that differs, what bars a comparison first.
pub(super) fn differences(a: &Header, b: &Header, paired: &[(&RunCase, &RunCase)]) -> Vec<Difference> {
    let mut found = Vec::new();
    if a.cut.k != b.cut.k {
        found.push(Difference::K(a.cut.k, b.cut.k));
    }
    let cases = |differs: fn(&RunCase, &RunCase) -> bool| -> Vec<String> {
        paired.iter().filter(|(a, b)| differs(a, b)).map(|(_, b)| b.id.clone()).collect()
    };
    let labels = cases(|a, b| a.labels != b.labels);
    if !labels.is_empty() {
        found.push(Difference::Labels(labels));
    }
    let asked = cases(|a, b| a.question != b.question || a.asker != b.asker);
    if !asked.is_empty() {
        found.push(Difference::Asked(asked));
    }
    if a.corpus != b.corpus {
        found.push(Difference::Corpus);
    }
    let texts = texts(paired);
    if !texts.is_empty() {
        found.push(Difference::Texts(texts));
    }
    if a.cut.depth != b.cut.depth {
        found.push(Difference::Depth(a.cut.depth, b.cut.depth));
    }
    let words = [
        (&a.config, &b.config, Difference::Config as fn(String, String) -> Difference),
        (&a.retriever, &b.retriever, Difference::Retriever),
        (&a.params, &b.params, Difference::Params),
        (&a.tool, &b.tool, Difference::Tool),
    ];
    found.extend(words.into_iter().filter(|(a, b, _)| a != b).map(|(a, b, new)| new(a.clone(), b.clone())));
    found
}

fn texts(paired: &[(&RunCase, &RunCase)]) -> Vec<ChunkId> {
    let mut texts: Vec<ChunkId> = Vec::new();
    for (a, b) in paired {
        texts.extend(b.chunks.iter().map(|chunk| chunk.id.clone()).filter(|id| text_changed(a, b, id)));
    }
    texts.sort();
    texts.dedup();
    texts
}
