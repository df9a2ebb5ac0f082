//! Terminals of every size, from the start and while the program runs.

use crate::{
    project::Project,
    session::{Session, Start, rows},
};

/// Columns and rows that have broken terminal programs.
const SIZES: [(u16, u16); 9] = [(1, 1), (2, 1), (4, 2), (10, 3), (14, 54), (46, 44), (80, 1), (300, 5), (500, 200)];
/// The note in a terminal that is too small for anything else.
const NOTE: &str = "too small: 40×12 needed";

/// Waits until the screen is drawn for a terminal of that size.
fn wait_drawn(session: &Session, (columns, height): (u16, u16)) {
    let small = columns < 40 || height < 12;
    session.wait_until(&format!("a screen of {columns}×{height} is drawn"), |screen| {
        let rows = rows(screen);
        if small {
            let cut = rows[0].trim_end_matches('…');
            let said = (cut.len() < rows[0].len() || cut == NOTE) && NOTE.starts_with(cut);
            said && rows[1..].iter().all(String::is_empty)
        } else {
            rows[0].contains('[') && !rows.iter().any(|row| row.contains("too small"))
        }
    });
}

/// Goes through all sizes and back, and says whether everything is as it was.
fn assert_survives(session: &mut Session) {
    session.quiet();
    let before = session.rows();
    for (columns, rows) in SIZES {
        session.resize(columns, rows);
        wait_drawn(session, (columns, rows));
        assert!(session.alive(), "{columns}×{rows}");
    }
    session.resize(80, 24);
    session.wait_until("the screen is as it was", |screen| rows(screen) == before);
}

#[test]
fn a_terminal_of_any_size_is_good_enough_to_start_in() {
    let project = Project::demo();
    for (columns, rows) in SIZES {
        let session = Start::new(project.folder()).size(columns, rows).start();
        wait_drawn(&session, (columns, rows));
        session.resize(80, 24);
        let session = session.ready();
        session.key("q");
        assert_eq!(session.wait_exit().code, 0, "{columns}×{rows}");
    }
}

#[test]
fn the_list_of_cases_survives_every_size_with_its_filter() {
    let project = Project::demo();
    let mut session = Session::open(project.folder());
    session.keys(&["down", "down", "down"]);
    assert_survives(&mut session);
    session.key("/");
    session.type_text("state:unl");
    session.wait_for("/ state:unl");
    assert_survives(&mut session);
}

#[test]
fn labeling_survives_every_size_with_what_is_typed() {
    let project = Project::demo();
    let mut session = Session::open(project.folder());
    session.keys(&["n", "l"]);
    session.wait_first_hit("");
    session.keys(&["down", "down"]);
    assert_survives(&mut session);
    session.keys(&["/", "ctrl-u"]);
    session.wait_for("nothing to search for");
    session.type_text("pallet ja");
    session.wait_first_hit("");
    assert_survives(&mut session);
}

#[test]
fn a_case_that_was_run_survives_every_size() {
    let project = Project::demo();
    let mut session = Session::open(project.folder());
    session.key("r");
    session.wait_for("k = 6");
    session.keys(&["down", "down"]);
    assert_survives(&mut session);
}

#[test]
fn what_the_cases_cover_survives_every_size() {
    let project = Project::demo();
    let mut session = Session::open(project.folder());
    session.key("c");
    session.wait_for("[Coverage]");
    session.key("R");
    session.wait_for("68 of 68 cases run");
    session.keys(&["down", "down", "v"]);
    session.wait_for("tagged together");
    assert_survives(&mut session);
}

#[test]
fn everything_that_lies_over_a_screen_survives_every_size() {
    let project = Project::demo();
    let mut session = Session::open(project.folder());
    for (key, title) in [("", "[Cases]"), ("l", "[Label]"), ("r", "[Inspect]")] {
        if !key.is_empty() {
            session.key(key);
        }
        session.wait_for(title);
        session.quiet();
        session.key("?");
        session.wait_for("keys that work here");
        session.keys(&["down", "down"]);
        session.quiet();
        assert_survives(&mut session);
        session.key("?");
        session.wait_gone("keys that work here");
        session.key("t");
        session.wait_for("┌ tags of");
        session.key("down");
        session.quiet();
        assert_survives(&mut session);
        session.key("a");
        session.wait_for("new tag:");
        session.type_text("half a t");
        session.wait_for("new tag: half a t");
        assert_survives(&mut session);
        session.key("esc");
        session.wait_gone("new tag:");
        session.key("esc");
        session.wait_gone("┌ tags of");
    }
}

#[test]
fn sizes_may_change_while_results_stream_in() {
    let project = Project::demo();
    let mut session = Session::open(project.folder());
    for (columns, rows) in SIZES {
        session.key("R");
        session.resize(columns, rows);
        wait_drawn(&session, (columns, rows));
        assert!(session.alive(), "{columns}×{rows}");
    }
    session.resize(80, 24);
    session.wait_for("scored");
}

#[test]
fn a_full_redraw_repairs_what_another_program_wrote() {
    let project = Project::demo();
    let mut session = Session::open(project.folder());
    let before = session.rows();
    session.scribble("\x1b[5;5HMessage from root\x1b[10;1Hsystem going down");
    session.wait_for("Message from root");
    session.key("ctrl-l");
    session.wait_until("the screen is whole again", |screen| rows(screen) == before);
    assert!(session.alive());
}
