#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use jiff::civil::date;
use unicode_width::UnicodeWidthStr;

use super::*;
use crate::{
    domain::case::Source,
    eval::{
        coverage::{self, Target},
        testing::World,
    },
};

/// Four cases, one of each kind of trouble.
fn worlds() -> Vec<World> {
    let mut hop = World::new("a", "").tagged("pol-001", &["multi_hop", "negation"]);
    hop.case.added = Some("2026-09-20".to_owned());
    hop.case.source = Some(Source::Generated);
    hop.case.question = "Document pallet a|<b>: where is the pallet".to_owned();
    let mut plain = World::new("b", "").tagged("pol-002", &[]);
    plain.case.source = Some(Source::Generated);
    plain.case.added = Some("2026-09-25".to_owned());
    let mut broken = World::new("a", "").tagged("pol-003", &["negation"]);
    broken.break_a_label();
    broken.case.source = Some(Source::Generated);
    vec![hop, plain, World::new("", "").tagged("pol-004", &["negation"]), broken]
}

fn look(worlds: &[World]) -> Coverage {
    let cases: Vec<_> = worlds.iter().map(|world| world.case.clone()).collect();
    let resolved: Vec<_> = worlds.iter().map(|world| world.resolved.clone()).collect();
    let target = |name: &str, cases| Target { name: name.to_owned(), cases };
    let targets = [target("negation", Some(4)), target("exact_token", Some(2)), target("multi_hop", None)];
    let mut outline = World::new("a", "").outline;
    if let Some(world) = worlds.first() {
        outline = world.outline.clone();
    }
    coverage::coverage(&cases, &resolved, &outline, &targets, date(2026, 12, 1))
}

#[test]
fn the_text_reads_from_warnings_by_bars_to_lists() {
    let expected = "\
coverage — 4 cases, as of 2026-12-01

⚠️ stale: no new case for two months, the last was added 2026-09-25; people ask
   other questions by now
⚠️ most cases are generated: a model asks in the words of the chunk it was
   shown, so scores are too high
⚠️ 1 case has a label that does not resolve: `caselight check` says which

labeled                 3  ██████████████████░░░░░░
unlabeled               1  ██████░░░░░░░░░░░░░░░░░░
unanswerable            0  ░░░░░░░░░░░░░░░░░░░░░░░░

source              cases                            too easy
production_log          0  ░░░░░░░░░░░░░░░░░░░░░░░░
support_ticket          0  ░░░░░░░░░░░░░░░░░░░░░░░░
team                    0  ░░░░░░░░░░░░░░░░░░░░░░░░
generated               3  ██████████████████░░░░░░  0 of 3
not said                1  ██████░░░░░░░░░░░░░░░░░░

age                 cases
this week               0  ░░░░░░░░░░░░░░░░░░░░░░░░
this month              0  ░░░░░░░░░░░░░░░░░░░░░░░░
older                   2  ████████████░░░░░░░░░░░░
day not known           2  ████████████░░░░░░░░░░░░

subset              cases                            labeled  target
negation                3  ██████████████████░░░░░░        2       4  lacks 1
exact_token             0  ░░░░░░░░░░░░░░░░░░░░░░░░        0       2  empty
multi_hop               1  ████████░░░░░░░░░░░░░░░░        1       –

tags that stand together (1)
  1 negation + multi_hop

tags that the case does not bear out (1)
  cases.yaml:1: pol-001: multi_hop, but everything that supports it stands in
    one document

labeled, without a tag: no subset shows them (1)
  pol-002

24 of 26 documents without any case
";
    let out = text(&look(&worlds()));
    assert!(out.starts_with(expected), "{out}");
    assert!(out.ends_with("  Document v\n  … and 4 more: --format json lists all\n"), "{out}");
    for line in out.lines() {
        assert!(line.width() <= 80, "{line}");
    }
}

#[test]
fn the_markdown_has_tables_and_folded_lists() {
    let out = markdown(&look(&worlds()));
    for line in [
        "## Coverage: 4 cases, as of 2026-12-01",
        "| negation | 3 | 2 | 4 | lacks 1 |",
        "| exact\\_token | 0 | 0 | 2 | **empty** |",
        "| generated | 3 | 0 of 3 |",
        "<details><summary>24 of 26 documents without any case</summary>",
        "- `pol-001`: multi\\_hop, but everything that supports it stands in one document",
        "- … and 4 more: `--format json` lists all",
    ] {
        assert!(out.lines().any(|found| found == line), "{line} in {out}");
    }
}

#[test]
fn the_json_has_everything_unshortened() {
    let value: serde_json::Value = serde_json::from_str(&json(&look(&worlds()))).unwrap();
    assert_eq!(value["documents"]["without_case"].as_array().unwrap().len(), 24);
    assert_eq!(value["subsets"][0]["state"], "thin");
    assert_eq!(value["contradictions"][0]["doubt"], "one_document");
    assert_eq!(value["ages"]["newest"], "2026-09-25");
    assert_eq!(value["mostly_generated"], true);
    assert_eq!(value["warnings"].as_array().unwrap().len(), 3);
}

#[test]
fn text_of_cases_cannot_steer_a_terminal_or_leave_its_column() {
    let mut world = World::new("a", "")
        .tagged("x\u{1b}[2J", &["a_tag_that_is_longer_than_its_column\u{7}", "返品返品返品返品返品"]);
    world.case.question = "the pallet of document a and nothing but that, word for word ".repeat(9);
    let coverage = look(&[world]);
    assert_eq!(coverage.easy.len(), 0, "{:?}", coverage.easy);
    for line in text(&coverage).lines() {
        assert!(line.width() <= 80 && !line.contains(char::is_control), "{line}");
    }
}

#[test]
fn no_case_at_all_is_said() {
    let out = text(&look(&[]));
    assert!(out.starts_with("coverage — 0 cases, as of 2026-12-01\n\n⚠️ there is no case\n"), "{out}");
}
