//! What case files promise, by example and by property.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so at once")]

mod edits;
mod property;
mod reading;
mod saving;

use std::path::Path;

use super::{
    change::{self, Refused},
    edit::Edit,
    file::{self, CaseFile},
};
use crate::domain::case::Target;

fn yaml(text: &str) -> CaseFile {
    file::read(Path::new("cases.yaml"), text.into())
}

fn jsonl(text: &str) -> CaseFile {
    file::read(Path::new("cases.jsonl"), text.into())
}

fn section(document: &str, heading: &[&str]) -> Target {
    Target::Section {
        document: document.to_owned(),
        heading: heading.iter().map(|part| (*part).to_owned()).collect(),
        quote: None,
    }
}

fn chunk(id: &str) -> Target {
    Target::Chunk(id.into())
}

/// The text after an edit of the case with that id; also proves that the inverse gives the first bytes back.
fn edited(file: &CaseFile, id: &str, edit: &Edit) -> String {
    let index = file.cases.iter().position(|case| case.id == id).unwrap();
    let changed = change::change(file, index, edit)
        .unwrap_or_else(|refused| panic!("{refused:?}\n{}", String::from_utf8_lossy(&file.bytes)));
    assert_eq!(changed.patch.inverse().apply(&changed.file.bytes).as_ref(), Some(&file.bytes));
    String::from_utf8(changed.file.bytes).unwrap()
}

fn refused(file: &CaseFile, id: &str, edit: &Edit) -> String {
    let index = file.cases.iter().position(|case| case.id == id).unwrap();
    match change::change(file, index, edit) {
        Err(Refused::Unsafe(place, reason)) => format!("{place}: {reason}"),
        Err(Refused::Senseless(reason)) => reason.to_string(),
        Ok(changed) => panic!("not refused:\n{}", String::from_utf8_lossy(&changed.file.bytes)),
    }
}

/// The lines of `after` that are not in `before` with `+`, those that went with `-`; lines must otherwise agree in order.
fn diff(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<_>, Vec<_>) = (before.split('\n').collect(), after.split('\n').collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let gone = old[head..old.len() - tail].iter().map(|line| format!("-{line}"));
    gone.chain(new[head..new.len() - tail].iter().map(|line| format!("+{line}"))).collect()
}
