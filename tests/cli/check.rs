//! `caselight check`, and a run that refuses to start over the same things.

use insta::assert_snapshot;

use crate::support::Place;

fn place(cases: &str) -> Place {
    Place::with_corpus("docs")
        .file("docs/manual.md", "# Billing\n\n## Refund window\n\nThirty days.\n\n## Late fees\n\nOne per cent.\n")
        .file("cases/cases.yaml", cases)
}

#[test]
fn the_demo_is_in_order() {
    let printed = Place::demo().caselight(["check"]).success();
    assert!(printed.ends_with("all resolve\n"), "{printed}");
    assert_eq!(printed.lines().count(), 1, "{printed}");
}

#[test]
fn a_label_that_points_at_nothing_is_told_with_its_place_and_the_nearest_heading() {
    let place = place(
        "- question_id: b1
  question: How long can I ask for a refund?
  supporting:
    - document: manual.md
      heading: [Billing, Refunds]
    - document: gone.md
      heading: [Billing]
",
    );
    assert_snapshot!(place.caselight(["check"]), @"
    cases/cases.yaml:4:7: case b1: manual.md › Billing › Refunds
      the document “manual.md” has no heading “Billing › Refunds”
      nearest: manual.md › Billing › Refund window
      put one of these in its place, or correct the reference
    cases/cases.yaml:6:7: case b1: gone.md › Billing
      the corpus has no document “gone.md”
      correct the reference, or index the document that is meant
    1 case (1 labeled), 2 references: 2 wrong: a run would not start
    --- exit status 2 ---
    ");
    assert_snapshot!(place.caselight(["run"]), @"
    --- stderr ---
    caselight: 2 references do not resolve; a run refuses to start:
    cases/cases.yaml:4:7: case b1: manual.md › Billing › Refunds
      the document “manual.md” has no heading “Billing › Refunds”
      nearest: manual.md › Billing › Refund window
      put one of these in its place, or correct the reference
    cases/cases.yaml:6:7: case b1: gone.md › Billing
      the corpus has no document “gone.md”
      correct the reference, or index the document that is meant
    --- exit status 2 ---
    ");
}

#[test]
fn a_heading_that_stands_twice_is_ambiguous_unless_the_path_or_a_quote_tells() {
    let place = Place::with_corpus("docs").fixture("docs", "markdown/repeated.md").file(
        "cases/cases.yaml",
        "- question_id: by-path
  question: linux?
  supporting: [{document: repeated.md, heading: [Linux, setup]}]
- question_id: by-quote
  question: zip?
  supporting: [{document: repeated.md, heading: [Windows, Setup], quote: portable zip}]
- question_id: ambiguous
  question: windows?
  supporting: [{document: repeated.md, heading: [Windows, Setup]}]
",
    );
    assert_snapshot!(place.caselight(["check"]), @"
    cases/cases.yaml:9:16: case ambiguous: repeated.md › Windows › Setup
      it means 2 different sections, which begin with the chunks repeated#windows/setup, repeated#windows/setup-2
      nearest: repeated.md › Windows › Setup “Run the msi file.”
               repeated.md › Windows › Setup “The portable zip needs none.”
      write more of the heading path, or add a `quote` that only one of them holds
    3 cases (3 labeled), 3 references: 1 wrong: a run would not start
    --- exit status 2 ---
    ");
    assert_eq!(place.caselight(["run"]).status, Some(2));
}

#[test]
fn an_id_that_stands_twice_is_told_with_both_places_within_and_across_files() {
    let place = place(
        "- question_id: dup
  question: Can I return shoes?
- question_id: dup
  question: Can I return gloves?
- question_id: 007
  question: Can I return shoes?
",
    );
    let place = place.file("cases/more.yaml", "- question_id: \"007\"\n  question: Can I return hats?\n");
    assert_snapshot!(place.caselight(["check"]), @"
    cases/cases.yaml:3:3: the id `dup` is also used at cases/cases.yaml:1:3; ids are text and each is used once, change one of them
    cases/more.yaml:1:3: the id `007` is also used at cases/cases.yaml:5:3; ids are text and each is used once, change one of them
    4 cases (4 unlabeled), 0 references: 2 wrong: a run would not start
    --- exit status 2 ---
    ");
    assert_snapshot!(place.caselight(["run"]), @"
    --- stderr ---
    caselight: 2 problems in the case files; a run refuses to start:
    cases/cases.yaml:3:3: the id `dup` is also used at cases/cases.yaml:1:3; ids are text and each is used once, change one of them
    cases/more.yaml:1:3: the id `007` is also used at cases/cases.yaml:5:3; ids are text and each is used once, change one of them
    --- exit status 2 ---
    ");
}

#[test]
fn a_chunk_that_is_both_supporting_and_distractor_stops_a_run() {
    let place = place(
        "- question_id: both
  question: how late is late
  supporting: [{document: manual.md, heading: [Late fees]}]
  distractors: [{document: manual.md, heading: [Billing, Late fees]}]
",
    );
    assert_snapshot!(place.caselight(["check"]), @"
    cases/cases.yaml:4:17: case both: manual.md › Billing › Late fees
      the chunk manual#billing/late-fees is both supporting and distractor in this case
      remove one of the two references
    1 case (1 labeled), 2 references: 1 wrong: a run would not start
    --- exit status 2 ---
    ");
    assert_eq!(place.caselight(["run"]).status, Some(2));
}

#[test]
fn a_misspelt_field_is_told_and_stops_nothing() {
    let place = place(
        "- question_id: one
  question: how late is late
  suporting: []
  supporting: [{document: manual.md, heading: [Late fees]}]
",
    );
    assert_snapshot!(place.caselight(["check"]), @"
    cases/cases.yaml:3:3: case `one`: unknown field `suporting`; did you mean `supporting`?
    1 case (1 labeled), 1 reference: all resolve; 1 unknown field
    --- exit status 0 ---
    ");
    assert_eq!(place.caselight(["run"]).status, Some(0));
}

#[test]
fn a_label_that_its_asker_may_not_read_is_told() {
    let place = place("- {question_id: secret, question: pay?, supporting: [{document: pay.md}]}\n")
        .file("docs/pay.md", "---\nscope: [hr]\n---\n\nPay grades.\n");
    assert_snapshot!(place.caselight(["check"]), @"
    cases/cases.yaml:1:3: case `secret`: anonymous may not read pay.md: it is for hr, and anonymous belongs to no group
    1 case (1 labeled), 1 reference: all resolve
    --- exit status 0 ---
    ");
}

#[test]
fn each_requirement_is_held_to_what_its_asker_may_read_and_odd_askers_are_named() {
    let place = place(
        "- {question_id: two, question: pay?, asker: clerk, supporting: [{document: manual.md, heading: [Late fees]}, {document: pay.md}]}
- question_id: either
  question: pay?
  asker: clerk
  supporting: [{any_of: [{document: pay.md}, {document: manual.md, heading: [Late fees]}]}]
- question_id: neither
  question: pay?
  asker: clerk
  supporting: [{any_of: [{document: pay.md}, {document: bonus.md}]}]
- {question_id: who, question: pay?, asker: visitor, supporting: [{document: pay.md}]}
- {question_id: open, question: late?, asker: visitor, supporting: [{document: manual.md, heading: [Late fees]}]}
",
    )
    .file("docs/pay.md", "---\nscope: [hr]\n---\n\nPay grades.\n")
    .file("docs/bonus.md", "---\nscope: [board, hr]\n---\n\nBonuses.\n")
    .replace(
        "cases/caselight.toml",
        "[configs.keyword]",
        "[askers.clerk]\ngroups = [\"desk\", \"boards\"]\n[askers.visitor]\n[askers.chair]\ngroups = [\"board\"]\n\n[configs.keyword]",
    );
    assert_snapshot!(place.caselight(["check"]), @"
    cases/cases.yaml:1:3: case `two` (requirement 2 of 2): clerk may not read pay.md: it is for hr, and clerk belongs to boards, desk
    cases/cases.yaml:6:3: case `neither`: clerk may not read pay.md, nor its alternative: it is for board, hr, and clerk belongs to boards, desk
    cases/cases.yaml:10:3: case `who`: cannot tell whether visitor may read pay.md, which is for hr: the groups of visitor are not in the settings
    [askers.chair]: no case is asked as chair
    [askers.clerk]: no chunk is for the group boards; did you mean `board`?
    [askers.visitor]: it has no `groups`, so only production knows what visitor may read: leaks cannot be told, and the `local` retriever gives it what is for everybody only
    5 cases (5 labeled), 8 references: all resolve
    --- exit status 0 ---
    ");
    let output = place.caselight(["run", "--case", "open", "--case", "who"]);
    assert_eq!(output.status, Some(0), "{output}");
    assert_eq!(
        output.stderr,
        "caselight: the groups of visitor are not in the settings: `local` gives it what is for everybody only\n"
    );
}
