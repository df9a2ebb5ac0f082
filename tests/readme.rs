//! README.md is true: its generated parts are what the program says, and its examples run.
//!
//! `UPDATE_DOCS=1 cargo test --test readme` writes the generated parts anew.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod support;

use std::{env, fmt::Write as _, fs};

use caselight::{cli::EXIT_CODES, tui::keymap::doc};
use support::{Place, repository};

/// The parts between `<!-- name -->` and `<!-- /name -->`, and what belongs there.
fn parts() -> [(&'static str, String); 4] {
    let mut codes = String::from("| exit | meaning |\n| --- | --- |\n");
    for (code, meaning) in EXIT_CODES {
        writeln!(codes, "| {code} | {meaning} |").unwrap();
    }
    let settings = fs::read_to_string(repository().join("cases/caselight.toml")).unwrap();
    let keys = include_str!("pty/label_one_case.keys");
    let keys: Vec<&str> = keys.lines().filter(|line| !line.starts_with('#')).collect();
    let keys = keys.join("\n");
    [
        ("keys", doc::markdown()),
        ("exit codes", codes),
        ("settings", format!("```toml\n{}\n```\n", settings.trim_end())),
        ("label one case", format!("```text\n{keys}\n```\n")),
    ]
}

fn readme() -> String {
    fs::read_to_string(repository().join("README.md")).unwrap()
}

#[test]
fn the_generated_parts_are_what_the_program_says() {
    let readme = readme();
    let written = parts().iter().fold(readme.clone(), |text, (name, content)| with_part(&text, name, content).unwrap());
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(repository().join("README.md"), written).unwrap();
    } else if let Some((line, (found, expected))) =
        (1..).zip(readme.lines().zip(written.lines())).find(|(_, (a, b))| a != b)
    {
        panic!(
            "README.md:{line}: `UPDATE_DOCS=1 cargo test --test readme` writes it anew\nfound    {found}\nexpected {expected}"
        );
    } else {
        assert_eq!(readme, written, "`UPDATE_DOCS=1 cargo test --test readme` writes README.md anew");
    }
}

#[test]
fn the_examples_print_what_they_show_and_end_well() {
    let examples = examples(&readme());
    let place = Place::demo().fixture("theirs", "theirs/qrels.txt").fixture("theirs", "theirs/run.txt");
    for example in &examples {
        let output = place.caselight(&example.arguments);
        assert_eq!(output.status, Some(0), "README.md:{}: {output}", example.line);
        if let Err(missing) = shows(&example.shown, &output.stdout) {
            panic!("README.md:{}: not printed there: {missing}\n{output}", example.line);
        }
    }
}

/// `text` with `content` in the part of that name.
fn with_part(text: &str, name: &str, content: &str) -> Result<String, String> {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = text.find(&open).ok_or_else(|| format!("no line {}", open.trim_end()))? + open.len();
    let end = start + text[start..].find(&close).ok_or_else(|| format!("no line {close}"))?;
    Ok([&text[..start], content, &text[end..]].concat())
}

/// A command in a `console` block, and the lines under it.
#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    arguments: Vec<String>,
    shown: Vec<String>,
}

/// The `$ caselight …` lines of every `console` block.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (line, content) in (1..).zip(text.lines()) {
        if content.starts_with("```") {
            inside = content == "```console";
        } else if let Some(command) = content.strip_prefix("$ ").filter(|_| inside) {
            let mut arguments = words(command);
            assert_eq!(arguments.remove(0), "caselight", "README.md:{line}: only caselight can be run");
            examples.push(Example { line, arguments, shown: Vec::new() });
        } else if let Some(example) = examples.last_mut().filter(|_| inside) {
            example.shown.push(content.to_owned());
        }
    }
    examples
}

/// The words of a command line, with quotes taken off.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = None;
    for c in command.chars() {
        match quoted {
            Some(quote) if c == quote => quoted = None,
            None if ['"', '\''].contains(&c) => quoted = Some(c),
            None if c == ' ' => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether `printed` is what is shown: the same lines in a row, but that `…` stands for any, and a time for any time.
fn shows(shown: &[String], printed: &str) -> Result<(), String> {
    let same = |shown: &str, printed: &str| {
        shown.trim_end() == printed.trim_end() || (shown.contains(" ms") && printed.contains(" ms"))
    };
    if shown.is_empty() {
        return Ok(());
    }
    let mut printed = printed.lines().peekable();
    let mut left_out = false;
    for line in shown {
        if line.trim() == "…" {
            left_out = true;
            continue;
        }
        while left_out && printed.peek().is_some_and(|printed| !same(line, printed)) {
            printed.next();
        }
        left_out = false;
        if !printed.next().is_some_and(|printed| same(line, printed)) {
            return Err(line.clone());
        }
    }
    match printed.next() {
        Some(more) if !left_out => Err(format!("the end; {more} follows")),
        _ => Ok(()),
    }
}

// The check itself can fail.

#[test]
fn a_part_is_replaced_and_a_missing_mark_is_told() {
    let text = "a\n<!-- keys -->\nold\n<!-- /keys -->\nb\n";
    assert_eq!(with_part(text, "keys", "new\n").unwrap(), "a\n<!-- keys -->\nnew\n<!-- /keys -->\nb\n");
    assert_eq!(with_part(text, "codes", "new\n"), Err("no line <!-- codes -->".to_owned()));
    assert_eq!(with_part("<!-- keys -->\n", "keys", ""), Err("no line <!-- /keys -->".to_owned()));
}

#[test]
fn examples_are_read_from_console_blocks_alone() {
    let text = "```sh\n$ caselight no\n```\n```console\n$ caselight run --tag 'a b'\nall\n$ caselight check\n```\n$ caselight no\n";
    let [run, check] = &examples(text)[..] else { panic!("{:?}", examples(text)) };
    assert_eq!((run.line, run.arguments.join("|"), run.shown.join("|")), (5, "run|--tag|a b".into(), "all".into()));
    assert_eq!((check.line, check.arguments.join("|"), check.shown.len()), (7, "check".into(), 0));
}

#[test]
fn a_line_that_is_not_printed_is_found() {
    let check = |shown: &str, printed: &str| {
        shows(&shown.lines().map(str::to_owned).collect::<Vec<_>>(), printed)
            .map_err(|line| line.chars().take(9).collect())
    };
    let wrong = |line: &str| Err::<(), String>(line.to_owned());
    assert_eq!(check("", "a\nb\n"), Ok(()));
    assert_eq!(check("a\nb", "a\nb\n"), Ok(()));
    assert_eq!(check("a\nx", "a\nb\n"), wrong("x"));
    assert_eq!(check("a", "a\nb\n"), wrong("the end; "));
    assert_eq!(check("a\n…", "a\nb\n"), Ok(()));
    assert_eq!(check("…\nc", "a\nb\nc\n"), Ok(()));
    assert_eq!(check("a\n…\nb\n…", "a\nc\n"), wrong("b"));
    assert_eq!(check("took 3 ms", "took 4.5 ms\n"), Ok(()));
    assert_eq!(check("took 3 ms", "took long\n"), wrong("took 3 ms"));
}
