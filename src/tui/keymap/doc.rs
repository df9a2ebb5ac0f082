//! What people read of the table: the footer, the help page, the README.

use std::fmt::Write as _;

use super::{Binding, table::TABLE};
use crate::tui::command::{Command, Context};

/// The rows that hold in `contexts`, innermost first, without keys that an inner context takes.
fn rows(contexts: &[Context]) -> impl Iterator<Item = (&'static Binding, Vec<&'static str>)> {
    contexts.iter().enumerate().flat_map(|(depth, &context)| {
        let inner = &contexts[..depth];
        let taken = |key: &str| TABLE.iter().any(|row| inner.contains(&row.context) && row.keys.contains(&key));
        TABLE.iter().filter(move |row| row.context == context).filter_map(move |row| {
            let keys: Vec<_> = row.keys.iter().copied().filter(|key| !taken(key)).collect();
            (!keys.is_empty()).then_some((row, keys))
        })
    })
}

/// Keys as people read them: a row of digits is a range.
fn keys(keys: &[&'static str]) -> String {
    if keys.len() == 9 && keys[0] == "1" { "1-9".to_owned() } else { keys.join(" ") }
}

/// The hints for the footer: key and word, most important first; those that `offers` tells of.
#[must_use]
pub fn footer(contexts: &[Context], offers: &dyn Fn(Command) -> bool) -> Vec<(String, &'static str)> {
    rows(contexts)
        .filter(|(row, _)| !row.hint.is_empty() && offers(row.command))
        .map(|(row, bound)| (if bound.len() == 9 { "1-9".to_owned() } else { bound[0].to_owned() }, row.hint))
        .collect()
}

/// The help page: keys and a sentence, for everything that works in `contexts`.
#[must_use]
pub fn help(contexts: &[Context]) -> Vec<(String, &'static str)> {
    rows(contexts).map(|(row, bound)| (keys(&bound), row.help)).collect()
}

/// The whole table as Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::from("| where | keys | what |\n| --- | --- | --- |\n");
    for row in TABLE {
        let shown = if row.keys.len() == 9 {
            "`1`–`9`".to_owned()
        } else {
            row.keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" ")
        };
        let help = row.help.replace('|', "\\|");
        writeln!(text, "| {} | {shown} | {help} |", row.context.title()).expect("writing to a string cannot fail");
    }
    text
}
