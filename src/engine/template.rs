//! What a server is sent, with the question in it: `{{ question }}` in the texts of a body, a header or an address.
//!
//! A text of a body that is exactly one placeholder keeps the type of its value. What stands in an address is percent-encoded,
//! and nothing that is filled in can begin a `${NAME}`. A name that does not exist is an error, never an empty text.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{
    Environment, Output, State, UndefinedBehavior, Value as Filled,
    value::{Serde, ValueKind},
};
use serde_json::{Map, Value, json};

/// The names that stand for something, as a list for people.
pub const NAMES: &str = "question, asker.id, asker.name, asker.groups, context, depth, params.NAME of the config, and vector where `embed` is named";

/// What a template may name of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Values(Map<String, Value>);

/// A template that cannot be read or filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", if .place.is_empty() { String::new() } else { format!("`{place}`: ") })]
pub struct TemplateError {
    /// Where in the body, as `filter.must[0]`; empty for a text that is no part of a body.
    pub place: String,
    /// What is wrong.
    pub reason: String,
}

/// Which names a template uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    names: BTreeSet<String>,
}

/// How what is filled in is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a body: as it is.
    Body,
    /// In an address: percent-encoded.
    Url,
    /// In a header: as it is, but for what would begin a secret's name.
    Header,
}

/// A text, or a tree of them, to be filled.
pub struct Template {
    env: Environment<'static>,
    root: Node,
}

enum Node {
    Fixed(Value),
    /// Exactly one placeholder.
    Expression {
        code: String,
        place: String,
    },
    /// The text of that name in the environment.
    Text {
        name: String,
        place: String,
    },
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Values {
    /// The values of one question. `identity` is `None` for the anonymous asker, `groups` where only production knows them.
    #[must_use]
    pub fn new(question: &str, context: &[String], depth: usize, params: &Map<String, Value>) -> Self {
        let values = json!({
            "question": question,
            "asker": {"id": null, "name": null, "groups": []},
            "context": context,
            "depth": depth,
            "params": params,
        });
        Self(values.as_object().cloned().unwrap_or_default())
    }

    /// The same, asked by somebody: what production calls them, their name in the settings, and their groups.
    #[must_use]
    pub fn asked_by(mut self, identity: Option<&str>, name: Option<&str>, groups: Option<&[&str]>) -> Self {
        self.0.insert("asker".to_owned(), json!({"id": identity, "name": name, "groups": groups}));
        self
    }

    /// The same with one more name.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// The value of a dotted name, as `asker.groups`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let value = self.0.get(first)?;
        rest.map_or(Some(value), |rest| value.get(rest))
    }
}

impl Uses {
    /// True if the template names `name` or something below it.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|used| used == name || used.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
    }

    /// The parameters that are used by name; `None` if they are used as a whole.
    #[must_use]
    pub fn params(&self) -> Option<BTreeSet<&str>> {
        if self.names.contains("params") {
            return None;
        }
        Some(self.names.iter().filter_map(|name| name.strip_prefix("params.")).map(first).collect())
    }

    /// Both.
    pub fn add(&mut self, other: Self) {
        self.names.extend(other.names);
    }
}

fn has_template(text: &str) -> bool {
    ["{{", "{%", "{#"].iter().any(|open| text.contains(open))
}

fn first(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

impl Template {
    /// Reads a text, or a tree whose texts are templates. `further` are names beside [`NAMES`] that exist.
    pub fn new(source: &Value, place: Place, further: &[&str]) -> Result<Self, TemplateError> {
        let mut env = Environment::new();
        env.set_undefined_behavior(UndefinedBehavior::Strict);
        env.set_formatter(move |out, state, value| write(place, out, state, value));
        env.add_filter("quoted", quoted);
        env.add_filter("quoted_list", |texts: Vec<String>| {
            let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
            format!("[{}]", texts.join(", "))
        });
        env.add_filter("known", known);
        env.add_filter("wrapped", wrapped);
        let mut template = Self { env, root: Node::Fixed(Value::Null) };
        template.root = template.read(source, "")?;
        for name in &template.uses().names {
            let known = ["question", "asker", "context", "depth", "params", "vector"];
            if !known.contains(&first(name)) && !further.contains(&first(name)) {
                return Err(TemplateError {
                    place: String::new(),
                    reason: format!("the name `{name}` stands for nothing; there are {NAMES}"),
                });
            }
            let within = name.strip_prefix("asker.").map(first);
            if within.is_some_and(|name| !["id", "name", "groups"].contains(&name)) {
                let reason =
                    format!("`{name}` stands for nothing; an asker has `asker.id`, `asker.name` and `asker.groups`");
                return Err(TemplateError { place: String::new(), reason });
            }
        }
        Ok(template)
    }

    fn read(&mut self, source: &Value, place: &str) -> Result<Node, TemplateError> {
        Ok(match source {
            Value::String(text) if has_template(text) => {
                let place = place.to_owned();
                if let Some(code) = only_placeholder(&self.env, text) {
                    return Ok(Node::Expression { code, place });
                }
                let name = format!("t{}", self.env.templates().count());
                let added = self.env.add_template_owned(name.clone(), text.clone());
                added.map_err(|error| failed(&place, &error))?;
                Node::Text { name, place }
            }
            Value::Array(items) => {
                let item = |(at, item): (usize, &Value)| self.read(item, &format!("{place}[{at}]"));
                Node::List(items.iter().enumerate().map(item).collect::<Result<_, _>>()?)
            }
            Value::Object(entries) => {
                let dot = if place.is_empty() { "" } else { "." };
                let entry = |(key, value): (&String, &Value)| {
                    if has_template(key) || key.contains("${") {
                        let reason = format!("the key `{key}` is sent as it is written: only a value can be filled in");
                        return Err(TemplateError { place: place.to_owned(), reason });
                    }
                    Ok((key.clone(), self.read(value, &format!("{place}{dot}{key}"))?))
                };
                Node::Object(entries.iter().map(entry).collect::<Result<_, _>>()?)
            }
            fixed => Node::Fixed(fixed.clone()),
        })
    }

    /// The names it uses.
    #[must_use]
    pub fn uses(&self) -> Uses {
        let mut uses = Uses::default();
        self.collect(&self.root, &mut uses.names);
        uses
    }

    fn collect(&self, node: &Node, names: &mut BTreeSet<String>) {
        match node {
            Node::Fixed(_) => {}
            Node::Expression { code, .. } => {
                let read = self.env.compile_expression_owned(code.clone());
                names.extend(read.iter().flat_map(|code| code.undeclared_variables(true)));
            }
            Node::Text { name, .. } => {
                let read = self.env.get_template(name);
                names.extend(read.iter().flat_map(|text| text.undeclared_variables(true)));
            }
            Node::List(nodes) => nodes.iter().for_each(|node| self.collect(node, names)),
            Node::Object(nodes) => nodes.iter().for_each(|(_, node)| self.collect(node, names)),
        }
    }

    /// The tree with every text filled.
    pub fn fill(&self, values: &Values) -> Result<Value, TemplateError> {
        self.fill_node(&self.root, &Filled::from(Serde(&values.0)))
    }

    /// A text, filled; `None` where it is exactly one placeholder whose value is null.
    pub fn text(&self, values: &Values) -> Result<Option<String>, TemplateError> {
        let values = Filled::from(Serde(&values.0));
        let Node::Expression { code, place } = &self.root else {
            return match self.fill_node(&self.root, &values)? {
                Value::String(text) => Ok(Some(text)),
                other => Ok(Some(other.to_string())),
            };
        };
        let null = self.evaluate(code, place, &values)?.is_none();
        let whole = self.env.render_str(&format!("{{{{ {code} }}}}"), values);
        Ok((!null).then_some(whole.map_err(|error| failed(place, &error))?))
    }

    fn fill_node(&self, node: &Node, values: &Filled) -> Result<Value, TemplateError> {
        Ok(match node {
            Node::Fixed(value) => value.clone(),
            Node::Expression { code, place } => {
                let value = self.evaluate(code, place, values)?;
                serde_json::to_value(&value)
                    .map_err(|error| TemplateError { place: place.clone(), reason: error.to_string() })?
            }
            Node::Text { name, place } => {
                let text = self.env.get_template(name).and_then(|text| text.render(values.clone()));
                Value::String(text.map_err(|error| failed(place, &error))?)
            }
            Node::List(nodes) => {
                Value::Array(nodes.iter().map(|node| self.fill_node(node, values)).collect::<Result<_, _>>()?)
            }
            Node::Object(nodes) => {
                let entry = |(key, node): &(String, Node)| Ok((key.clone(), self.fill_node(node, values)?));
                Value::Object(nodes.iter().map(entry).collect::<Result<_, _>>()?)
            }
        })
    }

    fn evaluate(&self, code: &str, place: &str, values: &Filled) -> Result<Filled, TemplateError> {
        let value = self.env.compile_expression_owned(code.to_owned()).and_then(|code| code.eval(values.clone()));
        let value = value.map_err(|error| failed(place, &error))?;
        if value.is_undefined() {
            return Err(TemplateError { place: place.to_owned(), reason: format!("`{code}` has no value") });
        }
        Ok(value)
    }
}

/// Text as most query languages write it: in double quotes, with these and the backslash escaped, and on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The value, which must not be null: a filter by groups that nobody knows would let everything through.
fn known(value: Filled) -> Result<Filled, minijinja::Error> {
    if value.is_none() {
        let reason = "the groups of this asker are not known here, and a filter needs them: name them in [askers]";
        return Err(minijinja::Error::new(minijinja::ErrorKind::InvalidOperation, reason));
    }
    Ok(value)
}

/// Each item as an object that has it under `key`: how a list of conditions is made of a list of values.
#[expect(clippy::needless_pass_by_value, reason = "a filter is given what it owns")]
fn wrapped(items: Vec<Filled>, key: String) -> Filled {
    items.into_iter().map(|item| Filled::from(BTreeMap::from([(key.clone(), item)]))).collect()
}

/// The code of a text that is one placeholder and nothing else.
fn only_placeholder(env: &Environment<'_>, text: &str) -> Option<String> {
    let code = text.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    let code = code.strip_prefix('-').unwrap_or(code);
    let code = code.strip_suffix('-').unwrap_or(code).trim();
    env.compile_expression_owned(code.to_owned()).is_ok().then(|| code.to_owned())
}

fn failed(place: &str, error: &minijinja::Error) -> TemplateError {
    let kind = error.kind().to_string();
    let reason = error.detail().map_or(kind.clone(), |detail| format!("{kind}: {detail}"));
    TemplateError { place: place.to_owned(), reason }
}

/// Writes a value into a longer text: text as it is, nothing for null, all else as JSON.
fn write(place: Place, out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Filled) -> Result<(), minijinja::Error> {
    let text = match value.kind() {
        ValueKind::Undefined => return Err(minijinja::ErrorKind::UndefinedError.into()),
        ValueKind::None => return Ok(()),
        ValueKind::String => value.to_string(),
        _ => serde_json::to_string(value)
            .map_err(|error| minijinja::Error::new(minijinja::ErrorKind::BadSerialization, error.to_string()))?,
    };
    match place {
        Place::Body => out.write_str(&text)?,
        Place::Url => out.write_str(&percent_encoded(&text))?,
        Place::Header => out.write_str(&text.replace("${", "$${"))?,
    }
    Ok(())
}

fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests;
