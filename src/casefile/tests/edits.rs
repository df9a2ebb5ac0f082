//! Editing: what changes, what stays, what is refused.

use std::fmt::Write as _;

use super::{chunk, diff, edited, jsonl, refused, section, yaml};
use crate::casefile::edit::Edit;

const STYLES: &str = r#"# Owner: support desk

- question_id: p1            # first one
  question: Where is the serial number?

  tags:
  - hardware    # keep in sync
  - printed

  supporting:
  - {document: "guide.md", heading: [Parts, "Back plate"]}

# ---- second block ----
- question_id: p2
  question: 'How do I say "stop"?'
  tags: []      # none yet
  supporting: []
- question_id: p3
  question: x
  tags: [ one , 'two' ]   # spaced
  supporting:
    - document: A
      heading: [B]   # renamed
    # between
    - any_of:
        - chunk: c#1
        - {document: C}
  distractors: [ {chunk: d1}, {chunk: d2} ]
  notes: |
    block

    text
# trailing remark"#;

fn table(rows: &[(&str, Edit, &[&str])]) {
    for line_end in ["\n", "\r\n"] {
        for bom in ["", "\u{feff}"] {
            let text = format!("{bom}{}", STYLES.replace('\n', line_end));
            let file = yaml(&text);
            assert!(file.problems.is_empty(), "{:?}", file.problems);
            for (id, edit, lines) in rows {
                let after = edited(&file, id, edit);
                let ends = if line_end == "\r\n" { "\r" } else { "" };
                let lines: Vec<_> = lines.iter().map(|line| format!("{line}{ends}")).collect();
                assert_eq!(diff(&text, &after), lines, "{}", edit.describe());
                assert_eq!(after.matches('\n').count(), after.matches(line_end).count(), "{}", edit.describe());
            }
        }
    }
}

#[test]
fn a_tag_is_added_and_removed_in_the_style_of_its_list() {
    table(&[
        ("p1", Edit::AddTag("new".into()), &["+  - new"]),
        ("p1", Edit::AddTag("no".into()), &["+  - \"no\""]),
        ("p1", Edit::RemoveTag("hardware".into()), &["-  - hardware    # keep in sync"]),
        ("p1", Edit::RemoveTag("printed".into()), &["-  - printed"]),
        ("p2", Edit::AddTag("new".into()), &["-  tags: []      # none yet", "+  tags: [new]      # none yet"]),
        (
            "p3",
            Edit::AddTag("three".into()),
            &["-  tags: [ one , 'two' ]   # spaced", "+  tags: [ one , 'two', 'three' ]   # spaced"],
        ),
        (
            "p3",
            Edit::RemoveTag("one".into()),
            &["-  tags: [ one , 'two' ]   # spaced", "+  tags: [ 'two' ]   # spaced"],
        ),
        ("p3", Edit::RemoveTag("two".into()), &["-  tags: [ one , 'two' ]   # spaced", "+  tags: [ one ]   # spaced"]),
    ]);
}

#[test]
fn references_are_written_like_their_neighbours() {
    table(&[
        ("p1", Edit::AddSupporting(section("a, b", &["C"])), &["+  - {document: \"a, b\", heading: [C]}"]),
        ("p2", Edit::AddSupporting(chunk("c-9")), &["-  supporting: []", "+  supporting:", "+  - {chunk: c-9}"]),
        ("p3", Edit::AddSupporting(section("Z", &["X", "on"])), &["+    - document: Z", "+      heading: [X, \"on\"]"]),
        (
            "p3",
            Edit::AddAlternative { requirement: 0, target: chunk("new") },
            &[
                "-    - document: A",
                "-      heading: [B]   # renamed",
                "+    - any_of:",
                "+        - document: A",
                "+          heading: [B]   # renamed",
                "+        - chunk: new",
            ],
        ),
        ("p3", Edit::AddAlternative { requirement: 1, target: chunk("new") }, &["+        - {chunk: new}"]),
        (
            "p1",
            Edit::AddAlternative { requirement: 0, target: chunk("new") },
            &[
                "-  - {document: \"guide.md\", heading: [Parts, \"Back plate\"]}",
                "+  - {any_of: [{document: \"guide.md\", heading: [Parts, \"Back plate\"]}, {chunk: new}]}",
            ],
        ),
        (
            "p3",
            Edit::AddDistractor(chunk("d3")),
            &[
                "-  distractors: [ {chunk: d1}, {chunk: d2} ]",
                "+  distractors: [ {chunk: d1}, {chunk: d2}, {chunk: d3} ]",
            ],
        ),
        ("p1", Edit::AddDistractor(section("D", &[])), &["+  distractors:", "+  - {document: \"D\"}"]),
    ]);
}

#[test]
fn references_are_removed_with_their_own_lines() {
    table(&[
        (
            "p1",
            Edit::RemoveSupporting { requirement: 0, alternative: 0 },
            &["-  supporting:", "-  - {document: \"guide.md\", heading: [Parts, \"Back plate\"]}", "+  supporting: []"],
        ),
        (
            "p3",
            Edit::RemoveSupporting { requirement: 0, alternative: 0 },
            &["-    - document: A", "-      heading: [B]   # renamed"],
        ),
        ("p3", Edit::RemoveSupporting { requirement: 1, alternative: 0 }, &["-        - chunk: c#1"]),
        (
            "p3",
            Edit::RemoveDistractor(0),
            &["-  distractors: [ {chunk: d1}, {chunk: d2} ]", "+  distractors: [ {chunk: d2} ]"],
        ),
    ]);
}

#[test]
fn a_relink_changes_only_what_differs() {
    table(&[
        (
            "p3",
            Edit::ReplaceSupporting { requirement: 0, alternative: 0, target: section("A", &["new name"]) },
            &["-      heading: [B]   # renamed", "+      heading: [new name]   # renamed"],
        ),
        (
            "p3",
            Edit::ReplaceSupporting { requirement: 0, alternative: 0, target: section("A", &["X", "B"]) },
            &["-      heading: [B]   # renamed", "+      heading: [X, B]   # renamed"],
        ),
        (
            "p3",
            Edit::ReplaceSupporting { requirement: 1, alternative: 1, target: chunk("z") },
            &["-        - {document: C}", "+        - {chunk: z}"],
        ),
        (
            "p3",
            Edit::ReplaceDistractor { index: 1, target: chunk("d9") },
            &["-  distractors: [ {chunk: d1}, {chunk: d2} ]", "+  distractors: [ {chunk: d1}, {chunk: d9} ]"],
        ),
    ]);
}

#[test]
fn fields_are_set_where_the_order_of_fields_puts_them() {
    table(&[
        ("p1", Edit::SetAsker(Some("lead".into())), &["+  asker: lead"]),
        ("p2", Edit::SetAnswerable(false), &["+  answerable: false"]),
        (
            "p2",
            Edit::SetQuestion("What's new?".into()),
            &["-  question: 'How do I say \"stop\"?'", "+  question: 'What''s new?'"],
        ),
        (
            "p3",
            Edit::SetNotes(Some("other\nlines\n".into())),
            &["-    block", "-", "-    text", "+    other", "+    lines"],
        ),
        (
            "p1",
            Edit::SetLabelWrong(Some("it means: the old page".into())),
            &["+  label_wrong: \"it means: the old page\""],
        ),
        ("p3", Edit::SetLabelWrong(Some("moved".into())), &["+  label_wrong: moved"]),
        ("p3", Edit::SetNotes(None), &["-  notes: |", "-    block", "-", "-    text"]),
        ("p1", Edit::SetNotes(Some("two\nlines".into())), &["+  notes: \"two\\nlines\""]),
    ]);
}

#[test]
fn a_file_without_a_final_line_end_stays_without_one() {
    let file = yaml("- question_id: a\n  question: x\n  tags:\n    - t");
    assert_eq!(
        edited(&file, "a", &Edit::AddTag("u".into())),
        "- question_id: a\n  question: x\n  tags:\n    - t\n    - u"
    );
    assert_eq!(edited(&file, "a", &Edit::RemoveTag("t".into())), "- question_id: a\n  question: x\n  tags: []");
    assert_eq!(
        edited(&file, "a", &Edit::AddSupporting(section("D", &["H"]))),
        "- question_id: a\n  question: x\n  tags:\n    - t\n  supporting:\n    - document: D\n      heading: [H]"
    );
}

#[test]
fn missing_and_empty_fields_and_whole_flow_cases_take_an_edit() {
    let file =
        yaml("- question_id: a\n  question: x\n  tags:   # later\n  supporting:\n- {question_id: b, question: y}\n");
    let tag = Edit::AddTag("t".into());
    let label = Edit::AddSupporting(chunk("c"));
    assert_eq!(
        diff("  tags:   # later", edited(&file, "a", &tag).lines().nth(2).unwrap()),
        ["-  tags:   # later", "+  tags: [t]   # later"]
    );
    assert!(edited(&file, "a", &label).contains("  supporting:\n    - chunk: c\n- {question_id: b"));
    assert!(edited(&file, "b", &tag).contains("- {question_id: b, question: y, tags: [t]}\n"));
    assert!(edited(&file, "b", &label).contains("- {question_id: b, question: y, supporting: [{chunk: c}]}\n"));
}

#[test]
fn flow_lists_over_several_lines_keep_their_shape() {
    let file = yaml("- question_id: a\n  question: x\n  tags: [\n    one, # first\n    two  # second\n  ]\n");
    assert_eq!(
        edited(&file, "a", &Edit::AddTag("three".into())),
        "- question_id: a\n  question: x\n  tags: [\n    one, # first\n    two,  # second\n    three\n  ]\n"
    );
    assert_eq!(
        edited(&file, "a", &Edit::RemoveTag("two".into())),
        "- question_id: a\n  question: x\n  tags: [\n    one # first\n  ]\n"
    );
    assert_eq!(
        edited(&file, "a", &Edit::RemoveTag("one".into())),
        "- question_id: a\n  question: x\n  tags: [\n    two  # second\n  ]\n"
    );
}

#[test]
fn texts_that_a_yaml_reader_would_take_for_something_else_are_quoted() {
    let file = yaml("- question_id: a\n  question: x\n  tags:\n    - t\n");
    let words = [
        "no",
        "On",
        "~",
        "null",
        "007",
        "1e3",
        "2031-01-05",
        "12:30",
        "a: b",
        "a #b",
        "- a",
        "#a",
        "[a",
        "a:",
        "'a",
        "\"a\"",
        "tab\tx",
        "line\nbreak",
        "\u{7}bell",
        "\u{feff}bom",
        "\u{85}nel",
        "\u{2028}ls",
        "back\\slash",
        "🙂 ok",
        "*x",
        "&x",
        "!x",
        "%x",
        "@x",
        "`x",
        "=",
        "<<",
        "...",
        "---",
        ".5",
        "+1",
        "1_000",
        "0x1F",
        "0o7",
        "y",
        "a, b",
        "{a}",
        "?",
        "? a",
        "|",
        ">",
        "x\r\ny",
        "\u{1b}[31m",
        "trailing:x",
        "é",
        "日本語",
    ];
    for word in words {
        let after = edited(&file, "a", &Edit::AddTag(word.into()));
        assert_eq!(yaml(&after).cases[0].tags, ["t", word], "{after}");
        for target in [section(word, &[word, "x"]), chunk(word)] {
            edited(&file, "a", &Edit::AddSupporting(target));
        }
        edited(&file, "a", &Edit::SetNotes(Some(word.into())));
        edited(&file, "a", &Edit::SetQuestion(word.into()));
    }
    assert!(edited(&file, "a", &Edit::AddTag("https://x/y#z".into())).contains("- https://x/y#z\n"));
}

#[test]
fn values_that_aliases_share_are_refused_with_the_line() {
    let file = yaml(
        "- question_id: a\n  question: x\n  tags: &t [one]\n- question_id: b\n  question: y\n  tags: *t\n- &base\n  question_id: c\n  question: z\n  \
         supporting: []\n- <<: *base\n  question_id: d\n  question: w\n",
    );
    assert!(file.problems.is_empty(), "{:?}", file.problems);
    let tag = Edit::AddTag("new".into());
    assert!(
        refused(&file, "a", &tag).starts_with("cases.yaml:3:12: aliases elsewhere share"),
        "{}",
        refused(&file, "a", &tag)
    );
    assert!(refused(&file, "b", &tag).contains("alias of the value on line 3"));
    assert!(refused(&file, "c", &tag).contains("aliases elsewhere share"));
    assert!(refused(&file, "d", &Edit::AddSupporting(chunk("x"))).contains("merge key"));
    assert!(edited(&file, "d", &tag).ends_with("  question: w\n  tags: [new]\n"));
    assert!(edited(&file, "b", &Edit::SetAsker(Some("me".into()))).contains("question: y\n  asker: me\n  tags: *t"));
}

#[test]
fn an_edit_that_makes_no_sense_is_refused_before_the_file_is_looked_at() {
    let file = yaml(
        "- question_id: a\n  question: x\n  tags: [t]\n  supporting: [{chunk: c}]\n- question_id: b\n  question: y\n  answerable: false\n",
    );
    assert!(refused(&file, "a", &Edit::AddTag("t".into())).contains("already is that way"));
    assert!(refused(&file, "a", &Edit::RemoveTag("u".into())).contains("no tag `u`"));
    assert!(refused(&file, "a", &Edit::SetAnswerable(false)).contains("has supporting references"));
    assert!(refused(&file, "b", &Edit::AddSupporting(chunk("c"))).contains("marked unanswerable"));
    assert!(refused(&file, "a", &Edit::SetQuestion(" ".into())).contains("cannot be empty"));
    assert!(
        refused(&file, "a", &Edit::RemoveSupporting { requirement: 1, alternative: 0 }).contains("no requirement 2")
    );
}

#[test]
fn a_jsonl_edit_changes_its_own_bytes_and_the_first_one_writes_the_id() {
    let text = "\u{feff}{\"q\":\"one\",\"chunks\":[\"c1\"],\"tags\":[], \"new\": 1.50}\r\n\r\n{\"id\": \"x\", \"q\": \"t\\u0077o\", \"chunks\": []}";
    let file = jsonl(text);
    let id = file.cases[0].id.clone();
    assert_eq!(
        edited(&file, &id, &Edit::AddTag("new".into())),
        text.replace("{\"q\":\"one\"", &format!("{{\"question_id\":\"{id}\",\"q\":\"one\""))
            .replace("\"tags\":[]", "\"tags\":[\"new\"]")
    );
    assert_eq!(
        edited(&file, "x", &Edit::AddSupporting(chunk("c\"9"))),
        text.replace("\"chunks\": []", "\"chunks\": [\"c\\\"9\"]")
    );
    assert_eq!(
        edited(&file, "x", &Edit::AddTag("t".into())),
        text.replace("o\", \"chunks\": []", "o\", \"tags\": [\"t\"], \"chunks\": []")
    );
    let file = jsonl("{\"id\":\"a\",\"q\":\"x\",\"chunks\":[\"1\",[\"2\",\"3\"]]}\n");
    let rows = [
        (Edit::AddAlternative { requirement: 0, target: chunk("new") }, "[[\"1\",\"new\"],[\"2\",\"3\"]]"),
        (Edit::AddAlternative { requirement: 1, target: chunk("new") }, "[\"1\",[\"2\",\"3\",\"new\"]]"),
        (Edit::RemoveSupporting { requirement: 1, alternative: 0 }, "[\"1\",[\"3\"]]"),
        (Edit::RemoveSupporting { requirement: 0, alternative: 0 }, "[[\"2\",\"3\"]]"),
        (Edit::ReplaceSupporting { requirement: 1, alternative: 1, target: chunk("new") }, "[\"1\",[\"2\",\"new\"]]"),
    ];
    for (edit, chunks) in rows {
        assert_eq!(edited(&file, "a", &edit), format!("{{\"id\":\"a\",\"q\":\"x\",\"chunks\":{chunks}}}\n"));
    }
    assert!(refused(&file, "a", &Edit::AddSupporting(section("D", &["H"]))).contains("chunk ids only"));
}

#[test]
fn saving_a_jsonl_line_leaves_bad_bytes_elsewhere_as_they_are() {
    let bytes = b"{\"id\":\"a\",\"q\":\"one\"}\n{\"q\":\"caf\xe9\"}\n{\"q\":\"n\0l\"}\n".to_vec();
    let file = crate::casefile::file::read(std::path::Path::new("cases.jsonl"), bytes.clone());
    let changed = crate::casefile::change::change(&file, 0, &Edit::AddTag("t".into())).unwrap();
    assert_eq!(changed.file.bytes[..33], *b"{\"id\":\"a\",\"q\":\"one\",\"tags\":[\"t\"]}");
    assert_eq!(changed.file.bytes[33..], bytes[20..]);
}

#[test]
fn an_old_line_break_elsewhere_in_the_file_does_not_stop_an_edit() {
    let file = yaml("- question_id: a\n  question: \"x\u{2028}y\"\n  tags: [t]\n  notes: p\u{85}q\n");
    let after = edited(&file, "a", &Edit::AddTag("new".into()));
    assert_eq!(yaml(&after).cases[0].question, "x\u{2028}y");
}

#[test]
fn dashes_on_lines_of_their_own_and_wide_indents_are_followed() {
    let file = yaml(
        "-\n    question_id: a\n    question: x\n    tags:\n      -   one\n      -\n        two\n-   question_id: b\n    question: y\n",
    );
    let tag = Edit::AddTag("new".into());
    assert!(edited(&file, "a", &tag).contains("        two\n      - new\n-   question_id: b"));
    assert!(edited(&file, "a", &Edit::RemoveTag("two".into())).contains("      -   one\n-   question_id: b"));
    assert!(edited(&file, "b", &tag).ends_with("    question: y\n    tags: [new]\n"));
}

/// Fifty cases with comments, anchors, block scalars and Windows line ends.
fn fifty() -> String {
    let mut text = "# The set of the support desk\n\n".to_owned();
    for n in 0..50 {
        let tags = match n {
            7 => "&shared [exact_token, 'paraphrase']   # anchored",
            8 => "*shared",
            _ => "[exact_token]",
        };
        write!(
            text,

            "# ---- {n} ----\n- question_id: c-{n:03}   # stable\n  question: |\n    What is number {n}?\n\n    It said: \"no\".\n  tags: \
             {tags}\n  owner: {{ team: desk }}\n  supporting:\n    - document: \"Page {n}\"   # gold\n      heading: [\"A\", \"B\"]\n      # why\n  \
             notes: >-\n    folded\n    text\n\n"
        )
        .unwrap();
    }
    text.replace('\n', "\r\n")
}

#[test]
fn in_fifty_cases_a_label_changes_only_its_lines_and_undone_leaves_every_byte() {
    let text = fifty();
    let file = yaml(&text);
    assert_eq!((file.cases.len(), file.problems.len()), (50, 0));
    for case in &file.cases {
        let after = edited(&file, &case.id, &Edit::AddSupporting(section("New \"page\"", &["A"])));
        assert_eq!(diff(&text, &after), ["+    - document: \"New \\\"page\\\"\"\r", "+      heading: [\"A\"]\r"]);
    }
}
