//! The real `caselight` with a program for its retriever.

use std::process::{Command, Stdio};

use super::{
    python::{lives, python, until},
    support::Place,
};

/// A place with two chunks, two cases, and a program that answers with `ids` after `before` ran.
fn place(before: &str, more: &str) -> Option<Place> {
    let python = python()?.to_str()?;
    let settings = format!(
        "[corpus]\nsource = \"../chunks.jsonl\"\nindex = \"../corpus-index\"\n\n\
         [retrievers.mine]\ntype = \"command\"\ncommand = [\"{python}\", \"retrieve.py\"]\nfolder = \"..\"\n{more}\n\n\
         [configs.mine]\nretriever = \"mine\"\nk = 2\n"
    );
    let program = format!(
        "import json, os, subprocess, sys, time\n\
         child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n\
         open('processes', 'a').write(f'{{os.getpid()}}\\n{{child.pid}}\\n')\n\
         for line in sys.stdin:\n    {before}\n    \
         print(json.dumps({{'n': json.loads(line)['n'], 'results': ['a', 'b']}}), flush=True)\n"
    );
    let chunks = "{\"id\": \"a\", \"text\": \"first\"}\n{\"id\": \"b\", \"text\": \"second\"}\n";
    let cases = "{\"q\": \"one\", \"chunks\": [\"a\"]}\n{\"q\": \"two\", \"chunks\": [\"b\"]}\n";
    Some(
        Place::empty()
            .file("cases/caselight.toml", &settings)
            .file("cases/cases.jsonl", cases)
            .file("chunks.jsonl", chunks)
            .file("retrieve.py", &program),
    )
}

#[test]
fn a_run_asks_the_program_and_leaves_nothing_behind() {
    let Some(place) = place("pass", "") else { return };
    let summary = place.caselight(["run", "--format", "json"]).json();
    assert_eq!((&summary["retriever"], &summary["baseline"]), (&"mine".into(), &false.into()));
    assert_eq!((&summary["summary"]["recall"], &summary["summary"]["mrr"]), (&1.0.into(), &0.75.into()));
    let processes = std::fs::read_to_string(place.path("processes")).unwrap();
    assert_eq!(processes.lines().count(), 2, "one process for all questions, and what it started");
    until("both are gone", || !processes.lines().any(lives));
}

#[test]
fn the_run_says_how_the_program_was_reached_and_knows_a_passage_by_its_text() {
    let text = "A damaged pallet goes to the shift lead before anybody calls the carrier.";
    let answer = format!("print(json.dumps({{'results': [{{'id': 17, 'text': '{text}'}}]}}), flush=True); continue");
    let Some(place) = place(&answer, "recognise = \"text\"\nenv = [\"LANG\"]") else { return };
    let place = place.file(
        "chunks.jsonl",
        &format!("{{\"id\": \"a\", \"text\": \"{text}\"}}\n{{\"id\": \"b\", \"text\": \"other\"}}\n"),
    );
    let report = place.caselight(["run", "--format", "json"]).json();
    assert_eq!((&report["cases"][0]["results"][0]["id"], &report["cases"][0]["recall"]), (&"a".into(), &1.0.into()));
    let run = std::fs::read_dir(place.path("corpus-index/runs")).unwrap().next().unwrap().unwrap().path();
    let kept = std::fs::read_to_string(run).unwrap();
    let header: serde_json::Value = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
    let python = python().unwrap().to_str().unwrap();
    let expected = serde_json::json!({
        "type": "command", "command": [python, "retrieve.py"], "folder": "..", "env": ["LANG"], "recognise": "text",
    });
    assert_eq!(header["reach"], expected);
    assert!(!kept.contains("C.UTF-8"), "the value of a variable is kept");
}

#[test]
fn a_variable_that_is_not_set_stops_before_the_program_starts() {
    let Some(place) = place("pass", "env = [\"NOT_SET_ANYWHERE\"]") else { return };
    let output = place.caselight(["run"]);
    assert_eq!(output.status, Some(2), "{output}");
    assert!(output.stderr.contains("NOT_SET_ANYWHERE") && output.stderr.contains("retrievers.mine.env"), "{output}");
    assert!(!place.path("processes").exists());
}

#[test]
fn a_program_whose_caller_is_killed_sees_the_end_of_its_input() {
    let Some(place) = place("time.sleep(0 if os.path.exists('go') else 0.1)", "") else { return };
    // It hangs in its first question until the file is there, so that the caller is killed in the middle.
    let before = "while not os.path.exists('go'): time.sleep(0.01)";
    let place = place.replace("retrieve.py", "time.sleep(0 if os.path.exists('go') else 0.1)", before);
    let mut caselight = Command::new(env!("CARGO_BIN_EXE_caselight"))
        .arg("run")
        .current_dir(place.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = || std::fs::read_to_string(place.path("processes")).unwrap_or_default();
    until("the program has started", || started().lines().count() == 2);
    caselight.kill().unwrap();
    caselight.wait().unwrap();
    std::fs::write(place.path("go"), "").unwrap();
    let processes = started();
    let program = processes.lines().next().unwrap();
    until("the program is gone", || !lives(program));
    // What it started is its own to end: nobody is left who could.
    let _ = Command::new("kill").arg(processes.lines().nth(1).unwrap()).status();
}
