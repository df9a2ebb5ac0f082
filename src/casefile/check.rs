//! The second opinion: a parser that shares no code with the one that gave the places reads the result again.

use std::{borrow::Cow, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::tree::{Kind, NodeId, Tree, Value};

/// Says whether libyaml reads in `text` what `tree` holds, with `value` in the place of the node `edited`. Scalars are compared as
/// raw texts, never as numbers or words.
pub(super) fn yaml(text: &str, tree: &Tree, root: NodeId, edited: Option<(NodeId, &Value)>) -> Result<(), String> {
    let text = text.trim_start_matches('\u{feff}');
    let want = Want::Node { tree, id: root, edited };
    // The two parsers differ over a block scalar that ends the file without a line end; one is added for the question.
    let mut text = without_old_breaks(text);
    if !text.ends_with('\n') {
        text.to_mut().push('\n');
    }
    want.deserialize(yaml_serde::Deserializer::from_str(&text)).map_err(|error| error.to_string())
}

/// The text with others in the place of three characters that end a line in YAML 1.1 and are ordinary ones in YAML 1.2.
fn without_old_breaks(text: &str) -> Cow<'_, str> {
    if !text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return text.into();
    }
    text.replace('\u{85}', "\u{e085}").replace('\u{2028}', "\u{e028}").replace('\u{2029}', "\u{e029}").into()
}

/// Says whether `serde_json` reads in `line` what `value` holds.
pub(super) fn json(line: &str, value: &Value) -> Result<(), String> {
    let found: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let wanted = json_value(value).ok_or("a value that is no JSON")?;
    if found == wanted { Ok(()) } else { Err("another value would be read".to_owned()) }
}

fn json_value(value: &Value) -> Option<serde_json::Value> {
    Some(match value {
        Value::Text(text) => text.clone().into(),
        Value::Bare(word) => serde_json::from_str(word).ok()?,
        Value::List(items) => items.iter().map(json_value).collect::<Option<Vec<_>>>()?.into(),
        Value::Map(entries) => serde_json::Value::Object(
            entries.iter().map(|(key, value)| Some((key.clone(), json_value(value)?))).collect::<Option<_>>()?,
        ),
    })
}

/// What a value must be; deserializing it compares.
#[derive(Clone, Copy)]
enum Want<'a> {
    Node { tree: &'a Tree, id: NodeId, edited: Option<(NodeId, &'a Value)> },
    Value(&'a Value),
}

/// What a [`Want`] is made of.
enum Part<'a> {
    Text(&'a str),
    List(Vec<Want<'a>>),
    Map(Vec<(&'a str, Want<'a>)>),
}

impl<'a> Want<'a> {
    fn part(self) -> Option<Part<'a>> {
        Some(match self {
            Self::Value(Value::Text(text) | Value::Bare(text)) => Part::Text(text),
            Self::Value(Value::List(items)) => Part::List(items.iter().map(Want::Value).collect()),
            Self::Value(Value::Map(entries)) => {
                Part::Map(entries.iter().map(|(key, value)| (&**key, Want::Value(value))).collect())
            }
            Self::Node { tree, id, edited } => {
                let id = tree.resolve(id);
                if let Some((node, value)) = edited
                    && node == id
                {
                    return Want::Value(value).part();
                }
                let want = |id: NodeId| Want::Node { tree, id, edited };
                match &tree.node(id).kind {
                    Kind::Scalar(text, _) => Part::Text(text),
                    Kind::List(items) => Part::List(items.iter().map(|id| want(*id)).collect()),
                    Kind::Map(entries) => {
                        let entry = |(key, value): &(NodeId, NodeId)| Some((tree.text(*key)?, want(*value)));
                        Part::Map(entries.iter().map(entry).collect::<Option<_>>()?)
                    }
                    Kind::Alias(_) => return None,
                }
            }
        })
    }
}

impl<'de> DeserializeSeed<'de> for Want<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.part().ok_or_else(|| D::Error::custom("a key that is not a text"))? {
            Part::Text(text) => deserializer.deserialize_str(Text(text)),
            Part::List(items) => deserializer.deserialize_seq(List(items)),
            Part::Map(entries) => deserializer.deserialize_map(Map(entries)),
        }
    }
}

struct Text<'a>(&'a str);

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text {:?}", self.0)
    }

    fn visit_str<E: Error>(self, found: &str) -> Result<(), E> {
        if found == self.0 || without_old_breaks(found) == without_old_breaks(self.0) {
            return Ok(());
        }
        Err(E::custom(format!("{found:?} would be read where {:?} is meant", self.0)))
    }
}

struct List<'a>(Vec<Want<'a>>);

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", self.0.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut found: A) -> Result<(), A::Error> {
        let length = self.0.len();
        for want in self.0 {
            found.next_element_seed(want)?.ok_or_else(|| A::Error::custom(format!("fewer than {length} entries")))?;
        }
        match found.next_element::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::custom(format!("more than {length} entries"))),
        }
    }
}

struct Map<'a>(Vec<(&'a str, Want<'a>)>);

impl<'de> Visitor<'de> for Map<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a mapping of {} keys", self.0.len())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut found: A) -> Result<(), A::Error> {
        while let Some(key) = found.next_key_seed(Key)? {
            let at = self.0.iter().position(|(wanted, _)| *wanted == key);
            let at = at.ok_or_else(|| A::Error::custom(format!("a key {key:?} would appear")))?;
            let (_, want) = self.0.swap_remove(at);
            found.next_value_seed(want)?;
        }
        match self.0.first() {
            None => Ok(()),
            Some((key, _)) => Err(A::Error::custom(format!("the key {key:?} would be lost"))),
        }
    }
}

/// A key as its raw text.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is a text")
    }

    fn visit_str<E>(self, found: &str) -> Result<String, E> {
        Ok(found.to_owned())
    }
}
