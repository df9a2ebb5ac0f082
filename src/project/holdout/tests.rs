//! The ledger only grows, and the settings change in their split alone.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use tempfile::TempDir;

use super::*;
use crate::project::SETTINGS;

fn opening(when: &str) -> Opening {
    Opening {
        when: when.to_owned(),
        commit: None,
        config: "keyword".to_owned(),
        k: 6,
        split: Some(Drawn { train: 0.7, seed: 42 }),
        train: Seen { n: 38, recall: Some(0.5) },
        holdout: Seen { n: 0, recall: None },
        tool: "0.1.0".to_owned(),
    }
}

#[test]
fn an_opening_is_one_line_and_is_read_back() {
    let folder = TempDir::new().unwrap();
    assert_eq!(ledger(folder.path()).unwrap().openings, []);
    for when in ["2026-11-30T23:44:58Z", "2026-12-01T08:00:00Z"] {
        keep(folder.path(), &opening(when)).unwrap();
    }
    let text = fs::read_to_string(folder.path().join(LEDGER)).unwrap();
    assert_eq!(
        text.lines().next().unwrap(),
        r#"{"when":"2026-11-30T23:44:58Z","commit":null,"config":"keyword","k":6,"split":{"train":0.7,"seed":42},"train":{"n":38,"recall":0.5},"holdout":{"n":0,"recall":null},"tool":"0.1.0"}"#
    );
    let ledger = ledger(folder.path()).unwrap();
    assert_eq!(ledger.openings, [opening("2026-11-30T23:44:58Z"), opening("2026-12-01T08:00:00Z")]);
    assert_eq!(ledger.broken, []);
}

#[test]
fn a_broken_line_is_named_by_its_number_and_stays_as_it_is() {
    let folder = TempDir::new().unwrap();
    keep(folder.path(), &opening("a")).unwrap();
    let path = folder.path().join(LEDGER);
    let mut before = fs::read(&path).unwrap();
    before.extend(b"\n<<<<<<< HEAD\n\xff\xfe\n{\"when\": \"cut o");
    fs::write(&path, &before).unwrap();
    keep(folder.path(), &opening("b")).unwrap();
    let after = fs::read(&path).unwrap();
    assert!(after.starts_with(&before));
    let ledger = ledger(folder.path()).unwrap();
    assert_eq!(ledger.openings, [opening("a"), opening("b")]);
    assert_eq!(ledger.broken.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4, 5]);
    assert!(ledger.broken.iter().all(|(_, why)| !why.is_empty() && !why.contains("at line")), "{:?}", ledger.broken);
}

#[test]
fn the_tenth_opening_spends_the_holdout() {
    let with = |n: usize| Ledger { openings: vec![opening("a"); n], ..Ledger::default() };
    assert!(!with(9).is_spent() && with(10).is_spent());
}

#[test]
fn a_ledger_that_cannot_be_written_leaves_the_holdout_closed() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join(LEDGER)).unwrap();
    let error = keep(folder.path(), &opening("a")).unwrap_err().to_string();
    assert!(error.contains("stays closed") && error.contains(LEDGER), "{error}");
}

#[test]
fn a_split_is_written_through_a_symbolic_link_and_the_other_bytes_stay() {
    let folder = TempDir::new().unwrap();
    let (real, path) = (folder.path().join("real.toml"), folder.path().join(SETTINGS));
    let before = "# settings\r\n[configs.a]\r\nretriever = \"local\"\r\nk = 3";
    fs::write(&real, before).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&real, &path).unwrap();
    #[cfg(not(unix))]
    fs::copy(&real, &path).unwrap();
    write_split(&path, Split::default()).unwrap();
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.starts_with(before) && written.ends_with("[split]\r\ntrain = 0.7\r\nseed = 42\r\n"), "{written}");
    write_split(&path, Split { train: 0.8, seed: 1 }).unwrap();
    let again = fs::read_to_string(&path).unwrap();
    assert_eq!(again, written.replace("train = 0.7", "train = 0.8").replace("seed = 42", "seed = 1"));
    assert_eq!(fs::symlink_metadata(&path).unwrap().is_symlink(), cfg!(unix));
}
