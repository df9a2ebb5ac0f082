//! Runs that are kept: `caselight run --out`, `--resume` and `--repeat`.

use std::fs;

use serde_json::Value;

use crate::support::Place;

/// The files of a folder; none where there is no such folder.
fn files(place: &Place, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path(folder)).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The lines of a file as JSON.
fn lines(place: &Place, name: &str) -> Vec<Value> {
    fs::read_to_string(place.path(name)).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_run_is_kept_and_holds_what_the_report_is_made_of() {
    let place = Place::demo();
    let report = place.caselight(["run", "--format", "json"]).json();
    let runs = files(&place, "corpus-index/runs");
    assert!(runs.len() == 1 && runs[0].ends_with("Z-keyword.jsonl"), "{runs:?}");
    let lines = lines(&place, &format!("corpus-index/runs/{}", runs[0]));
    let (header, cases) = lines.split_first().unwrap();
    assert_eq!(header["caselight_run"], 1);
    for name in [
        "tool",
        "config",
        "retriever",
        "baseline",
        "k",
        "depth",
        "recall_at",
        "params",
        "cases",
        "labels",
        "corpus",
        "started",
    ] {
        assert!(!header[name].is_null(), "no {name} in {header}");
    }
    let reported = report["cases"].as_array().unwrap();
    assert_eq!(cases.len(), reported.len());
    for (kept, reported) in cases.iter().zip(reported) {
        assert_eq!((&kept["id"], &kept["tags"]), (&reported["id"], &reported["tags"]), "in the order of the files");
        let ids = |case: &Value| -> Vec<Value> {
            case["results"].as_array().unwrap().iter().map(|result| result["id"].clone()).collect()
        };
        assert_eq!(ids(kept), ids(reported));
        for chunk in kept["chunks"].as_array().unwrap() {
            assert_eq!(chunk["text"].as_str().unwrap().len(), 16, "{chunk}");
            assert_eq!(chunk["ranks"][0][0], "keyword", "{chunk}");
        }
    }
}

#[test]
fn a_baseline_is_a_run_that_is_written_beside_the_cases_and_is_no_case_file() {
    let place = Place::demo();
    place.caselight(["run", "--out", "cases/baselines/main.jsonl"]).success();
    assert_eq!(files(&place, "cases/baselines"), ["main.jsonl"]);
    assert_eq!(files(&place, "corpus-index/runs"), [""; 0]);
    place.caselight(["check"]).success();
    let wrong = place.caselight(["run", "--out", "cases/main.jsonl"]);
    assert_eq!((wrong.status, wrong.stdout.as_str()), (Some(2), ""), "{wrong}");
    assert!(wrong.stderr.contains("is read as cases; baselines lie in the folder `baselines`"), "{wrong}");
}

#[test]
fn resume_goes_on_with_the_newest_run_or_a_named_one_and_says_what_differs() {
    let place = Place::demo();
    let nothing = place.caselight(["run", "--resume"]);
    assert_eq!(nothing.status, Some(2));
    assert!(nothing.stderr.starts_with("caselight: there is no run of config `keyword` in "), "{nothing}");
    let whole = place.caselight(["run"]).success();
    let name = format!("corpus-index/runs/{}", files(&place, "corpus-index/runs")[0]);
    let kept = lines(&place, &name);
    let text = fs::read_to_string(place.path(&name)).unwrap();
    fs::write(place.path(&name), &text[..text.len() / 2]).unwrap();
    let resumed = place.caselight(["run", "--resume"]);
    assert_eq!(resumed.status, Some(0), "{resumed}");
    assert!(
        resumed.stderr.contains("left out, the last line was cut off")
            && resumed.stderr.contains(" answers; only other cases are asked"),
        "{resumed}"
    );
    let without_latency =
        |text: &str| text.lines().filter(|line| !line.contains("latency")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without_latency(&resumed.stdout), without_latency(&whole));
    let ids = |lines: &[Value]| lines.iter().map(|line| line["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&lines(&place, &name)), ids(&kept));
    for (arguments, expected) in [
        (&["--resume", "--k", "3"][..], "its k is 6, not 3"),
        (&["--resume", "--tag", "negation"], "it is over another selection of cases"),
        (&["--resume", "nowhere"], "there is no run `nowhere`"),
    ] {
        let refused = place.caselight([&["run"], arguments].concat());
        assert_eq!(refused.status, Some(2), "{refused}");
        assert!(refused.stderr.contains(expected), "{refused}");
    }
}

#[test]
fn an_index_that_answers_the_same_each_time_has_no_noise() {
    let place = Place::demo();
    let printed = place.caselight(["run", "--repeat", "3"]).success();
    assert!(printed.ends_with("\n\nno noise: 3 repeats gave the same rankings\n"), "{printed}");
    assert_eq!(files(&place, "corpus-index/runs").len(), 1, "the first is kept");
    let report = place.caselight(["run", "--repeat", "2", "--format", "json"]).json();
    let noise = &report["noise"];
    assert_eq!(
        (&noise["repeats"], &noise["reordered"], &noise["unsteady"]),
        (&2.into(), &0.into(), &Value::Array(Vec::new()))
    );
    assert_eq!(noise["spread"]["recall"]["least"], report["summary"]["recall"]);
    assert_eq!(place.caselight(["run", "--repeat", "0"]).status, Some(2));
}
