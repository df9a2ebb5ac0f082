//! `caselight init`

use std::fs;

use insta::assert_snapshot;

use crate::support::Place;

#[test]
fn a_new_place_can_be_checked_and_has_nothing_to_score_yet() {
    let place = Place::empty().fixture("docs", "markdown/preamble.md");
    assert_snapshot!(place.caselight(["init", "docs"]), @"
    wrote cases/caselight.toml and cases/cases.yaml
    next: replace the question in cases/cases.yaml by your own, then `caselight` opens the screens and l labels it
    --- exit status 0 ---
    ");
    assert_snapshot!(place.caselight(["check"]), @"
    1 case (1 unlabeled), 0 references: all resolve
    --- exit status 0 ---
    ");
    assert_snapshot!(place.caselight(["run"]), @"
    retrieval eval — 1 case, config: keyword, k=6

    subset              n   recall   mrr   prec   compl   distractor↑
    all                 0    none of 1 case scored
    exact_token         0    no cases
    paraphrase          0    no cases
    negation            0    no cases
    multi_chunk         0    no cases
    multi_hop           0    no cases
    permission_narrow   0    no cases
    follow_up           0    no cases

    latency   p50 # ms, p95 # ms  (n=1)

    1 case: 0 scored, 1 unlabeled

    retriever local: baseline, not production
    --- stderr ---
    caselight: nothing was scored: no case of this run is labeled and was answered
    --- exit status 2 ---
    ");
}

#[test]
fn a_place_that_exists_is_left_alone() {
    let place = Place::demo();
    let before = fs::read(place.path("cases/caselight.toml")).unwrap();
    assert_snapshot!(place.caselight(["init", "corpus-index/documents"]), @"
    --- stderr ---
    caselight: cases/caselight.toml is there already: nothing was written
    --- exit status 2 ---
    ");
    assert_eq!(fs::read(place.path("cases/caselight.toml")).unwrap(), before);
    assert!(!place.path("cases/cases.yaml").exists());
}

#[test]
fn a_source_that_is_not_there_makes_nothing() {
    let place = Place::empty();
    assert_snapshot!(place.caselight(["init", "nowhere"]), @"
    --- stderr ---
    caselight: the corpus source nowhere does not exist: name a folder of Markdown files or a chunks .jsonl file
    --- exit status 2 ---
    ");
    assert!(!place.path("cases").exists());
}
