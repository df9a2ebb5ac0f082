//! Case files and chunks as they come: broken beside good, with marks, blanks and characters that a terminal must not see.

use insta::assert_snapshot;

use crate::support::Place;

fn place() -> Place {
    let chunks = "{\"id\": \"c1\", \"text\": \"one\"}\n{\"id\": \"c2\", \"text\": \"two\"}\n{\"id\": \"c3\", \"text\": \"three\"}\n";
    Place::with_corpus("chunks.jsonl").file("chunks.jsonl", chunks)
}

#[test]
fn a_broken_file_hides_no_other_and_stops_a_run() {
    let place = place()
        .file("cases/bad.yaml", "- question_id: d1\n  question: first\n  tags: [a]\n  question: second\n")
        .file("cases/worse.yaml", "- question_id: d2\n  question: \"no end\n")
        .file("cases/good.yaml", "- question_id: g1\n  question: one?\n  supporting: [{chunk: c1}]\n");
    assert_snapshot!(place.caselight(["check"]), @"
    cases/bad.yaml:4:3: the key `question` stands here and on line 2; keep one of them, nothing is saved over the file until then
    cases/worse.yaml:2:13: cannot be parsed: unclosed quote; correct it in an editor, nothing is saved over it until then
    1 case (1 labeled), 1 reference: 2 wrong: a run would not start
    --- exit status 2 ---
    ");
    assert_snapshot!(place.caselight(["run"]), @"
    --- stderr ---
    caselight: 2 problems in the case files; a run refuses to start:
    cases/bad.yaml:4:3: the key `question` stands here and on line 2; keep one of them, nothing is saved over the file until then
    cases/worse.yaml:2:13: cannot be parsed: unclosed quote; correct it in an editor, nothing is saved over it until then
    --- exit status 2 ---
    ");
}

#[test]
fn a_broken_line_hides_no_other_and_is_counted_as_an_editor_counts() {
    let lines = "{\"q\": \"one\", \"chunks\": [\"c1\"]}\n\n   \t\n{\"q\": \"two\" \"chunks\": [\"c2\"]}\n{\"q\": \"three\", \"chunks\": [\"c9\"]}";
    let place = place().file("cases/cases.jsonl", lines);
    assert_snapshot!(place.caselight(["check"]), @r#"
    cases/cases.jsonl:4:13: cannot be parsed: expected `,` or `}`, found `"`; correct it in an editor, nothing is saved over it until then
    cases/cases.jsonl:5:27: case q-dbec0e68: c9
      the corpus has no chunk of that id
      nearest: c1
               c2
               c3
      put one of these in its place, or correct the reference
    2 cases (2 labeled), 2 references: 2 wrong: a run would not start
    --- exit status 2 ---
    "#);
}

#[test]
fn blank_lines_and_a_missing_last_line_end_are_fine() {
    let lines = "{\"q\": \"one\", \"chunks\": [\"c1\"]}\n\n   \t\n{\"q\": \"two\", \"chunks\": [\"c2\"]}\n{\"q\": \"three\", \"chunks\": [\"c3\"]}";
    let report = place().file("cases/cases.jsonl", lines).caselight(["run", "--format", "json"]).json();
    assert_eq!(report["summary"]["n"], 3);
    assert_eq!(report["summary"]["recall"], 1.0);
}

#[test]
fn a_byte_order_mark_costs_no_case_and_no_heading() {
    let place = place()
        .file(
            "cases/marked.jsonl",
            "\u{feff}{\"q\": \"one\", \"chunks\": [\"c1\"]}\n{\"q\": \"two\", \"chunks\": [\"c2\"]}\n",
        )
        .file("cases/marked.yaml", "\u{feff}- question_id: y1\n  question: three\n  supporting: [{chunk: c3}]\n");
    assert_eq!(place.caselight(["check"]).success(), "3 cases (3 labeled), 3 references: all resolve\n");
    let place = Place::with_corpus("docs").fixture("docs", "markdown/byte-order-mark.md").file(
        "cases/cases.yaml",
        "- {question_id: m1, question: first, supporting: [{document: byte-order-mark.md, heading: [First heading]}]}\n",
    );
    assert_eq!(place.caselight(["check"]).success(), "1 case (1 labeled), 1 reference: all resolve\n");
}

#[test]
fn headings_are_what_markdown_says_they_are() {
    let mut place = Place::with_corpus("docs");
    let mut cases = String::new();
    for (page, label) in [
        ("fences", "heading: [Install], quote: \"# an indented code line\""),
        ("fences", "heading: [Install], quote: \"# inside a list item\""),
        ("fences", "heading: [Install], quote: \"# still inside tildes\""),
        ("fences", "heading: [Install, Verify]"),
        ("underlined", "heading: [Returns policy]"),
        ("underlined", "heading: [Returns policy, Late items]"),
        ("underlined", "heading: [Returns policy, One dash], quote: \"After a rule, no heading\""),
        ("front-matter", "heading: [Claims]"),
        ("preamble", "quote: \"Emergencies: 555-0100\""),
        ("preamble", "heading: [Opening hours, Holidays]"),
        ("headerless", "quote: the only answer about parking"),
    ] {
        place = place.fixture("docs", &format!("markdown/{page}.md"));
        let id = cases.lines().count();
        cases += &format!("- {{question_id: h{id}, question: x, supporting: [{{document: {page}.md, {label}}}]}}\n");
    }
    let place = place.file("cases/cases.yaml", &cases);
    assert_snapshot!(place.caselight(["check"]), @"
    11 cases (11 labeled), 11 references: all resolve
    --- exit status 0 ---
    ");
}

#[test]
fn nothing_in_a_chunk_or_case_reaches_the_terminal_as_a_control() {
    let place = Place::with_corpus("odd-text.jsonl").fixture(".", "odd-text.jsonl").file(
        "cases/cases.jsonl",
        "{\"q\": \"next red \\u001b[31m?\", \"chunks\": [\"controls\"], \"tags\": [\"t\\u0007ag\"]}
{\"q\": \"zebra \\u202e\\r\\nquagga\", \"chunks\": [\"marks\"], \"tags\": [\"\\u009bwide\"]}
{\"q\": \"wide\", \"chunks\": [\"cut-40\"], \"tags\": [\"─é界🔧\"]}
{\"id\": \"i\\u001b[2Jd\", \"q\": \"escape\", \"chunks\": [\"esc\\u001b[31mape\"]}
",
    );
    let check = place.caselight(["check"]);
    assert_eq!(check.status, Some(0), "{check}");
    let report = place.caselight(["run"]);
    assert_eq!(report.status, Some(0), "{report}");
    let place = place.file("cases/broken.jsonl", "{\"q\": \"x\", \"chunks\": [\"no\\u001b[31m such\", \"cut-4\"]}\n");
    for output in [check, report, place.caselight(["check"]), place.caselight(["run"]), place.caselight(["index"])] {
        for text in [&output.stdout, &output.stderr] {
            let odd = text.chars().find(|&c| {
                (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            });
            assert_eq!(odd, None, "{output}");
        }
    }
    std::fs::remove_file(place.path("cases/broken.jsonl")).unwrap();
    let json = place.caselight(["run", "--format", "json"]);
    assert!(!json.stdout.chars().any(|c| c.is_control() && c != '\n'), "{json}");
    let last = &json.json()["cases"][3];
    assert_eq!(last["id"], "i\u{1b}[2Jd", "a reader of JSON gets the text as it is");
    assert_eq!(last["results"][0]["id"], "esc\u{1b}[31mape");
}
