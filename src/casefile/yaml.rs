//! YAML as a [`Tree`]: granit's events with the places corrected where the parser's are too wide.

use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StructureStyle, options};

use super::{
    problem::FileProblemKind,
    tree::{Kind, Node, NodeId, Style, Tree},
};

/// Deeper nesting than this is a mistake or an attack. A case needs six levels.
const MAX_DEPTH: usize = 64;
/// Nodes of a file once every alias stands for what it names.
const MAX_NODES: u64 = 5_000_000;

/// A problem that refuses the whole file, with line and column from 1.
pub(super) type Refusal = (u32, u32, FileProblemKind);

/// Reads a whole file. `None` as the root: the file holds nothing.
pub(super) fn parse(text: &str, offset: usize) -> Result<(Tree, Option<NodeId>), Refusal> {
    let options = options! {
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = Builder { text, offset, ..Builder::default() };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| refusal(&error, text))?;
        builder.event(event, span)?;
    }
    builder.tree.check_expansion(builder.root)?;
    Ok((builder.tree, builder.root))
}

fn refusal(error: &ScanError, text: &str) -> Refusal {
    let at = error.marker();
    // The parser names the line before: what it was reading when the tab came.
    let around = text.lines().enumerate().skip(at.line().saturating_sub(2)).take(4);
    if let Some((line, _)) = around.clone().find(|(_, line)| line.trim_start_matches(' ').starts_with('\t')) {
        let what = "a tab stands in the indentation; indent with blanks".to_owned();
        return (number(line + 1), 1, FileProblemKind::Syntax(what));
    }
    (number(at.line()), number(at.col() + 1), FileProblemKind::Syntax(error.info().trim_end_matches('.').to_owned()))
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct Builder<'a> {
    text: &'a str,
    offset: usize,
    tree: Tree,
    root: Option<NodeId>,
    documents: usize,
    anchors: HashMap<usize, NodeId>,
    open: Vec<Open>,
}

/// A collection whose end has not been seen.
struct Open {
    id: NodeId,
    key: Option<NodeId>,
    seen: HashMap<Box<str>, u32>,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Refusal> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err((
                        number(span.start.line()),
                        number(span.start.col() + 1),
                        FileProblemKind::ManyDocuments,
                    ));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let style = match style {
                    ScalarStyle::Plain if span.is_empty() => Style::Empty,
                    ScalarStyle::SingleQuoted => Style::Single,
                    ScalarStyle::DoubleQuoted => Style::Double,
                    ScalarStyle::Literal => Style::Literal,
                    ScalarStyle::Folded => Style::Folded,
                    ScalarStyle::Plain => Style::Plain,
                };
                let text = if style == Style::Empty { "".into() } else { Box::from(&*text) };
                self.add(Kind::Scalar(text, style), span, anchor, tag.is_some(), false)?;
            }
            Event::Alias(anchor) => {
                if let Some(&target) = self.anchors.get(&anchor) {
                    if self.open.iter().any(|open| open.id == target) {
                        let what = "an alias names what it stands in".to_owned();
                        return Err((
                            number(span.start.line()),
                            number(span.start.col() + 1),
                            FileProblemKind::Syntax(what),
                        ));
                    }
                    self.tree.nodes[target].shared = true;
                    self.add(Kind::Alias(target), span, 0, false, false)?;
                }
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.start(Kind::List(Vec::new()), style, span, anchor, tag.is_some())?;
            }
            Event::MappingStart(style, anchor, tag) => {
                self.start(Kind::Map(Vec::new()), style, span, anchor, tag.is_some())?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(&span),
            _ => {}
        }
        Ok(())
    }

    fn start(
        &mut self,
        kind: Kind,
        style: StructureStyle,
        span: Span,
        anchor: usize,
        tagged: bool,
    ) -> Result<(), Refusal> {
        let id = self.add(kind, span, anchor, tagged, style == StructureStyle::Flow)?;
        self.open.push(Open { id, key: None, seen: HashMap::new() });
        Ok(())
    }

    fn end(&mut self, span: &Span) {
        let Some(open) = self.open.pop() else { return };
        let last = match &self.tree.nodes[open.id].kind {
            Kind::List(items) => items.last().copied(),
            Kind::Map(entries) => {
                entries.last().map(|(key, value)| if self.tree.is_empty(*value) { *key } else { *value })
            }
            _ => None,
        };
        let node = &self.tree.nodes[open.id];
        let end = match (node.flow, last) {
            (true, _) => self.offset + span.byte_range().map_or(0, |range| range.end),
            (false, Some(last)) => self.tree.nodes[last].span.end,
            (false, None) => node.span.end,
        };
        // An empty value ends after its key's colon.
        let end = match &node.kind {
            Kind::Map(entries) if !node.flow => {
                entries.last().filter(|(_, value)| self.tree.is_empty(*value)).map_or(end, |(key, _)| {
                    let from = self.tree.nodes[*key].span.end;
                    self.text[from - self.offset..].find(':').map_or(end, |colon| from + colon + 1)
                })
            }
            _ => end,
        };
        self.tree.nodes[open.id].span.end = end.max(self.tree.nodes[open.id].span.start);
    }

    fn add(&mut self, kind: Kind, span: Span, anchor: usize, tagged: bool, flow: bool) -> Result<NodeId, Refusal> {
        let (line, column) = (number(span.start.line()), number(span.start.col() + 1));
        if self.open.len() >= MAX_DEPTH {
            return Err((line, column, FileProblemKind::TooMuch(format!("it is nested more than {MAX_DEPTH} deep"))));
        }
        let mut range = span.byte_range().unwrap_or(0..0);
        if let Kind::Scalar(_, Style::Literal | Style::Folded) = kind {
            // The parser's span runs into the next line's indent.
            range.end = range.start + self.text.get(range.clone()).map_or(0, |text| text.trim_end().len());
        }
        let span = range.start + self.offset..range.end + self.offset;
        let id = self.tree.nodes.len();
        self.tree.nodes.push(Node { kind, span, line, column, flow, tagged, shared: false });
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        self.attach(id, line, column)?;
        Ok(id)
    }

    fn attach(&mut self, id: NodeId, line: u32, column: u32) -> Result<(), Refusal> {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(id);
            return Ok(());
        };
        let key = open.key.take();
        if let (Kind::Map(_), None) = (&self.tree.nodes[open.id].kind, key) {
            open.key = Some(id);
            if let Some(text) = self.tree.text(id)
                && let Some(first) = open.seen.insert(text.into(), line)
            {
                return Err((line, column, FileProblemKind::DuplicateKey { key: text.to_owned(), first }));
            }
            return Ok(());
        }
        match (&mut self.tree.nodes[open.id].kind, key) {
            (Kind::List(items), _) => items.push(id),
            (Kind::Map(entries), Some(key)) => entries.push((key, id)),
            _ => {}
        }
        Ok(())
    }
}

impl Tree {
    /// Refuses a tree whose aliases stand for more than a file can honestly hold.
    fn check_expansion(&self, root: Option<NodeId>) -> Result<(), Refusal> {
        let Some(root) = root else { return Ok(()) };
        // Values and depth of every node, aliases counted as what they name.
        let mut sizes = vec![(1_u64, 1_usize); self.nodes.len()];
        for id in self.closing_order(root) {
            let add = |(size, depth): (u64, usize), id: &NodeId| {
                (size.saturating_add(sizes[*id].0), depth.max(sizes[*id].1 + 1))
            };
            let (size, depth) = match &self.nodes[id].kind {
                Kind::Scalar(..) => (1, 1),
                Kind::Alias(target) => sizes[*target],
                Kind::List(items) => items.iter().fold((1, 1), add),
                Kind::Map(entries) => entries.iter().map(|(_, value)| value).fold((1, 1), add),
            };
            let what = if size > MAX_NODES {
                format!("its aliases stand for more than {MAX_NODES} values")
            } else if depth > MAX_DEPTH {
                format!("it is nested more than {MAX_DEPTH} deep")
            } else {
                sizes[id] = (size, depth);
                continue;
            };
            let node = &self.nodes[id];
            return Err((node.line, node.column, FileProblemKind::TooMuch(what)));
        }
        Ok(())
    }

    /// Every node after its children, in the order of the file; aliases come after what they name.
    fn closing_order(&self, root: NodeId) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut stack = vec![(root, false)];
        while let Some((id, closed)) = stack.pop() {
            if closed {
                order.push(id);
                continue;
            }
            stack.push((id, true));
            match &self.nodes[id].kind {
                Kind::List(items) => stack.extend(items.iter().rev().map(|id| (*id, false))),
                Kind::Map(entries) => {
                    stack.extend(entries.iter().rev().flat_map(|(key, value)| [(*value, false), (*key, false)]));
                }
                _ => {}
            }
        }
        order
    }
}
