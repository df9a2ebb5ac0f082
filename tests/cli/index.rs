//! `caselight index`

use std::fs;

use insta::assert_snapshot;

use crate::support::Place;

#[test]
fn every_file_is_listed_with_its_chunks() {
    let mut place = Place::with_corpus("docs");
    for page in ["fences", "underlined", "front-matter", "preamble", "headerless", "repeated", "byte-order-mark"] {
        place = place.fixture("docs", &format!("markdown/{page}.md"));
    }
    assert_snapshot!(place.caselight(["index"]), @"
         1  byte-order-mark.md
         2  fences.md
         1  front-matter.md
         1  headerless.md
         4  preamble.md
         3  repeated.md
         4  underlined.md
    16 chunks of 7 files in corpus-index
    --- exit status 0 ---
    ");
}

#[test]
fn the_demo_is_large_enough_to_be_one() {
    let place = Place::demo();
    let printed = place.caselight(["index"]).success();
    let last = printed.lines().last().unwrap();
    let numbers: Vec<usize> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(numbers[0] >= 250 && numbers[1] >= 60, "{last}");
    assert_eq!(place.caselight(["index"]).success(), printed, "an index that is fresh says the same");
}

#[test]
fn another_source_can_be_named() {
    let place = Place::with_corpus("docs").fixture("docs", "markdown/preamble.md").fixture(".", "odd-text.jsonl");
    let printed = place.caselight(["index", "odd-text.jsonl"]).success();
    assert!(printed.starts_with("    73  odd-text.jsonl\n73 chunks of 1 file in corpus-index"), "{printed}");
}

#[test]
fn a_source_that_is_not_there_is_named() {
    assert_snapshot!(Place::with_corpus("docs").caselight(["index"]), @"
    --- stderr ---
    caselight: the corpus source cases/../docs does not exist: name a folder of Markdown files or a chunks .jsonl file
    --- exit status 2 ---
    ");
}

#[test]
fn lines_that_are_no_chunks_are_named_and_nothing_is_built() {
    let chunks =
        "{\"id\": \"a\", \"text\": \"one\"}\n{\"text\": \"no id\"}\n{\"id\": \"a\", \"text\": \"again\"}\n{\"id\"\n";
    let place = Place::with_corpus("chunks.jsonl").file("chunks.jsonl", chunks);
    assert_snapshot!(place.caselight(["index"]), @"
    --- stderr ---
    caselight: the corpus was not indexed:
      cases/../chunks.jsonl:2: `id` is missing: each chunk needs one of its own
      cases/../chunks.jsonl:3: the id `a` is already used in line 1: ids must be unique
      cases/../chunks.jsonl:4: this is not JSON: EOF while parsing an object
    --- exit status 2 ---
    ");
    assert!(!place.path("corpus-index").join("current").exists());
}

#[test]
fn a_changed_page_is_found_with_its_new_words_at_once() {
    let place = Place::with_corpus("docs").file("docs/page.md", "# One\n\nAbout apples.\n");
    place.caselight(["index"]).success();
    fs::write(place.path("docs/page.md"), "# One\n\nAbout pears.\n\n# Two\n\nAbout plums.\n").unwrap();
    let case = "{\"q\": \"plums\", \"supporting\": [{\"document\": \"page.md\", \"heading\": [\"Two\"]}]}\n";
    let place = place.file("cases/one.jsonl", case);
    let report = place.caselight(["run", "--format", "json"]).json();
    assert_eq!(report["cases"][0]["rank"], 1, "{report:#}");
}
