//! Colours: the terminal's own sixteen, or none at all.

use crate::{
    project::Project,
    session::{Session, Start, row_with},
};

/// The numbers of every command that sets how text looks, one list per command.
fn looks(bytes: &[u8]) -> Vec<Vec<u16>> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let commands = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';' && c != ':')?;
        (rest[end..].starts_with('m')).then(|| rest[..end].split([';', ':']).filter_map(|n| n.parse().ok()).collect())
    });
    commands.collect()
}

/// Goes through every screen.
fn tour(session: &Session) {
    session.key("R");
    session.wait_for("scored");
    session.keys(&["down", "r"]);
    session.wait_for("k = 6");
    session.key("l");
    session.wait_for("[Label]");
    session.wait_first_hit("");
    session.key("?");
    session.wait_for("keys that work here");
    session.key("?");
    session.wait_gone("keys that work here");
    // The help speaks of tags too, further down.
    session.wait_gone("the tags of");
    session.key("t");
    session.wait_for("┌ tags of");
    session.key("esc");
    session.wait_gone("┌ tags of");
    session.key("esc");
    session.wait_for("[Cases]");
}

#[test]
fn without_colours_no_byte_sets_one_and_the_selection_is_visible() {
    let project = Project::demo();
    let session = Start::new(project.folder()).env("NO_COLOR", "1").start().ready();
    tour(&session);
    session.with_screen(|screen| {
        let (row, _) = row_with(screen, "▸").expect("the selected row has a mark");
        assert!(screen.cell(row, 12).unwrap().inverse(), "the selected row is reversed");
        assert!(!screen.cell(row + 1, 12).unwrap().inverse(), "the next one is not");
    });
    for look in looks(&session.bytes()) {
        let coloured = look.iter().any(|n| matches!(n, 30..=38 | 40..=48 | 90..=97 | 100..=107));
        assert!(!coloured, "{look:?}");
    }
}

#[test]
fn an_empty_no_color_is_not_set() {
    let project = Project::demo();
    let session = Start::new(project.folder()).env("NO_COLOR", "").start().ready();
    tour(&session);
    assert!(looks(&session.bytes()).iter().any(|look| look.first() == Some(&38)));
}

#[test]
fn colours_are_the_terminals_own_sixteen() {
    let project = Project::demo();
    for terminal in ["xterm-256color", "xterm"] {
        let session = Start::new(project.folder()).env("TERM", terminal).start().ready();
        tour(&session);
        let looks = looks(&session.bytes());
        let coloured: Vec<_> = looks.iter().filter(|look| matches!(look.first(), Some(38 | 48))).collect();
        assert!(!coloured.is_empty());
        for look in coloured {
            assert!(look[1] == 5 && look[2] < 16, "{look:?} in {terminal}");
        }
    }
}
