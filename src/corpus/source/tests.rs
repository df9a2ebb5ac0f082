#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use proptest::prelude::*;

use super::{
    front_matter,
    lines::lines as lines_of,
    markdown::chunks,
    split::{LONG, TOO_LONG},
};
use crate::domain::chunk::Chunk;

fn page(text: &str) -> Vec<Chunk> {
    chunks(text, "page.md", "page.md").unwrap()
}

fn paths(text: &str) -> Vec<String> {
    page(text).iter().map(|chunk| chunk.heading.join(" > ")).collect()
}

fn texts(text: &str) -> Vec<String> {
    page(text).into_iter().map(|chunk| chunk.text).collect()
}

#[test]
fn a_hash_inside_code_is_no_heading() {
    let text = "# Install\n\nRun:\n\n```sh\n# shell comment\necho ok\n```\n\n~~~text\n# not\n```\n# still\n~~~\n\n````md\n```\n# nested\n```\n# also not\n````\n\n1. step\n\n    ```sh\n    # comment\n    ```\n\nPlain.\n\n    # indented code\n\n## Verify\n\nReal second section.\n";
    assert_eq!(paths(text), ["Install", "Install > Verify"]);
    let first = &texts(text)[0];
    assert!(first.starts_with("Run:\n\n```sh\n# shell comment"));
    assert!(first.ends_with("    # indented code"));
}

#[test]
fn underlined_headings_count_and_rules_do_not() {
    let text = "Returns policy\n==============\n\nIntro.\n\nDamaged items\n-------------\n\nPhoto.\n\nLate\nitems\n---\n\nMany.\n\nOne dash\n-\n\nShort.\n\n---\n\nAfter a rule.\n";
    let top = "Returns policy";
    assert_eq!(
        paths(text),
        [top.to_owned(), format!("{top} > Damaged items"), format!("{top} > Late items"), format!("{top} > One dash")]
    );
    assert_eq!(texts(text)[3], "Short.\n\n---\n\nAfter a rule.");
}

#[test]
fn front_matter_is_kept_apart_also_with_blanks_after_its_markers_a_mark_and_crlf() {
    for (bom, end, trail) in [("", "\n", ""), ("\u{feff}", "\r\n", ""), ("", "\n", "  ")] {
        let lines = [
            "title: 1.10",
            "owner: \"Team: Finance\"   # no heading",
            "scope: [ops, warehouse]",
            "tags:",
            "- a",
            "- b",
        ];
        let text =
            format!("{bom}---{trail}{end}{}{end}---{trail}{end}{end}# Claims{end}{end}Keep.{end}", lines.join(end));
        let chunks = page(&text);
        assert_eq!(chunks.len(), 1);
        assert_eq!(chunks[0].heading, ["Claims"]);
        assert_eq!(chunks[0].text, "Keep.");
        assert_eq!(chunks[0].scope, ["ops", "warehouse"]);
        assert_eq!(chunks[0].origin.as_ref().map(|origin| origin.line), Some(12));
        let fields = [("owner", "Team: Finance"), ("tags", "a, b")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(chunks[0].fields, fields);
        assert_eq!(front_matter::read(&text).unwrap().title.as_deref(), Some("1.10"));
    }
}

#[test]
fn deeper_front_matter_is_shown_as_it_is_written() {
    let read = front_matter::read("---\na: {b: 1.50, c: [d]}\nn:\nm:\n  x: 1\n  y: two\n---\n").unwrap();
    let fields: Vec<_> = read.fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(fields, [("a", "{b: 1.50, c: [d]}"), ("n", ""), ("m", "x: 1\n  y: two")]);
}

#[test]
fn front_matter_that_does_not_read_names_its_line() {
    for (text, line) in [
        ("---\ntitle: a\nb: [1, 2\n---\n", 4),
        ("---\ntitle: a\ntitle: b\n---\n", 3),
        ("---\ntitle: a\nscope: [ops, \"\"]\n---\n", 3),
        ("---\ntitle: a\nscope:\n---\n", 3),
        ("---\ntitle: [a]\n---\n", 2),
        ("---\nowner: \"open\n---\n", 3),
    ] {
        let error = front_matter::read(text).unwrap_err();
        assert!(error.line.abs_diff(line) <= 1, "{text:?}: {error:?}");
    }
}

#[test]
fn a_slip_in_a_metadata_field_is_noted_with_its_line() {
    for (text, line, what) in [
        ("---\nscopes: [hr]\n---\nx", 2, "`scopes` is only kept to be shown; if it should be `scope`"),
        ("---\ntitle: t\nScope: [hr]\n---\nx", 3, "the page is for everybody"),
        ("---\nscoep: hr\n---\nx", 2, "`scope`"),
        ("\u{feff}---\r\nSCOPES:\r\n- hr\r\n---\r\nx", 2, "`scope`"),
        ("---\nowner: a\ntitel: b\n---\nx", 3, "the page has no title"),
    ] {
        let notes = front_matter::read(text).unwrap().notes;
        assert_eq!(notes.iter().map(|note| note.line).collect::<Vec<_>>(), [Some(line)], "{text:?}");
        assert!(notes[0].what.contains(what), "{}", notes[0]);
    }
    for text in [
        "---\ntitle: t\nscope: hr\nscopes: b\n---\n",
        "---\nscore: 0.5\nsource: x\ntime: y\nsubtitle: z\ntype: t\n---\n",
    ] {
        assert_eq!(front_matter::read(text).unwrap().notes, [], "{text:?}");
    }
}

#[test]
fn metadata_that_is_not_read_as_such_is_noted() {
    for (text, line) in [
        ("---\nscope: [hr]\n\n# Pay\n\nx\n", 1),
        ("\n---\nscope: [hr]\n---\n# Pay\n", 2),
        ("----\nscope: [hr]\n----\n# Pay\n", 1),
        ("+++\nscope = [\"hr\"]\n+++\n# Pay\n", 1),
        ("---\n- scope: [hr]\n---\n# Pay\n", 1),
        ("---\nscope [hr]\n---\n# Pay\n", 1),
        ("\u{feff}---\r\ntitle: a\r\nscope: [hr]\r\n", 1),
    ] {
        let notes = front_matter::read(text).unwrap().notes;
        assert_eq!(notes.iter().map(|note| note.line).collect::<Vec<_>>(), [Some(line)], "{text:?}");
        assert!(notes[0].what.contains("for everybody"), "{}", notes[0]);
    }
    for text in ["---\n\nJust a page.\n", "---\nsome words\n---\n\n# H\n", "# A\n\nScope: all\n", "***\nscope: [hr]\n"]
    {
        assert_eq!(front_matter::read(text).unwrap().notes, [], "{text:?}");
    }
}

#[test]
fn a_rule_at_the_top_is_not_front_matter() {
    assert_eq!(paths("---\n\nJust a page.\n"), [""]);
    assert_eq!(paths("---\nsome words\n---\n\n# Head\n\nx\n"), ["some words", "Head"]);
}

#[test]
fn text_before_the_first_heading_and_pages_without_one_are_chunks() {
    let text = "Emergency: 555-0100.\n\n# Opening hours\n\nNine to five.\n\n## Holidays\n## Weekends\n\nClosed.\n";
    assert_eq!(paths(text), ["", "Opening hours", "Opening hours > Holidays", "Opening hours > Weekends"]);
    assert_eq!(texts(text), ["Emergency: 555-0100.", "Nine to five.", "", "Closed."]);
    assert_eq!(texts("A note.\n\nIt still holds.\n"), ["A note.\n\nIt still holds."]);
    assert!(page("\n\n").is_empty());
}

#[test]
fn a_byte_order_mark_does_not_hide_the_first_heading() {
    assert_eq!(paths("\u{feff}# First heading\n\nx\n"), ["First heading"]);
}

#[test]
fn a_parent_heading_without_text_gives_no_chunk() {
    assert_eq!(paths("# A\n\n---\n\n## B\n\ntext\n\n# C\n"), ["A > B", "C"]);
}

#[test]
fn headings_in_quotes_and_lists_are_text() {
    assert_eq!(paths("# A\n\n> # quoted\n\n- # listed\n\ntext\n"), ["A"]);
}

#[test]
fn a_heading_is_plain_text() {
    let text = "# *Big* `code` [link](x) <a name=\"x\"></a>&amp; ~~old~~ #\n\nx\n";
    assert_eq!(paths(text), ["Big code link & old"]);
}

#[test]
fn ids_come_from_path_and_headings_and_stay() {
    let text = "---\ntitle: Refunds\n---\nlead\n\n# refunds\n\nown\n\n## SLA & Fees!\n\na\n\n## SLA fees\n\nb\n\n### Ärger\n\nc\n\n## ???\n\nd\n";
    let ids: Vec<String> =
        chunks(text, "dir/re#funds.md", "Refunds").unwrap().iter().map(|chunk| chunk.id.to_string()).collect();
    assert_eq!(
        ids,
        [
            "dir/re%23funds",
            "dir/re%23funds#2",
            "dir/re%23funds#sla-fees",
            "dir/re%23funds#sla-fees-2",
            "dir/re%23funds#sla-fees/ärger",
            "dir/re%23funds#section"
        ]
    );
}

#[test]
fn the_same_heading_twice_is_two_sections_and_a_long_one_is_not() {
    let para = "word ".repeat(190);
    let text = format!("# A\n\n## B\n\none\n\n## B\n\ntwo\n\n# C\n\n{para}\n\n{para}\n\n{para}\n");
    let chunks = page(&text);
    let sections: Vec<u32> = chunks.iter().map(|chunk| chunk.section).collect();
    assert_eq!(sections, [0, 1, 2, 2]);
    let positions: Vec<u32> = chunks.iter().map(|chunk| chunk.position).collect();
    assert_eq!(positions, [0, 1, 2, 3]);
}

#[test]
fn a_long_section_is_split_between_blocks_and_a_table_is_not_torn() {
    let row = format!("| a | {} |\n", "x".repeat(90));
    let table = format!("| h | i |\n|---|---|\n{}", row.repeat(40));
    let para = "wörd ".repeat(300);
    let text = format!("# A\n\n{para}\n\n{table}\n{para}\n");
    let texts = texts(&text);
    assert_eq!(texts.len(), 3);
    assert_eq!(texts[1], table.trim_end());
    assert!(texts[1].chars().count() > LONG);
}

#[test]
fn a_block_beyond_all_measure_is_cut_between_lines_and_at_last_between_characters() {
    let lines = format!("```\n{}```\n", "some code line\n".repeat(1000));
    assert!(texts(&lines).iter().all(|text| text.chars().count() <= LONG));
    assert_eq!(texts(&lines).concat().matches("some code line").count(), 1000);
    let one = "e\u{301}".repeat(TOO_LONG);
    let cut = texts(&one);
    assert_eq!(cut.concat(), one);
    assert!(cut.iter().all(|text| text.chars().count() <= LONG && text.starts_with('e')));
}

#[test]
fn a_carriage_return_alone_ends_a_line() {
    let text = "---\rtitle: T\rowner: o\r---\r# A\r\rone\r\r# B\r\ntwo\r";
    assert_eq!(paths(text), ["A", "B"]);
    assert_eq!(texts(text), ["one", "two"]);
    let at: Vec<u32> = page(text).iter().map(|chunk| chunk.origin.as_ref().unwrap().line).collect();
    assert_eq!(at, [7, 10]);
    assert_eq!(front_matter::read(text).unwrap().title.as_deref(), Some("T"));
    assert_eq!(front_matter::read("---\ra: b\ra: c\r---\r").unwrap_err().line, 3);
    assert_eq!(paths("# A\r# B\r"), ["A", "B"]);
}

#[test]
fn headings_that_the_parser_lets_overlap_are_no_panic() {
    for text in ["|a|b|## B  x\n## B\r## B", "|a|b|\r|-|-|\r|c|## B\r# C\r", "# A\r# B\r"] {
        page(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_stops_the_split(
        letters in prop::collection::vec(prop::sample::select(vec![
            "\r", "\n", "\t", " ", "#", "##", "-", "=", "|", "`", ">", "*", "_", "[", "]", ":", "^", "~", "\\", "<", "1.",
            "\u{feff}", "é", "界", "👩‍🚒", "e\u{301}", "a", "|-|", "---", "\0", "\u{2028}", "\u{85}",
        ]), 0..60)
    ) {
        let text = letters.concat();
        if let Ok(chunks) = chunks(&text, "p.md", "p.md") {
            let lines = chunks.iter().map(|chunk| chunk.origin.as_ref().unwrap().line);
            prop_assert!(lines.is_sorted());
        }
    }

    #[test]
    fn any_page_gives_its_own_text_with_its_lines_and_ids_of_their_own(
        parts in prop::collection::vec(prop::sample::select(vec![
            "# A", "## B", "### B", "# A\n", "\n", "\r\n", "\n\n", "---", "---\n", "===\n", "\u{feff}", "> # q\n", "- # l\n", "```\n",
            "    code\n", "text é ", "| a |\n|---|\n", "<a name=\"x\">", "[x]: y\n", "\t", "\0", "title: t\n", "é\u{301}",
        ]), 0..30)
    ) {
        let text = parts.concat();
        let Ok(chunks) = chunks(&text, "p.md", "p.md") else { return Ok(()) };
        let mut ids = std::collections::HashSet::new();
        for chunk in &chunks {
            prop_assert!(ids.insert(chunk.id.clone()));
            let line = chunk.origin.as_ref().unwrap().line as usize;
            let from_there: String = lines_of(&text).skip(line - 1).collect();
            prop_assert!(from_there.contains(&chunk.text));
        }
    }
}

mod chunk_lines {
    use super::super::jsonl::Reader;

    fn line(text: &str) -> Result<Option<crate::domain::chunk::Chunk>, String> {
        Reader::new("c.jsonl").line(text.as_bytes(), 1)
    }

    #[test]
    fn a_chunk_is_read_with_everything_that_it_has() {
        let text = "\u{feff}{\"url\":\"u\",\"id\":7,\"document\":\"D\",\"heading\":\"H\",\"text\":\"t\\u0000\\tx\",\"scope\":\"ops\",\"n\":[1,2]}\r\n";
        let chunk = line(text).unwrap().unwrap();
        assert_eq!((chunk.id.as_str(), chunk.document.as_str(), chunk.text.as_str()), ("7", "D", "t\0\tx"));
        assert_eq!((chunk.heading, chunk.scope), (vec!["H".to_owned()], vec!["ops".to_owned()]));
        assert_eq!(chunk.fields, [("url".to_owned(), "u".to_owned()), ("n".to_owned(), "[1,2]".to_owned())]);
    }

    #[test]
    fn without_a_document_the_id_names_it_also_where_it_begins_with_a_hash() {
        for (id, document) in [("refunds#sla", "refunds"), ("c1", "c1"), ("#12", "#12"), (" #a#b", " #a#b"), ("#", "#")]
        {
            let chunk = line(&format!("{{\"id\":\"{id}\",\"text\":\"\"}}")).unwrap().unwrap();
            assert_eq!(chunk.document, document);
        }
    }

    #[test]
    fn a_slip_in_a_chunks_field_is_noted_once_with_its_first_line() {
        let mut reader = Reader::new("c.jsonl");
        for (number, text) in (1..).zip([
            r#"{"id":"a","text":"","scope":"hr","scopes":["x"]}"#,
            r#"{"id":"b","text":"","scopes":["hr"],"score":0.5}"#,
            r#"{"id":"c","text":"","scopes":["hr"],"Heading":"H"}"#,
            r#"{"id":"d","text":"","Scope":"hr","docment":"D","source":"s"}"#,
        ]) {
            reader.line(text.as_bytes(), number).unwrap();
        }
        let notes: Vec<_> = reader.notes().map(|note| (note.line.unwrap(), note.what)).collect();
        let expected = [
            (2, "`scopes` is only kept to be shown, here and in one more line; if it should be `scope`"),
            (3, "the chunk has no heading"),
            (
                4,
                "`Scope` is only kept to be shown; if it should be `scope`, write it so: as it is, the chunk is for everybody",
            ),
            (4, "`docment`"),
        ];
        assert_eq!(notes.len(), expected.len(), "{notes:?}");
        for ((line, what), (expected_line, expected)) in notes.iter().zip(expected) {
            assert!(*line == expected_line && what.contains(expected), "{line}: {what}");
        }
    }

    #[test]
    fn what_is_wrong_in_a_line_is_said() {
        for (text, what) in [
            ("{\"id\":\"a\"}", "`text` is missing"),
            ("{\"text\":\"a\"}", "`id` is missing"),
            ("{\"ID\":\"a\",\"text\":\"\"}", "rename the field `ID`"),
            ("{\"id\":\"a\",\"Text\":\"\"}", "rename the field `Text`"),
            ("{\"id\":\"\",\"text\":\"a\"}", "`id` is empty"),
            ("{\"id\":1.10,\"text\":\"a\"}", "put it in quotes"),
            ("{\"id\":123456789012345678901234567890,\"text\":\"a\"}", "put it in quotes"),
            ("{\"id\":true,\"text\":\"a\"}", "not true or false"),
            ("{\"id\":\"a\",\"text\":[]}", "not a list"),
            ("{\"id\":\"a\",\"text\":\"\",\"scope\":[\"\"]}", "empty group"),
            ("{\"id\":\"a\",\"text\":\"\",\"scope\":{}}", "`scope` must be"),
            ("[1]", "expected an object"),
            ("{\"id\":\"a\",", "not JSON at column"),
            ("{\"id\":\"a\0\",\"text\":\"a\"}", "not JSON at column"),
        ] {
            let error = line(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
        assert!(Reader::new("c").line(b"{\"id\":\"\xff\"}", 1).unwrap_err().contains("byte 8"));
        assert_eq!(line("  \r\n").unwrap(), None);
    }

    #[test]
    fn an_id_that_comes_again_names_both_lines() {
        let mut reader = Reader::new("c");
        reader.line(b"{\"id\":\"a\",\"text\":\"\"}", 3).unwrap();
        let error = reader.line(b"{\"id\":\"a\",\"text\":\"\"}", 8).unwrap_err();
        assert!(error.contains("line 3"), "{error}");
    }

    #[test]
    fn a_section_is_a_run_of_chunks_under_one_heading_of_one_document() {
        let mut reader = Reader::new("c");
        let mut places = Vec::new();
        for (number, (document, heading)) in
            [("d", "a"), ("d", "a"), ("e", "x"), ("d", "b"), ("d", "a")].into_iter().enumerate()
        {
            let text =
                format!("{{\"id\":{number},\"document\":\"{document}\",\"heading\":\"{heading}\",\"text\":\"\"}}");
            let chunk = reader.line(text.as_bytes(), number as u64 + 1).unwrap().unwrap();
            places.push((chunk.position, chunk.section));
        }
        assert_eq!(places, [(0, 0), (1, 0), (0, 0), (2, 1), (3, 2)]);
    }
}
