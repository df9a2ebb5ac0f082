//! A TOML table that knows where it stands: each value by its key, its type checked, its place at hand for a message.

use std::{ops::Range, path::Path};

use serde::Deserialize;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::SettingsError;
use crate::domain::nearest::nearest;

/// A file's text and name, to turn byte offsets into places.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) path: &'t Path,
}

impl Source<'_> {
    /// An error at a byte of the text.
    pub(super) fn wrong(self, at: usize, message: impl Into<String>) -> SettingsError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        SettingsError::Wrong {
            path: self.path.to_owned(),
            line: count(before.matches('\n').count()),
            column: count(before[line_start..].chars().count()),
            message: message.into(),
        }
    }
}

/// A key and its value.
#[derive(Clone)]
pub(super) struct Entry<'t> {
    pub(super) key: String,
    /// Where the key begins, in bytes.
    pub(super) at: usize,
    pub(super) value: Node<'t>,
}

/// A value and where it stands.
#[derive(Clone)]
pub(super) struct Node<'t> {
    source: Source<'t>,
    /// `configs.keyword.k`, for messages.
    name: String,
    span: Range<usize>,
    value: DeValue<'t>,
}

impl<'t> Node<'t> {
    /// An error at this value.
    pub(super) fn wrong(&self, message: impl Into<String>) -> SettingsError {
        self.source.wrong(self.span.start, message)
    }

    /// `configs.keyword.k`, for messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Where it stands, in bytes of the text.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value as it is written, cut to one short line.
    pub(super) fn written(&self) -> String {
        let text = self.source.text.get(self.span.clone()).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default();
        let short: String = line.chars().take(40).collect();
        if short.len() < text.len() { format!("{short}…") } else { short }
    }

    /// An error that names the value and what was expected in its place.
    pub(super) fn expected(&self, what: &str) -> SettingsError {
        match &self.value {
            DeValue::Table(_) => self.wrong(format!("`{}` is a table, expected {what}", self.name)),
            _ => self.wrong(format!("`{}` is {}, expected {what}", self.name, self.written())),
        }
    }

    pub(super) fn string(&self) -> Result<String, SettingsError> {
        match &self.value {
            DeValue::String(text) if !text.trim().is_empty() => Ok(text.to_string()),
            _ => Err(self.expected("text in quotes, not empty")),
        }
    }

    pub(super) fn boolean(&self) -> Result<bool, SettingsError> {
        match self.value {
            DeValue::Boolean(yes) => Ok(yes),
            _ => Err(self.expected("true or false")),
        }
    }

    /// True for a table, which has keys of its own.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    /// Text that may be empty, such as an argument.
    pub(super) fn text(&self) -> Result<String, SettingsError> {
        match &self.value {
            DeValue::String(text) => Ok(text.to_string()),
            _ => Err(self.expected("text in quotes")),
        }
    }

    /// One of the names in `known`.
    pub(super) fn named(&self, what: &str, known: &[&str]) -> Result<String, SettingsError> {
        let name = self.string()?;
        if known.contains(&name.as_str()) {
            return Ok(name);
        }
        let known_list =
            if known.is_empty() { "none is defined".to_owned() } else { format!("defined: {}", known.join(", ")) };
        let hint = nearest(&name, known.iter().copied(), 1).first().map(|near| format!("; did you mean `{near}`?"));
        Err(self.wrong(format!("unknown {what} `{name}`: {known_list}{}", hint.unwrap_or_default())))
    }

    /// A whole number of at least `least`.
    pub(super) fn count(&self, least: usize) -> Result<usize, SettingsError> {
        let number = match &self.value {
            DeValue::Integer(digits) => usize::from_str_radix(digits.as_str(), digits.radix()).ok(),
            _ => None,
        };
        let fitting = number.filter(|number| (least..=MOST).contains(number));
        fitting.ok_or_else(|| self.expected(&format!("a whole number from {least} to {MOST}")))
    }

    /// A whole number of at least 0, as large as TOML has them.
    pub(super) fn whole(&self) -> Result<u64, SettingsError> {
        let number = match &self.value {
            DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix()).ok(),
            _ => None,
        };
        number
            .and_then(|number| u64::try_from(number).ok())
            .ok_or_else(|| self.expected("a whole number of at least 0"))
    }

    pub(super) fn number(&self) -> Result<f64, SettingsError> {
        let number = match &self.value {
            DeValue::Integer(digits) if digits.radix() == 10 => digits.as_str().parse().ok(),
            DeValue::Float(digits) => digits.as_str().parse().ok(),
            _ => None,
        };
        number.filter(|number: &f64| number.is_finite()).ok_or_else(|| self.expected("a number"))
    }

    pub(super) fn list(&self) -> Result<Vec<Self>, SettingsError> {
        let DeValue::Array(items) = &self.value else { return Err(self.expected("a list in square brackets")) };
        let node = |(index, item): (usize, &toml::Spanned<DeValue<'t>>)| Self {
            source: self.source,
            name: format!("{}[{index}]", self.name),
            span: item.span(),
            value: item.get_ref().clone(),
        };
        Ok(items.iter().enumerate().map(node).collect())
    }

    pub(super) fn table(&self) -> Result<Table<'t>, SettingsError> {
        let DeValue::Table(table) = &self.value else { return Err(self.expected("a table")) };
        Ok(Table::new(self.source, self.name.clone(), self.span.start, table))
    }

    /// A table of values for a retriever, which alone knows what they mean.
    pub(super) fn params(&self) -> Result<toml::Table, SettingsError> {
        self.table()?.entries.iter().map(|entry| Ok((entry.key.clone(), entry.value.any()?))).collect()
    }

    /// Refuses a number in it that JSON does not have: it would be sent as nothing.
    fn refuse_endless(&self) -> Result<(), SettingsError> {
        match &self.value {
            DeValue::Float(_) => self.number().map(drop).map_err(|_| self.expected("a finite number")),
            DeValue::Array(_) => self.list()?.iter().try_for_each(Self::refuse_endless),
            DeValue::Table(_) => self.table()?.entries.iter().try_for_each(|entry| entry.value.refuse_endless()),
            _ => Ok(()),
        }
    }

    /// The value for a retriever, which alone knows what it means.
    pub(super) fn any(&self) -> Result<toml::Value, SettingsError> {
        self.refuse_endless()?;
        let spanned = toml::Spanned::new(self.span.clone(), self.value.clone());
        toml::Value::deserialize(ValueDeserializer::from(spanned)).map_err(|error| self.wrong(error.message()))
    }
}

/// No count in the settings is larger; it keeps sums of counts far from overflow.
const MOST: usize = 1_000_000;

/// A table with its entries in the file's order.
pub(super) struct Table<'t> {
    source: Source<'t>,
    /// `configs.keyword`; empty for the whole file.
    pub(super) name: String,
    at: usize,
    pub(super) entries: Vec<Entry<'t>>,
}

impl<'t> Table<'t> {
    pub(super) fn new(source: Source<'t>, name: String, at: usize, table: &DeTable<'t>) -> Self {
        let entry = |(key, value): (&toml::Spanned<toml::de::DeString<'t>>, &toml::Spanned<DeValue<'t>>)| {
            let key_text = key.get_ref().to_string();
            let name = if name.is_empty() { key_text.clone() } else { format!("{name}.{key_text}") };
            let value = Node { source, name, span: value.span(), value: value.get_ref().clone() };
            Entry { key: key_text, at: key.span().start, value }
        };
        let mut entries: Vec<Entry<'t>> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.at);
        Self { source, name, at, entries }
    }

    /// An error about the table as a whole.
    pub(super) fn wrong(&self, message: impl Into<String>) -> SettingsError {
        self.source.wrong(self.at, message)
    }

    /// Refuses the first key that is not among `known`.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), SettingsError> {
        match self.entries.iter().find(|entry| !known.contains(&entry.key.as_str())) {
            Some(entry) => Err(self.unknown(entry, "key", known)),
            None => Ok(()),
        }
    }

    /// An error about a key that is none of `known`.
    pub(super) fn unknown(&self, entry: &Entry<'_>, what: &str, known: &[&str]) -> SettingsError {
        let place = if self.name.is_empty() { String::new() } else { format!(" in [{}]", self.name) };
        let message = match nearest(&entry.key, known.iter().copied(), 1).first() {
            Some(near) => format!("unknown {what} `{}`{place}: did you mean `{near}`?", entry.key),
            None => format!("unknown {what} `{}`{place}: expected one of {}", entry.key, known.join(", ")),
        };
        self.source.wrong(entry.at, message)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node<'t>> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The value of `key`, which has to be there; `what` says what it is for.
    pub(super) fn required(&self, key: &str, what: &str) -> Result<&Node<'t>, SettingsError> {
        self.get(key).ok_or_else(|| self.source.wrong(self.at, format!("[{}] has no `{key}`: {what}", self.name)))
    }

    /// The entries of the table at `key`, each of them a table; none where there is no such key.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<(String, Self)>, SettingsError> {
        let Some(node) = self.get(key) else { return Ok(Vec::new()) };
        let named = |entry: &Entry<'t>| Ok((entry.key.clone(), entry.value.table()?));
        node.table()?.entries.iter().map(named).collect()
    }
}
