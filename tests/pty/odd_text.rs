//! Text that is not plain: wide, joined, cut inside a character, or meant to command the terminal.

use std::fmt::Write as _;

use crate::{
    project::Project,
    session::{Session, Start, columns_of, row_with, rows},
};

const UNLABELED: &str = "{\"q\": \"next right\", \"chunks\": []}\n";

/// Panics unless the line between hits and document is straight.
#[track_caller]
fn assert_straight(session: &Session) {
    session.with_screen(|screen| {
        let columns = columns_of(screen, "│");
        assert!(columns.len() > 4, "the line is there\n{}", screen.contents());
        assert!(columns.iter().all(|row| *row == columns[0]), "{columns:?}\n{}", screen.contents());
    });
}

#[test]
fn no_escape_of_a_chunk_reaches_the_terminal() {
    let lines = [
        r#"{"id": "c1", "text": "ok\tpkg/one\t1.2s\r\nnext \u001b[31mred\u001b[0m \u001b]0;new title\u0007 \u001b[2J bell\u0007 nul\u0000 del\u007f c1\u009b31m"}"#,
        r#"{"id": "c2", "text": "right-to-left \u202e gnp.exe \u2066 end \u2069 zero\u200bwidth"}"#,
    ];
    let project = Project::of_chunks(&lines.map(str::to_owned), "cases.jsonl", UNLABELED);
    let session = Session::open(project.folder());
    session.key("l");
    session.wait_for("gnp.exe");
    assert_straight(&session);
    session.key("down");
    session.wait_for("pkg/one 1.2s");
    assert_straight(&session);
    session.keys(&["1", "r"]);
    session.wait_for("k = 6");
    session.key("down");
    session.wait_for("1.2s");
    session.quiet();
    session.heard(|heard| {
        assert!(heard.commands.is_empty(), "{:?}", heard.commands);
        assert_eq!(heard.bells, 0);
    });
    let bytes = session.bytes();
    let text = String::from_utf8(bytes).expect("the program writes UTF-8 only");
    for payload in
        ["\x1b[31mred", "\x1b]0;", "\x1b[2J bell", "\u{9b}", "\u{202e}", "\u{2066}", "\u{200b}", "\0", "\u{7f}"]
    {
        assert!(!text.contains(payload), "{payload:?} reached the terminal");
    }
}

#[test]
fn no_escape_of_a_case_reaches_the_terminal() {
    let cases = "- question_id: \"a\\e]0;t\\a1\"\n  question: \"x\\e[31mred \\e[2J \\u202e y\"\n  tags: [\"t\\e[5m\", \"a\\u200bb\"]\n  supporting: []\n";
    let project = Project::of_chunks(&["{\"id\": \"c1\", \"text\": \"red\"}".to_owned()], "cases.yaml", cases);
    let session = Session::open(project.folder());
    session.wait_for("red");
    session.key("t");
    session.wait_for("┌ tags of");
    session.key("esc");
    session.wait_gone("┌ tags of");
    session.key("l");
    session.wait_for("[Label]");
    session.key("r");
    session.wait_for("[Inspect]");
    session.quiet();
    session.heard(|heard| assert!(heard.commands.is_empty() && heard.bells == 0, "{heard:?}"));
    let text = String::from_utf8(session.bytes()).unwrap();
    for payload in ["\x1b]0;", "\x1b[31mred", "\x1b[2J \u{202e}", "\x1b[5m", "\u{202e}", "\u{200b}"] {
        assert!(!text.contains(payload), "{payload:?} reached the terminal");
    }
}

/// Blanks, letters and marks of one, two and four bytes, the first of which stands one byte further in every text.
fn shifted() -> impl Iterator<Item = (usize, String)> {
    (20..=120).map(|letters| (letters, format!("{}{}", "x".repeat(letters), "─é界🔧".repeat(13))))
}

#[test]
fn text_is_cut_between_characters_wherever_they_stand() {
    let lines: Vec<_> = shifted().map(|(n, text)| format!("{{\"id\": \"c{n}\", \"text\": \"{text}\"}}")).collect();
    let mut cases = String::new();
    for (n, text) in shifted() {
        writeln!(cases, "{{\"id\": \"q{n}\", \"q\": \"{text}\", \"chunks\": [], \"tags\": [\"{}\"]}}", &text[n - 20..])
            .unwrap();
    }
    let project = Project::of_chunks(&lines, "cases.jsonl", &cases);
    let mut session = Start::new(project.folder()).size(81, 40).start().ready();
    for _ in 0..3 {
        session.with_screen(|screen| {
            // Above and below the list the word stands further to the left.
            let states = (0..screen.size().0.get()).filter_map(|row| column_of(screen, row, "unlabeled"));
            let states: Vec<_> = states.filter(|column| *column > 30).collect();
            assert!(states.len() > 20, "{}", screen.contents());
            assert!(states.iter().all(|column| *column == states[0]), "{states:?}\n{}", screen.contents());
        });
        session.key("pgdn");
        session.quiet();
    }
    session.key("l");
    session.wait_for("[Label]");
    session.keys(&["/", "ctrl-u"]);
    session.wait_for("nothing to search for");
    session.type_text("xx");
    session.wait_first_hit("");
    session.key("enter");
    for width in [81, 80, 79, 60] {
        session.resize(width, 40);
        for _ in 0..12 {
            session.keys(&["down", "down", "down", "down"]);
            session.quiet();
            assert_straight(&session);
        }
        session.key("home");
    }
    assert!(session.alive());
    String::from_utf8(session.bytes()).expect("no character is cut in half");
}

/// The column at which `text` begins in a row.
fn column_of(screen: &vt100::Screen, row: u16, text: &str) -> Option<u16> {
    let columns = screen.size().1.get();
    let first = text.chars().next()?.to_string();
    let starts = |column: &u16| {
        screen.cell(row, *column).is_some_and(|cell| cell.contents() == first)
            && screen.contents_between(row, *column, row, (column + u16::try_from(text.len()).unwrap()).min(columns))
                == text
    };
    (0..columns).find(starts)
}

#[test]
fn wide_joined_and_combining_characters_keep_the_columns_straight() {
    let cases = "- question_id: w1
  question: \"返金 👩\u{200d}🔬 ❤\u{fe0f} ① e\u{301} (e + U+0301) שלום 🇯🇵 end\"
  tags: [\"日本語\", \"👍🏽\", \"a\u{200b}b\"]
  supporting: []
- question_id: w2
  question: plain ascii right below, must stay aligned
  tags: [plain]
  supporting: []
";
    let chunk = "{\"id\": \"c1\", \"document\": \"ガイド.md\", \"heading\": [\"第１章\", \"⚠\u{fe0f} 注意\"], \"text\": \"plain 返金 end\"}";
    let project = Project::of_chunks(&[chunk.to_owned()], "cases.yaml", cases);
    let session = Session::open(project.folder());
    let before = session.rows();
    for _ in 0..20 {
        session.keys(&["down", "up"]);
    }
    session.keys(&["down"]);
    session.wait_for("▸ w2");
    session.keys(&["up"]);
    session.wait_until("nothing of the old cells remains", |screen| rows(screen) == before);
    session.with_screen(|screen| {
        let (first, _) = row_with(screen, "w1").unwrap();
        let columns: Vec<_> = [first, first + 1].map(|row| column_of(screen, row, "unlabeled")).to_vec();
        assert!(columns[0].is_some() && columns[0] == columns[1], "{columns:?}\n{}", screen.contents());
    });
    session.key("l");
    session.wait_for("ガイド.md");
    assert_straight(&session);
    session.key("ctrl-l");
    session.quiet();
    assert_straight(&session);
    session.with_screen(|screen| {
        assert!(
            rows(screen).iter().any(|row| row.contains("a¿b")),
            "a blank without width is visible\n{}",
            screen.contents()
        );
    });
}
