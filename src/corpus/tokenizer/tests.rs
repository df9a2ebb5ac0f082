use proptest::prelude::*;
use tantivy::tokenizer::{TokenStream, Tokenizer};

use super::*;

fn texts(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

#[test]
fn identifiers_are_words_whole_and_in_parts() {
    for (text, expected) in [
        ("SKU-4411", &["sku-4411", "sku", "4411"][..]),
        ("ERR_4417.", &["err_4417", "err", "4417"]),
        ("3119D3", &["3119d3", "3119"]),
        ("ERR4417", &["err4417", "err", "4417"]),
        ("v2.10.3", &["v2.10.3", "v2", "10", "3"]),
        ("customer’s", &["customer's", "customer", "s"]),
        ("9f2c4be07d1a", &["9f2c4be07d1a"]),
        ("/srv/a_b.csv", &["srv", "a_b.csv", "a", "b", "csv"]),
        ("https://x.example/?id=7", &["https", "x.example", "x", "example", "id", "7"]),
        ("-- a - b --", &["a", "b"]),
        ("C++ (2nd", &["c", "2nd", "nd"]),
        ("Versand\u{ad}kosten", &["versandkosten"]),
        ("Ru\u{308}ck", &["rück"]),
        ("RÜCK", &["rück"]),
        ("ΟΔΟΣ οδος", &["οδοσ", "οδοσ"]),
        ("~ ^ ! ? \\ * >>>", &[]),
    ] {
        assert_eq!(texts(text), expected, "{text}");
    }
}

#[test]
fn scripts_without_blanks_are_characters_and_pairs_and_latin_is_split_off() {
    assert_eq!(texts("設定後pdfを"), ["設", "設定", "定", "定後", "後", "pdf", "を"]);
    assert_eq!(texts("재설정"), ["재", "재설", "설", "설정", "정"]);
    // Decomposed Korean is the same word.
    assert_eq!(texts("\u{110c}\u{1162}"), ["재"]);
    assert!(texts("วิธีเปลี่ยนรหัสผ่าน").contains(&"รห".to_owned()));
}

#[test]
fn a_very_long_word_is_known_by_its_beginning() {
    let long = "x".repeat(70_000);
    assert_eq!(texts(&long), ["x".repeat(LONGEST)]);
    assert_eq!(cut_words(&format!("a {long} b")), 1);
    let hash = "9f2c4be07d1a6385c0e4b7f1a2d3958e60b7c4d1e2f3a49586d7c8b9a0f1e2d3";
    assert_eq!(texts(hash), [hash]);
    let umlauts = "ä".repeat(LONGEST);
    assert_eq!(texts(&umlauts)[0].len(), LONGEST);
}

#[test]
fn beginnings_are_given_once_where_a_compound_and_its_part_share_them() {
    let mut starts = Starts;
    let mut stream = starts.token_stream("SKU-4411 é");
    let mut found = Vec::new();
    while stream.advance() {
        found.push(stream.token().text.clone());
    }
    assert_eq!(found, ["s", "sk", "sku", "sku-", "4", "44", "441", "4411", "é"]);
}

#[test]
fn matched_words_are_marked_whole() {
    for (text, query, prefix, expected) in [
        ("Guide to installation.", "inst", true, &["installation"][..]),
        ("Guide to installation.", "inst", false, &[]),
        ("Guide to installation.", "inst ", true, &[]),
        ("Filter SKU-4411 fits", "sku-44", true, &["SKU-4411"]),
        ("Filter SKU-4411 fits", "4411", true, &["4411"]),
        ("領収書の再発行について", "再発行", true, &["再発行"]),
        ("Ru\u{308}cksendung hier", "rück", true, &["Ru\u{308}cksendung"]),
        ("a b a", "a", false, &["a", "a"]),
        ("nothing", "!?", true, &[]),
    ] {
        let found: Vec<&str> = matches(text, query, prefix).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text} / {query}");
    }
}

#[test]
fn shared_words_are_the_questions_words_in_its_order() {
    assert_eq!(
        shared_words("What does ERR-4417 on upload mean? Upload!", "upload failed: err-4417"),
        ["err-4417", "err", "4417", "upload"]
    );
    assert_eq!(shared_words("再発行", "再発行について"), ["再発", "発行"]);
}

#[test]
fn text_without_letters_and_digits_is_nothing_to_search_for() {
    for (text, searchable) in [("", false), (">>>", false), ("~ ^ ! ?", false), ("_", false), ("a", true), ("再", true)]
    {
        assert_eq!(is_searchable(text), searchable, "{text}");
    }
}

#[test]
fn a_question_mark_does_not_end_the_last_word_but_a_blank_does() {
    assert_eq!(Query::parse("the shipment?", true).prefixes, ["shipment"]);
    assert!(Query::parse("the shipment ?", true).prefixes.is_empty());
    assert_eq!(Query::parse("ERR_44", true).prefixes, ["err_44", "44"]);
}

proptest! {
    #[test]
    fn words_stand_where_they_say_and_in_order(text in "\\PC{0,60}") {
        let mut start = 0;
        for word in words(&text) {
            prop_assert!(text.get(word.range.clone()).is_some());
            prop_assert!(!word.range.is_empty() && !word.text.is_empty());
            prop_assert!(word.range.start >= start || word.range.end > start);
            start = start.max(word.range.start);
        }
    }

    #[test]
    fn composition_and_case_do_not_change_words(text in "[a-zäöüéA-ZÄÖÜ0-9 _.-]{0,40}") {
        use unicode_normalization::UnicodeNormalization;
        prop_assert_eq!(texts(&text), texts(&text.nfd().collect::<String>()));
        prop_assert_eq!(texts(&text), texts(&text.to_uppercase()));
    }

    #[test]
    fn matches_are_apart_and_on_character_borders(text in "\\PC{0,60}", query in "\\PC{0,10}") {
        let mut end = 0;
        for range in matches(&text, &query, true) {
            prop_assert!(range.start >= end && range.end > range.start);
            prop_assert!(text.get(range.clone()).is_some());
            end = range.end;
        }
    }
}
