//! One case file: its bytes, its form, its cases in order, and what is wrong with it.

use std::{collections::HashMap, fmt, ops::Range, path::Path, sync::Arc};

use super::{
    form::Form,
    json,
    problem::{FileProblem, FileProblemKind, UnknownField},
    shape::Shape,
    tree::{Kind, NodeId, Tree},
    yaml,
};
use crate::domain::case::{Case, Place};

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: case `{}`: unknown field `{}`", self.place, self.case, self.name)?;
        self.nearest.map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
    }
}

/// One case file as it was read.
#[derive(Debug, Clone)]
pub struct CaseFile {
    /// The path it was read from.
    pub path: Arc<Path>,
    /// YAML or JSONL.
    pub form: Form,
    /// The bytes, as they are on disk.
    pub bytes: Vec<u8>,
    /// The cases that could be read, in order.
    pub cases: Vec<Case>,
    /// What could not be read.
    pub problems: Vec<FileProblem>,
    /// Fields that are not known.
    pub unknown_fields: Vec<UnknownField>,
    /// Where each case stands, in the order of `cases`.
    pub(super) spots: Vec<Spot>,
}

/// Where a case stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    /// A node of the YAML tree, and the byte at which it begins.
    Node(NodeId, usize),
    /// The bytes of a JSONL line, without its line end; false if its id is derived.
    Line(Range<usize>, bool),
}

impl Spot {
    /// The byte at which the case begins.
    pub(super) fn start(&self) -> usize {
        match self {
            Self::Node(_, start) => *start,
            Self::Line(line, _) => line.start,
        }
    }
}

/// The mark with which some editors begin a UTF-8 file. It is kept and never part of a value.
const BOM: &str = "\u{feff}";

/// Reads one file. Never fails as a whole: what cannot be read is a problem, the rest is there. A YAML file that is not well formed
/// is refused whole, and nothing is ever saved over it.
///
/// Where a text is wanted every word is that text, in YAML also `no`, `1e3`, `~` and `null`; only JSON's `null` means nothing. Where a
/// list is wanted, `~` and `null` are an empty one. A case with a problem in it is not among the cases.
#[must_use]
pub fn read(path: &Path, bytes: Vec<u8>) -> CaseFile {
    let form = Form::of(path);
    let mut file = CaseFile {
        path: path.into(),
        form: form.unwrap_or(Form::Yaml),
        bytes,
        cases: Vec::new(),
        problems: Vec::new(),
        unknown_fields: Vec::new(),
        spots: Vec::new(),
    };
    match form {
        Some(Form::Yaml) => file.read_yaml(),
        Some(Form::Jsonl) => file.read_jsonl(),
        None => file.problem(1, 1, FileProblemKind::UnknownForm),
    }
    file
}

/// The tree of a YAML file and the nodes of its cases.
pub(super) fn yaml_tree(bytes: &[u8]) -> Result<(Tree, Option<NodeId>), yaml::Refusal> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    let content = text.strip_prefix(BOM).unwrap_or(text);
    yaml::parse(content, text.len() - content.len())
}

fn not_utf8(bytes: &[u8], byte: usize) -> yaml::Refusal {
    let line = 1 + bytes[..byte].split(|byte| *byte == b'\n').skip(1).count();
    let start = bytes[..byte].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = 1 + String::from_utf8_lossy(&bytes[start..byte]).chars().count();
    (number(line), number(column), FileProblemKind::NotUtf8 { byte })
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl CaseFile {
    fn problem(&mut self, line: u32, column: u32, kind: FileProblemKind) {
        let place = Place { file: Arc::clone(&self.path), line, column };
        self.problems.push(FileProblem { place, case: None, kind });
    }

    fn read_yaml(&mut self) {
        let (tree, root) = match yaml_tree(&self.bytes) {
            Ok((tree, Some(root))) => (tree, root),
            Ok((_, None)) => return,
            Err((line, column, kind)) => return self.problem(line, column, kind),
        };
        if tree.is_empty(root) {
            return;
        }
        let list = match tree.node(root).kind {
            Kind::Map(_) => tree.entry(root, &["cases"]).map(|(_, list)| list),
            _ => Some(root),
        };
        if list.is_some_and(|list| tree.is_empty(list)) {
            return;
        }
        let Some(items) = list.and_then(|list| tree.list(list)) else {
            let node = tree.node(root);
            let found = match node.kind {
                Kind::Map(_) => "a mapping without a list `cases`",
                _ => "a single text",
            };
            return self.problem(node.line, node.column, FileProblemKind::NotCases { found });
        };
        let mut shape = self.shape(&tree);
        let (mut cases, mut spots) = (Vec::new(), Vec::new());
        for &item in items {
            if let Some(case) = shape.case(item) {
                cases.push(case);
                spots.push(Spot::Node(item, tree.node(item).span.start));
            }
        }
        let (problems, unknown) = (shape.problems, shape.unknown);
        self.problems.extend(problems);
        self.unknown_fields.extend(unknown);
        (self.cases, self.spots) = (cases, spots);
    }

    fn shape<'a>(&'a self, tree: &'a Tree) -> Shape<'a> {
        Shape { tree, file: &self.path, form: self.form, problems: Vec::new(), unknown: Vec::new() }
    }

    fn read_jsonl(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        for (index, line) in lines(&bytes).into_iter().enumerate() {
            self.read_line(&bytes, line, number(index + 1));
        }
        self.bytes = bytes;
        self.derive_ids();
    }

    fn read_line(&mut self, bytes: &[u8], line: Range<usize>, number_of_line: u32) {
        let raw = &bytes[line.clone()];
        if raw.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let column = |at: usize| number(String::from_utf8_lossy(&raw[..at.min(raw.len())]).chars().count() + 1);
        let text = match std::str::from_utf8(raw) {
            Ok(text) => text,
            Err(error) => {
                let at = error.valid_up_to();
                return self.problem(number_of_line, column(at), FileProblemKind::NotUtf8 { byte: line.start + at });
            }
        };
        if let Some(at) = raw.iter().position(|byte| *byte == 0) {
            return self.problem(number_of_line, column(at), FileProblemKind::Nul { byte: line.start + at });
        }
        let (tree, root) = match json::parse(text, 0, number_of_line) {
            Ok(parsed) => parsed,
            Err((at, kind)) => return self.problem(number_of_line, column(at), kind),
        };
        let mut shape = self.shape(&tree);
        let case = shape.case(root);
        let (problems, unknown) = (shape.problems, shape.unknown);
        self.problems.extend(problems);
        self.unknown_fields.extend(unknown);
        if let Some(case) = case {
            self.spots.push(Spot::Line(line, !case.id.is_empty()));
            self.cases.push(case);
        }
    }

    /// Gives lines without an id one from their question, and from their chunks too where two lines share a question. Neither
    /// depends on the order of the lines.
    fn derive_ids(&mut self) {
        let mut asked = HashMap::<&str, usize>::new();
        for case in &self.cases {
            *asked.entry(&case.question).or_default() += 1;
        }
        let derived: Vec<Option<String>> = self
            .cases
            .iter()
            .map(|case| case.id.is_empty().then(|| derived_id(case, asked[&*case.question] > 1)))
            .collect();
        for (case, id) in self.cases.iter_mut().zip(derived) {
            let Some(id) = id else { continue };
            for field in self.unknown_fields.iter_mut().filter(|field| field.place.line == case.place.line) {
                field.case.clone_from(&id);
            }
            case.id = id;
        }
    }
}

fn derived_id(case: &Case, with_chunks: bool) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(case.question.as_bytes());
    if with_chunks {
        for requirement in &case.supporting {
            hash.update(b"\0\0");
            for reference in &requirement.any_of {
                hash.update(b"\0");
                hash.update(reference.target.to_string().as_bytes());
            }
        }
    }
    format!("q-{}", &hash.finalize().to_hex()[..8])
}

/// The lines of a file without their ends (LF or CRLF) and without a byte order mark.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = if bytes.starts_with(BOM.as_bytes()) { BOM.len() } else { 0 };
    while start < bytes.len() {
        let end = bytes[start..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| start + at);
        let text_end = if end < bytes.len() && end > start && bytes[end - 1] == b'\r' { end - 1 } else { end };
        lines.push(start..text_end);
        start = end + 1;
    }
    lines
}
