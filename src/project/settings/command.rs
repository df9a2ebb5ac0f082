//! A retriever that is a program: what is started, where, with which variables, and how many questions it holds.

use std::path::Path;

use super::{SettingsError, endpoint::seconds, node::Table};
use crate::retriever::command::Program;

/// The keys of a program beside `type`.
pub(super) const KEYS: [&str; 6] = ["command", "folder", "env", "timeout", "concurrency", "workers"];

/// Reads [`KEYS`] of a table; `folder` is the settings' own, in which a program runs that names none.
pub(super) fn program(table: &Table<'_>, folder: &Path) -> Result<Program, SettingsError> {
    let what = "say what is started, as in `command = [\"python3\", \"retrieve.py\"]`";
    let node = table.required("command", what)?;
    let list = "a list of the program and its arguments, as in [\"python3\", \"retrieve.py\"]";
    let words = node.list().map_err(|_| node.expected(list))?;
    let command = words.iter().map(|word| word.text()).collect::<Result<Vec<_>, _>>()?;
    if command.first().is_none_or(|program| program.trim().is_empty()) {
        return Err(node.expected(list));
    }
    let run_in = table.get("folder").map(|run_in| Ok::<_, SettingsError>(folder.join(run_in.string()?))).transpose()?;
    let mut program = Program::new(command, run_in.unwrap_or_else(|| folder.to_owned()));
    if let Some(env) = table.get("env") {
        for variable in env.list()? {
            let name = variable.string()?;
            if !is_variable(&name) {
                return Err(variable.expected("the name of a variable, whose value comes from the environment"));
            }
            program.env.push(name);
        }
    }
    if let Some(timeout) = table.get("timeout") {
        program.timeout = seconds(timeout)?;
    }
    if let Some(concurrency) = table.get("concurrency") {
        program.concurrency = concurrency.count(1)?;
    }
    if let Some(workers) = table.get("workers") {
        let number = workers.count(1)?;
        if number > MOST_WORKERS {
            return Err(workers.expected(&format!("a number of processes from 1 to {MOST_WORKERS}")));
        }
        program.workers = number;
    }
    Ok(program)
}

/// Each worker is a process of its own.
const MOST_WORKERS: usize = 64;

fn is_variable(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit())
}
