//! A retriever that loses the chunk of each case in another way, and what the diagnosis says of each: by its trace, and without
//! one by experiment. The server and its table of faults are `tests/servers/lossy.py`.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::support::{Place, repository};

/// The server; it ends when its standard input does.
struct Lossy(Child);

impl Drop for Lossy {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Starts the server, which fills `place`; `None` where there is no Python.
fn start(place: &Place) -> Option<Lossy> {
    let script = repository().join("tests/servers/lossy.py");
    let mut command = Command::new("python3");
    command.arg(script).arg(place.path("")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "python3 does not start: {error}");
            eprintln!("THE FAULTS WERE NOT TRIED: python3 does not start: {error}");
            return None;
        }
    };
    let mut port = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
    assert!(port.trim().parse::<u16>().is_ok(), "the server says {port:?}");
    Some(Lossy(child))
}

/// The verdict in a few words: its kind, and of what is expected of its evidence what it says itself.
fn told(diagnosis: &Value, keys: &[&str]) -> String {
    let evidence = &diagnosis["evidence"];
    let words = keys.iter().filter(|key| !evidence[**key].is_null()).map(|key| {
        let value = &evidence[*key];
        format!(" {key} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    });
    diagnosis["kind"].as_str().unwrap().to_owned() + &words.collect::<String>()
}

#[test]
fn each_way_to_lose_a_chunk_is_told_by_a_trace_and_by_experiment() {
    let place = Place::empty();
    let Some(_lossy) = start(&place) else { return };
    // The call that fails is one of the faults.
    let before = place.caselight(["run", "--config", "before", "--out", "cases/baselines/before.jsonl"]);
    assert_eq!(before.status, Some(3), "{before}");
    let place = place.replace("cases/caselight.toml", "[\"faults.yaml\"]", "[\"faults.yaml\", \"broken/label.yaml\"]");

    let expected: Value = serde_json::from_str(&std::fs::read_to_string(place.path("expected.json")).unwrap()).unwrap();
    let mut table = format!("{:<24}{:<39}{:<39}requests\n", "fault", "by the trace", "by experiment");
    let mut wrong = Vec::new();
    for (fault, expected) in expected.as_object().unwrap() {
        let mut row = format!("{fault:<24}");
        for config in ["trace", "list"] {
            // What a stage says why it threw a chunk away, only its trace has.
            let keys: Vec<&str> = expected
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .filter(|key| *key != "kind" && (*key != "why" || config == "trace"))
                .collect();
            let against = if fault == "error" || fault == "label_broken" { &[][..] } else { &["--against", "before"] };
            let arguments = ["inspect", fault, "--config", config, "--format", "json"];
            let output = place.caselight(arguments.iter().chain(against));
            assert_eq!(output.status, Some(if fault == "error" { 3 } else { 0 }), "{output}");
            let diagnosis = &output.json()["case"]["diagnosis"];
            let is = told(diagnosis, &keys);
            let right = diagnosis["kind"] == expected["kind"]
                && keys.iter().all(|key| diagnosis["evidence"][*key] == expected[*key]);
            let mark = if right { "" } else { "  WRONG" };
            row += &format!("{:<39}", format!("{is}{mark}"));
            if config == "list" {
                row += &output.json()["probes"].as_array().unwrap().len().to_string();
            }
            if !right {
                wrong.push(format!("{fault} ({config}): {diagnosis:#}\nexpected {expected}"));
            }
        }
        table += &(row + "\n");
    }
    assert!(wrong.is_empty(), "{table}\n{}", wrong.join("\n"));

    // `UPDATE_DOCS=1` writes the README's table anew.
    let path = repository().join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("<!-- faults -->\n").unwrap();
    let (shown, after) = rest.split_once("<!-- /faults -->").unwrap();
    let expected = format!("```text\n{table}```\n");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}<!-- faults -->\n{expected}<!-- /faults -->{after}")).unwrap();
    } else {
        assert_eq!(shown, expected, "`UPDATE_DOCS=1 cargo test --test cli faults` writes it anew");
    }
}
