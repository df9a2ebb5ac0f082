//! Reading: values are texts, every problem has a place, the good ones load.

use std::fmt::Write as _;

use super::{jsonl, yaml};
use crate::casefile::file::CaseFile;
use crate::domain::case::{Source, Target};

fn problems(file: &CaseFile) -> Vec<String> {
    file.problems.iter().map(ToString::to_string).collect()
}

fn ids(file: &CaseFile) -> Vec<&str> {
    file.cases.iter().map(|case| &*case.id).collect()
}

const FULL: &str = r#"# policies
- question_id: pol-004
  question: "What is the escalation path?"
  asker: warehouse_lead            # a name
  tags: [paraphrase, multi_chunk]
  source: support_ticket
  added: 2026-11-30
  context: ["earlier"]
  supporting:
    - document: "Damaged Goods Policy"
      heading: ["Escalation"]
    - any_of:
        - {document: "Carrier Handbook", heading: ["Claims", "Contacts"]}
        - {chunk: carrier-handbook#claims-2}
    - {document: One, heading: Single}
  distractors:
    - document: "Returns Policy"
      heading: ["Escalation"]
      quote: "superseded since March"
  label_wrong: the page says otherwise
  notes: free text
  colour: red
"#;

#[test]
fn every_field_is_read_with_its_place() {
    let file = yaml(FULL);
    assert_eq!(problems(&file), Vec::<String>::new());
    let case = &file.cases[0];
    assert_eq!((case.id.as_str(), case.asker.as_deref()), ("pol-004", Some("warehouse_lead")));
    assert_eq!(case.tags, ["paraphrase", "multi_chunk"]);
    assert_eq!((case.source, case.added.as_deref()), (Some(Source::SupportTicket), Some("2026-11-30")));
    assert_eq!(case.supporting.len(), 3);
    assert!(case.supporting[1].group && !case.supporting[0].group);
    assert_eq!(case.supporting[1].any_of[1].target, Target::Chunk("carrier-handbook#claims-2".into()));
    let place = case.supporting[1].any_of[1].place.clone().unwrap();
    assert_eq!((place.line, place.column), (14, 11));
    assert_eq!((case.place.line, case.place.column), (2, 3));
    assert_eq!(case.supporting[2].any_of[0].target, super::section("One", &["Single"]));
    assert_eq!(case.label_wrong.as_deref(), Some("the page says otherwise"));
    let unknown = &file.unknown_fields[0];
    assert_eq!((unknown.name.as_str(), unknown.case.as_str(), unknown.place.line), ("colour", "pol-004", 22));
}

#[test]
fn ids_questions_tags_documents_and_headings_are_text_whatever_yaml_makes_of_them() {
    let file = yaml(
        "- question_id: no\n  question: on\n  tags: [no, yes, off, y, ~, null, NO, \"no\", 1e3, 0x1F, 1_000, 2031-01-05, 12:30, 3.10]\n  \
         supporting:\n    - document: 0042\n      heading: [On, \"Off\", 1.10]\n- question_id: 007\n  question: 2031\n- \
         question_id: 25921e05\n  question: q\n",
    );
    assert_eq!(problems(&file), Vec::<String>::new());
    assert_eq!(ids(&file), ["no", "007", "25921e05"]);
    assert_eq!(file.cases[0].question, "on");
    let tags =
        ["no", "yes", "off", "y", "~", "null", "NO", "no", "1e3", "0x1F", "1_000", "2031-01-05", "12:30", "3.10"];
    assert_eq!(file.cases[0].tags, tags);
    assert_eq!(file.cases[0].supporting[0].any_of[0].target, super::section("0042", &["On", "Off", "1.10"]));
}

#[test]
fn an_empty_value_where_text_is_wanted_is_a_problem_and_the_other_cases_load() {
    let file = yaml(
        "- question_id: a\n  question:\n- question_id: b\n  question: x\n  tags: [ok, '']\n- question_id: c\n  question: y\n",
    );
    assert_eq!(ids(&file), ["c"]);
    assert_eq!(
        problems(&file),
        [
            "cases.yaml:2:11: case `a`: `question` is empty, expected text",
            "cases.yaml:5:14: case `b`: `tags` is empty, expected text"
        ]
    );
}

#[test]
fn wrong_kinds_and_words_are_problems_with_line_and_column() {
    let table = [
        ("tags: solo", "3:9: case `a`: `tags` is `solo`, expected a list of texts"),
        (
            "source: web",
            "3:11: case `a`: `source` is `web`, expected production_log, support_ticket, team or generated",
        ),
        ("added: 2026-13-01", "3:10: case `a`: `added` is `2026-13-01`, expected a day as yyyy-mm-dd"),
        ("answerable: no", "3:15: case `a`: `answerable` is `no`, expected true or false"),
        (
            "supporting: [{document: D, headings: [x]}]",
            "3:30: case `a`: unknown key `headings` in a reference (did you mean `heading`?); known are document, heading, quote, chunk, any_of",
        ),
        ("supporting: [{heading: [x]}]", "3:16: case `a`: `document` is missing; add it"),
        ("supporting: [{any_of: []}]", "3:25: case `a`: `any_of` is a list, expected one reference or more"),
        (
            "supporting: [just text]",
            "3:16: case `a`: `a reference` is `just text`, expected a reference: {document, heading, quote}, {chunk: id} or {any_of: [...]}",
        ),
        (
            "chunks: [x]\n  supporting: []",
            "4:3: case `a`: the key `supporting/chunks` stands here and on line 3; keep one of them, nothing is saved over the file until then",
        ),
    ];
    for (line, problem) in table {
        let file = yaml(&format!("- question_id: a\n  question: x\n  {line}\n- question_id: b\n  question: y\n"));
        assert_eq!(problems(&file), [format!("cases.yaml:{problem}")], "{line}");
        assert_eq!(ids(&file), ["b"], "{line}");
    }
}

#[test]
fn a_key_twice_refuses_the_file_naming_both_lines() {
    let file = yaml("- question_id: d1\n  question: first\n  tags: [a]\n  question: second\n");
    assert!(file.cases.is_empty());
    assert!(
        problems(&file)[0].starts_with("cases.yaml:4:3: the key `question` stands here and on line 2"),
        "{:?}",
        problems(&file)
    );
}

#[test]
fn files_that_are_no_list_of_cases_are_refused_whole() {
    let table = [
        ("- a: [\n", "cannot be parsed"),
        ("a: 1\n", "a mapping without a list `cases`"),
        ("text\n", "a single text"),
        ("- {question_id: a, question: b}\n---\n- {question_id: c, question: d}\n", "a second YAML document begins"),
        ("- &a [*a]\n", "cannot be parsed"),
    ];
    for (text, message) in table {
        let file = yaml(text);
        assert!(file.cases.is_empty());
        assert!(problems(&file)[0].contains(message), "{text}: {:?}", problems(&file));
    }
    for text in ["", "\n", "# only a remark\n", "[]\n", "cases:\n", "---\n", "\u{feff}"] {
        assert_eq!((problems(&yaml(text)), yaml(text).cases.len()), (Vec::new(), 0), "{text:?}");
    }
}

#[test]
fn a_mapping_with_a_list_of_cases_aliases_and_merge_keys_are_read() {
    let file = yaml(
        "defaults: &d\n  tags: &t [billing, en]\ncases:\n  - question_id: a\n    <<: *d\n    question: x\n  - question_id: b\n    question: y\n    \
         tags: *t\n    <<: [*d]\n",
    );
    assert_eq!(problems(&file), Vec::<String>::new());
    assert_eq!(file.cases[0].tags, ["billing", "en"]);
    assert_eq!(file.cases[1].tags, ["billing", "en"]);
}

#[test]
fn hostile_nesting_and_alias_bombs_are_problems_not_overflows() {
    let deep = format!("- {}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    assert!(yaml(&deep).cases.is_empty() && !yaml(&deep).problems.is_empty());
    let blocks = format!("{}x\n", "- ".repeat(10_000));
    assert!(!yaml(&blocks).problems.is_empty());
    let line = format!("{}{}\n{{\"q\":\"ok\"}}\n", "[".repeat(100_000), "]".repeat(100_000));
    let file = jsonl(&line);
    assert_eq!((file.cases.len(), file.problems.len()), (1, 1));
    let mut bomb = "a: &a0 [x, x]\n".to_owned();
    for level in 0..40 {
        writeln!(bomb, "b{level}: &a{} [*a{level}, *a{level}]", level + 1).unwrap();
    }
    let file = yaml(&bomb);
    assert!(problems(&file)[0].contains("aliases stand for more"), "{:?}", problems(&file));
}

#[test]
fn bytes_that_are_not_utf8_and_nul_name_line_and_byte_and_hide_only_their_line() {
    let bytes = b"{\"q\":\"one\"}\n{\"q\":\"caf\xe9\"}\n{\"q\":\"two\"}\n{\"q\":\"n\0l\"}\n".to_vec();
    let file = crate::casefile::file::read(std::path::Path::new("cases.jsonl"), bytes);
    assert_eq!(file.cases.len(), 2);
    assert_eq!(
        problems(&file),
        [
            "cases.jsonl:2:10: byte 21 of the file is not UTF-8; save the text as UTF-8",
            "cases.jsonl:4:8: byte 44 of the file is NUL, which text cannot hold; remove it",
        ]
    );
    let file = crate::casefile::file::read(std::path::Path::new("cases.yaml"), b"- a: x\n  b: \xe9\n".to_vec());
    assert_eq!(problems(&file), ["cases.yaml:2:6: byte 12 of the file is not UTF-8; save the text as UTF-8"]);
}

#[test]
fn blank_jsonl_lines_are_skipped_and_line_numbers_are_physical() {
    let file = jsonl(
        "\u{feff}{\"q\":\"one\",\"chunks\":[\"c1\"]}\r\n\r\n   \t\r\n{\"q\":\"two\",\"chunks\":[\"a\",[\"b\",\"c\"]]}\r\n{\"q\":\"three\"}",
    );
    assert_eq!(problems(&file), Vec::<String>::new());
    let lines: Vec<_> = file.cases.iter().map(|case| case.place.line).collect();
    assert_eq!(lines, [1, 4, 5]);
    assert!(file.cases[1].supporting[1].group);
    assert_eq!(file.cases[0].place.column, 1);
}

#[test]
fn a_bad_jsonl_line_names_its_column_and_the_others_load() {
    let table = [
        (r#"{"q":"x",}"#, "2:10: cannot be parsed: expected a key in quotes, found `}`"),
        (r#"{"q":"x","q":"y"}"#, "2:10: the key `q` stands here and on line 2"),
        (r#"["x"]"#, "2:1: `a case` is a list, expected a mapping of fields"),
        (r#"{"q":"x"} {"q":"y"}"#, "2:11: cannot be parsed: expected the end of the line"),
        (r#"{"q":01}"#, "2:6: cannot be parsed: expected a JSON value"),
        (r#"{"tags":[]}"#, "2:1: `question` is missing"),
        (r#"{"q":"a\ud800"}"#, "2:6: cannot be parsed"),
        (r#"{"q":"open"#, "2:11: cannot be parsed: expected a closing"),
    ];
    for (line, message) in table {
        let file = jsonl(&format!("{{\"q\":\"good\"}}\n{line}\n{{\"q\":\"also\"}}\n"));
        assert_eq!(file.cases.len(), 2, "{line}");
        assert!(problems(&file)[0].starts_with(&format!("cases.jsonl:{message}")), "{line}: {:?}", problems(&file));
    }
}

#[test]
fn a_derived_id_does_not_depend_on_the_order_of_lines() {
    let lines = [r#"{"q":"a","chunks":["1"]}"#, r#"{"q":"a","chunks":["2"]}"#, r#"{"q":"b"}"#];
    let forward = jsonl(&lines.join("\n"));
    let backward = jsonl(&lines.iter().rev().copied().collect::<Vec<_>>().join("\n"));
    let mut reversed = ids(&backward);
    reversed.reverse();
    assert_eq!(ids(&forward), reversed);
    assert_ne!(ids(&forward)[0], ids(&forward)[1]);
    assert!(ids(&forward)[2].starts_with("q-") && ids(&forward)[2].len() == 10);
}

#[test]
fn windows_line_ends_leave_no_trace_in_values_and_lines_are_not_doubled() {
    let file = yaml(
        "- question_id: a\r\n  # remark\r\n  question: |\r\n    first line\r\n    second line\r\n  tags: solo\r\n",
    );
    assert_eq!(problems(&file), ["cases.yaml:6:9: case `a`: `tags` is `solo`, expected a list of texts"]);
    let file = yaml("\u{feff}- question_id: a\r\n  question: |\r\n    first line\r\n    second line\r\n");
    assert_eq!(file.cases[0].question, "first line\nsecond line\n");
    assert_eq!((file.cases[0].place.line, file.cases[0].place.column), (1, 3));
}
