//! Changes in YAML's block lists and mappings, where lines and indentation carry the structure.

use super::{
    plan::{Step, find, refuse},
    scalar::{self, Context},
    splice::{Done, Splicer},
    tree::{Kind, NodeId, Style, Value},
};

/// How references are listed where nothing else says: dashes two columns right of their key, a line for each field.
#[derive(Clone, Copy)]
struct Habit {
    /// `- …` lines, or brackets.
    block: bool,
    /// Columns from the key to the dash.
    offset: usize,
    /// A reference in braces.
    braces: bool,
}

impl Splicer<'_> {
    /// Adds an item after the last line of a block list.
    pub(super) fn append_block(&mut self, way: &[Step], list: NodeId, value: &Value) -> Done {
        let items = self.tree.list(list).unwrap_or_default().to_vec();
        let dashes = self.dashes(way, list).ok_or_else(|| refuse(list, "its dashes were not found"))?;
        let (Some(&item), Some(&dash)) = (items.last(), dashes.last()) else {
            return Err(refuse(list, "it has no item to follow"));
        };
        let column = self.column(dash);
        let braces = self.in_braces(item);
        let style = self.style_for(list, Self::key_of(way));
        let new = self.block_item(value, column, braces, style);
        let end = if self.tree.is_empty(item) { dash + 1 } else { self.span(item).end };
        self.insert(self.line_end_at(end), format!("{}{new}", self.line_end));
        Ok(())
    }

    /// Removes an item with its lines and the comment on its last one; the last item leaves `[]`.
    pub(super) fn remove_item_block(&mut self, way: &[Step], list: NodeId, index: usize) -> Done {
        let items = self.tree.list(list).unwrap_or_default().to_vec();
        let dashes = self.dashes(way, list).ok_or_else(|| refuse(list, "its dashes were not found"))?;
        let (Some(&item), Some(&dash)) = (items.get(index), dashes.get(index)) else {
            return Err(refuse(list, "the entry is not where it was"));
        };
        let start = self.line_start(dash);
        if !self.text[start..dash].trim().is_empty() {
            return Err(refuse(item, "it shares its line with what holds it"));
        }
        if items.len() == 1 {
            let key = self.key_node(way).ok_or_else(|| refuse(list, "its key was not found"))?;
            let colon = self.colon_end(key);
            self.insert(colon, " []");
        }
        let end = if self.tree.is_empty(item) { dash + 1 } else { self.span(item).end };
        self.remove_lines(start, end);
        Ok(())
    }

    /// Removes whole lines from `start` through the line of `end`, leaving a file without a final line end without one.
    fn remove_lines(&mut self, start: usize, end: usize) {
        let next = self.next_line(end);
        let unfinished = next == self.text.len() && !self.text.ends_with('\n');
        let start =
            if unfinished { self.text[..start].trim_end_matches('\n').trim_end_matches('\r').len() } else { start };
        self.change(start..next, "");
    }

    pub(super) fn remove_key_block(&mut self, map: NodeId, name: &str) -> Done {
        let entries = self.tree.map(map).unwrap_or_default().to_vec();
        let at = entries.iter().position(|(key, _)| self.tree.text(*key) == Some(name));
        let at = at.ok_or_else(|| refuse(map, "the key is not where it was"))?;
        let (key, value) = entries[at];
        let (start, end) = (self.span(key).start, self.entry_end(key, value));
        let line = self.line_start(start);
        if self.text[line..start].trim().is_empty() {
            self.remove_lines(line, end);
            return Ok(());
        }
        // The key stands behind a dash: the next one takes its place.
        match entries.get(at + 1) {
            Some((next, _)) if self.text[self.next_line(end)..self.span(*next).start].trim().is_empty() => {
                self.change(start..self.span(*next).start, "");
                Ok(())
            }
            _ => Err(refuse(key, "it stands behind the dash and nothing can take its place")),
        }
    }

    /// Adds a key after the entry that goes before it in the order of fields.
    pub(super) fn insert_block(&mut self, map: NodeId, key: &str, value: &Value) -> Done {
        let entries = self.tree.map(map).unwrap_or_default();
        let Some(&(first, _)) = entries.first() else {
            return Err(refuse(map, "it has no key to follow"));
        };
        let column = self.column(self.span(first).start);
        let new = self.field(key, value, column);
        match self.entry_before(map, key) {
            Some((name, before)) => {
                let end = self.line_end_at(self.entry_end(name, before));
                self.insert(end, format!("{}{}{new}", self.line_end, " ".repeat(column)));
            }
            None => self.insert(self.span(first).start, format!("{new}{}{}", self.line_end, " ".repeat(column))),
        }
        Ok(())
    }

    /// `key: value` as a field of a block mapping whose keys stand at `column` (from 0).
    fn field(&self, key: &str, value: &Value, column: usize) -> String {
        match value {
            Value::List(items) if items.iter().any(|item| matches!(item, Value::Map(_))) => {
                let habit = self.list_habit();
                if !habit.block {
                    return format!("{key}: {}", self.flow(value, Style::Plain));
                }
                format!("{key}:{}", self.block_items(items, column + habit.offset, habit.braces))
            }
            _ => format!("{key}: {}", self.inline(key, value)),
        }
    }

    /// A value that follows a key or a dash on the same line.
    fn inline(&self, key: &str, value: &Value) -> String {
        match value {
            Value::Text(text) => scalar::write(text, self.habit(key), Context::Block),
            _ => self.flow(value, self.habit(key)),
        }
    }

    fn block_items(&self, items: &[Value], column: usize, braces: bool) -> String {
        let item = |item: &Value| format!("{}{}", self.line_end, self.block_item(item, column, braces, Style::Plain));
        items.iter().map(item).collect()
    }

    /// A line (or lines) `- …` with the dash at `column`.
    fn block_item(&self, value: &Value, column: usize, braces: bool, style: Style) -> String {
        let dash = format!("{}- ", " ".repeat(column));
        match value {
            Value::Map(_) if !braces => format!("{dash}{}", self.block_map(value, column + 2)),
            Value::Text(text) => format!("{dash}{}", scalar::write(text, style, Context::Block)),
            _ => format!("{dash}{}", self.flow(value, style)),
        }
    }

    /// A mapping with a line for each key; the first without its indentation.
    pub(super) fn block_map(&self, value: &Value, column: usize) -> String {
        let Value::Map(entries) = value else { return self.flow(value, Style::Plain) };
        let lines: Vec<_> = entries.iter().map(|(key, value)| format!("{key}: {}", self.inline(key, value))).collect();
        lines.join(&format!("{}{}", self.line_end, " ".repeat(column)))
    }

    /// A block mapping becomes the first alternative of a group: nothing goes, its lines move right.
    pub(super) fn group_block(&mut self, node: NodeId, value: &Value) {
        let span = self.span(node);
        let column = self.column(span.start);
        let inner = column + 2;
        self.insert(span.start, format!("any_of:{}{}- ", self.line_end, " ".repeat(inner)));
        let mut line = self.next_line(span.start);
        while line < span.end {
            if !self.text[line..self.line_end_at(line)].trim().is_empty() {
                self.insert(line, "    ");
            }
            line = self.next_line(line);
        }
        let new = self.block_item(value, inner, false, Style::Plain);
        self.insert(self.line_end_at(span.end), format!("{}{new}", self.line_end));
    }

    /// Puts a value behind a key that has none.
    pub(super) fn fill_empty(&mut self, way: &[Step], node: NodeId, value: &Value) -> Done {
        let key = self.key_node(way).ok_or_else(|| refuse(node, "it has no key"))?;
        let parent = find(self.tree, self.case, &way[..way.len() - 1]);
        let flow = parent.is_some_and(|parent| self.tree.node(parent).flow);
        let colon = self.colon_end(key);
        if flow {
            let new = self.flow(value, self.habit(Self::key_of(way)));
            self.insert(colon, format!(" {new}"));
            return Ok(());
        }
        let habit = self.list_habit();
        match value {
            Value::List(items) if habit.block && items.iter().any(|item| matches!(item, Value::Map(_))) => {
                let column = self.column(self.span(key).start);
                let new = self.block_items(items, column + habit.offset, habit.braces);
                self.insert(self.line_end_at(colon), new);
            }
            _ => {
                let new = self.inline(Self::key_of(way), value);
                self.insert(colon, format!(" {new}"));
            }
        }
        Ok(())
    }

    /// Turns `[]` behind a key of a block mapping into a block list of one, if that is how the file lists references.
    pub(super) fn open_empty_list(
        &mut self,
        way: &[Step],
        list: NodeId,
        value: &Value,
    ) -> Result<bool, super::plan::Refusal> {
        let parent = self.find(&way[..way.len() - 1])?;
        let habit = self.list_habit();
        let span = self.span(list);
        let Some(key) = self.key_node(way) else { return Ok(false) };
        let colon = self.colon_end(key);
        let between = &self.text[colon..span.start];
        if self.tree.node(parent).flow || !habit.block || !between.bytes().all(|byte| byte == b' ') {
            return Ok(false);
        }
        if self.text[span.clone()].contains(['\n', '#']) {
            return Ok(false);
        }
        let column = self.column(self.span(key).start);
        let new = self.block_items(std::slice::from_ref(value), column + habit.offset, habit.braces);
        self.change(colon..span.end, "");
        self.insert(self.line_end_at(span.end), new);
        Ok(true)
    }

    /// Rewords a `|` or `>` text; it stays a block if it can.
    pub(super) fn replace_block_scalar(&mut self, way: &[Step], node: NodeId, text: &str) -> Done {
        let key = self.key_node(way).ok_or_else(|| refuse(node, "it has no key"))?;
        let span = self.span(node);
        let colon = self.colon_end(key);
        let header = self.text[colon..span.start.max(colon)].find(['|', '>']).map(|at| colon + at);
        let header = header.ok_or_else(|| refuse(node, "its `|` was not found"))?;
        let indent = self.column(span.start);
        let head = &self.text[header..self.line_end_at(header)];
        let end = span.end.max(self.line_end_at(header));
        if head.contains('#') || head.contains(|c: char| c.is_ascii_digit()) || head.contains('+') {
            return Err(refuse(node, "its block carries a comment or an indentation of its own"));
        }
        let block = scalar::literal(text, indent, self.line_end);
        let new = block.unwrap_or_else(|| scalar::write(text, Style::Double, Context::Block));
        self.change(header..end, new);
        Ok(())
    }

    /// The key node of the last step of a way, if that is a key.
    fn key_node(&self, way: &[Step]) -> Option<NodeId> {
        let (last, above) = way.split_last()?;
        let Step::Key(name) = last else { return None };
        let parent = find(self.tree, self.case, above)?;
        self.tree.entry(parent, &[name]).map(|(key, _)| key)
    }

    /// The byte of every dash of a block list under a key.
    fn dashes(&self, way: &[Step], list: NodeId) -> Option<Vec<usize>> {
        let mut from = self.colon_end(self.key_node(way)?);
        let mut dashes = Vec::new();
        for &item in self.tree.list(list)? {
            let dash = self.next_dash(from)?;
            dashes.push(dash);
            from = if self.tree.is_empty(item) { dash + 1 } else { self.span(item).end };
        }
        Some(dashes)
    }

    /// The first dash from `from` on, over blanks, comments and an anchor.
    fn next_dash(&self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        loop {
            match bytes.get(at)? {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b'#' => at = self.line_end_at(at),
                b'&' | b'!' => at += self.text[at..].find(char::is_whitespace)?,
                b'-' => return Some(at),
                _ => return None,
            }
        }
    }

    /// The column of a byte in characters, from 0.
    fn column(&self, at: usize) -> usize {
        self.text[self.line_start(at)..at].chars().count()
    }

    /// How the references of this case, else of the file, are listed.
    fn list_habit(&self) -> Habit {
        let fallback = Habit { block: true, offset: 2, braces: false };
        let cases = std::iter::once(self.case).chain(self.others.iter().copied());
        cases.into_iter().find_map(|case| self.habit_of(case)).unwrap_or(fallback)
    }

    fn habit_of(&self, case: NodeId) -> Option<Habit> {
        ["supporting", "distractors"].into_iter().find_map(|name| {
            let (key, list) = self.tree.entry(case, &[name])?;
            if matches!(self.tree.node(list).kind, Kind::Alias(_)) {
                return None;
            }
            let first = *self.tree.list(list)?.first()?;
            if self.tree.node(list).flow {
                return Some(Habit { block: false, offset: 0, braces: true });
            }
            let dash = self.next_dash(self.colon_end(key))?;
            let offset = self.column(dash).checked_sub(self.column(self.span(key).start))?;
            Some(Habit { block: true, offset, braces: self.in_braces(first) })
        })
    }

    /// True if a reference (or the first one of a group) is written in braces.
    fn in_braces(&self, reference: NodeId) -> bool {
        let group =
            self.tree.entry(reference, &["any_of"]).and_then(|(_, list)| self.tree.list(list)?.first().copied());
        self.tree.node(group.unwrap_or(reference)).flow
    }
}
