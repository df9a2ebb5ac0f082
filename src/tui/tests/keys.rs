//! The key table as it works: where each key holds, and what a held, a released or a pasted key does.

use crossterm::event::KeyEventKind;

use super::{HITS, open};
use crate::tui::{
    command::Command,
    data::Tone,
    effect::{Effect, Slot},
    keymap::{self, chord::Chord, doc, table::TABLE},
    msg::Msg,
    testing::TestApp,
};

/// Keys that lead to every context, from the start.
const WAYS: [&str; 13] = ["", "/", "/ x", "l", "l /", "enter", "t", "t a", "?", "l t", "enter ?", "l 1 e", "c"];

fn at(way: &str) -> TestApp {
    match way.strip_prefix("l ") {
        Some(rest) => open().labels("open").keys(rest),
        None => open().keys(way),
    }
}

fn held(app: TestApp, key: &str, times: usize) -> TestApp {
    (0..times).fold(app.keys(key), |app, _| app.key(key, KeyEventKind::Repeat))
}

#[test]
fn every_key_of_the_table_resolves_in_its_context() {
    for binding in TABLE {
        for key in binding.keys {
            let event = Chord::parse(key).unwrap().event();
            let command = keymap::resolve(&[binding.context], event);
            let nth = binding.keys.len() == 9;
            assert!(command.is_some_and(|command| command == binding.command || nth), "{key} in {:?}", binding.context);
        }
    }
}

#[test]
fn a_row_of_digits_gives_each_digit_its_own_number() {
    let app = open().labels("open").keys("3");
    assert!(app.under_cursor().contains("Photos"), "{}", app.under_cursor());
}

#[test]
fn a_key_of_the_footer_and_the_help_page_does_what_they_say() {
    for screen in crate::tui::screen::ScreenId::ALL {
        let screens = crate::tui::screen::Screens::default();
        let contexts = screens.get(screen).contexts();
        for (keys, sentence) in doc::help(contexts) {
            for key in keys.replace("1-9", "1 2 3 4 5 6 7 8 9").split(' ') {
                let command = keymap::resolve(contexts, Chord::parse(key).unwrap().event()).unwrap();
                let same = |shown: Command| shown == command || keys == "1-9";
                assert!(TABLE.iter().any(|row| row.help == sentence && same(row.command)), "{key}: {sentence}");
            }
        }
        for (key, _) in doc::footer(contexts, &|_| true) {
            let key = if key == "1-9" { "1" } else { key.as_str() };
            assert!(keymap::resolve(contexts, Chord::parse(key).unwrap().event()).is_some(), "{key}");
        }
    }
}

#[test]
fn ctrl_c_quits_from_everywhere() {
    for way in WAYS {
        assert_eq!(at(way).keys("ctrl-c").effects.last(), Some(&Effect::Quit), "after `{way}`");
    }
    let tiny = open().resize(20, 5).keys("ctrl-c");
    assert_eq!(tiny.effects.last(), Some(&Effect::Quit));
}

#[test]
fn q_quits_from_a_list_and_is_a_letter_while_typing() {
    for way in ["", "l", "enter", "c"] {
        assert_eq!(at(way).keys("q").effects.last(), Some(&Effect::Quit), "after `{way}`");
    }
    for way in ["/", "l /", "t a"] {
        let before = at(way).text().matches('q').count();
        let app = at(way).keys("q");
        assert!(!app.effects.contains(&Effect::Quit), "after `{way}`");
        assert_ne!(app.text().matches('q').count(), before, "after `{way}`");
    }
    for way in ["t", "?"] {
        assert!(!at(way).keys("q").effects.contains(&Effect::Quit), "it closes what `{way}` opened");
    }
}

#[test]
fn a_held_key_moves_and_does_not_toggle() {
    let app = held(open().labels("open"), "j", 2);
    assert!(app.under_cursor().contains("Contacts"), "three rows: {}", app.under_cursor());
    for key in ["enter", "d", "2", "0"] {
        let app = held(open().labels("open"), key, 3);
        assert_eq!(app.edits().len(), 1, "{key} held");
    }
    let app = held(open().labels("open").keys("t"), "1", 3);
    assert_eq!(app.edits().len(), 1, "a tag");
}

#[test]
fn a_held_letter_is_typed_again_and_again() {
    let app = held(open().keys("/"), "e", 4);
    assert!(app.text().contains("/ eeeee"));
    let app = held(app, "backspace", 2);
    assert!(app.text().contains("/ ee") && !app.text().contains("/ eee"));
}

#[test]
fn a_released_key_does_nothing() {
    for key in ["1", "down", "u", "q", "n", "R", "ctrl-c"] {
        let app = open().labels("open");
        let (screen, effects) = (app.screen(), app.effects.len());
        let app = app.key(key, KeyEventKind::Release);
        assert_eq!((app.screen(), app.effects.len()), (screen, effects), "{key}");
    }
}

#[test]
fn what_is_pasted_goes_into_a_text_field_as_one_line() {
    let paste = |app: TestApp| app.send(Msg::Paste("gate 3\r\nq\u{1b}1".to_owned()));
    let app = paste(open().keys("/"));
    assert!(app.text().contains("/ gate 3 q1"));
    assert!(!app.effects.contains(&Effect::Quit));
    let app = paste(open().labels("open").keys("/ ctrl-u"));
    assert!(app.text().contains("/ gate 3 q1"));
    assert_eq!(app.edits(), []);
    let app = paste(open().keys("t a")).keys("enter");
    assert!(app.text().contains("new tag: gate 3 q1"), "it stays to be mended, for a tag has no blanks");
}

#[test]
fn what_is_pasted_outside_a_text_field_does_nothing() {
    for way in ["", "l", "enter", "t", "?", "l 1 e"] {
        let app = at(way);
        let (effects, current) = (app.effects.clone(), app.app.data.current.clone());
        let app = app.send(Msg::Paste("1dR0uq\n/abc".to_owned()));
        assert_eq!((&app.effects, &app.app.data.current), (&effects, &current), "after `{way}`");
    }
    let app = open().send(Msg::Paste("q".to_owned()));
    assert_eq!(app.app.data.message.as_ref().unwrap().0, Tone::Warning, "and says so");
}

#[test]
fn growing_back_from_a_tiny_terminal_keeps_cursor_and_text() {
    let app = open().labels("open").keys("down down");
    let (cursor, typed) = (app.under_cursor(), app.text());
    let app = app.resize(10, 3);
    assert!(app.text().contains("too small"), "{}", app.text());
    let app = app.resize(100, 30);
    assert_eq!((app.under_cursor(), app.text()), (cursor, typed));
}

#[test]
fn the_screens_turn_around_and_come_back() {
    let app = open().keys("tab").finds(HITS);
    assert!(app.text().contains("[Label]"));
    assert!(app.keys("tab").text().contains("[Inspect]"));
    assert!(open().keys("shift-tab").text().contains("[Coverage]"));
    assert!(open().keys("tab tab tab tab").text().contains("[Cases]"));
    assert!(open().keys("l").last(Slot::Search).is_some(), "the question is searched at once");
}

#[test]
fn a_digit_of_the_tag_list_toggles_the_tag_beside_it_in_any_terminal() {
    for height in [12, 16, 24, 40] {
        let app = open().resize(80, height).keys("t end");
        let text = app.text();
        let line = text.lines().find(|line| line.contains(" 1 [")).unwrap_or_else(|| panic!("no digits:\n{text}"));
        let tag = line.split(']').nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        let had = app.app.data.current().unwrap().tags.contains(&tag);
        let app = app.keys("1");
        assert_ne!(app.app.data.current().unwrap().tags.contains(&tag), had, "{tag} at {height} rows");
    }
}
