#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::{build::open_with, *};
use crate::domain::{asker::Asker, chunk::ChunkId};

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn open(&self, source: &str) -> Result<Index, CorpusError> {
        open(&Source::detect(&self.path(source))?, &self.path("index"), &|_| {})
    }

    fn generation(&self) -> String {
        fs::read_to_string(self.path("index/index-v1/current")).unwrap()
    }
}

/// An index over chunks with these texts; their ids are `c1`, `c2` …
fn corpus(texts: &[&str]) -> (Place, Index) {
    let place = Place::new();
    let line =
        |(at, text): (usize, &&str)| serde_json::json!({"id": format!("c{}", at + 1), "text": text}).to_string() + "\n";
    place.write("chunks.jsonl", &texts.iter().enumerate().map(line).collect::<String>());
    let index = place.open("chunks.jsonl").unwrap();
    (place, index)
}

fn ids(found: &[Found]) -> Vec<&str> {
    found.iter().map(|found| found.chunk.id.as_str()).collect()
}

fn typed(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(at, letter)| &text[..at + letter.len_utf8()])
}

const PLAIN: [&str; 3] = [
    "Reset link: https://intranet.example/reset?id=7 works for one hour.",
    "The C++ (2nd edition) sample shows price:free and starts with dash.",
    "Calibration write failed {0} at [line] 12; replace the battery.",
];

#[test]
fn typed_text_is_never_a_query_language() {
    let (_place, index) = corpus(&PLAIN);
    for line in [
        "https://intranet.example/reset?id=7",
        "\"unterminated phrase",
        "-starts with dash",
        "price:free",
        "c++ (2nd edition",
        "write failed {0} at [line]",
        ">>>",
        "battery AND",
        "*",
        "field:",
        "\\",
        "~ ^ ! ?",
    ] {
        for typed in typed(line) {
            let found = index.search(typed, 10).unwrap();
            assert!(is_searchable(typed) || found.is_empty(), "{typed}");
            index.keyword(typed, None, 10).unwrap();
        }
    }
    for (query, first) in [
        ("https://intranet.example/reset?id=7", "c1"),
        ("c++ (2nd edition", "c2"),
        ("price:free", "c2"),
        ("write failed {0} at [line]", "c3"),
        ("battery OR \"", "c3"),
    ] {
        assert_eq!(ids(&index.search(query, 10).unwrap())[0], first, "{query}");
        assert_eq!(ids(&index.keyword(query, None, 10).unwrap())[0], first, "{query}");
    }
}

const PARTS: [&str; 6] = [
    "Replacement filter SKU-4411 fits the tall model.",
    "Replacement filter SKU-4412 fits the short model.",
    "Log shows ERR_4417 when the lid is open.",
    "Log shows ERR_4471 when the tray is full. SKU list attached.",
    "We shipped 4411 units; err on the side of caution.",
    "Firmware v2.10.3 and part 3119D3 only.",
];

#[test]
fn the_exact_identifier_stands_strictly_first() {
    let (_place, index) = corpus(&PARTS);
    for (query, first) in [
        ("SKU-4411", "c1"),
        ("sku-4411", "c1"),
        ("ERR_4417", "c3"),
        ("err_4417", "c3"),
        ("3119D3", "c6"),
        ("3119d3", "c6"),
        ("2.10.3", "c6"),
        ("v2.10.3", "c6"),
    ] {
        for found in [index.search(query, 10).unwrap(), index.keyword(query, None, 10).unwrap()] {
            assert_eq!(ids(&found)[0], first, "{query}");
            assert!(found.len() == 1 || found[0].score > found[1].score, "{query}");
        }
    }
    let found: BTreeSet<String> =
        ids(&index.keyword("4411", None, 10).unwrap()).into_iter().map(str::to_owned).collect();
    assert_eq!(found, BTreeSet::from(["c1".to_owned(), "c5".to_owned()]));
}

#[test]
fn words_of_any_length_are_found() {
    let blob = format!("base64 blob follows {} end of blob", "QUJD".repeat(17_500));
    let hash = "9f2c4be07d1a6385c0e4b7f1a2d3958e60b7c4d1e2f3a49586d7c8b9a0f1e2d3";
    let compound = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau";
    let (_place, index) = corpus(&[
        &format!("Image digest sha256 {hash} is the pinned one."),
        &format!("Antrag beim {compound} stellen."),
        "Export path /srv/exports/2031/very_long_customer_folder_name_without_any_space/report_final.csv",
        &blob,
    ]);
    assert_eq!(index.len(), 4);
    for (query, first) in [
        (hash, "c1"),
        (compound, "c2"),
        ("very_long_customer_folder_name_without_any_space", "c3"),
        ("end of blob", "c4"),
        (&"QUJD".repeat(17_500), "c4"),
    ] {
        assert_eq!(ids(&index.keyword(query, None, 10).unwrap())[0], first);
        assert_eq!(ids(&index.search(query, 10).unwrap())[0], first);
    }
    let notes: Vec<String> = index.notes().all().map(|(_, note)| note.to_string()).collect();
    assert_eq!(notes, ["1 word of more than 256 bytes found by the first 256 only, in c4"]);
}

#[test]
fn scripts_without_blanks_are_found_by_any_part() {
    let (_place, index) = corpus(&[
        "返品は購入日から三十日以内に限ります。",
        "領収書の再発行について",
        "設定後pdfを出力してください",
        "비밀번호를재설정하려면관리자에게문의하세요",
        "วิธีเปลี่ยนรหัสผ่าน",
    ]);
    for (query, first) in
        [("返品", "c1"), ("返", "c1"), ("再発行", "c2"), ("pdf", "c3"), ("재설정", "c4"), ("รหัสผ่าน", "c5")]
    {
        assert_eq!(ids(&index.search(query, 10).unwrap())[0], first, "{query}");
        assert_eq!(ids(&index.keyword(query, None, 10).unwrap())[0], first, "{query}");
    }
}

#[test]
fn results_stay_while_a_word_is_typed() {
    let (_place, index) = corpus(&[
        "Guide to installation of the label printer driver.",
        "Accessibility settings for the kiosk screen.",
        "Nothing relevant here.",
    ]);
    for (word, id) in [("installation", "c1"), ("accessibility", "c2")] {
        for typed in typed(word) {
            assert!(ids(&index.search(typed, 10).unwrap()).contains(&id), "{typed}");
        }
    }
    assert!(index.search("installat ", 10).unwrap().is_empty());
    assert!(index.keyword("installat", None, 10).unwrap().is_empty());
}

#[test]
fn at_every_prefix_the_hits_are_those_of_a_scan() {
    let pool = [
        "return",
        "returns",
        "returned",
        "refund",
        "SKU-4411",
        "sku_44",
        "err4417",
        "Rückgabe",
        "a.b.c",
        "x-ray",
        "re",
    ];
    let mut texts = Vec::new();
    for at in 0..200_usize {
        let word = |step: usize| pool[(at * step + step) % pool.len()];
        texts.push(format!("{} {}{at} {}", word(3), word(7), word(5)));
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (_place, index) = corpus(&texts);
    for word in pool.iter().chain(&["returns42", "refund199"]) {
        for typed in typed(word) {
            let found: BTreeSet<String> =
                ids(&index.search(typed, 1000).unwrap()).into_iter().map(str::to_owned).collect();
            let scan: BTreeSet<String> = texts
                .iter()
                .enumerate()
                // Without a document's name, the id stands for it and is found as well.
                .filter(|(at, text)| !tokenizer::matches(&format!("{text} c{}", at + 1), typed, true).is_empty())
                .map(|(at, _)| format!("c{}", at + 1))
                .collect();
            assert_eq!(found, scan, "{typed}");
        }
    }
}

#[test]
fn only_what_the_asker_may_read_is_found_and_the_limit_is_full() {
    let place = Place::new();
    let line = |at: u32| {
        let scope = if at < 10 { "[\"board\"]" } else { "[]" };
        format!("{{\"id\":\"{at}\",\"text\":\"pay scale\",\"scope\":{scope}}}\n")
    };
    let lines = (0..20).map(line).collect::<Vec<_>>().concat();
    let index = place.write("c.jsonl", &lines).open("c.jsonl").unwrap();
    let board = Asker { groups: Some(BTreeSet::from(["board".to_owned()])), ..Asker::default() };
    let stranger = Asker { groups: Some(BTreeSet::from(["*".to_owned(), "boar".to_owned()])), ..Asker::default() };
    let found = index.keyword("pay", Some(&Asker::default()), 5).unwrap();
    assert_eq!(ids(&found), ["10", "11", "12", "13", "14"]);
    assert_eq!(index.keyword("pay", Some(&stranger), 50).unwrap().len(), 10);
    assert_eq!(ids(&index.keyword("pay", Some(&board), 3).unwrap()), ["0", "1", "2"]);
    let everything = index.keyword("pay", None, 50).unwrap();
    assert_eq!(everything.len(), 20);
    assert!((everything[0].score - found[0].score).abs() < f32::EPSILON, "a scope does not change a score");
}

#[test]
fn chunks_come_back_as_they_were_read() {
    let text = "tab\tcr\r\nesc \u{1b}[31m é e\u{301} \u{202e} 👩‍🚒";
    let (_place, index) = corpus(&[text, "two"]);
    assert_eq!(index.chunk(&ChunkId::from("c1")).unwrap().unwrap().text, text);
    assert_eq!(index.chunk(&ChunkId::from("c9")).unwrap(), None);
    assert_eq!(index.document("c2").unwrap()[0].text, "two");
    assert_eq!(index.outline().unwrap().len(), 2);
}

#[test]
fn a_broken_file_is_not_indexed_and_its_lines_are_named() {
    let place = Place::new();
    place.write("c.jsonl", "{\"id\":\"a\",\"text\":\"\"}\n{\n\n{\"id\":\"a\",\"text\":\"\"}\n");
    let error = place.open("c.jsonl").unwrap_err().to_string();
    assert!(
        error.contains("c.jsonl:2: ") && error.contains("c.jsonl:4: the id `a` is already used in line 1"),
        "{error}"
    );
    place.write("c.jsonl", &"{\n".repeat(30));
    assert!(place.open("c.jsonl").unwrap_err().to_string().ends_with("… and 20 more"));
    assert!(!place.path("index/index-v1/current").exists());
}

mod markdown {
    use super::*;

    fn tree() -> Place {
        let place = Place::new();
        place
            .write("docs/a.md", "---\ntitle: Alpha\nscope: ops\n---\n# Alpha\n\none\n\n## Deep\n\ntwo\n")
            .write("docs/sub/b.md", "# Beta\n\nthree\n")
            .write("docs/.hidden/c.md", "hidden")
            .write("docs/notes.txt", "no page");
        place
    }

    #[test]
    fn a_tree_becomes_documents_named_by_title_or_path() {
        let index = tree().open("docs").unwrap();
        let outline = index.outline().unwrap();
        let names: Vec<&str> = outline.documents().iter().map(|document| document.name.as_str()).collect();
        assert_eq!(names, ["Alpha", "sub/b.md"]);
        assert_eq!(ids(&index.search("two", 5).unwrap()), ["a#deep"]);
        assert_eq!(index.document("Alpha").unwrap()[0].id.as_str(), "a");
        assert_eq!(index.notes().files.iter().map(|file| file.chunks).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn pages_that_share_a_title_are_named_by_their_path_with_a_note() {
        let place = tree();
        let index = place.write("docs/z.md", "---\ntitle: Alpha\n---\nlast\n").open("docs").unwrap();
        assert!(index.document("Alpha").unwrap().is_empty());
        assert_eq!(index.document("z.md").unwrap().len(), 1);
        assert_eq!(index.notes().all().count(), 2);
    }

    #[test]
    fn a_page_that_is_not_utf8_is_noted_and_the_others_are_there() {
        let place = tree();
        fs::write(place.path("docs/bad.md"), b"ok\nL\xfcge").unwrap();
        let index = place.open("docs").unwrap();
        assert_eq!(index.len(), 3);
        assert!(index.notes().has_errors());
        let (file, note) = index.notes().all().next().unwrap();
        assert_eq!((file.file.as_str(), note.line), ("bad.md", Some(2)));
        assert!(note.what.contains("byte 4"), "{note}");
    }

    #[test]
    fn front_matter_that_does_not_read_stops_with_file_and_line() {
        let place = tree();
        let error = place.write("docs/x.md", "---\ntitle: a\nscope: [\n---\n").open("docs").unwrap_err();
        assert!(matches!(&error, CorpusError::Broken { problems, .. } if problems[0].line.is_some()), "{error}");
        assert!(error.to_string().contains("x.md:"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn an_entry_that_cannot_be_read_is_noted_and_the_others_are_there() {
        use std::os::unix::fs::symlink;
        let place = tree();
        let fingerprint = place.open("docs").unwrap().fingerprint();
        for (target, link) in [("nowhere", "assets"), ("nowhere.md", "dead.md"), ("me@host.1", ".#a.md")] {
            symlink(target, place.path("docs").join(link)).unwrap();
        }
        symlink("self.md", place.path("docs/self.md")).unwrap();
        symlink("..", place.path("docs/sub/loop")).unwrap();
        place.write("docs/dir.md/page.md", "within");
        for large in [0, 1_000] {
            let source = Source::detect(&place.path("docs")).unwrap();
            let index = open_with(&source, &place.path("index"), &|_| {}, large).unwrap();
            assert_eq!(index.len(), 4);
            assert!(index.notes().has_errors());
            let notes: Vec<(&str, &str)> =
                index.notes().all().map(|(file, note)| (file.file.as_str(), note.what.as_str())).collect();
            let expected =
                [("dead.md", "leads nowhere"), ("self.md", "cannot be read"), ("sub/loop", "back to its own folder")];
            assert_eq!(notes.len(), expected.len(), "{notes:?}");
            for ((file, what), (expected_file, expected)) in notes.iter().zip(expected) {
                assert!(*file == expected_file && what.contains(expected), "{file}: {what}");
            }
            let generation = place.generation();
            place.open("docs").unwrap();
            assert_eq!(place.generation(), generation, "the trouble is the same");
        }
        fs::remove_dir_all(place.path("docs/dir.md")).unwrap();
        assert_eq!(place.open("docs").unwrap().fingerprint(), fingerprint, "what cannot be read is no content");
        place.write("docs/nowhere.md", "here now");
        let index = place.open("docs").unwrap();
        assert_eq!(index.len(), 5, "the link leads somewhere again");
        assert_eq!(index.notes().all().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_page_that_cannot_be_opened_is_noted_until_it_can() {
        use std::os::unix::fs::PermissionsExt;
        let place = tree();
        let page = place.path("docs/a.md");
        fs::set_permissions(&page, fs::Permissions::from_mode(0o000)).unwrap();
        if fs::read(&page).is_ok() {
            return; // To this user permissions mean nothing.
        }
        assert_eq!(place.open("docs").unwrap().len(), 1);
        fs::set_permissions(&page, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(place.open("docs").unwrap().len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_tree_of_nothing_that_can_be_read_is_empty() {
        let place = Place::new();
        fs::create_dir(place.path("docs")).unwrap();
        std::os::unix::fs::symlink("nowhere.md", place.path("docs/dead.md")).unwrap();
        assert!(matches!(place.open("docs"), Err(CorpusError::Empty(_))));
    }

    #[test]
    fn an_index_follows_its_source() {
        for large in [0, 1_000] {
            let place = tree();
            let source = Source::detect(&place.path("docs")).unwrap();
            let reopen = || open_with(&source, &place.path("index"), &|_| {}, large).unwrap();
            let first = reopen();
            let generation = place.generation();
            let again = reopen();
            assert_eq!(place.generation(), generation, "nothing changed");
            assert_eq!(first.fingerprint(), again.fingerprint());
            place.write("docs/sub/b.md", "# Beta\n\nthree\n");
            reopen();
            assert_eq!(place.generation(), generation, "only the time changed");

            place.write("docs/sub/b.md", "# Beta\n\nfour two\n").write("docs/0.md", "new two");
            let changed = reopen();
            assert_ne!(changed.fingerprint(), first.fingerprint());
            assert_eq!(ids(&first.search("three", 5).unwrap()), ["sub/b#beta"], "an open index stays as it was");
            assert!(changed.search("three", 5).unwrap().is_empty());
            let fresh = open(&source, &place.path("other"), &|_| {}).unwrap();
            assert_eq!(changed.search("two", 5).unwrap(), fresh.search("two", 5).unwrap());
            assert_eq!(changed.fingerprint(), fresh.fingerprint());

            fs::remove_file(place.path("docs/0.md")).unwrap();
            place.write("docs/y.md", "---\ntitle: Alpha\n---\ntwin\n");
            let removed = reopen();
            assert_eq!(removed.len(), 4);
            assert_eq!(removed.document("a.md").unwrap().len(), 2, "its title is no longer its own");
            let all = fs::read_dir(place.path("index/index-v1")).unwrap().count();
            assert_eq!(all, 3, "the lock, the name of the current index, and that index");
            let files = fs::read_dir(super::generation(&place.path("index/index-v1"))).unwrap().flatten();
            let stores = files.filter(|file| file.file_name().to_string_lossy().ends_with(".store")).count();
            assert_eq!(stores, 1, "one segment, and nothing left of those before");
        }
    }

    #[test]
    fn an_empty_source_is_said() {
        let place = Place::new();
        fs::create_dir(place.path("docs")).unwrap();
        assert!(matches!(place.open("docs"), Err(CorpusError::Empty(_))));
        assert!(matches!(place.open("nothing"), Err(CorpusError::NoSource(_))));
    }
}

#[test]
fn what_is_left_of_a_killed_build_or_a_damaged_index_is_built_anew() {
    let (place, index) = corpus(&PLAIN);
    let store = place.path("index/index-v1");
    fs::create_dir(store.join("tmp-killed")).unwrap();
    fs::write(store.join("tmp-killed/half"), "x").unwrap();
    assert_eq!(place.open("chunks.jsonl").unwrap().len(), 3);
    let damage: [&dyn Fn(&Path); 5] = [
        &|store| fs::write(store.join("current"), "../elsewhere").unwrap(),
        &|store| fs::write(generation(store).join("manifest.json"), "{").unwrap(),
        &|store| fs::write(generation(store).join("meta.json"), "{").unwrap(),
        &|store| fs::remove_dir_all(generation(store)).unwrap(),
        &|store| {
            let path = generation(store).join("manifest.json");
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, text.replacen(&schema::version(), "0.0.0", 1)).unwrap();
        },
    ];
    for damage in damage {
        damage(&store);
        let anew = place.open("chunks.jsonl").unwrap();
        assert_eq!(anew.len(), 3);
        assert_eq!(anew.fingerprint(), index.fingerprint());
        assert!(!store.join("tmp-killed").exists());
    }
}

fn generation(store: &Path) -> PathBuf {
    store.join(fs::read_to_string(store.join("current")).unwrap())
}

#[test]
fn an_index_that_is_up_to_date_opens_where_nothing_can_be_written() {
    let (place, _index) = corpus(&PLAIN);
    let store = place.path("index/index-v1");
    // A folder in a lock's place stops whoever would take it, also one to whom permissions mean nothing.
    for lock in [store.join("lock"), generation(&store).join(".tantivy-meta.lock")] {
        let _ = fs::remove_file(&lock);
        fs::create_dir(&lock).unwrap();
    }
    assert_eq!(place.open("chunks.jsonl").unwrap().len(), 3);
    place.write("chunks.jsonl", "{\"id\":\"new\",\"text\":\"\"}");
    let error = place.open("chunks.jsonl").unwrap_err();
    assert!(matches!(error, CorpusError::Unwritable { .. }), "{error}");
    for what in ["index-v1 is not up to date", "lock cannot be written", "set another one as `index`"] {
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn many_may_open_at_once() {
    let place = Place::new();
    let lines: Vec<String> = (0..500).map(|at| format!("{{\"id\":{at},\"text\":\"word{at} common\"}}\n")).collect();
    place.write("c.jsonl", &lines.concat());
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| assert_eq!(place.open("c.jsonl").unwrap().search("common", 1000).unwrap().len(), 500));
        }
    });
}
