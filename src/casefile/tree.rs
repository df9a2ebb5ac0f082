//! A file as a tree of raw texts with the exact bytes of each: what YAML and JSON have in common before either gives them a type.

use std::ops::Range;

/// A node's index in its [`Tree`].
pub(super) type NodeId = usize;

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Nothing stands where a value could (`tags:`).
    Empty,
    /// Without quotes; in JSON a number, `true`, `false` or `null`.
    Plain,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text, its escapes resolved, never given a type.
    Scalar(Box<str>, Style),
    /// A list.
    List(Vec<NodeId>),
    /// A mapping: keys and values.
    Map(Vec<(NodeId, NodeId)>),
    /// Another node by its anchor.
    Alias(NodeId),
}

/// One node and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// What it is.
    pub(super) kind: Kind,
    /// Its bytes in the file, without anchor, tag and comments. A block collection ends where its last child does; a block
    /// scalar begins after its header.
    pub(super) span: Range<usize>,
    /// The line, from 1.
    pub(super) line: u32,
    /// The column in characters, from 1.
    pub(super) column: u32,
    /// Written with brackets or braces (scalars: false).
    pub(super) flow: bool,
    /// It carries a tag such as `!!str`.
    pub(super) tagged: bool,
    /// Some alias names it.
    pub(super) shared: bool,
}

/// Nodes, parents before their children.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// The node, or the one that it is an alias of.
    pub(super) fn resolve(&self, mut id: NodeId) -> NodeId {
        while let Kind::Alias(target) = self.nodes[id].kind {
            id = target;
        }
        id
    }

    /// The text of a scalar (or of an alias of one).
    pub(super) fn text(&self, id: NodeId) -> Option<&str> {
        match &self.node(self.resolve(id)).kind {
            Kind::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list (or of an alias of one).
    pub(super) fn list(&self, id: NodeId) -> Option<&[NodeId]> {
        match &self.node(self.resolve(id)).kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a mapping (or of an alias of one), without those it merges.
    pub(super) fn map(&self, id: NodeId) -> Option<&[(NodeId, NodeId)]> {
        match &self.node(self.resolve(id)).kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// True if nothing stands there (`tags:`).
    pub(super) fn is_empty(&self, id: NodeId) -> bool {
        matches!(self.node(id).kind, Kind::Scalar(_, Style::Empty))
    }

    /// The entry of a mapping that has one of these keys, merged ones left out.
    pub(super) fn entry(&self, map: NodeId, names: &[&str]) -> Option<(NodeId, NodeId)> {
        self.map(map)?.iter().copied().find(|(key, _)| self.text(*key).is_some_and(|key| names.contains(&key)))
    }

    /// The entries of a mapping with those that `<<` brings, nearer ones winning. Merges go as deep as the tree allows.
    pub(super) fn merged(&self, map: NodeId) -> Vec<(NodeId, NodeId)> {
        let mut entries = Vec::new();
        self.merge_into(map, &mut entries, 0);
        entries
    }

    fn merge_into(&self, map: NodeId, entries: &mut Vec<(NodeId, NodeId)>, depth: usize) {
        let Some(own) = self.map(map) else { return };
        let is_merge =
            |key: NodeId| matches!(&self.node(key).kind, Kind::Scalar(text, Style::Plain) if &**text == "<<");
        for &(key, value) in own {
            let name = self.text(key);
            if !is_merge(key) && !entries.iter().any(|(seen, _)| name.is_some() && self.text(*seen) == name) {
                entries.push((key, value));
            }
        }
        if depth > 16 {
            return;
        }
        for &(_, value) in own.iter().filter(|(key, _)| is_merge(*key)) {
            match self.list(value) {
                Some(maps) => maps.iter().for_each(|map| self.merge_into(*map, entries, depth + 1)),
                None => self.merge_into(value, entries, depth + 1),
            }
        }
    }

    /// The tree below a node as plain data, aliases followed.
    pub(super) fn value(&self, id: NodeId) -> Value {
        match &self.node(self.resolve(id)).kind {
            Kind::Scalar(text, Style::Empty | Style::Plain) => Value::Bare(text.to_string()),
            Kind::Scalar(text, _) => Value::Text(text.to_string()),
            Kind::List(items) => Value::List(items.iter().map(|item| self.value(*item)).collect()),
            Kind::Map(entries) => Value::Map(
                entries
                    .iter()
                    .map(|(key, value)| (self.text(*key).unwrap_or_default().to_owned(), self.value(*value)))
                    .collect(),
            ),
            Kind::Alias(_) => Value::Bare(String::new()),
        }
    }
}

/// Plain data: what a node says, or what an edit puts there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// A text. A writer quotes it where a reader would see something else.
    Text(String),
    /// A word written bare: `true`, `false`, a number.
    Bare(String),
    /// A list.
    List(Vec<Value>),
    /// A mapping.
    Map(Vec<(String, Value)>),
}

impl Value {
    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        match self {
            Self::Map(entries) => entries.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
}
