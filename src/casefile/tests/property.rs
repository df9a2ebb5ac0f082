//! Over generated files in many styles and random edits: only the edit's bytes change, and they can be taken back.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{jsonl, yaml};
use crate::{
    casefile::{
        change::{self, Refused},
        edit::Edit,
        file::{CaseFile, Spot},
    },
    domain::case::Target,
};

/// Texts that YAML likes to misread, and plain ones.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,8}( [a-z]{1,6}){0,2}",
        1 => prop::sample::select(vec!["no", "007", "~", "a: b", "a #b", "- x", "it's", "\"q\"", "é 日本", "2031-01-05", "[x]", "x, y", "{", "a\\b"])
            .prop_map(str::to_owned),
        1 => "[ -~]{1,12}".prop_filter("text", |text| !text.trim().is_empty()),
        1 => any::<String>().prop_filter("text", |text| !text.trim().is_empty() && !text.contains('\0')),
    ]
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        text().prop_map(|id| Target::Chunk(id.into())),
        (text(), prop::collection::vec(text(), 0..4), prop::option::of(text()))
            .prop_map(|(document, heading, quote)| Target::Section { document, heading, quote }),
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = || 0..3_usize;
    prop_oneof![
        3 => target().prop_map(Edit::AddSupporting),
        2 => (at(), target()).prop_map(|(requirement, target)| Edit::AddAlternative { requirement, target }),
        2 => (at(), at()).prop_map(|(requirement, alternative)| Edit::RemoveSupporting { requirement, alternative }),
        2 => (at(), at(), target())
            .prop_map(|(requirement, alternative, target)| Edit::ReplaceSupporting { requirement, alternative, target }),
        1 => (at(), target()).prop_map(|(index, target)| Edit::ReplaceDistractor { index, target }),
        2 => target().prop_map(Edit::AddDistractor),
        1 => at().prop_map(Edit::RemoveDistractor),
        3 => text().prop_map(Edit::AddTag),
        2 => prop::sample::select(vec!["one", "two", "a b"]).prop_map(|tag| Edit::RemoveTag(tag.into())),
        1 => any::<bool>().prop_map(Edit::SetAnswerable),
        1 => prop::option::of(text()).prop_map(Edit::SetAsker),
        1 => text().prop_map(Edit::SetQuestion),
        1 => prop::option::of(text()).prop_map(Edit::SetLabelWrong),
        1 => prop::option::of(text()).prop_map(Edit::SetNotes),
    ]
}

/// How one generated YAML case is written.
fn yaml_case() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..6_usize, 8)
}

fn write_yaml(cases: &[Vec<usize>]) -> String {
    let mut out = String::from("# head\n\n");
    for (index, style) in cases.iter().enumerate() {
        let questions = [
            "plain words",
            "'single ''q'''",
            "\"double \\\"q\\\"\"",
            "|\n    lines\n    of it",
            ">-\n    folded\n    text",
            "two\n    lines",
        ];
        writeln!(out, "- question_id: c{index}   # id").unwrap();
        writeln!(out, "  question: {}", questions[style[0]]).unwrap();
        out.push_str(["", "", "  asker: lead # who\n", "  extra: {a: [1, 2]}\n", "\n", "  # remark\n"][style[1]]);
        out.push_str(
            [
                "",
                "  tags: []\n",
                "  tags: [one, 'two']  # flow\n",
                "  tags:\n  - one # first\n  - \"two\"\n  # after\n",
                "  tags:\n    # before\n    - a b\n",
                "  tags: [\n    one,\n    two, # last\n  ]\n",
            ][style[2]],
        );
        out.push_str(
            [
                "",
                "  supporting: []   # none\n",
                "  supporting:\n  - {document: D, heading: [H, 'K']}\n  - {any_of: [{chunk: a#1}, {document: E}]}\n",
                "  supporting:\n    - document: D # d\n      heading: [H]\n      quote: 'words: here'\n    # between\n    - any_of:\n        - chunk: a\n        - {chunk: b}\n",
                "  supporting: [{chunk: x}, {chunk: y}]\n",
                "  supporting:\n    - heading:\n      - H\n      - \"K\"\n      document: |\n        Doc\n    - chunk: z   # last\n\n",
            ][style[3]],
        );
        out.push_str(
            [
                "",
                "",
                "  distractors: []\n",
                "  distractors:\n    - chunk: d1\n    - chunk: d2\n",
                "  distractors: [ {chunk: d} ]\n",
                "  distractors:\n",
            ][style[4]],
        );
        out.push_str(
            [
                "",
                "",
                "  notes: n\n",
                "  notes: |\n    block\n\n    text\n",
                "  notes: \"a\n    b\"\n",
                "\n# ---- next ----\n\n",
            ][style[5]],
        );
    }
    if cases.first().is_some_and(|style| style[6] > 2) {
        out.push_str("# tail");
    } else if cases.first().is_some_and(|style| style[7] > 3) {
        out.truncate(out.trim_end().len());
    }
    out
}

fn write_jsonl(cases: &[Vec<usize>]) -> String {
    let mut out = String::new();
    for (index, style) in cases.iter().enumerate() {
        let id = ["", "\"question_id\": \"cX\", ", "\"id\":\"cX\",", "", " \"id\" : \"cX\" , ", ""][style[0]]
            .replace('X', &index.to_string());
        let tags = [
            "",
            ", \"tags\": [\"one\", \"two\"]",
            ",\"tags\":[]",
            ", \"tags\" : [ \"a b\" ]",
            ",\"tags\":null",
            ", \"n\": 1.50e1",
        ][style[1]];
        let labels = [
            "",
            ",\"chunks\":[\"a\",[\"b\",\"c\"]]",
            ", \"chunks\": []",
            ", \"supporting\": [{\"document\": \"D\", \"heading\": \"H\"}, {\"any_of\": [{\"chunk\": \"a\"}]}]",
            ", \"chunks\": [ \"x\" ]",
            ", \"distractors\": [\"d\"]",
        ][style[2]];
        writeln!(out, "{{{id}\"q\": \"qu\\u0065stion {index}\"{tags}{labels}}}").unwrap();
        out.push_str(["", "", "", "\n", "  \t\n", "{broken\n"][style[3]]);
    }
    if cases.first().is_some_and(|style| style[4] > 2) {
        out.truncate(out.trim_end().len());
    }
    out
}

/// Makes the edits one after another, checking each, and then takes all of them back. Returns how many were made.
fn hold(mut file: CaseFile, edits: &[(usize, Edit)]) -> Result<usize, TestCaseError> {
    let first = file.bytes.clone();
    let mut made = Vec::new();
    for (at, edit) in edits {
        if file.cases.is_empty() {
            break;
        }
        let index = at % file.cases.len();
        let mut wanted = file.cases.clone();
        let sensible = edit.apply(&mut wanted[index]).is_ok();
        match change::change(&file, index, edit) {
            Ok(changed) => {
                prop_assert!(changed.file.cases.iter().zip(&wanted).all(|(a, b)| change::same(a, b)));
                let line_feeds =
                    changed.file.bytes.windows(2).filter(|pair| pair[1] == b'\n' && pair[0] != b'\r').count();
                prop_assert!(
                    line_feeds == 0 || !file.bytes.windows(2).any(|pair| pair == b"\r\n"),
                    "a bare line feed appeared"
                );
                let range = changed.patch.range();
                let next = file.spots.get(index + 1).map_or(file.bytes.len(), Spot::start);
                prop_assert!(
                    file.spots[index].start() <= range.start && range.end <= next,
                    "another case's bytes changed"
                );
                made.push(changed.patch.inverse());
                file = changed.file;
            }
            Err(Refused::Senseless(_)) => prop_assert!(!sensible),
            Err(Refused::Unsafe(_, reason)) => {
                let known = [
                    "chunk ids only",
                    "multi-line",
                    "over several lines",
                    "block carries",
                    "between the entries",
                    "merge key",
                ];
                prop_assert!(
                    known.iter().any(|known| reason.contains(known)),
                    "{}: {reason}\n{}",
                    edit.describe(),
                    String::from_utf8_lossy(&file.bytes)
                );
            }
        }
    }
    let count = made.len();
    let mut bytes = file.bytes;
    for inverse in made.into_iter().rev() {
        bytes = inverse.apply(&bytes).unwrap();
    }
    prop_assert_eq!(bytes, first);
    Ok(count)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_yaml_file_reads_as_the_edited_cases_and_undo_gives_the_first_bytes_back(
        cases in prop::collection::vec(yaml_case(), 1..4),
        edits in prop::collection::vec((0..4_usize, edit()), 1..6),
        windows in any::<bool>(),
        mark in any::<bool>(),
    ) {
        let text = write_yaml(&cases);
        let text = if windows { text.replace('\n', "\r\n") } else { text };
        let file = yaml(&format!("{}{text}", if mark { "\u{feff}" } else { "" }));
        prop_assert_eq!(&file.problems, &Vec::new(), "{}", text);
        hold(file, &edits)?;
    }

    #[test]
    fn an_edited_jsonl_file_reads_as_the_edited_cases_and_undo_gives_the_first_bytes_back(
        cases in prop::collection::vec(yaml_case(), 1..4),
        edits in prop::collection::vec((0..4_usize, edit()), 1..6),
        windows in any::<bool>(),
    ) {
        let text = write_jsonl(&cases);
        let file = jsonl(&if windows { text.replace('\n', "\r\n") } else { text });
        hold(file, &edits)?;
    }

    #[test]
    fn no_bytes_make_the_readers_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), soup in "[-\\[\\]{}:,#&*!|>'\"\n a?%@<]{0,60}") {
        for bytes in [bytes, soup.into_bytes()] {
            for name in ["x.yaml", "x.jsonl"] {
                let _ = crate::casefile::file::read(std::path::Path::new(name), bytes.clone());
            }
        }
    }
}
