//! Mistakes in `caselight.toml`, each with its line and what was probably meant.

use insta::assert_snapshot;

use crate::support::Place;

const SETTINGS: &str = "cases/caselight.toml";

#[test]
fn an_unknown_key_is_told_with_its_line_and_the_nearest_known_one() {
    let place = Place::demo().replace(SETTINGS, "default_asker", "defalt_asker");
    assert_snapshot!(place.caselight(["check"]), @"
    --- stderr ---
    caselight: cases/caselight.toml:3:1: unknown key `defalt_asker`: did you mean `default_asker`?
    --- exit status 2 ---
    ");
    let place = Place::demo().replace(SETTINGS, "depth = 10", "dept = 10");
    assert_snapshot!(place.caselight(["run"]), @"
    --- stderr ---
    caselight: cases/caselight.toml:34:1: unknown key `dept` in [configs.keyword]: did you mean `depth`?
    --- exit status 2 ---
    ");
}

#[test]
fn an_unknown_name_is_told_with_the_names_that_exist() {
    let place = Place::demo().replace(SETTINGS, "retriever = \"local\"", "retriever = \"lokal\"");
    assert_snapshot!(place.caselight(["run"]), @"
    --- stderr ---
    caselight: cases/caselight.toml:32:13: unknown retriever `lokal`: defined: example-server, local; did you mean `local`?
    --- exit status 2 ---
    ");
}

#[test]
fn a_value_of_the_wrong_kind_is_told_with_what_was_expected() {
    let place = Place::demo().replace(SETTINGS, "k = 6", "k = \"six\"");
    assert_snapshot!(place.caselight(["run"]), @r#"
    --- stderr ---
    caselight: cases/caselight.toml:33:5: `configs.keyword.k` is "six", expected a whole number from 1 to 1000000
    --- exit status 2 ---
    "#);
}

#[test]
fn toml_that_cannot_be_read_is_told_with_its_line() {
    let place = Place::demo().replace(SETTINGS, "[corpus]", "[corpus");
    assert_snapshot!(place.caselight(["run"]), @"
    --- stderr ---
    caselight: cases/caselight.toml:5:8: unclosed table, expected `]`
    --- exit status 2 ---
    ");
}

#[test]
fn a_case_of_an_unknown_asker_does_not_run() {
    let place = Place::demo().replace("cases/policies.yaml", "asker: accountant", "asker: acountant");
    assert_snapshot!(place.caselight(["check"]), @"
    cases/policies.yaml:124:3: case `pol-011`: unknown asker `acountant`: the settings define account_manager, accountant, counsel, driver, employee, hr_partner, warehouse_lead
    cases/policies.yaml:136:3: case `pol-013`: unknown asker `acountant`: the settings define account_manager, accountant, counsel, driver, employee, hr_partner, warehouse_lead
    [askers.accountant]: no case is asked as accountant
    68 cases (54 labeled, 2 unanswerable, 12 unlabeled), 106 references: 2 wrong: a run would not start
    --- exit status 2 ---
    ");
    assert_eq!(place.caselight(["run"]).status, Some(2));
}
