//! Runs that are there: found, and read.

use super::*;

#[test]
fn a_run_that_was_cut_off_anywhere_has_every_case_whose_line_is_whole() {
    let folder = TempDir::new().unwrap();
    let cases = [case("one", "a"), case("two", "b"), case("three", "!")];
    let path = file(folder.path(), "run.jsonl", &header(), &cases);
    let whole = fs::read(&path).unwrap();
    let ends: Vec<usize> = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    for length in (0..=whole.len()).rev() {
        file.set_len(length as u64).unwrap();
        // A line without its line end is whole all the same.
        let there = ends.iter().filter(|end| length >= **end).count();
        match read(&path) {
            Ok(stored) => {
                assert_eq!(stored.run.cases, cases[..there - 1], "{length} bytes");
                let cut_off = length > ends[there - 1] + 1;
                assert_eq!(stored.notes.len(), usize::from(cut_off), "{length} bytes: {:?}", stored.notes);
                let said = format!("{}:{}: left out, the last line was cut off: ", path.display(), there + 1);
                assert!(stored.notes.iter().all(|note| note.starts_with(&said)), "{:?}", stored.notes);
            }
            Err(error) => {
                assert_eq!(there, 0, "{length} bytes: {error}");
                assert!(error.to_string().starts_with(&format!("{}:1: this is no run", path.display())), "{error}");
            }
        }
    }
}

#[test]
fn a_broken_line_anywhere_else_is_an_error_with_its_place() {
    let folder = TempDir::new().unwrap();
    let path = file(folder.path(), "run.jsonl", &header(), &[case("one", "a"), case("two", "b")]);
    let whole = fs::read_to_string(&path).unwrap();
    for (from, to, line) in [("{\"id\":\"one\"", "{\"id\":1", 2), ("{\"id\":\"two\"", "\"id\":\"two\"", 3)] {
        fs::write(&path, whole.replace(from, to)).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        let error = reader.find_map(Result::err).unwrap().to_string();
        assert!(error.starts_with(&format!("{}:{line}: column ", path.display())), "{error}");
        assert!(error.ends_with("; repair the line or take it out"), "{error}");
        assert!(reader.next().is_none(), "nothing comes after an error");
    }
    fs::write(&path, [whole.as_bytes(), b"\xff\n"].concat()).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains(":4: column 1: this is not UTF-8"), "{error}");
}

#[test]
fn of_a_case_that_stands_twice_the_last_one_counts() {
    let folder = TempDir::new().unwrap();
    let cases = [case("one", "!"), case("two", "b"), case("one", "b"), case("one", "a")];
    let path = file(folder.path(), "run.jsonl", &header(), &cases);
    let stored = read(&path).unwrap();
    assert_eq!(stored.run.cases, [case("two", "b"), case("one", "a")]);
    assert_eq!(stored.notes, [format!("{}: 2 lines left out, a later line is about the same case", path.display())]);
    assert_eq!(Reader::open(&path).unwrap().cases(), 2);
}

#[test]
fn empty_lines_and_foreign_line_ends_are_nothing() {
    let folder = TempDir::new().unwrap();
    let path = file(folder.path(), "run.jsonl", &header(), &[case("one", "a"), case("two", "b")]);
    let text = fs::read_to_string(&path).unwrap().replace('\n', "\r\n\r\n") + "  ";
    fs::write(&path, text).unwrap();
    let stored = read(&path).unwrap();
    assert_eq!((ids(&stored.run), stored.notes), (vec!["one", "two"], Vec::new()));
}

#[test]
fn a_file_that_cannot_be_read_says_so() {
    let folder = TempDir::new().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("nowhere.jsonl")] {
        let error = read(&path).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot read the run {}: ", path.display())), "{error}");
    }
}

#[test]
fn a_stored_run_sums_up_to_what_its_cases_sum_up_to() {
    let folder = TempDir::new().unwrap();
    let mut cases =
        vec![case("one", "a"), case("two", "b a"), case("three", "b c d a"), case("four", "!"), case("five", "")];
    cases[1].tags = vec!["negation".to_owned(), "zoo".to_owned()];
    let path = file(folder.path(), "run.jsonl", &header(), &cases);
    let run = read(&path).unwrap().run;
    let summed = summarize(&path, &["paraphrase"]).unwrap();
    assert_eq!(summed.summary, sum_up(&run.results(), &run.header.cut, &["paraphrase"]));
    assert_eq!((summed.header, summed.summary.counts.scored, summed.summary.counts.errors), (header(), 4, 1));
}

#[test]
fn a_run_of_version_1_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/run-version-1.jsonl");
    let stored = read(&path).unwrap();
    let run = stored.run;
    assert_eq!((stored.notes.len(), run.header.config.as_str(), run.header.cut.k), (0, "hybrid+rerank", 6));
    assert_eq!(run.header.params, r#"{"mode":"hybrid","rerank":true}"#);
    assert_eq!(ids(&run), ["pol-004", "215250709085334181", "down", "later"]);
    let results = run.results();
    let words: Vec<&str> = results.iter().map(|result| result.state.word()).collect();
    assert_eq!(words, ["scored", "unanswerable", "error", "unlabeled"]);
    let scores = results[0].scores().unwrap();
    assert!((scores.recall - 1.0).abs() < 1e-9 && (scores.completeness - 0.5).abs() < 1e-9 && scores.distractor_above);
    assert_eq!(results[0].rank, Some(2));
    assert_eq!(run.cases[0].chunks[1].ranks, [("keyword".to_owned(), Some(11)), ("rerank".to_owned(), None)]);
    assert_eq!(run.cases[0].verdict.as_ref().unwrap().0, "outranked");
    let leaked: Vec<bool> = results[0].results.iter().map(|row| row.leaked).collect();
    assert_eq!((leaked, results[0].results[2].unknown), (vec![false, false, false, true], true));
}

#[test]
fn a_name_means_a_path_then_a_baseline_then_a_run() {
    let (folder, project) = place();
    let at = |place: &str, id: &str| file(folder.path(), place, &header(), &[case(id, "a")]);
    at("cases/baselines/main.jsonl", "baseline");
    at("local/runs/main.jsonl", "run of that name");
    at("local/runs/20261130T234458Z-keyword.jsonl", "run");
    let elsewhere = at("elsewhere.jsonl", "elsewhere");
    let cases = [
        ("main", "baseline"),
        ("main.jsonl", "baseline"),
        ("baselines/main.jsonl", "baseline"),
        ("20261130T234458Z-keyword", "run"),
        ("../local/runs/main.jsonl", "run of that name"),
        (elsewhere.to_str().unwrap(), "elsewhere"),
    ];
    for (name, expected) in cases {
        assert_eq!(ids(&find(&project, name).unwrap().run), [expected], "{name}");
    }
    let error = find(&project, "mian").unwrap_err().to_string();
    assert!(error.starts_with("there is no run `mian`, neither as a file nor in "), "{error}");
    assert!(error.ends_with("; there are main, 20261130T234458Z-keyword; did you mean `main`?"), "{error}");
    for name in ["", ".", "baselines"] {
        assert!(matches!(find(&project, name), Err(ResultsError::Unknown { .. })), "{name:?}");
    }
}

#[test]
fn where_there_are_no_runs_the_error_says_how_to_make_one() {
    let (_folder, project) = place();
    assert_eq!(list(&project), []);
    let error = find(&project, "main").unwrap_err().to_string();
    assert!(error.ends_with("; there are no runs yet: `caselight run` makes one"), "{error}");
}

#[test]
fn runs_are_listed_newest_first_and_what_is_no_run_is_not() {
    let (folder, project) = place();
    let at = |name: &str, started: &str| {
        file(folder.path(), &format!("local/runs/{name}.jsonl"), &made_with("x", started), &[])
    };
    at("z", "2026-11-29T00:00:00Z");
    at("a-9", "2026-11-30T00:00:00Z");
    at("a-10", "2026-11-30T00:00:00Z");
    at("a", "2026-11-30T00:00:00Z");
    at("m", "2026-12-01T00:00:00Z");
    at(".hidden", "2026-12-02T00:00:00Z");
    fs::write(folder.path().join("local/runs/none.jsonl"), "{}\n").unwrap();
    let names: Vec<String> = list(&project).into_iter().map(|run| run.name).collect();
    assert_eq!(names, ["m", "a-10", "a-9", "a", "z"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_file_makes_reading_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0_usize..900) {
        let folder = TempDir::new().unwrap();
        let path = file(folder.path(), "run.jsonl", &header(), &[case("one", "a"), case("two", "!")]);
        let mut content = fs::read(&path).unwrap();
        let at = at.min(content.len());
        content.splice(at..at, bytes);
        fs::write(&path, content).unwrap();
        let (_, _) = (read(&path), summarize(&path, &["x"]));
    }
}

#[test]
fn the_newest_baselines_that_hold_a_case_come_first_and_then_the_newest_runs() {
    let (_folder, project) = place();
    let (baselines, runs) = (baselines(&project), runs(&project));
    fs::create_dir_all(&baselines).unwrap();
    fs::create_dir_all(&runs).unwrap();
    let keep = |folder: &Path, name: &str, started: &str, cases: &[RunCase]| {
        let lines: Vec<String> = cases.iter().map(case_line).collect();
        let text = format!("{}\n{}\n", header_line(&made_with("keyword", started)), lines.join("\n"));
        fs::write(folder.join(format!("{name}.jsonl")), text).unwrap();
    };
    keep(&baselines, "old", "2026-11-01T00:00:00Z", &[case("one", "a")]);
    keep(&baselines, "main", "2026-11-20T00:00:00Z", &[case("one", "a b"), case("two", "b")]);
    keep(&runs, "a", "2026-11-21T00:00:00Z", &[case("one", "b")]);
    keep(&runs, "b", "2026-11-22T00:00:00Z", &[case("two", "b")]);
    keep(&runs, "c", "2026-11-23T00:00:00Z", &[case("one", "c a")]);
    fs::write(runs.join("broken.jsonl"), "no run").unwrap();
    let held = holding(&baselines, &runs, "one");
    let names: Vec<(&str, bool)> = held.iter().map(|held| (held.name.as_str(), held.committed)).collect();
    assert_eq!(names, [("main", true), ("old", true), ("c", false), ("a", false)]);
    assert_eq!(held[2].case, case("one", "c a"));
    assert!(holding(&baselines, &runs, "three").is_empty());
}
