//! The main job, by the keys that README shows: label a case, run it, see why.

use crate::{
    project::{Project, changed_lines},
    session::{Left, Session, Start, row_with, rows, wait_until},
};

/// The keys of the job. README shows this very file.
const KEYS: &str = include_str!("label_one_case.keys");
const FILE: &str = "cases/practice.yaml";

/// The steps: keys, and what the screen then holds.
fn steps() -> Vec<(&'static str, &'static str)> {
    let lines = KEYS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once('→').map(|(keys, shown)| (keys.trim(), shown.trim())).unwrap()).collect()
}

/// Presses the keys of a step: names, and text in quotes.
fn press(session: &Session, keys: &str) {
    for (nth, part) in keys.split('"').enumerate() {
        if nth % 2 == 1 {
            session.type_text(part);
        } else {
            session.keys(&part.split_whitespace().collect::<Vec<_>>());
        }
    }
}

/// Does the whole job but for the last step, which quits.
fn label(project: &Project) -> Session {
    let session = Session::open(project.folder());
    let steps = steps();
    for (keys, shown) in &steps[..steps.len() - 1] {
        press(&session, keys);
        session.wait_for(shown);
    }
    session
}

fn quit(session: Session) -> Left {
    press(&session, steps().last().unwrap().0);
    session.wait_exit()
}

#[test]
fn a_case_is_labeled_tagged_and_run_and_the_screen_says_why_it_is_missed_or_found() {
    let project = Project::demo();
    let session = label(&project);
    session.with_screen(|screen| {
        let (cut, _) = row_with(screen, "k = 6").unwrap();
        let ranked: Vec<Option<usize>> = rows(screen)
            .iter()
            .map(|row| {
                row.trim_start_matches(['▸', ' ']).split_whitespace().next().and_then(|first| first.parse().ok())
            })
            .collect();
        let before: Vec<_> = ranked[..usize::from(cut)].iter().flatten().copied().collect();
        let after: Vec<_> = ranked[usize::from(cut)..].iter().flatten().copied().collect();
        assert_eq!(before, [1, 2, 3, 4, 5, 6], "the window stands above the cut line\n{}", screen.contents());
        assert_eq!(after.first(), Some(&7), "what lies below the window stands below the cut line");
        let kinds = ["found:", "below_window:", "outranked:", "never_candidate:"];
        let text = rows(screen).join(" ");
        let kind = kinds.iter().find_map(|kind| text.find(kind)).expect("the screen says the diagnosis");
        assert!(text[kind..].contains("Returns Policy › Time limits › Machines"), "the sentence names the passage");
    });
    quit(session).assert_clean();
}

#[test]
fn the_case_file_changes_only_in_the_lines_of_the_label_and_the_tag() {
    let project = Project::demo();
    let before = project.read(FILE);
    let left = quit(label(&project));
    assert_eq!(left.code, 0);
    let after = project.read(FILE);
    let case = before.find("question_id: pol-012").unwrap();
    let (old, new) = changed_lines(&before, &after);
    // Between the tag and the label stand two lines that are the same on both sides.
    assert_eq!(old.first().map(String::as_str), Some("  tags: []"));
    assert_eq!(old.last().map(String::as_str), Some("  supporting: []"));
    let same = &old[1..old.len() - 1];
    let mut expected = vec!["  tags: [paraphrase]".to_owned()];
    expected.extend_from_slice(same);
    expected.extend(
        ["  supporting:", "    - document: Returns Policy", "      heading: [Time limits, Machines]"]
            .map(str::to_owned),
    );
    assert_eq!(new, expected);
    assert_eq!(before[..case], after[..case]);
    for file in ["policies.yaml", "contracts.yaml", "products.yaml", "identifiers.jsonl", "caselight.toml"] {
        let shipped = std::fs::read(format!("{}/cases/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert_eq!(std::fs::read(project.path("cases").join(file)).unwrap(), shipped, "{file}");
    }
}

#[test]
fn undoing_the_label_and_the_tag_restores_the_very_bytes() {
    let project = Project::demo();
    let before = project.read(FILE);
    let session = label(&project);
    let labeled = project.read(FILE);
    assert_ne!(before, labeled);
    session.keys(&["u", "u"]);
    wait_until("the file is as it was", || project.read(FILE) == before);
    session.keys(&["U", "U"]);
    wait_until("the edits are made again", || project.read(FILE) == labeled);
    assert_eq!(quit(session).code, 0);
}

#[test]
fn a_run_asked_for_while_the_corpus_is_being_opened_is_made_or_said_not_to_be() {
    let project = Project::demo();
    let session = Start::new(project.folder()).start();
    session.wait_for("[Cases]");
    session.key("R");
    session.wait_until("what became of the run is said", |screen| {
        let text = screen.contents();
        text.contains("scored") || text.contains("not run: the corpus was not open yet")
    });
}
