use super::lines::{Lines, cut};

#[test]
fn a_page_is_wrapped_between_words_and_a_word_is_never_cut() {
    let mut out = Lines::default();
    out.wrapped(&format!("  next: {}", "word ".repeat(20)), "        ");
    out.wrapped(&"x".repeat(100), "  ");
    let text = out.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("  next: word") && lines[1].starts_with("        word"), "{text}");
    assert!(lines[..2].iter().all(|line| line.len() <= 80), "{text}");
    assert_eq!(lines[2].len(), 100);
    assert_eq!(cut("Carrier Handbook", 8), "Carrier…");
}
