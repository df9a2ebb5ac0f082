//! `caselight run --format …`: every format says the same numbers.

use crate::support::{Place, without_times};

fn run(place: &Place, format: &str) -> String {
    place.caselight(["run", "--format", format]).success()
}

#[test]
fn every_format_of_the_demo_says_the_same_recall() {
    let place = Place::demo();
    let json = place.caselight(["run", "--format", "json"]).json();
    let recall = json["summary"]["recall"].as_f64().unwrap();
    let two = format!("{recall:.2}");
    assert!(run(&place, "markdown").starts_with(&format!("## Retrieval: recall {two}, ")));
    assert!(run(&place, "junit").contains(&format!("<property name=\"recall\" value=\"{recall:.4}\"/>")));
    assert!(run(&place, "html").contains(&format!("<dt>recall</dt><dd>{two}<small>")));
    assert!(run(&place, "table").contains(&two));
}

#[test]
fn a_ci_sees_a_failure_for_every_case_whose_answer_is_not_in_the_window() {
    let place = Place::demo();
    let json = place.caselight(["run", "--format", "json"]).json();
    let cases = json["cases"].as_array().unwrap();
    let missed = cases.iter().filter(|case| case["recall"] == 0.0).count();
    let junit = run(&place, "junit");
    assert_eq!(junit.matches("<failure ").count(), missed);
    assert_eq!(junit.matches("<testcase ").count(), cases.len());
}

#[test]
fn the_same_answers_give_the_same_bytes_but_for_time() {
    let place = Place::demo();
    for format in ["markdown", "html"] {
        assert_eq!(without_times(&run(&place, format)), without_times(&run(&place, format)), "{format}");
    }
}
