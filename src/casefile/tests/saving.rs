//! Saving: outside edits, undo, links, modes, and failures that leave the old content whole.

use std::{fs, path::PathBuf};

use super::{chunk, section};
use crate::casefile::{
    edit::Edit,
    store::{EditError, Store, case_files},
};

const TWO: &str = "# head\n- question_id: a\n  question: x\n  tags: [t]\n- question_id: b\n  question: y\n  tags: []\n";

fn place(files: &[(&str, &str)]) -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let store = Store::open(case_files(folder.path(), None).unwrap());
    (folder, store)
}

fn add_tag(store: &mut Store, id: &str, tag: &str) -> Result<(), EditError> {
    let seen = store.case(id).unwrap().clone();
    store.edit(&seen, &Edit::AddTag(tag.into()))
}

fn names(folder: &tempfile::TempDir) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_edit_is_on_disk_when_it_returns_and_undo_and_redo_are_exact() {
    let (folder, mut store) = place(&[("c.yaml", TWO), ("d.jsonl", "{\"q\":\"z\"}")]);
    let path = folder.path().join("c.yaml");
    add_tag(&mut store, "b", "new").unwrap();
    let seen = store.case("b").unwrap().clone();
    store.edit(&seen, &Edit::AddSupporting(section("D", &["H"]))).unwrap();
    let json = store.cases().last().unwrap().clone();
    store.edit(&json, &Edit::AddSupporting(chunk("c"))).unwrap();
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.contains("tags: [new]\n  supporting:\n    - document: D\n"));
    for _ in 0..3 {
        assert!(store.undo().unwrap().is_some());
    }
    assert!(store.undo().unwrap().is_none());
    assert_eq!(fs::read_to_string(&path).unwrap(), TWO);
    assert_eq!(fs::read_to_string(folder.path().join("d.jsonl")).unwrap(), "{\"q\":\"z\"}");
    while store.redo().unwrap().is_some() {}
    assert_eq!(fs::read_to_string(&path).unwrap(), after);
    assert_eq!(names(&folder), ["c.yaml", "d.jsonl"]);
}

#[test]
fn an_outside_edit_of_another_case_is_kept_and_one_of_this_case_is_a_conflict() {
    let (folder, mut store) = place(&[("c.yaml", TWO)]);
    let path = folder.path().join("c.yaml");
    fs::write(&path, TWO.replace("# head", "# other\n# head").replace("question: x", "question: changed outside"))
        .unwrap();
    let stale = store.case("a").unwrap().clone();
    add_tag(&mut store, "b", "new").unwrap();
    let error = store.edit(&stale, &Edit::AddTag("m".into())).unwrap_err();
    assert!(
        matches!(&error, EditError::Conflict { now: Some(now), .. } if now.question == "changed outside"),
        "{error}"
    );
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("changed outside") && text.contains("tags: [new]"));
}

#[test]
fn undo_after_an_outside_edit_takes_only_its_own_bytes_back() {
    let (folder, mut store) = place(&[("c.yaml", TWO)]);
    let path = folder.path().join("c.yaml");
    add_tag(&mut store, "b", "new").unwrap();
    let outside = fs::read_to_string(&path).unwrap().replace("# head", "# a longer head");
    fs::write(&path, &outside).unwrap();
    store.undo().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), TWO.replace("# head", "# a longer head"));
    store.redo().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), outside);
    fs::write(&path, outside.replace("question: y", "question: other")).unwrap();
    assert!(matches!(store.undo().unwrap_err(), EditError::Conflict { .. }));
    assert!(fs::read_to_string(&path).unwrap().contains("question: other\n  tags: [new]"));
}

#[test]
fn refresh_notices_an_outside_edit() {
    let (folder, mut store) = place(&[("c.yaml", TWO)]);
    assert!(!store.refresh());
    let before = store.fingerprint();
    fs::write(folder.path().join("c.yaml"), TWO.replace("question: x", "question: z")).unwrap();
    assert!(store.refresh());
    assert_eq!(store.case("a").unwrap().question, "z");
    assert_ne!(store.fingerprint(), before);
}

#[test]
fn a_bad_file_does_not_hide_the_others_and_duplicate_ids_name_both_places() {
    let bad = "- question_id: z\n  question: x\n  question: y\n";
    let (folder, mut store) = place(&[
        ("a.yaml", bad),
        ("b.yaml", "- question_id: \"007\"\n  question: x\n"),
        ("c.yaml", "- question_id: 007\n  question: y\n"),
    ]);
    let problems: Vec<_> = store.problems().iter().map(ToString::to_string).collect();
    assert_eq!(store.cases().count(), 2);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(
        problems[1].contains("c.yaml:1:3: the id `007` is also used at") && problems[1].contains("b.yaml:1:3"),
        "{problems:?}"
    );
    add_tag(&mut store, "007", "t").unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("a.yaml")).unwrap(), bad);
}

#[test]
fn the_default_files_are_those_directly_in_the_folder() {
    let (folder, _) =
        place(&[("b.yml", ""), ("a.jsonl", ""), ("c.yaml", ""), ("caselight.toml", ""), (".hidden.yaml", "")]);
    fs::create_dir(folder.path().join("baselines")).unwrap();
    fs::write(folder.path().join("baselines/x.yaml"), "").unwrap();
    let found = |patterns: Option<&[String]>| -> Vec<String> {
        let found = case_files(folder.path(), patterns).unwrap();
        found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect()
    };
    assert_eq!(found(None), ["a.jsonl", "b.yml", "c.yaml"]);
    assert_eq!(
        found(Some(&["*.y*ml".into(), "gone.yaml".into(), "baselines/*.yaml".into()])),
        ["b.yml", "c.yaml", "gone.yaml"]
    );
    let store = Store::open([folder.path().join("gone.yaml")]);
    assert!(store.problems()[0].to_string().contains("cannot be read"));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_the_mode_stays() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, _) = place(&[("real.txt", TWO)]);
    let (real, link) = (folder.path().join("real.txt"), folder.path().join("link.yaml"));
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("real.txt", &link).unwrap();
    let mut store = Store::open([link.clone()]);
    add_tag(&mut store, "a", "new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&real).unwrap().contains("[t, new]"));
}

#[cfg(unix)]
#[test]
fn a_read_only_file_or_one_that_is_gone_is_an_error_that_loses_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, mut store) = place(&[("c.yaml", TWO)]);
    let path: PathBuf = folder.path().join("c.yaml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
    let error = add_tag(&mut store, "a", "new").unwrap_err();
    assert!(error.to_string().contains("read-only"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), TWO);
    assert_eq!(names(&folder), ["c.yaml"]);
    fs::remove_file(&path).unwrap();
    assert!(matches!(add_tag(&mut store, "a", "new").unwrap_err(), EditError::NotSaved { .. }));
    assert!(store.undo().unwrap().is_none());
}
