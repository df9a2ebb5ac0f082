//! A run that is stopped, killed, or whose retriever dies: what was asked is kept, and `--resume` asks the rest.

use std::{
    fs,
    io::Read as _,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::support::{CommandOutput, Place};

/// A retriever that answers one question in a tenth of a second, tells its process id, and is asked one question at a time.
const SLOW: &str = r#"
echo $$ >> pids
while read -r line; do
  sleep 0.1
  echo asked >> asked
  printf '{"results": [{"id": "a"}]}\n'
done
"#;

/// Twenty cases, each of which chunk `a` answers, and a retriever that is a shell script.
fn place(script: &str) -> Place {
    let case = |n: u32| format!("{{\"question_id\": \"c{n:02}\", \"q\": \"q{n}\", \"chunks\": [\"a\"]}}\n");
    Place::with_corpus("chunks.jsonl")
        .file("chunks.jsonl", "{\"id\": \"a\", \"text\": \"apples\"}\n")
        .file("cases/cases.jsonl", &(1..=20).map(case).collect::<String>())
        .file("stub.sh", script)
        .replace(
            "cases/caselight.toml",
            "[configs.keyword]\nretriever = \"local\"",
            "[retrievers.slow]\ntype = \"command\"\ncommand = [\"sh\", \"stub.sh\"]\nfolder = \"..\"\nconcurrency = 1\n\n\
             [gate.all]\nrecall = 0.1\n\n[configs.keyword]\nretriever = \"slow\"",
        )
}

fn begin(place: &Place, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_caselight"))
        .args(arguments)
        .current_dir(place.path(""))
        .env_clear()
        .envs([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/nowhere"), ("NO_COLOR", "1"), ("TERM", "dumb")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn end(mut child: Child) -> CommandOutput {
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    CommandOutput { stdout, stderr, status: child.wait().unwrap().code() }
}

/// Waits until `holds`, a minute at most.
fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_mins(1), "{what} did not come");
        thread::sleep(Duration::from_millis(20));
    }
}

fn lines(path: PathBuf) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// The one run on disk.
fn run_file(place: &Place) -> Option<PathBuf> {
    let entry = fs::read_dir(place.path("corpus-index/runs")).ok()?.next()?;
    Some(entry.unwrap().path())
}

/// Finished cases on disk; the first line is about the run.
fn on_disk(place: &Place) -> usize {
    run_file(place).map_or(0, lines).saturating_sub(1)
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
}

/// True while a process of the stub is alive.
fn stub_lives(place: &Place) -> bool {
    let pids = fs::read_to_string(place.path("pids")).unwrap_or_default();
    pids.lines().any(|pid| PathBuf::from(format!("/proc/{pid}")).exists())
}

#[test]
fn the_first_signal_stops_a_run_in_order_and_resume_asks_the_rest() {
    for (name, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let place = place(SLOW);
        let child = begin(&place, &["run"]);
        until("the third answer", || on_disk(&place) >= 3);
        signal(&child, name);
        let output = end(child);
        let done = on_disk(&place);
        assert_eq!(output.status, Some(status), "{output}");
        assert_eq!(output.stdout, "", "no report of a part as if it were whole");
        let said = format!("caselight: stopped: {done} of 20 asked; `caselight run --resume` asks the rest\n");
        assert_eq!(output.stderr, said);
        until("the end of the stub", || !stub_lives(&place));
        let asked = lines(place.path("asked"));
        let resumed = end(begin(&place, &["run", "--resume"]));
        assert_eq!(resumed.status, Some(0), "{resumed}");
        assert!(resumed.stdout.contains("\n20 cases: 20 scored\n"), "{resumed}");
        assert_eq!(lines(place.path("asked")) - asked, 20 - done);
    }
}

#[test]
fn a_run_that_was_started_with_nohup_outlives_its_terminal() {
    let place = place(SLOW);
    let child = Command::new("nohup")
        .args([env!("CARGO_BIN_EXE_caselight"), "run"])
        .current_dir(place.path(""))
        .env_clear()
        .envs([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/nowhere"), ("NO_COLOR", "1"), ("TERM", "dumb")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("the third answer", || on_disk(&place) >= 3);
    signal(&child, "HUP");
    let output = end(child);
    assert_eq!(output.status, Some(0), "{output}");
    assert_eq!(on_disk(&place), 20);
}

#[test]
fn a_gate_that_is_stopped_says_so_and_ends_as_the_signal_asks() {
    let place = place(SLOW);
    let child = begin(&place, &["gate"]);
    until("the second question", || lines(place.path("asked")) >= 2);
    signal(&child, "INT");
    let output = end(child);
    assert_eq!((output.status, output.stdout.as_str()), (Some(130), ""), "{output}");
    assert!(output.stderr.starts_with("caselight: stopped: "), "{output}");
    assert!(!output.stderr.contains("--resume"), "a gate keeps no run: {output}");
}

#[test]
fn what_was_finished_is_on_disk_after_a_kill_and_can_be_resumed() {
    let place = place(SLOW);
    let child = begin(&place, &["run"]);
    until("the second answer", || on_disk(&place) >= 2);
    signal(&child, "KILL");
    assert_eq!(end(child).status, None);
    until("the end of the stub", || !stub_lives(&place));
    assert!(on_disk(&place) >= 2);
    let resumed = end(begin(&place, &["run", "--resume"]));
    assert!(resumed.status == Some(0) && resumed.stdout.contains("\n20 cases: 20 scored\n"), "{resumed}");
}

#[test]
fn one_question_that_fails_is_one_error_and_fails_the_gate_unless_that_is_allowed() {
    let fails = r#"
while read -r line; do
  case "$line" in
    *'"q3"'*) printf '{"error": "timed out"}\n' ;;
    *) printf '{"results": [{"id": "a"}]}\n' ;;
  esac
done
"#;
    let place = place(fails);
    let output = end(begin(&place, &["run"]));
    assert_eq!(output.status, Some(3), "{output}");
    assert!(output.stdout.contains("\nthe means are over 19 of 20 labeled cases: 1 call failed\n"), "{output}");
    assert!(!output.stdout.contains("NaN"), "{output}");
    let output = end(begin(&place, &["gate"]));
    assert_eq!(output.status, Some(3), "{output}");
    assert!(output.stderr.contains("errors: 1 call failed (--allow-errors lets them pass): c03"), "{output}");
    let output = end(begin(&place, &["gate", "--allow-errors"]));
    assert_eq!(output.status, Some(0), "{output}");
}

#[test]
fn a_forbidden_chunk_that_comes_back_is_named_and_fails_the_gate() {
    let leaks = "while read -r line; do printf '{\"results\": [{\"id\": \"a\"}, {\"id\": \"pay\"}]}\\n'; done\n";
    let secret =
        "{\"id\": \"a\", \"text\": \"apples\"}\n{\"id\": \"pay\", \"text\": \"pay grades\", \"scope\": [\"hr\"]}\n";
    let place = place(leaks).file("chunks.jsonl", secret);
    let output = end(begin(&place, &["run", "--case", "c01"]));
    assert!(output.stdout.contains("\nleaked:\n  c01  pay (rank 2, asked as anonymous)\n"), "{output}");
    let output = end(begin(&place, &["gate"]));
    assert_eq!(output.status, Some(1), "{output}");
    assert!(output.stderr.contains("leaks: 20 results that the asker may not read: c01 "), "{output}");
}
