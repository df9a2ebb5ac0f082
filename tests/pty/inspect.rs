//! Inspect against a retriever that loses chunks: further requests, a run kept before, and a wrong label.

use std::{fs, path::Path, process::Command};

use crate::{
    project::Project,
    session::{PROGRAM, Start},
};

/// The place that `tests/servers/lossy.py` makes, its retriever started by the program itself.
fn lossy() -> Option<Project> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/lossy.py");
    let project = Project::empty();
    let fill = format!(
        "import sys; sys.path.insert(0, {:?}); import lossy; lossy.fill({:?}, {:?})",
        script.parent().unwrap().display().to_string(),
        project.folder().display().to_string(),
        format!("type = \"command\"\ncommand = [\"python3\", {:?}, \".\", \"--lines\"]", script.display().to_string()),
    );
    match Command::new("python3").args(["-B", "-c", &fill]).status() {
        Ok(status) => assert!(status.success(), "lossy.py cannot make its place"),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "python3: {error}");
            eprintln!("NOT RUN: python3: {error}");
            return None;
        }
    }
    Some(project)
}

fn caselight(project: &Project, arguments: &[&str]) {
    let output = Command::new(PROGRAM).current_dir(project.folder()).args(arguments).output().unwrap();
    assert!(output.status.code() == Some(0) || output.status.code() == Some(3), "{output:?}");
}

#[test]
fn a_lost_chunk_is_found_by_further_requests_set_beside_a_baseline_and_its_label_marked_wrong() {
    let Some(project) = lossy() else { return };
    caselight(&project, &["run", "--config", "before", "--out", "cases/baselines/main.jsonl"]);
    let mut command = portable_pty::CommandBuilder::new(PROGRAM);
    command.args(["--config", "list"]);
    let session = Start::command(project.folder(), command).size(100, 30).start().ready();
    session.keys(&["/"]);
    session.type_text("below_depth");
    session.keys(&["enter", "r"]);
    session.wait_for("by the list alone");
    session.wait_for("ask further");
    session.keys(&["e"]);
    session.wait_for("● deeper");
    session.wait_for("by experiment");
    session.wait_for("below_window: Sheet below_depth");
    session.wait_for("put beside its own");
    assert!(!session.screen().contains("ask further"), "{}", session.screen());
    session.keys(&["esc"]);
    session.wait_for("[Cases]");
    session.keys(&["/", "ctrl-u"]);
    session.type_text("demoted_below");
    session.keys(&["enter", "r"]);
    session.wait_for("by the list alone");
    session.keys(&["b"]);
    session.wait_for("beside baseline main");
    session.wait_for("fell from 1 in main to 3");
    session.wait_for("mrr 0.33 ▼ 1.00");
    session.keys(&["*"]);
    session.wait_for("= asked 5 times: the same ranks and verdict each time");
    session.keys(&["!"]);
    session.wait_for("the label is wrong, because:");
    session.type_text("an older index");
    session.keys(&["enter"]);
    session.wait_for("≠ the label is wrong: an older index");
    session.keys(&["q"]);
    session.wait_exit().assert_clean();
    let written = fs::read_to_string(project.path("cases/faults.yaml")).unwrap();
    assert_eq!(written.matches("label_wrong: an older index").count(), 1, "{written}");
}
