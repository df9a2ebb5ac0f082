use super::super::Secrets;

fn redacted(header: &str, value: &str, text: &str) -> String {
    let lookup = |_: &str| Some(value.to_owned());
    Secrets::collect([("headers.X", header)], &lookup).map_or_else(|error| error.to_string(), |it| it.redact(text))
}

#[test]
fn a_short_word_stays_where_it_is_a_word_of_a_sentence() {
    for text in [
        "API key missing or wrong",
        "API key missing or wrong.",
        "wrong API key",
        r#"{"error":"wrong key"}"#,
        r#"{"error":"the key is missing or wrong"}"#,
        "wrongly put, not wrong-headed",
        "401 Unauthorized (wrong audience)",
        "Either it is missing, wrong or old",
    ] {
        assert_eq!(redacted("${KEY}", "wrong", text), text);
    }
}

#[test]
fn a_short_word_goes_wherever_it_stands_as_a_value() {
    for text in [
        "wrong",
        r#"{"echo":"wrong"}"#,
        r#"["right","wrong"]"#,
        "X-Key: wrong",
        "x-key:wrong\r\n",
        "no user with key=wrong&x=1",
        "?key%3Dwrong",
        "key\\u003dwrong",
        "\\nwrong",
        "'wrong' is no key",
        "`wrong`",
        "“wrong” is no key",
        "<wrong>",
        "(wrong)",
        "a/wrong",
        "you sent Bearer wrong",
        "API key wrong is not known",
        "X-API-Key wrong",
        "%77rong",
        "sent:\nwrong\n",
        "=> wrong",
        "key is:  wrong key",
    ] {
        let shown = redacted("${KEY}", "wrong", text);
        assert!(shown.contains("${KEY}") && !shown.contains("wrong"), "{text} → {shown}");
    }
}

#[test]
fn a_short_value_that_is_no_plain_word_or_is_sent_within_one_goes_everywhere() {
    for (header, value) in [("${KEY}", "wr0ng"), ("${KEY}", "wRong"), ("tok-${KEY}", "wrong"), ("${KEY}x", "wrong")] {
        let text = format!("missing or {value}, tok-{value}, {value}x");
        assert_eq!(redacted(header, value, &text), "missing or ${KEY}, tok-${KEY}, ${KEY}x", "{header} {value}");
    }
    assert_eq!(redacted("Bearer ${KEY}", "wrong", "missing or wrong"), "missing or wrong");
}
