//! From a file's tree to cases: which field holds what, and what is said when it holds something else.

use std::{path::Path, sync::Arc};

use super::{
    form::Form,
    problem::{FileProblem, FileProblemKind, UnknownField, nearest},
    tree::{Kind, NodeId, Style, Tree},
};
use crate::domain::case::{Case, Place, Reference, Requirement, Source, Target};

/// The fields of a case, in the order in which a new one is put between the others.
pub(super) const FIELDS: [&str; 12] = [
    "question_id",
    "question",
    "asker",
    "tags",
    "source",
    "added",
    "context",
    "supporting",
    "distractors",
    "answerable",
    "label_wrong",
    "notes",
];
/// The fields of a reference, in that order.
pub(super) const REFERENCE_FIELDS: [&str; 5] = ["document", "heading", "quote", "chunk", "any_of"];
/// The names of the id, the question and the supporting references; `id` only in JSONL.
pub(super) const ID: [&str; 2] = ["question_id", "id"];
pub(super) const QUESTION: [&str; 2] = ["question", "q"];
pub(super) const SUPPORTING: [&str; 2] = ["supporting", "chunks"];

const REFERENCE: &str = "a reference: {document, heading, quote}, {chunk: id} or {any_of: [...]}";

/// Reads the cases of one tree and collects what is wrong.
pub(super) struct Shape<'a> {
    pub(super) tree: &'a Tree,
    pub(super) file: &'a Arc<Path>,
    pub(super) form: Form,
    pub(super) problems: Vec<FileProblem>,
    pub(super) unknown: Vec<UnknownField>,
}

/// Something was wrong and has been noted.
struct Noted;

type Read<T> = Result<T, Noted>;

/// The entries of one mapping, merged ones included.
struct Fields {
    entries: Vec<(NodeId, NodeId)>,
}

impl Shape<'_> {
    /// Reads one case; its id is empty if the line has none (JSONL only). `None` if something is wrong, which is then noted.
    pub(super) fn case(&mut self, node: NodeId) -> Option<Case> {
        let first_problem = self.problems.len();
        let first_unknown = self.unknown.len();
        let (case, id) = self.read_case(node);
        for problem in &mut self.problems[first_problem..] {
            problem.case.clone_from(&id);
        }
        for field in &mut self.unknown[first_unknown..] {
            field.case = id.clone().unwrap_or_default();
        }
        let hidden = self.problems[first_problem..].iter().any(FileProblem::hides_cases);
        case.ok().filter(|_| !hidden)
    }

    fn read_case(&mut self, node: NodeId) -> (Read<Case>, Option<String>) {
        if self.tree.map(node).is_none() {
            return (Err(self.wrong(node, "a case", "a mapping of fields")), None);
        }
        let fields = Fields { entries: self.tree.merged(node) };
        let names: &[&str] = if self.form == Form::Jsonl { &ID } else { &ID[..1] };
        let id = self.one(&fields, names).and_then(|entry| match entry {
            Some((_, value)) => self.text(value, "question_id"),
            None if self.form == Form::Jsonl => Ok(String::new()),
            None => Err(self.missing(node, "question_id")),
        });
        let name = id.as_ref().ok().filter(|id| !id.is_empty()).cloned();
        let case = self.fill(node, &fields, id);
        (case, name)
    }

    fn fill(&mut self, node: NodeId, fields: &Fields, id: Read<String>) -> Read<Case> {
        let question = self.one(fields, &QUESTION).and_then(|entry| match entry {
            Some((_, value)) => self.text(value, "question"),
            None => Err(self.missing(node, "question")),
        });
        let asker = self.optional_text(fields, "asker");
        let tags = self.texts(fields, "tags");
        let source = self.optional_text(fields, "source").and_then(|word| self.source(fields, word));
        let added = self.optional_text(fields, "added").and_then(|day| self.day(fields, day));
        let context = self.texts(fields, "context");
        let supporting = self.supporting(fields);
        let distractors = self.distractors(fields);
        let answerable = self.answerable(fields);
        let label_wrong = self.free_text(fields, "label_wrong");
        let notes = self.free_text(fields, "notes");
        self.unknown_fields(fields);
        let case = Case {
            id: id?,
            question: question?,
            asker: asker?,
            tags: tags?,
            source: source?,
            added: added?,
            supporting: supporting?,
            distractors: distractors?,
            context: context?,
            answerable: answerable?,
            label_wrong: label_wrong?,
            notes: notes?,
            place: self.place(node),
        };
        if !case.answerable && !case.supporting.is_empty() {
            let at = self.one(fields, &["answerable"])?.map_or(node, |(key, _)| key);
            self.note(at, FileProblemKind::AnsweredUnanswerable);
        }
        Ok(case)
    }

    fn supporting(&mut self, fields: &Fields) -> Read<Vec<Requirement>> {
        let Some((key, value)) = self.one(fields, &SUPPORTING)? else { return Ok(Vec::new()) };
        let short = self.tree.text(key) == Some("chunks");
        let items = self.items(value, if short { "chunks" } else { "supporting" }, "a list of references")?;
        let mut ok = true;
        let mut requirements = Vec::with_capacity(items.len());
        for item in items {
            match if short { self.short_requirement(item) } else { self.requirement(item) } {
                Ok(requirement) => requirements.push(requirement),
                Err(Noted) => ok = false,
            }
        }
        if ok { Ok(requirements) } else { Err(Noted) }
    }

    fn short_requirement(&mut self, node: NodeId) -> Read<Requirement> {
        let Some(group) = self.tree.list(node) else {
            return Ok(self.chunk(node, "chunks")?.into());
        };
        let group = group.to_vec();
        if group.is_empty() {
            return Err(self.wrong(node, "chunks", "an id, or a group of one id or more"));
        }
        let any_of = group.into_iter().map(|item| self.chunk(item, "chunks")).collect::<Read<_>>()?;
        Ok(Requirement { any_of, group: true })
    }

    fn requirement(&mut self, node: NodeId) -> Read<Requirement> {
        let Some((_, group)) = self.merged_entry(node, "any_of") else {
            return Ok(self.reference(node)?.into());
        };
        if self.tree.merged(node).len() > 1 {
            return Err(self.wrong(node, "any_of", "`any_of` alone, the references inside it"));
        }
        let items = self.items(group, "any_of", "a list of references")?;
        if items.is_empty() {
            return Err(self.wrong(group, "any_of", "one reference or more"));
        }
        let any_of = items.into_iter().map(|item| self.reference(item)).collect::<Read<_>>()?;
        Ok(Requirement { any_of, group: true })
    }

    fn distractors(&mut self, fields: &Fields) -> Read<Vec<Reference>> {
        let Some((_, value)) = self.one(fields, &["distractors"])? else { return Ok(Vec::new()) };
        let mut ok = true;
        let mut references = Vec::new();
        for item in self.items(value, "distractors", "a list of references")? {
            let short = self.form == Form::Jsonl && self.tree.text(item).is_some();
            match if short { self.chunk(item, "distractors") } else { self.reference(item) } {
                Ok(reference) => references.push(reference),
                Err(Noted) => ok = false,
            }
        }
        if ok { Ok(references) } else { Err(Noted) }
    }

    fn chunk(&mut self, node: NodeId, field: &str) -> Read<Reference> {
        let id = self.text(node, field)?;
        Ok(Reference { target: Target::Chunk(id.into()), place: Some(self.place(node)) })
    }

    fn reference(&mut self, node: NodeId) -> Read<Reference> {
        if self.tree.map(node).is_none() {
            return Err(self.wrong(node, "a reference", REFERENCE));
        }
        let fields = Fields { entries: self.tree.merged(node) };
        let place = Some(self.place(node));
        let mut known = true;
        for &(key, _) in &fields.entries {
            let name = self.tree.text(key).unwrap_or_default();
            if !REFERENCE_FIELDS[..4].contains(&name) {
                let (key_text, nearest) = (name.to_owned(), nearest(name, REFERENCE_FIELDS).map(str::to_owned));
                self.note(key, FileProblemKind::UnknownKey { key: key_text, nearest });
                known = false;
            }
        }
        if !known {
            return Err(Noted);
        }
        if let Some((_, id)) = self.one(&fields, &["chunk"])? {
            if fields.entries.len() > 1 {
                return Err(self.wrong(node, "a reference with `chunk` and other keys", "`chunk` alone"));
            }
            return Ok(Reference { target: Target::Chunk(self.text(id, "chunk")?.into()), place });
        }
        let Some((_, document)) = self.one(&fields, &["document"])? else {
            return Err(self.missing(node, "document"));
        };
        let document = self.text(document, "document");
        let heading = match self.one(&fields, &["heading"])? {
            Some((_, value)) if self.tree.list(value).is_none() && !self.is_nothing(value) => {
                self.text(value, "heading").map(|heading| vec![heading])
            }
            _ => self.texts(&fields, "heading"),
        };
        let quote = self.optional_text(&fields, "quote");
        Ok(Reference { target: Target::Section { document: document?, heading: heading?, quote: quote? }, place })
    }

    fn source(&mut self, fields: &Fields, word: Option<String>) -> Read<Option<Source>> {
        let Some(word) = word else { return Ok(None) };
        match (Source::parse(&word), self.one(fields, &["source"])?) {
            (None, Some((_, value))) => {
                Err(self.wrong(value, "source", "production_log, support_ticket, team or generated"))
            }
            (source, _) => Ok(source),
        }
    }

    fn day(&mut self, fields: &Fields, day: Option<String>) -> Read<Option<String>> {
        let Some(day) = day else { return Ok(None) };
        let valid = day.len() == 10 && day.parse::<jiff::civil::Date>().is_ok();
        match self.one(fields, &["added"])? {
            Some((_, value)) if !valid => Err(self.wrong(value, "added", "a day as yyyy-mm-dd")),
            _ => Ok(Some(day)),
        }
    }

    fn answerable(&mut self, fields: &Fields) -> Read<bool> {
        let Some((_, value)) = self.one(fields, &["answerable"])? else { return Ok(true) };
        match &self.tree.node(self.tree.resolve(value)).kind {
            Kind::Scalar(word, Style::Plain) if matches!(&**word, "true" | "True" | "TRUE") => Ok(true),
            Kind::Scalar(word, Style::Plain) if matches!(&**word, "false" | "False" | "FALSE") => Ok(false),
            _ => Err(self.wrong(value, "answerable", "true or false")),
        }
    }

    fn free_text(&mut self, fields: &Fields, name: &'static str) -> Read<Option<String>> {
        let Some((_, value)) = self.one(fields, &[name])? else { return Ok(None) };
        if self.is_nothing(value) {
            return Ok(None);
        }
        match self.tree.text(value) {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.wrong(value, name, "text")),
        }
    }

    fn unknown_fields(&mut self, fields: &Fields) {
        for &(key, _) in &fields.entries {
            let name = self.tree.text(key).unwrap_or_default();
            let short = ["q", "chunks"].contains(&name) || (name == "id" && self.form == Form::Jsonl);
            if !short && !FIELDS.contains(&name) {
                self.unknown.push(UnknownField {
                    place: self.place(key),
                    case: String::new(),
                    name: name.to_owned(),
                    nearest: FIELDS.into_iter().find(|field| nearest(name, FIELDS) == Some(field)),
                });
            }
        }
    }

    /// The one entry that has one of these names. Two of them are a problem.
    fn one(&mut self, fields: &Fields, names: &[&str]) -> Read<Option<(NodeId, NodeId)>> {
        let matching = |key: NodeId| self.tree.text(key).is_some_and(|key| names.contains(&key));
        let mut found = fields.entries.iter().copied().filter(|(key, _)| matching(*key));
        let (first, second) = (found.next(), found.next());
        let (Some((first, _)), Some((second, _))) = (first, second) else { return Ok(first) };
        let key = format!("{}/{}", names[0], names[1]);
        let first = self.tree.node(first).line;
        Err(self.note(second, FileProblemKind::DuplicateKey { key, first }))
    }

    fn merged_entry(&self, map: NodeId, name: &str) -> Option<(NodeId, NodeId)> {
        self.tree.merged(map).into_iter().find(|(key, _)| self.tree.text(*key) == Some(name))
    }

    fn optional_text(&mut self, fields: &Fields, name: &'static str) -> Read<Option<String>> {
        match self.one(fields, &[name])? {
            Some((_, value)) if self.form == Form::Jsonl && self.is_nothing(value) => Ok(None),
            Some((_, value)) => self.text(value, name).map(Some),
            None => Ok(None),
        }
    }

    fn texts(&mut self, fields: &Fields, name: &'static str) -> Read<Vec<String>> {
        let Some((_, value)) = self.one(fields, &[name])? else { return Ok(Vec::new()) };
        let items = self.items(value, name, "a list of texts")?;
        let read: Vec<_> = items.into_iter().map(|item| self.text(item, name)).collect();
        read.into_iter().collect()
    }

    fn items(&mut self, value: NodeId, field: &str, expected: &'static str) -> Read<Vec<NodeId>> {
        // Where a list is wanted, YAML's `null` can only mean none.
        let kind = &self.tree.node(self.tree.resolve(value)).kind;
        let null = matches!(kind, Kind::Scalar(word, Style::Plain) if matches!(&**word, "null" | "~"));
        if null || self.is_nothing(value) {
            return Ok(Vec::new());
        }
        match self.tree.list(value) {
            Some(items) => Ok(items.to_vec()),
            None => Err(self.wrong(value, field, expected)),
        }
    }

    /// Nothing, or JSON's `null`. In YAML the word `null` is a text like any other.
    fn is_nothing(&self, value: NodeId) -> bool {
        match &self.tree.node(self.tree.resolve(value)).kind {
            Kind::Scalar(_, Style::Empty) => true,
            Kind::Scalar(word, Style::Plain) => self.form == Form::Jsonl && &**word == "null",
            _ => false,
        }
    }

    fn text(&mut self, node: NodeId, field: &str) -> Read<String> {
        match self.tree.text(node) {
            Some(text) if !text.trim().is_empty() && !self.is_nothing(node) => Ok(text.to_owned()),
            _ => Err(self.wrong(node, field, "text")),
        }
    }

    fn wrong(&mut self, node: NodeId, field: &str, expected: &'static str) -> Noted {
        let found = match &self.tree.node(self.tree.resolve(node)).kind {
            Kind::Scalar(text, _) if text.trim().is_empty() => "empty".to_owned(),
            Kind::Scalar(text, _) => format!("`{}`", text.chars().take(60).collect::<String>().escape_debug()),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) | Kind::Alias(_) => "a mapping".to_owned(),
        };
        self.note(node, FileProblemKind::Wrong { field: field.to_owned(), found, expected })
    }

    fn missing(&mut self, node: NodeId, field: &'static str) -> Noted {
        self.note(node, FileProblemKind::Missing { field })
    }

    fn note(&mut self, node: NodeId, kind: FileProblemKind) -> Noted {
        self.problems.push(FileProblem { place: self.place(node), case: None, kind });
        Noted
    }

    fn place(&self, node: NodeId) -> Place {
        let node = self.tree.node(node);
        Place { file: Arc::clone(self.file), line: node.line, column: node.column }
    }
}
