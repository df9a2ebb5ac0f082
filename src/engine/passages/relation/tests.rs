use super::search::plain_words;

#[test]
fn what_is_typed_becomes_words_that_postgres_takes() {
    assert_eq!(plain_words("-starts with dash\0 --x  a-b - "), "starts with dash x a-b ");
    let long = plain_words(&format!("a {} b", "é".repeat(3000)));
    assert_eq!(long.len(), 1 + 1 + 500 + 2);
    assert!(plain_words(&"word ".repeat(10_000)).len() <= 4000);
}
