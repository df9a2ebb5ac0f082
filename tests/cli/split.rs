//! `caselight split`, and what a holdout hides from the other commands.

use std::fs;

use serde_json::Value;

use crate::support::{CommandOutput, Place};

const SETTINGS: &str = "cases/caselight.toml";
const LEDGER: &str = "cases/holdout-ledger.jsonl";

fn split() -> Place {
    let place = Place::demo();
    place.caselight(["split"]).success();
    place
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

fn sides(place: &Place) -> (Vec<String>, Vec<String>) {
    let split = place.caselight(["split", "--format", "json"]).json();
    let side = |name: &str| split[name].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    (side("train"), side("holdout"))
}

fn asked(report: &Value) -> Vec<&str> {
    report["cases"].as_array().unwrap().iter().map(|case| case["id"].as_str().unwrap()).collect()
}

/// The demo with a split, and an id of its holdout that is labeled.
fn with_holdout_case() -> (Place, String) {
    let place = split();
    let holdout = sides(&place).1;
    let open = place.caselight(["run", "--open-holdout", "--format", "json"]).json();
    fs::remove_file(place.path(LEDGER)).unwrap();
    let scored = open["cases"].as_array().unwrap().iter().filter(|case| case["state"] == "scored");
    let ids: Vec<&str> = scored.map(|case| case["id"].as_str().unwrap()).collect();
    let id = holdout.into_iter().find(|id| ids.contains(&id.as_str())).unwrap();
    (place, id)
}

fn fine(output: &CommandOutput) {
    assert_eq!(output.status, Some(0), "{output}");
}

#[test]
fn a_split_is_written_once_at_the_end_and_then_reported() {
    let place = Place::demo();
    let before = read(&place, SETTINGS);
    let printed = place.caselight(["split"]).success();
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("split — ") && lines[0].ends_with(" cases, 0.7 of train, seed 42"), "{printed}");
    assert_eq!(lines[2], "subset            cases   train   holdout   share");
    for (line, name) in lines[3..].iter().zip(["all", "exact_token", "paraphrase", "negation"]) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let counts: Vec<usize> = fields[1..4].iter().map(|field| field.parse().unwrap()).collect();
        assert_eq!((fields[0], fields.len(), counts[1] + counts[2]), (name, 5, counts[0]), "{printed}");
    }
    let end = "\n\nthe holdout has not been opened yet\nwritten to cases/caselight.toml: commit it; gates are held over train";
    assert!(printed.contains(end), "{printed}");
    let after = read(&place, SETTINGS);
    assert!(after.starts_with(&before) && after.ends_with("\n[split]\ntrain = 0.7\nseed = 42\n"), "{after}");
    let again = place.caselight(["split", "--train", "0.7", "--seed", "42", "--again"]).success();
    assert!(again.ends_with("in cases/caselight.toml already\n"), "{again}");
    assert_eq!(read(&place, SETTINGS), after);
}

#[test]
fn the_bytes_before_the_table_stay_whatever_the_line_ends_are() {
    for (change, end) in [
        ((|text: &str| text.replace('\n', "\r\n")) as fn(&str) -> String, "[split]\r\ntrain = 0.5\r\nseed = 7\r\n"),
        (|text| text.trim_end().to_owned(), "[split]\ntrain = 0.5\nseed = 7\n"),
        (|text| format!("\u{feff}{text}\n\n# the end"), "[split]\ntrain = 0.5\nseed = 7\n"),
    ] {
        let place = Place::demo();
        let before = change(&read(&place, SETTINGS));
        let place = place.file(SETTINGS, &before);
        place.caselight(["split", "--train", "0.5", "--seed", "7"]).success();
        let after = read(&place, SETTINGS);
        assert!(after.starts_with(&before) && after.ends_with(end), "{after}");
        fine(&place.caselight(["check"]));
    }
}

#[test]
fn a_dry_run_writes_nothing_and_no_command_splits_by_itself() {
    let place = Place::demo();
    let before = read(&place, SETTINGS);
    let printed = place.caselight(["split", "--dry-run", "--train", "0.5"]).success();
    assert!(printed.contains("0.5 of train") && printed.contains("--dry-run writes nothing"), "{printed}");
    for arguments in [&["run"][..], &["gate"], &["check"]] {
        place.caselight(arguments).success();
    }
    assert_eq!(read(&place, SETTINGS), before);
    let output = place.caselight(["run", "--open-holdout"]);
    assert_eq!(output.status, Some(2), "{output}");
    assert!(output.stderr.contains("there is no holdout to open: `caselight split` makes one"), "{output}");
    assert!(!place.path(LEDGER).exists());
}

#[test]
fn another_split_needs_to_be_asked_for_twice_and_says_what_it_gives_away() {
    let place = split();
    let before = read(&place, SETTINGS);
    let refused = place.caselight(["split", "--seed", "43"]);
    assert_eq!(refused.status, Some(2), "{refused}");
    assert!(
        refused.stderr.contains("has a split already (train = 0.7, seed = 42)")
            && refused.stderr.contains("of train would be holdout though what was tuned has seen them")
            && refused.stderr.contains("--again"),
        "{refused}"
    );
    assert_eq!(read(&place, SETTINGS), before);
    let done = place.caselight(["split", "--seed", "43", "--again"]);
    fine(&done);
    assert!(done.stderr.contains("of train would be holdout"), "{done}");
    assert_eq!(read(&place, SETTINGS), before.replace("seed = 42", "seed = 43"));
}

#[test]
fn shares_and_seeds_that_make_no_sense_are_usage_errors() {
    for arguments in
        [["--train", "1"], ["--train", "0"], ["--train", "nan"], ["--train", "half"], ["--seed", "9223372036854775808"]]
    {
        let output = Place::demo().caselight([&["split"], &arguments[..]].concat());
        assert_eq!(output.status, Some(2), "{output}");
        assert!(output.stderr.contains(arguments[0]), "{output}");
    }
}

#[test]
fn a_case_that_is_added_moves_no_other() {
    let place = split();
    let before = sides(&place);
    let more = "- {question_id: aaa-001, question: one more}\n- {question_id: zzz-001, question: and one more}\n";
    let place = place.file("cases/added.yaml", more);
    let after = sides(&place);
    let old = |ids: Vec<String>| {
        ids.into_iter()
            .filter(|id| !id.ends_with("-001") || before.0.contains(id) || before.1.contains(id))
            .collect::<Vec<_>>()
    };
    let mut kept = (old(after.0), old(after.1));
    let mut expected = before.clone();
    for side in [&mut kept.0, &mut kept.1, &mut expected.0, &mut expected.1] {
        side.sort();
    }
    assert_eq!(kept, expected);
}

#[test]
fn a_run_leaves_the_holdout_out_and_says_so_in_one_line() {
    let place = split();
    let (train, holdout) = sides(&place);
    let output = place.caselight(["run", "--format", "json"]);
    fine(&output);
    let expected =
        format!("{} holdout cases not run: --open-holdout opens them, and the ledger keeps that\n", holdout.len());
    assert_eq!(output.stderr, expected);
    let report = output.json();
    let mut ids = asked(&report);
    ids.sort_unstable();
    let mut train: Vec<&str> = train.iter().map(String::as_str).collect();
    train.sort_unstable();
    assert_eq!(ids, train);
    assert!(!place.path(LEDGER).exists());
}

#[test]
fn an_open_holdout_is_shown_beside_train_and_kept_in_the_ledger() {
    let place = split();
    let output = place.caselight(["run", "--open-holdout"]);
    fine(&output);
    assert_eq!(output.stderr, "");
    let (report, shown) = output.stdout.split_once("\nside ").unwrap();
    assert!(report.starts_with("retrieval eval — 68 cases"), "{output}");
    let shown: Vec<&str> = shown.lines().collect();
    let words =
        ["n   recall   95 % interval   mrr", "train ", "holdout ", "holdout less train: recall ", "the holdout has"];
    assert_eq!(shown.len(), words.len(), "{output}");
    assert!(shown.iter().zip(words).all(|(line, words)| line.trim_start().starts_with(words)), "{output}");
    assert!(output.stdout.contains("the holdout has been opened once: 2"), "{output}");
    let first = read(&place, LEDGER);
    let opening: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(opening["config"], "keyword");
    assert_eq!(opening["k"], 6);
    assert_eq!(opening["split"]["seed"], 42);
    assert!(opening["train"]["n"].as_u64().unwrap() > opening["holdout"]["n"].as_u64().unwrap());
    for side in ["train", "holdout"] {
        assert!((0.0..=1.0).contains(&opening[side]["recall"].as_f64().unwrap()), "{opening}");
    }
    // For scripts the report is whole, and the words stand beside it.
    let output = place.caselight(["run", "--open-holdout", "--format", "json", "--config", "keyword+rerank"]);
    fine(&output);
    assert_eq!(asked(&output.json()).len(), 68);
    assert!(output.stderr.contains("the holdout has been opened 2 times, last 2"), "{output}");
    let both = read(&place, LEDGER);
    assert!(both.starts_with(&first) && both.lines().count() == 2 && both.contains("keyword+rerank"), "{both}");
    // The ledger lies beside the cases and is none.
    fine(&place.caselight(["check"]));
}

#[test]
fn the_file_of_a_closed_run_has_no_holdout_case_and_one_of_an_open_run_is_compared_without_them() {
    let place = split();
    let (train, holdout) = sides(&place);
    fine(&place.caselight(["run", "--out", "closed.jsonl"]));
    fine(&place.caselight(["run", "--open-holdout", "--out", "open.jsonl"]));
    let closed = read(&place, "closed.jsonl");
    let line = |id: &str| format!("{{\"id\":\"{id}\"");
    assert!(holdout.iter().all(|id| !closed.contains(&line(id))) && train.iter().all(|id| closed.contains(&line(id))));
    let output = place.caselight(["compare", "closed.jsonl", "open.jsonl", "--format", "json"]);
    fine(&output);
    assert!(output.stderr.contains("holdout cases of open.jsonl not shown: --open-holdout opens them"), "{output}");
    assert!(holdout.iter().all(|id| !output.stdout.contains(&format!("\"{id}\""))), "{output}");
    assert_eq!(read(&place, LEDGER).lines().count(), 1);
}

#[test]
fn a_run_that_is_repeated_is_one_opening() {
    let place = split();
    fine(&place.caselight(["run", "--open-holdout", "--repeat", "3"]));
    assert_eq!(read(&place, LEDGER).lines().count(), 1);
}

#[test]
fn an_opened_run_without_a_holdout_case_is_no_opening() {
    let place = split();
    let (train, _) = sides(&place);
    place.caselight(["run", "--open-holdout", "--case", &train[0]]);
    assert!(!place.path(LEDGER).exists());
}

#[test]
fn a_holdout_case_that_is_asked_for_by_name_is_refused_until_it_is_opened() {
    let (place, id) = with_holdout_case();
    for command in ["run", "gate"] {
        let output = place.caselight([command, "--case", &id]);
        assert_eq!((output.status, output.stdout.as_str()), (Some(2), ""), "{output}");
        let expected = format!("`{id}` is a holdout case: its result stays hidden; `--open-holdout` opens the holdout");
        assert!(output.stderr.contains(&expected), "{output}");
    }
    let output = place.caselight(["run", "--case", &id, "--open-holdout"]);
    fine(&output);
    assert!(output.stdout.contains("below 10 cases") || output.stdout.contains("nothing scored"), "{output}");
    assert_eq!(read(&place, LEDGER).lines().count(), 1);
}

#[test]
fn the_tenth_opening_spends_the_holdout_and_a_broken_line_is_named_and_kept() {
    let (place, id) = with_holdout_case();
    let open = || place.caselight(["run", "--case", &id, "--open-holdout"]);
    fine(&open());
    let nine = format!("{}{{\"when\": 7}}\nno json\n", read(&place, LEDGER).repeat(8));
    fs::write(place.path(LEDGER), &nine).unwrap();
    let output = open();
    fine(&output);
    assert!(output.stdout.contains("opened 9 times") && !output.stdout.contains("spent"), "{output}");
    for line in [9, 10] {
        assert!(
            output.stdout.contains(&format!("cases/holdout-ledger.jsonl:{line}: this line is no opening")),
            "{output}"
        );
    }
    let output = open();
    assert!(
        output.stdout.contains("opened 10 times") && output.stdout.contains("it is spent: after 10 openings"),
        "{output}"
    );
    assert!(read(&place, LEDGER).starts_with(&nine));
    let report = place.caselight(["split"]).success();
    assert!(report.contains("opened 10 times") && report.contains("it is spent"), "{report}");
}

#[cfg(unix)]
#[test]
fn a_ledger_that_cannot_be_written_leaves_the_results_unseen() {
    let place = split();
    fs::create_dir(place.path(LEDGER)).unwrap();
    let output = place.caselight(["run", "--open-holdout"]);
    assert_eq!((output.status, output.stdout.as_str()), (Some(2), ""), "{output}");
    assert!(
        output.stderr.contains("the holdout stays closed, since cases/holdout-ledger.jsonl cannot be written"),
        "{output}"
    );
}

#[test]
fn a_gate_holds_train_cases_to_the_thresholds_and_all_once_it_is_opened() {
    let place = split();
    let closed = place.caselight(["gate", "--min", "recall=0.1"]);
    fine(&closed);
    assert!(closed.stderr.contains("holdout cases not run"), "{closed}");
    let open = place.caselight(["gate", "--min", "recall=0.1", "--open-holdout"]);
    fine(&open);
    assert!(open.stdout.contains("the holdout has been opened once"), "{open}");
    // The gates of the settings are held over the cases that may be asked, not left out as if a part were selected.
    let own = place.caselight(["gate"]);
    assert!(!own.stdout.contains("not all of its cases were selected"), "{own}");
}

#[test]
fn a_gate_over_a_tag_of_holdout_cases_alone_fails_and_says_why() {
    let place = split();
    let (_, holdout) = sides(&place);
    let case = |id: &str| format!("- {{question_id: {id}, question: anew, tags: [kept_out], answerable: false}}\n");
    let added: Vec<String> = (0..40).map(|n| format!("new-{n}")).collect();
    let place = place.file("cases/added.yaml", &added.iter().map(|id| case(id)).collect::<String>());
    let id = sides(&place).1.into_iter().find(|id| added.contains(id) && !holdout.contains(id)).unwrap();
    let settings = format!("{}\n[gate.kept_out]\nrecall = 0.1\n", read(&place, SETTINGS));
    let place = place.file("cases/added.yaml", &case(&id)).file(SETTINGS, &settings);
    let output = place.caselight(["gate"]);
    assert_eq!(output.status, Some(1), "{output}");
    assert!(output.stdout.contains("kept_out: all of its cases are in the holdout, which is closed"), "{output}");
}

#[test]
fn a_comparison_hides_the_holdout_of_configs() {
    let place = split();
    let (_, holdout) = sides(&place);
    let closed = place.caselight(["compare", "keyword", "keyword+rerank", "--format", "json"]);
    assert!(closed.stderr.contains("holdout cases not run"), "{closed}");
    for id in &holdout {
        assert!(!closed.stdout.contains(&format!("\"{id}\"")), "{id}\n{closed}");
    }
    let open = place.caselight(["compare", "keyword", "keyword+rerank", "--open-holdout"]);
    assert!(open.stderr.contains("opened 2 times"), "{open}");
    assert_eq!(read(&place, LEDGER).lines().count(), 2);
}

#[test]
fn a_split_for_scripts_has_the_ids_of_both_sides() {
    let split = split().caselight(["split", "--format", "json"]).json();
    assert_eq!(split["split"], serde_json::json!({ "train": 0.7, "seed": 42 }));
    assert_eq!((&split["in_settings"], &split["openings"]), (&Value::Bool(true), &Value::from(0)));
    let count = |name: &str| split[name].as_array().unwrap().len() as u64;
    assert_eq!(split["all"]["cases"], count("train") + count("holdout"));
    assert_eq!(split["all"]["holdout"], count("holdout"));
    assert!(split["subsets"]["follow_up"]["cases"].is_u64());
}
