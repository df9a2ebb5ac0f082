//! A retriever that is a program: what is started, where, with which variables, and how many questions it holds.

use std::path::Path;

use super::{
    SettingsError,
    endpoint::seconds,
    node::{Node, Table},
    reach::recognise,
};
use crate::retriever::command::Program;

/// The keys of a program beside `type`.
pub(super) const KEYS: [&str; 7] = ["command", "folder", "env", "timeout", "concurrency", "workers", "recognise"];

/// Reads [`KEYS`] of a table; `folder` is the settings' own, in which a program runs that names none.
pub(super) fn program(table: &Table<'_>, folder: &Path) -> Result<Program, SettingsError> {
    let what = "say what is started, as in `command = [\"python3\", \"retrieve.py\"]`";
    let node = table.required("command", what)?;
    let list = "a list of the program and its arguments, as in [\"python3\", \"retrieve.py\"]";
    let words = node.list().map_err(|_| node.expected(list))?;
    let command = words.iter().map(Node::text).collect::<Result<Vec<_>, _>>()?;
    if command.first().is_none_or(|program| program.trim().is_empty()) {
        return Err(node.expected(list));
    }
    let named = table.get("folder").map(Node::string).transpose()?;
    let run_in = named.as_ref().map_or_else(|| folder.to_owned(), |named| folder.join(named));
    let mut program = Program::new(command, run_in);
    program.named = named;
    if let Some(env) = table.get("env") {
        for variable in env.list()? {
            let name = variable.string()?;
            if !is_variable(&name) {
                return Err(variable.expected("the name of a variable, whose value comes from the environment"));
            }
            program.env.push(name);
        }
    }
    program.recognise = table.get("recognise").map(recognise).transpose()?.unwrap_or_default();
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail loudly")]
mod tests {
    use std::{path::Path, time::Duration};

    use super::super::{RetrieverKind, Settings};
    use crate::domain::recognise::By;

    fn read(keys: &str) -> Result<RetrieverKind, String> {
        let text = format!("[retrievers.mine]\ntype = \"command\"\n{keys}");
        let settings = Settings::parse(&text, Path::new("cases/caselight.toml")).map_err(|error| error.to_string())?;
        Ok(settings.retrievers[0].kind.clone())
    }

    #[test]
    fn a_program_is_read_with_its_folder_beside_the_settings() {
        let keys = "command = [\"python3\", \"-c\", \"\"]\nfolder = \"../app\"\nenv = [\"API_KEY\"]\ntimeout = 2.5\n\
                    recognise = \"text\"\nconcurrency = 8\nworkers = 2";
        let Ok(RetrieverKind::Command(program)) = read(keys) else { panic!("{keys}") };
        assert_eq!(
            (&program.command[..], program.env.as_slice()),
            (&["python3", "-c", ""].map(String::from)[..], &["API_KEY".to_owned()][..])
        );
        assert_eq!(program.folder, Path::new("cases/../app"));
        assert_eq!((program.named.as_deref(), program.recognise), (Some("../app"), By::Text));
        assert_eq!((program.timeout, program.concurrency, program.workers), (Duration::from_millis(2500), 8, 2));
        let Ok(RetrieverKind::Command(program)) = read("command = [\"./retrieve\"]") else { panic!() };
        assert_eq!((program.folder.as_path(), program.concurrency, program.workers), (Path::new("cases"), 1, 1));
    }

    #[test]
    fn each_mistake_names_its_place() {
        for (keys, expected) in [
            ("", "1:1: [retrievers.mine] has no `command`: say what is started"),
            ("command = \"python3\"", "3:11: `retrievers.mine.command` is \"python3\", expected a list of the program"),
            ("command = []", "3:11: `retrievers.mine.command` is [], expected a list of the program"),
            ("command = [\"a\", 1]", "3:17: `retrievers.mine.command[1]` is 1, expected text in quotes"),
            (
                "command = [\"a\"]\nenv = [\"KEY=1\"]",
                "4:8: `retrievers.mine.env[0]` is \"KEY=1\", expected the name of",
            ),
            (
                "command = [\"a\"]\nworkers = 65",
                "4:11: `retrievers.mine.workers` is 65, expected a number of processes",
            ),
            ("command = [\"a\"]\nurl = \"x\"", "4:1: unknown key `url` in [retrievers.mine]"),
        ] {
            let error = read(keys).map(|_| ()).unwrap_err();
            assert!(error.starts_with(&format!("cases/caselight.toml:{expected}")), "{keys}: {error}");
        }
    }
}
