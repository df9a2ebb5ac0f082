//! Every way out leaves the terminal as it was and says by its exit status why.

use std::process::{Command, Stdio};

use portable_pty::CommandBuilder;

use crate::{
    project::Project,
    session::{PROGRAM, Session, Start},
};

#[test]
fn leaving_by_a_key_gives_the_terminal_back() {
    let project = Project::demo();
    for key in ["q", "ctrl-c"] {
        let session = Session::open(project.folder());
        session.key(key);
        let left = session.wait_exit();
        assert_eq!((left.code, &left.signal), (0, &None), "{key}");
        left.assert_clean();
    }
}

#[test]
fn control_c_leaves_from_everywhere() {
    let project = Project::demo();
    for (keys, shown) in [
        (&["/"][..], "done"),
        (&["t"], "┌ tags of"),
        (&["t", "a"], "new tag:"),
        (&["?"], "keys that work here"),
        (&["l"], "[Label]"),
        (&["l", "/"], "enter hits"),
        (&["r"], "[Inspect]"),
    ] {
        let session = Session::open(project.folder());
        session.keys(keys);
        session.wait_for(shown);
        session.key("ctrl-c");
        let left = session.wait_exit();
        assert_eq!(left.code, 0, "{keys:?}");
        left.assert_clean();
    }
}

#[test]
fn a_signal_gives_the_terminal_back_and_the_exit_status_names_it() {
    let project = Project::demo();
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let session = Session::open(project.folder());
        session.signal(signal);
        let left = session.wait_exit();
        assert_eq!((left.code, &left.signal), (code, &None), "SIG{signal}");
        left.assert_clean();
    }
}

#[test]
fn a_label_made_just_before_a_signal_is_saved() {
    let project = Project::demo();
    let session = Session::open(project.folder());
    session.keys(&["n", "l"]);
    session.wait_first_hit("");
    session.key("1");
    session.wait_for("●");
    session.signal("TERM");
    assert_eq!(session.wait_exit().code, 143);
    let shipped = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/practice.yaml")).unwrap();
    assert_ne!(project.read("cases/practice.yaml"), shipped);
}

#[test]
fn a_label_made_just_before_quitting_is_saved() {
    let project = Project::demo();
    let session = Session::open(project.folder());
    session.keys(&["n", "l"]);
    session.wait_first_hit("");
    session.keys(&["1", "q"]);
    assert_eq!(session.wait_exit().code, 0);
    let shipped = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/practice.yaml")).unwrap();
    assert_ne!(project.read("cases/practice.yaml"), shipped);
}

#[test]
fn the_program_ends_with_its_terminal_and_what_was_labeled_is_saved() {
    let project = Project::demo();
    let session = Session::open(project.folder());
    session.keys(&["n", "l"]);
    session.wait_first_hit("");
    session.key("1");
    session.wait_for("●");
    assert_eq!(session.hang_up(), 129);
    let shipped = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/practice.yaml")).unwrap();
    assert_ne!(project.read("cases/practice.yaml"), shipped);
}

#[test]
fn the_program_ends_with_a_terminal_that_sends_no_signal() {
    let project = Project::demo();
    let session = Start::new(project.folder()).without_signals().start().ready();
    session.wait_for("68 cases");
    assert_eq!(session.hang_up(), 129, "it neither goes on nor reads nothing for ever");
}

#[test]
fn without_settings_the_terminal_is_not_taken_and_the_message_is_readable() {
    let project = Project::empty();
    let left = Start::new(project.folder()).start().wait_exit();
    assert_eq!(left.code, 2);
    left.assert_clean();
    assert!(left.text.contains("caselight.toml"), "{}", left.text);
    assert!(!String::from_utf8_lossy(&left.bytes).contains("\x1b[?1049h"), "{}", left.text);
}

#[test]
fn a_shell_has_its_echo_and_line_mode_back() {
    let project = Project::demo();
    let mut shell = CommandBuilder::new("/bin/sh");
    shell.args(["-c", &format!("{PROGRAM}; echo EXIT $?; stty -a; read answer; echo \"read $answer\"")]);
    let session = Start::command(project.folder(), shell).start().ready();
    session.key("q");
    session.wait_for("EXIT 0");
    session.wait_for("-tostop");
    let text = session.screen();
    let modes: Vec<_> = text.split([' ', ';', '\n']).collect();
    for mode in ["icanon", "echo", "isig", "icrnl", "opost"] {
        assert!(modes.contains(&mode), "{mode}\n{text}");
    }
    session.type_text("typed\n");
    session.wait_for("read typed");
    assert_eq!(session.wait_exit().code, 0);
}

#[test]
fn a_terminal_that_can_do_nothing_is_refused_in_one_line() {
    let project = Project::demo();
    let left = Start::new(project.folder()).env("TERM", "dumb").start().wait_exit();
    assert_eq!(left.code, 2);
    assert!(left.text.contains("TERM is `dumb`"), "{}", left.text);
    assert_eq!(String::from_utf8_lossy(&left.bytes).matches('\n').count(), 1, "{}", left.text);
    assert!(!left.bytes.contains(&0x1b), "no escape reaches a terminal that knows none");
    left.assert_clean();
}

#[test]
fn output_that_is_no_terminal_is_refused_in_one_line() {
    let project = Project::demo();
    let output = Command::new(PROGRAM)
        .current_dir(project.folder())
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("terminal"), "{message}");
    assert!(output.stdout.is_empty());
}
