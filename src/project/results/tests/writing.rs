//! Runs that are made: written, put in order, gone on with.

use super::*;

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn every_case_is_on_disk_at_once_and_the_end_puts_them_in_order() {
    let (folder, project) = place();
    let mut writer = Writer::create(&project, &header()).unwrap();
    let path = writer.path().to_owned();
    assert_eq!(path, folder.path().join("cases/../local/runs/20261130T234458Z-keyword.jsonl"));
    assert_eq!(text(&path), header_line(&header()));
    for (id, results, so_far) in [("two", "b", 1), ("three", "!", 2), ("one", "a", 3), ("three", "a", 4)] {
        writer.add(&case(id, results)).unwrap();
        assert_eq!(text(&path).lines().count(), 1 + so_far);
    }
    assert_eq!(ids(&read(&path).unwrap().run), ["two", "one", "three"]);
    assert_eq!(writer.finish(["one", "two", "three"], None).unwrap(), path);
    let expected = [case("one", "a"), case("two", "b"), case("three", "a")];
    assert_eq!(text(&path), header_line(&header()) + &expected.iter().map(case_line).collect::<String>());
    assert_eq!(fs::read_dir(runs(&project)).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn two_runs_of_one_second_are_two_files_and_a_name_is_safe_on_every_system() {
    let (_folder, project) = place();
    let name = |config: &str| {
        let writer = Writer::create(&project, &made_with(config, "2026-11-30T23:44:58Z")).unwrap();
        writer.path().file_name().unwrap().to_str().unwrap().to_owned()
    };
    let cases = [
        ("keyword", "20261130T234458Z-keyword.jsonl"),
        ("keyword", "20261130T234458Z-keyword-2.jsonl"),
        ("keyword", "20261130T234458Z-keyword-3.jsonl"),
        ("hybrid+rerank", "20261130T234458Z-hybrid+rerank.jsonl"),
        ("../a b/c:\n", "20261130T234458Z-..-a-b-c--.jsonl"),
    ];
    for (config, expected) in cases {
        assert_eq!(name(config), expected, "{config:?}");
    }
    assert!(name(&"ß".repeat(500)).len() < 200);
}

#[test]
fn a_run_can_be_put_elsewhere_where_it_replaces_the_one_before_only_at_the_end() {
    let (folder, project) = place();
    let out = folder.path().join("cases/baselines/main.jsonl");
    let make = |cases: &[RunCase]| {
        check_out(&project, &out).unwrap();
        let mut writer = Writer::create(&project, &header()).unwrap();
        for case in cases {
            writer.add(case).unwrap();
        }
        writer
    };
    assert_eq!(make(&[case("one", "a")]).finish(["one"], Some(&out)).unwrap(), out);
    assert!(list(&project).is_empty(), "it is there instead");
    let broken_off = make(&[case("one", "b")]);
    assert_eq!(read(&out).unwrap().run.cases, [case("one", "a")]);
    drop(broken_off);
    assert_eq!(list(&project).len(), 1, "what was broken off can be resumed");
    make(&[case("one", "!")]).finish(["one"], Some(&out)).unwrap();
    assert_eq!(read(&out).unwrap().run.cases, [case("one", "!")]);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_a_link_stays_one() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let (folder, project) = place();
    let (real, link) = (folder.path().join("real.jsonl"), folder.path().join("link.jsonl"));
    fs::write(&real, "").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, &link).unwrap();
    check_out(&project, &link).unwrap();
    Writer::create(&project, &header()).unwrap().finish([], Some(&link)).unwrap();
    assert!(link.is_symlink());
    assert_eq!(text(&real), header_line(&header()));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    // A new one is as open as any other new file.
    let (new, plain) = (folder.path().join("new.jsonl"), folder.path().join("plain"));
    fs::write(&plain, "").unwrap();
    Writer::create(&project, &header()).unwrap().finish([], Some(&new)).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&new), mode(&plain));
}

#[test]
fn a_run_is_not_put_where_it_would_be_a_case_file_or_destroy_something() {
    let (folder, project) = place();
    let refused = |name: &str| match check_out(&project, &folder.path().join(name)) {
        Err(error @ ResultsError::Refused { .. }) => error.to_string(),
        other => panic!("{name}: {other:?}"),
    };
    assert!(refused("cases/main.jsonl").contains("is read as cases; baselines lie in"));
    assert!(refused("cases").contains("that is a folder"));
    assert!(refused("cases/caselight.toml").contains("something else than a run"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was left behind");
    check_out(&project, &folder.path().join("new/folder/run.jsonl")).unwrap();
}

#[test]
fn a_run_that_was_broken_off_goes_on_and_ends_like_one_that_was_not() {
    let (folder, project) = place();
    let whole =
        file(folder.path(), "whole.jsonl", &header(), &[case("one", "a"), case("two", "b"), case("three", "a")]);
    // Cut off in the line of `three`, and `two` failed.
    let cut = file(
        folder.path(),
        "local/runs/cut.jsonl",
        &header(),
        &[case("two", "!"), case("one", "a"), case("three", "a")],
    );
    let content = fs::read(&cut).unwrap();
    fs::write(&cut, &content[..content.len() - 30]).unwrap();
    let now = Header { started: "2026-12-01T00:00:00Z".to_owned(), commit: Some("0123abc".to_owned()), ..header() };
    let Resumed { mut writer, header: then, kept, notes } = resume(&project, None, &now).unwrap();
    assert_eq!((then, kept, notes.len()), (header(), vec![case("one", "a")], 1));
    writer.add(&case("three", "a")).unwrap();
    assert_eq!(ids(&read(&cut).unwrap().run), ["two", "one", "three"], "it can be broken off again");
    writer.add(&case("two", "b")).unwrap();
    writer.finish(["one", "two", "three"], None).unwrap();
    assert_eq!(text(&cut), text(&whole));
}

#[test]
fn a_last_line_without_its_line_end_is_kept() {
    let (folder, project) = place();
    let path = file(folder.path(), "local/runs/cut.jsonl", &header(), &[case("one", "a")]);
    fs::write(&path, text(&path).trim_end()).unwrap();
    let Resumed { mut writer, kept, .. } = resume(&project, Some("cut"), &header()).unwrap();
    assert_eq!(kept, [case("one", "a")]);
    writer.add(&case("two", "b")).unwrap();
    writer.finish(["one", "two"], None).unwrap();
    assert_eq!(read(&path).unwrap().run.cases, [case("one", "a"), case("two", "b")]);
}

#[test]
fn the_newest_run_of_the_same_config_goes_on_and_without_one_the_error_says_so() {
    let (folder, project) = place();
    let at = |name: &str, config: &str, started: &str| {
        file(folder.path(), &format!("local/runs/{name}.jsonl"), &made_with(config, started), &[])
    };
    at("old", "keyword", "2026-11-28T00:00:00Z");
    at("new", "keyword", "2026-11-29T00:00:00Z");
    at("other", "hybrid", "2026-11-30T00:00:00Z");
    let path = resume(&project, None, &header()).unwrap().writer.path().to_owned();
    assert!(path.ends_with("new.jsonl"), "{}", path.display());
    let error = resume(&project, None, &made_with("rerank", "")).unwrap_err().to_string();
    assert!(error.starts_with("there is no run of config `rerank` in "), "{error}");
}

type Change = fn(&mut Header);

#[test]
fn a_run_that_was_made_with_something_else_is_refused_and_not_touched() {
    let (folder, project) = place();
    let path = file(folder.path(), "local/runs/run.jsonl", &header(), &[case("one", "!")]);
    let before = text(&path);
    let other = |change: Change| {
        let mut now = header();
        change(&mut now);
        resume(&project, Some("run"), &now).unwrap_err().to_string()
    };
    let cases: [(Change, &str); 9] = [
        (|now| now.config = "hybrid".to_owned(), "its config is `keyword`, not `hybrid`"),
        (|now| now.retriever = "local".to_owned(), "its retriever is production, not local"),
        (|now| now.params = "{\"a\":1}".to_owned(), "its list of parameters is {}, not {\"a\":1}"),
        (|now| now.cut.k = 3, "its k is 2, not 3"),
        (|now| now.cut.depth = 10, "its depth is 3, not 10"),
        (|now| now.cut.recall_at = vec![1], "its list of Ks for recall@K is 1, 3, not 1"),
        (|now| now.cases = "edited".to_owned(), "the case files have changed since"),
        (|now| now.corpus = "other".to_owned(), "the corpus has changed since"),
        (|now| now.labels = "fewer".to_owned(), "it is over another selection of cases (`--tag`, `--case`)"),
    ];
    for (change, expected) in cases {
        let error = other(change);
        assert!(error.contains(&format!("run.jsonl cannot be resumed: {expected}; without `--resume`")), "{error}");
    }
    assert_eq!(text(&path), before);
}

#[test]
fn a_run_that_is_being_written_is_not_gone_on_with() {
    let (_folder, project) = place();
    let writer = Writer::create(&project, &header()).unwrap();
    assert!(matches!(resume(&project, None, &header()), Err(ResultsError::Busy { .. })));
    drop(writer);
    assert!(resume(&project, None, &header()).is_ok());
}
