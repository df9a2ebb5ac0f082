//! From an edit to operations on the tree of its case, and what those make of the case as plain data.

use super::{
    edit::Edit,
    form::Form,
    shape::{ID, QUESTION, SUPPORTING},
    tree::{Kind, NodeId, Style, Tree, Value},
};
use crate::domain::case::{Case, Target};

/// One step from a node to one below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Into a mapping, by the key as the file spells it.
    Key(String),
    /// Into a list.
    Index(usize),
}

/// The way from a case's node to one below it.
pub(super) type Way = Vec<Step>;

/// One operation on the tree of a case. Later ones see the effect of earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Op {
    /// Adds a value at the end of the list.
    Append(Way, Value),
    /// Removes an element of a list, or a key with its value.
    Remove(Way),
    /// Puts a value where another (or nothing) is.
    Replace(Way, Value),
    /// Adds a key to the mapping.
    Insert(Way, &'static str, Value),
    /// Makes a group of an entry that stood alone and the value.
    Group(Way, Value),
}

/// Why an edit cannot be made in place, and the node in whose line an editor should open.
pub(super) type Refusal = (NodeId, String);

type Planned = Result<Vec<Op>, Refusal>;

/// The operations that make `edit` of the case at `node`, where `case` is what it says and `has_id` that its id is written out.
pub(super) fn plan(tree: &Tree, node: NodeId, form: Form, case: &Case, has_id: bool, edit: &Edit) -> Planned {
    let planner = Planner { tree, node, form };
    let mut ops = planner.edit(edit, case)?;
    if !has_id {
        ops.insert(0, Op::Insert(Vec::new(), ID[0], Value::Text(case.id.clone())));
    }
    Ok(ops)
}

struct Planner<'a> {
    tree: &'a Tree,
    node: NodeId,
    form: Form,
}

/// A field as it stands in the file.
struct Field {
    key: String,
    value: NodeId,
}

impl Planner<'_> {
    fn edit(&self, edit: &Edit, case: &Case) -> Planned {
        match edit {
            Edit::AddSupporting(target) => self.add_supporting(target),
            Edit::AddAlternative { requirement, target } => self.add_alternative(*requirement, target),
            Edit::RemoveSupporting { requirement, alternative } => {
                let (mut way, entry, short) = self.requirement(*requirement)?;
                let group = case.supporting.get(*requirement).is_some_and(|r| r.any_of.len() > 1);
                if group {
                    way = self.alternatives(way, entry, short)?;
                    way.push(Step::Index(*alternative));
                }
                Ok(vec![Op::Remove(way)])
            }
            Edit::ReplaceSupporting { requirement, alternative, target } => {
                let (mut way, mut entry, short) = self.requirement(*requirement)?;
                if case.supporting.get(*requirement).is_some_and(|requirement| requirement.group) {
                    way = self.alternatives(way, entry, short)?;
                    let list = self.find(&way)?;
                    way.push(Step::Index(*alternative));
                    entry = self.element(list, *alternative)?;
                }
                self.relink(way, entry, target)
            }
            Edit::ReplaceDistractor { index, target } => {
                let field = self.present(&["distractors"])?;
                let entry = self.element(field.value, *index)?;
                self.relink(vec![Step::Key(field.key), Step::Index(*index)], entry, target)
            }
            Edit::AddDistractor(target) => {
                let items = self.field(&["distractors"])?.and_then(|field| self.tree.list(field.value));
                let short = items.and_then(|items| items.last()).is_some_and(|last| self.tree.text(*last).is_some());
                let value = match target {
                    Target::Chunk(id) if short => Value::Text(id.as_str().to_owned()),
                    _ => reference(target),
                };
                self.add(&["distractors"], "distractors", value)
            }
            Edit::RemoveDistractor(index) => {
                let field = self.present(&["distractors"])?;
                Ok(vec![Op::Remove(vec![Step::Key(field.key), Step::Index(*index)])])
            }
            Edit::AddTag(tag) => self.add(&["tags"], "tags", Value::Text(tag.clone())),
            Edit::RemoveTag(tag) => {
                let field = self.present(&["tags"])?;
                let items = self.tree.list(field.value).unwrap_or_default();
                let at = items.iter().position(|item| self.tree.text(*item) == Some(tag));
                let at = at.ok_or_else(|| refuse(field.value, "the tag is not there"))?;
                Ok(vec![Op::Remove(vec![Step::Key(field.key), Step::Index(at)])])
            }
            Edit::SetAnswerable(answerable) => self.set("answerable", Some(Value::Bare(answerable.to_string()))),
            Edit::SetAsker(asker) => self.set("asker", asker.clone().map(Value::Text)),
            Edit::SetLabelWrong(reason) => self.set("label_wrong", reason.clone().map(Value::Text)),
            Edit::SetNotes(notes) => self.set("notes", notes.clone().map(Value::Text)),
            Edit::SetQuestion(question) => {
                let field = self.present(&QUESTION)?;
                Ok(vec![Op::Replace(vec![Step::Key(field.key)], Value::Text(question.clone()))])
            }
        }
    }

    fn add_supporting(&self, target: &Target) -> Planned {
        let field = self.field(&SUPPORTING)?;
        let short_line = self.tree.entry(self.node, &["q"]).is_some();
        match (field.as_ref().map(|field| &*field.key), target) {
            (Some("chunks"), _) => self.add(&["chunks"], "chunks", self.chunk_id(target)?),
            (None, Target::Chunk(id)) if short_line && self.form == Form::Jsonl => {
                self.add(&["chunks"], "chunks", Value::Text(id.as_str().to_owned()))
            }
            _ => self.add(&["supporting"], "supporting", reference(target)),
        }
    }

    fn add_alternative(&self, requirement: usize, target: &Target) -> Planned {
        let (way, entry, short) = self.requirement(requirement)?;
        let value = if short { self.chunk_id(target)? } else { reference(target) };
        let grouped =
            if short { self.tree.list(entry).is_some() } else { self.tree.entry(entry, &["any_of"]).is_some() };
        if grouped {
            return Ok(vec![Op::Append(self.alternatives(way, entry, short)?, value)]);
        }
        Ok(vec![Op::Group(way, value)])
    }

    /// The way to the list of alternatives of a group.
    fn alternatives(&self, mut way: Way, entry: NodeId, short: bool) -> Result<Way, Refusal> {
        if !short {
            if self.tree.entry(entry, &["any_of"]).is_none() {
                return Err(refuse(entry, "its `any_of` comes through a merge key (`<<`)"));
            }
            way.push(Step::Key("any_of".to_owned()));
        }
        Ok(way)
    }

    /// A chunk's id for the short form, which holds nothing else.
    fn chunk_id(&self, target: &Target) -> Result<Value, Refusal> {
        match target {
            Target::Chunk(id) => Ok(Value::Text(id.as_str().to_owned())),
            Target::Section { .. } => Err(refuse(
                self.node,
                "its list holds chunk ids only; label the chunk by its id, or write `supporting` instead of `chunks`",
            )),
        }
    }

    fn relink(&self, way: Way, entry: NodeId, target: &Target) -> Planned {
        if self.tree.text(entry).is_some() {
            return Ok(vec![Op::Replace(way, self.chunk_id(target)?)]);
        }
        let below = |key: &str| way.iter().cloned().chain([Step::Key(key.to_owned())]).collect::<Way>();
        let Target::Section { document, heading, quote } = target else {
            let Target::Chunk(id) = target else { return Ok(Vec::new()) };
            return Ok(vec![match self.tree.entry(entry, &["chunk"]) {
                Some(_) => Op::Replace(below("chunk"), Value::Text(id.as_str().to_owned())),
                None => Op::Replace(way, reference(target)),
            }]);
        };
        let Some((_, old_document)) = self.tree.entry(entry, &["document"]) else {
            return Ok(vec![Op::Replace(way, reference(target))]);
        };
        let mut ops = Vec::new();
        if self.tree.text(old_document) != Some(document) {
            ops.push(Op::Replace(below("document"), Value::Text(document.clone())));
        }
        let old_heading = self.tree.entry(entry, &["heading"]).map(|(_, value)| value);
        self.reword_heading(&mut ops, &way, old_heading, heading);
        let old_quote = self.tree.entry(entry, &["quote"]).map(|(_, value)| value);
        match (old_quote, quote) {
            (Some(_), None) => ops.push(Op::Remove(below("quote"))),
            (None, Some(quote)) => ops.push(Op::Insert(way.clone(), "quote", Value::Text(quote.clone()))),
            (Some(old), Some(quote)) if self.tree.text(old) != Some(quote) => {
                ops.push(Op::Replace(below("quote"), Value::Text(quote.clone())));
            }
            _ => {}
        }
        // Several entries that go or come side by side would touch each other's commas: then the reference is written anew.
        let few = |is: fn(&Op) -> bool| ops.iter().filter(|op| is(op)).count() < 2;
        let apart = few(|op| matches!(op, Op::Remove(_) | Op::Insert(..))) && few(|op| matches!(op, Op::Append(..)));
        Ok(if apart { ops } else { vec![Op::Replace(way, reference(target))] })
    }

    /// The least operations that turn one heading path into another.
    fn reword_heading(&self, ops: &mut Vec<Op>, way: &Way, old: Option<NodeId>, new: &[String]) {
        let below = || way.iter().cloned().chain([Step::Key("heading".to_owned())]).collect::<Way>();
        let all = || Value::List(new.iter().cloned().map(Value::Text).collect());
        let Some(old) = old else {
            if !new.is_empty() {
                ops.push(Op::Insert(way.clone(), "heading", all()));
            }
            return;
        };
        match self.tree.list(old) {
            _ if new.is_empty() => ops.push(Op::Remove(below())),
            Some(items) if !items.is_empty() => {
                let at = |index| below().into_iter().chain([Step::Index(index)]).collect::<Way>();
                for (index, (item, part)) in items.iter().zip(new).enumerate() {
                    if self.tree.text(*item) != Some(part) {
                        ops.push(Op::Replace(at(index), Value::Text(part.clone())));
                    }
                }
                ops.extend(new.iter().skip(items.len()).map(|part| Op::Append(below(), Value::Text(part.clone()))));
                ops.extend((new.len()..items.len()).rev().map(|index| Op::Remove(at(index))));
            }
            Some(_) => ops.extend(new.iter().map(|part| Op::Append(below(), Value::Text(part.clone())))),
            None if new.len() == 1 && self.tree.text(old) == Some(&new[0]) => {}
            None if new.len() == 1 => ops.push(Op::Replace(below(), Value::Text(new[0].clone()))),
            None => ops.push(Op::Replace(below(), all())),
        }
    }

    /// Adds to a list field, which may be empty or missing.
    fn add(&self, names: &[&str], key: &'static str, value: Value) -> Planned {
        let Some(field) = self.field(names)? else {
            return Ok(vec![Op::Insert(Vec::new(), key, Value::List(vec![value]))]);
        };
        let way = vec![Step::Key(field.key)];
        Ok(vec![match self.tree.list(field.value) {
            Some(_) => Op::Append(way, value),
            None => Op::Replace(way, Value::List(vec![value])),
        }])
    }

    /// Sets or removes a field that holds one value.
    fn set(&self, key: &'static str, value: Option<Value>) -> Planned {
        Ok(match (self.field(&[key])?, value) {
            (Some(field), Some(value)) => vec![Op::Replace(vec![Step::Key(field.key)], value)],
            (Some(field), None) => vec![Op::Remove(vec![Step::Key(field.key)])],
            (None, Some(value)) => vec![Op::Insert(Vec::new(), key, value)],
            (None, None) => Vec::new(),
        })
    }

    fn field(&self, names: &[&str]) -> Result<Option<Field>, Refusal> {
        if let Some((key, value)) = self.tree.entry(self.node, names) {
            let key = self.tree.text(key).unwrap_or_default().to_owned();
            return Ok(Some(Field { key, value }));
        }
        let merged = self.tree.merged(self.node);
        match merged.iter().find(|(key, _)| self.tree.text(*key).is_some_and(|key| names.contains(&key))) {
            Some((key, _)) => {
                Err(refuse(*key, "the field comes through a merge key (`<<`) that other cases may share"))
            }
            None => Ok(None),
        }
    }

    fn present(&self, names: &[&str]) -> Result<Field, Refusal> {
        self.field(names)?.ok_or_else(|| refuse(self.node, &format!("it has no `{}`", names[0])))
    }

    fn requirement(&self, index: usize) -> Result<(Way, NodeId, bool), Refusal> {
        let field = self.present(&SUPPORTING)?;
        let entry = self.element(field.value, index)?;
        let short = field.key == "chunks";
        Ok((vec![Step::Key(field.key), Step::Index(index)], entry, short))
    }

    fn element(&self, list: NodeId, index: usize) -> Result<NodeId, Refusal> {
        let items = self.tree.list(list).unwrap_or_default();
        items.get(index).copied().ok_or_else(|| refuse(list, "it has fewer entries"))
    }

    fn find(&self, way: &[Step]) -> Result<NodeId, Refusal> {
        find(self.tree, self.node, way).ok_or_else(|| refuse(self.node, "the entry is not there"))
    }
}

/// A refusal of what stands at `node`.
pub(super) fn refuse(node: NodeId, reason: &str) -> Refusal {
    (node, reason.to_owned())
}

/// The node at the end of a way.
pub(super) fn find(tree: &Tree, from: NodeId, way: &[Step]) -> Option<NodeId> {
    way.iter().try_fold(from, |node, step| match step {
        Step::Key(key) => tree.entry(node, &[key]).map(|(_, value)| value),
        Step::Index(index) => tree.list(node)?.get(*index).copied(),
    })
}

/// Refuses what cannot be changed without changing other places: anything under, over or at a value that aliases share.
pub(super) fn not_shared(tree: &Tree, case: NodeId, op: &Op) -> Result<(), Refusal> {
    let (way, whole) = match op {
        Op::Append(way, _) | Op::Insert(way, ..) | Op::Group(way, _) => (way, false),
        Op::Remove(way) | Op::Replace(way, _) => (way, true),
    };
    for length in 0..=way.len() {
        let Some(node) = find(tree, case, &way[..length]) else { break };
        let last = length == way.len();
        if let Kind::Alias(target) = tree.node(node).kind
            && !(last && matches!(op, Op::Remove(_)))
        {
            let line = tree.node(target).line;
            return Err((node, format!("it is an alias of the value on line {line}, which other places share")));
        }
        if tree.node(node).shared {
            return Err((node, "aliases elsewhere share this value and would change with it".to_owned()));
        }
        if last && whole {
            return nothing_shared_below(tree, node);
        }
    }
    Ok(())
}

fn nothing_shared_below(tree: &Tree, node: NodeId) -> Result<(), Refusal> {
    let mut stack = vec![node];
    while let Some(id) = stack.pop() {
        if tree.node(id).shared {
            return Err((id, "aliases elsewhere need the anchor inside it".to_owned()));
        }
        match &tree.node(id).kind {
            Kind::List(items) => stack.extend(items),
            Kind::Map(entries) => stack.extend(entries.iter().map(|(_, value)| *value)),
            _ => {}
        }
    }
    Ok(())
}

/// A reference as it is written.
fn reference(target: &Target) -> Value {
    match target {
        Target::Chunk(id) => Value::Map(vec![("chunk".to_owned(), Value::Text(id.as_str().to_owned()))]),
        Target::Section { document, heading, quote } => {
            let mut entries = vec![("document".to_owned(), Value::Text(document.clone()))];
            if !heading.is_empty() {
                let heading = heading.iter().cloned().map(Value::Text).collect();
                entries.push(("heading".to_owned(), Value::List(heading)));
            }
            entries.extend(quote.clone().map(|quote| ("quote".to_owned(), Value::Text(quote))));
            Value::Map(entries)
        }
    }
}

/// What the operations make of a case as plain data; knows nothing of bytes. `None` if one of them does not fit.
pub(super) fn apply(ops: &[Op], case: &mut Value) -> Option<()> {
    for op in ops {
        match op {
            Op::Append(way, value) => match walk(case, way)? {
                Value::List(items) => items.push(value.clone()),
                _ => return None,
            },
            Op::Replace(way, value) => *walk(case, way)? = value.clone(),
            Op::Insert(way, key, value) => match walk(case, way)? {
                Value::Map(entries) => entries.push(((*key).to_owned(), value.clone())),
                _ => return None,
            },
            Op::Group(way, value) => {
                let entry = walk(case, way)?;
                let old = std::mem::replace(entry, Value::List(Vec::new()));
                *entry = match old {
                    Value::Map(_) => Value::Map(vec![("any_of".to_owned(), Value::List(vec![old, value.clone()]))]),
                    _ => Value::List(vec![old, value.clone()]),
                };
            }
            Op::Remove(way) => {
                let (last, way) = way.split_last()?;
                match (walk(case, way)?, last) {
                    (Value::List(items), Step::Index(index)) if *index < items.len() => {
                        items.remove(*index);
                    }
                    (Value::Map(entries), Step::Key(key)) => entries.retain(|(name, _)| name != key),
                    _ => return None,
                }
            }
        }
    }
    Some(())
}

fn walk<'a>(value: &'a mut Value, way: &[Step]) -> Option<&'a mut Value> {
    way.iter().try_fold(value, |value, step| match (step, value) {
        (Step::Key(key), value) => value.get_mut(key),
        (Step::Index(index), Value::List(items)) => items.get_mut(*index),
        _ => None,
    })
}

/// True for a `|` or `>` text, which takes lines of its own.
pub(super) fn is_block_scalar(tree: &Tree, node: NodeId) -> bool {
    matches!(tree.node(node).kind, Kind::Scalar(_, Style::Literal | Style::Folded))
}
