//! Search as one types: plain text, at every letter, however it comes in.

use crate::{
    project::Project,
    session::{Session, Start, hits, rows},
};

const UNLABELED: &str = "{\"q\": \"where is it\", \"chunks\": []}\n";

fn chunks(texts: &[&str]) -> Vec<String> {
    let line = |(nth, text): (usize, &&str)| format!("{{\"id\": \"c{}\", \"text\": \"{text}\"}}", nth + 1);
    texts.iter().enumerate().map(line).collect()
}

/// The Label screen of the first case, with an empty search line that has the focus.
fn searching(project: &Project) -> Session {
    let session = Session::open(project.folder());
    session.key("l");
    session.wait_for("[Label]");
    session.keys(&["/", "ctrl-u"]);
    session.wait_for("nothing to search for");
    session
}

/// Waits until the search line holds just that.
fn wait_typed(session: &Session, text: &str) {
    session.wait_until(&format!("{text:?} is typed"), |screen| {
        rows(screen).iter().any(|row| row.strip_prefix(" /").is_some_and(|typed| typed.trim() == text.trim()))
    });
}

#[test]
fn hits_never_vanish_while_a_word_is_typed_or_erased() {
    let project = Project::of_chunks(
        &chunks(&[
            "Guide to installation of the label printer driver.",
            "Accessibility settings for the kiosk screen.",
            "Nothing relevant here.",
        ]),
        "cases.jsonl",
        UNLABELED,
    );
    let session = searching(&project);
    session.never("no chunk has");
    session.never("error");
    for (word, id) in [("installation", "c1"), ("accessibility", "c2")] {
        let lengths = (1..=word.len()).map(|length| ("", length));
        let back = (1..word.len()).rev().map(|length| ("backspace", length));
        for (key, length) in lengths.chain(back) {
            if key.is_empty() {
                session.type_text(&word[length - 1..length]);
            } else {
                session.key(key);
            }
            wait_typed(&session, &word[..length]);
            session.wait_first_hit(id);
            session.quiet();
            session.with_screen(|screen| assert_eq!(hits(screen)[0], id, "{}", &word[..length]));
        }
        session.key("ctrl-u");
        session.wait_for("nothing to search for");
    }
    session.assert_never();
}

#[test]
fn what_is_typed_while_the_corpus_is_being_opened_is_kept_and_searched() {
    let project = Project::demo();
    let session = Start::new(project.folder()).start();
    session.wait_for("[Cases]");
    session.keys(&["l", "/", "ctrl-u"]);
    session.type_text("returns time limits machines");
    session.wait_first_hit("Returns");
    session.quiet();
    wait_typed(&session, "returns time limits machines");
    assert!(!session.screen().contains("error"), "{}", session.screen());
}

#[test]
fn typed_text_is_never_a_query_language() {
    let project = Project::of_chunks(
        &chunks(&[
            "Reset link: https://intranet.example/reset?id=7 works for one hour.",
            "The C++ (2nd edition) sample shows price:free and starts with dash.",
            "Calibration write failed {0} at [line] 12; replace the battery.",
        ]),
        "cases.jsonl",
        UNLABELED,
    );
    let session = searching(&project);
    session.never("error");
    for (line, first) in [
        ("https://intranet.example/reset?id=7", Some("c1")),
        ("\"unterminated phrase", None),
        ("-starts with dash", Some("c2")),
        ("price:free", Some("c2")),
        ("c++ (2nd edition", Some("c2")),
        ("write failed {0} at [line]", Some("c3")),
        (">>>", None),
        ("battery AND", Some("c3")),
        ("*", None),
        ("field:", None),
        ("\\", None),
        ("~ ^ ! ?", None),
    ] {
        for end in 1..=line.len() {
            session.type_text(&line[end - 1..end]);
            wait_typed(&session, &line[..end]);
        }
        if !line.chars().any(char::is_alphanumeric) {
            session.wait_for("nothing to search for");
            session.with_screen(|screen| assert!(hits(screen).is_empty(), "{line}"));
        } else if let Some(first) = first {
            session.wait_first_hit(first);
        } else {
            session.quiet();
        }
        session.key("ctrl-u");
        session.wait_for("nothing to search for");
    }
    session.assert_never();
    session.key("enter");
    session.wait_for("1-9 supporting");
}

#[test]
fn a_paste_into_the_search_line_is_one_line_and_submits_nothing() {
    let project = Project::of_chunks(&chunks(&["How to reset the scanner."]), "cases.jsonl", UNLABELED);
    let session = searching(&project);
    session.paste("How do I reset?\rq\rd\r:wq\rsecond line with tab\there\r");
    wait_typed(&session, "How do I reset? q d :wq second line with tab here");
    session.key("ctrl-u");
    session.wait_for("nothing to search for");
    session.paste("abc\u{1b}[31mred\u{7}\0def");
    wait_typed(&session, "abc[31mreddef");
    session.type_text("z");
    wait_typed(&session, "abc[31mreddefz");
    assert_eq!(project.read("cases/cases.jsonl"), UNLABELED);
}

#[test]
fn a_paste_outside_a_text_field_does_nothing() {
    let project = Project::demo();
    let before = project.read("cases/practice.yaml");
    let mut session = Session::open(project.folder());
    for (key, screen) in [("", "[Cases]"), ("l", "[Label]"), ("r", "[Inspect]")] {
        if !key.is_empty() {
            session.key(key);
        }
        session.wait_for(screen);
        session.paste("q\r1\rd\r0\r:wq\r");
        session.wait_for("nothing pasted");
        session.wait_for(screen);
    }
    session.key("?");
    session.wait_for("keys that work here");
    session.paste("q1d0\r");
    session.key("down");
    session.quiet();
    session.wait_for("keys that work here");
    assert!(session.alive());
    session.key("q");
    session.wait_gone("keys that work here");
    session.key("q");
    assert_eq!(session.wait_exit().code, 0);
    assert_eq!(project.read("cases/practice.yaml"), before);
}

#[test]
fn a_paste_into_the_filter_or_a_new_tag_is_one_line() {
    let project = Project::demo();
    let session = Session::open(project.folder());
    session.key("/");
    session.paste("pol\r-\r012");
    session.wait_for("/ pol - 012");
    session.keys(&["ctrl-u", "enter"]);
    session.wait_gone("/ pol");
    session.key("t");
    session.wait_for("┌ tags of");
    session.key("a");
    session.wait_for("new tag:");
    session.paste("two\rwords");
    session.wait_for("new tag: two words");
    session.key("esc");
    session.wait_gone("new tag:");
    assert!(!project.read("cases/contracts.yaml").contains("two"));
}

#[test]
fn a_paste_of_a_million_letters_leaves_the_screen_alive() {
    let project = Project::of_chunks(&chunks(&["How to reset the scanner."]), "cases.jsonl", UNLABELED);
    let session = searching(&project);
    session.paste(&"scanner reset line\r".repeat(55_000));
    session.wait_until("the paste is shown", |screen| {
        rows(screen).iter().any(|row| row.starts_with(" /") && row.contains("reset line scanner"))
    });
    session.key("ctrl-u");
    session.wait_for("nothing to search for");
    session.type_text("scanner");
    session.wait_first_hit("c1");
}
