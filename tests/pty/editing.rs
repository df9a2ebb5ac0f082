//! Edits in quick succession, and edits that somebody else makes at the same time.

use std::{fs::OpenOptions, io::Write as _};

use crate::{
    project::Project,
    session::{Session, hits, rows, wait_until},
};

/// Five chunks that hold the same word, and one case.
fn five() -> Project {
    let lines: Vec<_> =
        (1..=5).map(|n| format!("{{\"id\": \"c{n}\", \"text\": \"{}\"}}", "pallet ".repeat(n))).collect();
    Project::of_chunks(&lines, "cases.jsonl", "{\"id\": \"a\", \"q\": \"pallet\", \"chunks\": []}\n")
}

/// The ids of the hits on the Label screen, best first.
fn five_hits(session: &Session) -> Vec<String> {
    session.wait_until("there are five hits", |screen| hits(screen).len() == 5);
    session.with_screen(hits)
}

/// How many cases the Cases screen says there are.
fn count(session: &Session) -> usize {
    let text = session.screen();
    let (number, _) = text.split_once(" cases").unwrap();
    number.split_whitespace().last().unwrap().parse().unwrap()
}

#[test]
fn labels_pressed_in_quick_succession_land_on_the_hits_that_were_selected() {
    let project = five();
    let session = Session::open(project.folder());
    session.key("l");
    let hits = five_hits(&session);
    session.keys(&["enter", "down", "enter", "down", "enter"]);
    let labeled = |ids: &[String]| {
        let ids: Vec<_> = ids.iter().map(|id| format!("\"{id}\"")).collect();
        format!("\"chunks\": [{}]", ids.join(", "))
    };
    let read = || project.read("cases/cases.jsonl");
    wait_until("three labels are in the file", || read().contains(&labeled(&hits[..3])));
    session.key("u");
    wait_until("one label is taken back", || read().contains(&labeled(&hits[..2])));
    session.keys(&["u", "u"]);
    wait_until("the file is as it was", || read() == "{\"id\": \"a\", \"q\": \"pallet\", \"chunks\": []}\n");
}

#[test]
fn a_label_pressed_while_a_search_is_on_its_way_lands_on_the_hit_that_was_shown() {
    let project = five();
    let session = Session::open(project.folder());
    session.key("l");
    let hits = five_hits(&session);
    session.keys(&["down", "enter", "/", "backspace", "enter"]);
    session.quiet();
    let file = project.read("cases/cases.jsonl");
    assert!(file.contains(&format!("[\"{}\"]", hits[1])), "{hits:?} {file}");
}

#[test]
fn a_case_that_is_added_outside_appears_and_both_edits_are_kept() {
    let project = Project::demo();
    let session = Session::open(project.folder());
    let before = count(&session);
    session.key("/");
    session.type_text("pol-01");
    session.wait_for(&format!("of {before} cases"));
    let added = "\n- question_id: pol-099\n  question: a question that was added outside\n  supporting: []\n";
    let mut file = OpenOptions::new().append(true).open(project.path("cases/practice.yaml")).unwrap();
    file.write_all(added.as_bytes()).unwrap();
    drop(file);
    session.wait_for(&format!("of {} cases", before + 1));
    session.type_text("2");
    session.wait_for(&format!("1 of {} cases", before + 1));
    session.keys(&["enter", "l"]);
    session.wait_first_hit("");
    session.key("1");
    session.wait_for("●");
    session.key("q");
    assert_eq!(session.wait_exit().code, 0);
    let file = project.read("cases/practice.yaml");
    assert!(file.ends_with(added), "{file}");
    let case = file.find("question_id: pol-012").unwrap();
    assert!(file[case..].find("- document:") < file[case..].find("question_id: pol-018"), "{file}");
}

#[test]
fn a_tag_that_is_changed_outside_is_shown_without_a_key() {
    let project = Project::demo();
    let session = Session::open(project.folder());
    session.key("/");
    session.type_text("tag:outside");
    session.wait_until("no case has the tag", |screen| rows(screen).iter().any(|row| row.starts_with("0 of ")));
    let file = project.read("cases/practice.yaml");
    project.write("cases/practice.yaml", &file.replacen("  tags: []", "  tags: [outside]", 1));
    session.wait_until("one case has the tag", |screen| rows(screen).iter().any(|row| row.starts_with("1 of ")));
}

#[test]
fn an_outside_edit_of_the_case_that_is_being_labeled_is_never_overwritten() {
    let project = Project::demo();
    let session = Session::open(project.folder());
    session.key("/");
    session.type_text("pol-012");
    session.wait_for("1 of ");
    session.keys(&["enter", "l"]);
    session.wait_first_hit("");
    let file = project.read("cases/practice.yaml");
    let asked = "how long do i have to send back a broken pallet jack";
    project.write("cases/practice.yaml", &file.replace(asked, "how long may a broken pallet jack stay"));
    session.key("1");
    session.wait_until("the label is made, or the program says why it is not", |screen| {
        let text = screen.contents();
        text.contains("changed outside") || text.contains("●")
    });
    session.key("q");
    assert_eq!(session.wait_exit().code, 0);
    let file = project.read("cases/practice.yaml");
    assert!(file.contains("how long may a broken pallet jack stay"), "{file}");
    assert!(!file.contains(asked), "{file}");
}
