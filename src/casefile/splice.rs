//! From operations on a tree to the bytes that change: lists and mappings in brackets here, YAML's block ones in `block`.

use std::ops::Range;

use super::{
    plan::{Op, Refusal, Step, find, is_block_scalar, refuse},
    scalar::{self, Context},
    shape::{FIELDS, REFERENCE_FIELDS},
    tree::{Kind, NodeId, Style, Tree, Value},
};

/// A replaced range and what takes its place.
pub(super) type Change = (Range<usize>, Vec<u8>);

/// Collects the changes that make the operations of one edit of one case.
pub(super) struct Splicer<'a> {
    pub(super) text: &'a str,
    pub(super) tree: &'a Tree,
    /// The case's node.
    pub(super) case: NodeId,
    /// The cases of the file, where to look how others write.
    pub(super) others: &'a [NodeId],
    /// JSON, or YAML.
    pub(super) json: bool,
    /// The file's line end.
    pub(super) line_end: &'a str,
    pub(super) changes: Vec<Change>,
}

pub(super) type Done = Result<(), Refusal>;

impl Splicer<'_> {
    /// Adds the changes of one operation.
    pub(super) fn op(&mut self, op: &Op) -> Done {
        match op {
            Op::Append(way, value) => self.append(way, value),
            Op::Remove(way) => self.remove(way),
            Op::Replace(way, value) => self.replace(way, value),
            Op::Insert(way, key, value) => {
                let map = self.find(way)?;
                if self.tree.node(map).flow {
                    self.insert_flow(map, key, value);
                    Ok(())
                } else {
                    self.insert_block(map, key, value)
                }
            }
            Op::Group(way, value) => self.group(way, value),
        }
    }

    pub(super) fn find(&self, way: &[Step]) -> Result<NodeId, Refusal> {
        find(self.tree, self.case, way).ok_or_else(|| refuse(self.case, "the entry is not where it was"))
    }

    pub(super) fn change(&mut self, range: Range<usize>, new: impl Into<Vec<u8>>) {
        self.changes.push((range, new.into()));
    }

    pub(super) fn insert(&mut self, at: usize, new: impl Into<Vec<u8>>) {
        self.change(at..at, new);
    }

    pub(super) fn span(&self, node: NodeId) -> Range<usize> {
        self.tree.node(node).span.clone()
    }

    pub(super) fn key_of(way: &[Step]) -> &str {
        way.iter()
            .rev()
            .find_map(|step| if let Step::Key(key) = step { Some(&**key) } else { None })
            .unwrap_or_default()
    }

    fn append(&mut self, way: &[Step], value: &Value) -> Done {
        let list = self.find(way)?;
        if !self.tree.node(list).flow {
            return self.append_block(way, list, value);
        }
        let empty = self.tree.list(list).is_some_and(<[_]>::is_empty);
        if empty && matches!(value, Value::Map(_)) && !self.json && self.open_empty_list(way, list, value)? {
            return Ok(());
        }
        let style = self.style_for(list, Self::key_of(way));
        let new = self.flow(value, style);
        self.append_flow(list, &new);
        Ok(())
    }

    fn append_flow(&mut self, list: NodeId, new: &str) {
        let items = self.tree.list(list).unwrap_or_default();
        let Some(&latest) = items.last() else {
            let span = self.span(list);
            let inner = span.start + 1..span.end - 1;
            if self.text[inner.clone()].bytes().all(|byte| byte == b' ') {
                self.change(inner, new);
            } else {
                self.insert(inner.start, new);
            }
            return;
        };
        let end = self.span(latest).end;
        let comma = self.next_in_flow(end).filter(|at| self.text.as_bytes()[*at] == b',');
        let start = self.line_start(self.span(latest).start);
        let indent = &self.text[start..self.span(latest).start];
        let own_line = indent.trim().is_empty() && self.line_end_at(end) < self.span(list).end - 1;
        if own_line {
            let line = format!("{}{indent}{new}", self.line_end);
            if let Some(comma) = comma {
                self.insert(self.line_end_at(comma), format!("{line},"));
            } else {
                self.insert(end, ",");
                self.insert(self.line_end_at(end), line);
            }
        } else if let Some(comma) = comma {
            self.insert(comma + 1, format!(" {new}"));
        } else {
            let tight = items.len() > 1 && {
                let before = self.span(items[items.len() - 2]).end;
                &self.text[before..self.span(latest).start] == ","
            };
            let comma = if tight || (self.json && items.len() == 1) { self.comma(tight) } else { ", " };
            self.insert(end, format!("{comma}{new}"));
        }
    }

    /// What stands between two entries: the line's own habit in JSON, else `, `.
    fn comma(&self, tight: bool) -> &'static str {
        let entries = self.tree.map(self.case).unwrap_or_default();
        let habit =
            entries.windows(2).next().map(|pair| &self.text[self.span(pair[0].1).end..self.span(pair[1].0).start]);
        if tight || (self.json && habit == Some(",")) { "," } else { ", " }
    }

    /// What stands between a key and its value.
    fn colon(&self) -> &'static str {
        let entry = self.tree.map(self.case).and_then(|entries| entries.first());
        let tight = entry.is_some_and(|(key, value)| &self.text[self.span(*key).end..self.span(*value).start] == ":");
        if self.json && tight { ":" } else { ": " }
    }

    fn remove(&mut self, way: &[Step]) -> Done {
        let Some((last, above)) = way.split_last() else {
            return Err(refuse(self.case, "a whole case is not removed by an edit"));
        };
        let parent = self.find(above)?;
        if !self.tree.node(parent).flow {
            return match last {
                Step::Index(index) => self.remove_item_block(above, parent, *index),
                Step::Key(key) => self.remove_key_block(parent, key),
            };
        }
        let ranges = self.flow_entries(parent);
        let index = match last {
            Step::Index(index) => Some(*index),
            Step::Key(key) => self
                .tree
                .map(parent)
                .and_then(|entries| entries.iter().position(|(name, _)| self.tree.text(*name) == Some(key))),
        };
        let index = index.filter(|index| *index < ranges.len());
        let index = index.ok_or_else(|| refuse(parent, "the entry is not where it was"))?;
        self.remove_flow(parent, &ranges, index)
    }

    /// The bytes of every entry of a list or mapping in brackets.
    fn flow_entries(&self, parent: NodeId) -> Vec<Range<usize>> {
        match &self.tree.node(parent).kind {
            Kind::List(items) => items.iter().map(|item| self.span(*item)).collect(),
            Kind::Map(entries) => {
                entries.iter().map(|(key, value)| self.span(*key).start..self.entry_end(*key, *value)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn remove_flow(&mut self, parent: NodeId, entries: &[Range<usize>], index: usize) -> Done {
        let entry = entries[index].clone();
        let inner = self.span(parent).start + 1..self.span(parent).end - 1;
        let comma = self.next_in_flow(entry.end).filter(|at| self.text.as_bytes()[*at] == b',');
        let before = index.checked_sub(1).map(|index| entries[index].end);
        let start = self.line_start(entry.start);
        let after = comma.map_or(entry.end, |comma| comma + 1);
        let rest = self.text[after..self.line_end_at(after)].trim();
        let own_line = start >= inner.start
            && self.text[start..entry.start].trim().is_empty()
            && (rest.is_empty() || (rest.starts_with('#') && !self.json))
            && self.line_end_at(after) < inner.end;
        if own_line {
            if let (None, Some(before)) = (comma, before)
                && let Some(comma) = self.next_in_flow(before)
            {
                self.change(comma..comma + 1, "");
            }
            self.change(start..self.next_line(after), "");
            return Ok(());
        }
        let range = match (before, entries.get(index + 1)) {
            (None, None) if !self.has_comment(inner.clone()) => inner,
            (_, Some(next)) if !self.text[entry.end..next.start].contains('\n') => entry.start..next.start,
            (None, _) => entry.start..after,
            (Some(before), _) => before..entry.end,
        };
        // Between two entries there is nothing but blanks, one comma and comments.
        let gap = [range.start..entry.start.max(range.start), entry.end.min(range.end)..range.end];
        if gap.into_iter().any(|gap| self.has_comment(gap)) {
            return Err(refuse(parent, "a comment stands between the entries"));
        }
        self.change(range, "");
        Ok(())
    }

    fn has_comment(&self, range: Range<usize>) -> bool {
        !self.json && self.text[range].contains('#')
    }

    fn replace(&mut self, way: &[Step], value: &Value) -> Done {
        let node = self.find(way)?;
        let context = self.context(way);
        if self.tree.node(node).tagged {
            return Err(refuse(node, "its value carries a tag"));
        }
        if self.tree.is_empty(node) {
            return self.fill_empty(way, node, value);
        }
        match (value, &self.tree.node(node).kind) {
            (Value::Text(text), Kind::Scalar(_, style)) => {
                if is_block_scalar(self.tree, node) {
                    return self.replace_block_scalar(way, node, text);
                }
                let new = scalar::write(text, *style, context);
                self.change(self.span(node), new);
            }
            (Value::Map(_), Kind::Map(_)) if !self.tree.node(node).flow => {
                let column = self.tree.node(node).column as usize - 1;
                let new = self.block_map(value, column);
                self.change(self.span(node), new);
            }
            (_, Kind::List(_) | Kind::Map(_)) if !self.tree.node(node).flow => {
                return Err(refuse(node, "the list is written over several lines"));
            }
            _ => {
                let new = self.flow(value, Style::Plain);
                self.change(self.span(node), new);
            }
        }
        Ok(())
    }

    fn insert_flow(&mut self, map: NodeId, key: &str, value: &Value) {
        let new = format!("{}{}{}", self.key(key), self.colon(), self.flow(value, Style::Plain));
        if let Some((name, before)) = self.entry_before(map, key) {
            let at = self.entry_end(name, before);
            self.insert(at, format!("{}{new}", self.comma(false)));
        } else {
            let start = self.span(map).start + 1;
            let first = self.tree.map(map).and_then(|entries| entries.first()).map(|(key, _)| self.span(*key).start);
            let comma = if first.is_some() { self.comma(false) } else { "" };
            self.insert(first.unwrap_or(start), format!("{new}{comma}"));
        }
    }

    fn group(&mut self, way: &[Step], value: &Value) -> Done {
        let node = self.find(way)?;
        if matches!(self.tree.node(node).kind, Kind::Map(_)) && !self.tree.node(node).flow {
            self.group_block(node, value);
            return Ok(());
        }
        let span = self.span(node);
        if matches!(self.tree.node(node).kind, Kind::Scalar(_, style) if style != Style::Plain && !self.json && style != Style::Double && style != Style::Single)
        {
            return Err(refuse(node, "it is written over several lines"));
        }
        let new = self.flow(value, self.style_of(node));
        let comma = self.comma(false);
        if matches!(self.tree.node(node).kind, Kind::Map(_)) {
            self.insert(span.start, format!("{{{}{}[", self.key("any_of"), self.colon()));
            self.insert(span.end, format!("{comma}{new}]}}"));
        } else {
            self.insert(span.start, "[");
            self.insert(span.end, format!("{comma}{new}]"));
        }
        Ok(())
    }

    fn context(&self, way: &[Step]) -> Context {
        let above = way.len().saturating_sub(1);
        let flow = find(self.tree, self.case, &way[..above]).is_some_and(|parent| self.tree.node(parent).flow);
        match (self.json, flow) {
            (true, _) => Context::Json,
            (_, true) => Context::Flow,
            _ => Context::Block,
        }
    }

    fn key(&self, key: &str) -> String {
        if self.json { format!("\"{key}\"") } else { key.to_owned() }
    }

    /// A value on one line.
    pub(super) fn flow(&self, value: &Value, style: Style) -> String {
        let context = if self.json { Context::Json } else { Context::Flow };
        match value {
            Value::Text(text) => scalar::write(text, style, context),
            Value::Bare(word) => word.clone(),
            Value::List(items) => {
                let items: Vec<_> = items.iter().map(|item| self.flow(item, style)).collect();
                format!("[{}]", items.join(self.comma(false)))
            }
            Value::Map(entries) => {
                let entry = |(key, value): &(String, Value)| {
                    let style = self.habit(key);
                    format!("{}{}{}", self.key(key), self.colon(), self.flow(value, style))
                };
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(self.comma(false)))
            }
        }
    }

    /// How a list's last text is quoted, else how the file quotes that field.
    pub(super) fn style_for(&self, list: NodeId, key: &str) -> Style {
        let items = self.tree.list(list).unwrap_or_default();
        items
            .iter()
            .rev()
            .map(|item| self.style_of(*item))
            .find(|style| *style != Style::Empty)
            .unwrap_or_else(|| self.habit(key))
    }

    fn style_of(&self, node: NodeId) -> Style {
        match self.tree.node(node).kind {
            Kind::Scalar(_, style) => style,
            _ => Style::Empty,
        }
    }

    /// How the first reference of this case, else of the file, quotes the field `key`.
    pub(super) fn habit(&self, key: &str) -> Style {
        if self.json {
            return Style::Double;
        }
        let in_case = |case: NodeId| {
            if !REFERENCE_FIELDS.contains(&key) {
                let value = self.tree.entry(case, &[key])?.1;
                return self.first_style(value);
            }
            let lists = ["supporting", "distractors"].into_iter().filter_map(|name| self.tree.entry(case, &[name]));
            let references = lists.flat_map(|(_, list)| self.tree.list(list).unwrap_or_default());
            references
                .filter_map(|reference| self.tree.entry(*reference, &[key]))
                .find_map(|(_, value)| self.first_style(value))
        };
        let cases = std::iter::once(self.case).chain(self.others.iter().copied());
        cases.into_iter().find_map(in_case).unwrap_or(Style::Plain)
    }

    fn first_style(&self, value: NodeId) -> Option<Style> {
        let scalar = self.tree.list(value).map_or(Some(value), |items| items.first().copied())?;
        Some(self.style_of(scalar)).filter(|style| matches!(style, Style::Plain | Style::Single | Style::Double))
    }

    /// The entry after which a new key belongs: the last one that the order of fields puts before it.
    pub(super) fn entry_before(&self, map: NodeId, key: &str) -> Option<(NodeId, NodeId)> {
        let rank = |name: &str| {
            let name = match name {
                "id" => "question_id",
                "q" => "question",
                "chunks" => "supporting",
                name => name,
            };
            FIELDS.iter().chain(&REFERENCE_FIELDS).position(|field| *field == name)
        };
        let entries = self.tree.map(map).unwrap_or_default();
        let before =
            |(name, _): &&(NodeId, NodeId)| self.tree.text(*name).and_then(rank).is_some_and(|at| Some(at) < rank(key));
        entries.iter().rev().find(before).copied()
    }

    /// Where an entry of a mapping ends: after its value, or after the colon if there is none.
    pub(super) fn entry_end(&self, key: NodeId, value: NodeId) -> usize {
        if !self.tree.is_empty(value) {
            return self.span(value).end;
        }
        self.colon_end(key)
    }

    /// The byte after a key's colon.
    pub(super) fn colon_end(&self, key: NodeId) -> usize {
        let end = self.span(key).end;
        self.text[end..].find(':').map_or(end, |at| end + at + 1)
    }

    /// The next byte in brackets that is neither blank nor comment.
    fn next_in_flow(&self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < bytes.len() {
            match bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b'#' if !self.json => at = self.line_end_at(at),
                _ => return Some(at),
            }
        }
        None
    }

    /// The first byte of the line of `at`.
    pub(super) fn line_start(&self, at: usize) -> usize {
        let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        if start == 0 && self.text.starts_with('\u{feff}') { 3.min(at) } else { start }
    }

    /// The end of the line of `at`, before its line end.
    pub(super) fn line_end_at(&self, at: usize) -> usize {
        let end = self.text[at..].find('\n').map_or(self.text.len(), |newline| at + newline);
        if end > at && self.text.as_bytes().get(end - 1) == Some(&b'\r') && end < self.text.len() {
            end - 1
        } else {
            end
        }
    }

    /// The first byte of the next line.
    pub(super) fn next_line(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |newline| at + newline + 1)
    }
}
