//! Kept runs as numbers, in the order in which they were made.

use super::*;

fn recalls(past: &[Past]) -> Vec<(&str, usize, f64)> {
    let row = |past: &'_ Past| (past.summary.all.n, past.summary.all.numbers.as_ref().unwrap().recall);
    past.iter().map(|past| (past.name.as_str(), row(past).0, row(past).1)).collect()
}

#[test]
fn the_runs_of_a_config_are_scored_under_the_asked_window_oldest_first() {
    let folder = TempDir::new().unwrap();
    let at = |hour: u8| made_with("keyword", &format!("2026-11-30T{hour:02}:00:00Z"));
    let cases = [case("one", "a b c"), case("two", "b c a")];
    file(folder.path(), "late.jsonl", &at(9), &cases);
    file(folder.path(), "early.jsonl", &at(8), &cases[1..]);
    file(folder.path(), "other.jsonl", &made_with("hybrid", "2026-11-30T10:00:00Z"), &cases);
    file(folder.path(), "failed.jsonl", &at(7), &[case("one", "!")]);
    fs::write(folder.path().join("broken.jsonl"), "no run").unwrap();
    let all = |k| history(folder.path(), "keyword", k, &["paraphrase".to_owned()], &|_| true);
    assert_eq!(recalls(&all(2)), [("early", 1, 0.0), ("late", 2, 0.5)]);
    assert_eq!(recalls(&all(3)), [("early", 1, 1.0), ("late", 2, 1.0)], "rank 3 is inside a window of 3");
    assert_eq!(all(4), [], "only three results were asked for");
    assert_eq!(all(2)[1].summary.subsets[0].n, 2);
}

#[test]
fn cases_that_are_not_to_be_shown_count_in_no_run() {
    let folder = TempDir::new().unwrap();
    file(folder.path(), "run.jsonl", &header(), &[case("one", "a b c"), case("kept_out", "b c d")]);
    let shown = |id: &str| id != "kept_out";
    assert_eq!(recalls(&history(folder.path(), "keyword", 2, &[], &shown)), [("run", 1, 1.0)]);
    assert_eq!(history(folder.path(), "keyword", 2, &[], &|id| id == "neither"), []);
}

#[test]
fn without_a_folder_there_is_no_history_and_of_many_runs_the_newest_stay() {
    let folder = TempDir::new().unwrap();
    assert_eq!(history(&folder.path().join("none"), "keyword", 2, &[], &|_| true), []);
    for minute in 0..20 {
        let header = made_with("keyword", &format!("2026-11-30T08:{minute:02}:00Z"));
        file(folder.path(), &format!("{minute:02}.jsonl"), &header, &[case("one", "a")]);
    }
    let past = history(folder.path(), "keyword", 2, &[], &|_| true);
    assert_eq!((past.len(), past[0].name.as_str(), past[15].name.as_str()), (16, "04", "19"));
}
