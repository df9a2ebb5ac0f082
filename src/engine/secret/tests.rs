//! A secret is found in whatever form a server sends it back.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};
use percent_encoding::percent_encode;
use proptest::prelude::*;

use super::*;

fn secrets(values: &[(&str, &str)]) -> Secrets {
    let texts: Vec<String> = values.iter().map(|(name, _)| format!("${{{name}}}")).collect();
    let lookup = |name: &str| values.iter().find(|known| known.0 == name).map(|known| known.1.to_owned());
    Secrets::collect(texts.iter().map(|text| ("headers.X", text.as_str())), &lookup).unwrap()
}

fn collected(text: &str, value: Option<&str>) -> Result<Secrets, String> {
    let lookup = |_: &str| value.map(str::to_owned);
    Secrets::collect([("retrievers.a.headers.Authorization", text)], &lookup).map_err(|error| error.to_string())
}

#[test]
fn names_are_looked_up_and_expanded_once_and_an_escaped_brace_stays() {
    let secrets = secrets(&[("A_1", "${B}!"), ("B", "a b&c")]);
    for (text, expected) in [
        ("Bearer ${A_1}", "Bearer ${B}!"),
        ("${B}${B}", "a b&ca b&c"),
        ("$${B} $$${B} ${C} $ { ${", "${B} $${B} ${C} $ { ${"),
        ("", ""),
    ] {
        assert_eq!(secrets.expand(text), expected, "{text}");
    }
    assert_eq!(secrets.expand_url("http://a/?k=${B}&q=%20"), "http://a/?k=a%20b%26c&q=%20");
    assert_eq!(secrets.expand(&escape("a ${B} b")), "a ${B} b", "what a case says is no name");
    assert_eq!(secrets.names().collect::<Vec<_>>(), ["A_1", "B"]);
}

#[test]
fn what_cannot_be_kept_secret_or_sent_is_refused_with_its_place() {
    let place = "retrievers.a.headers.Authorization";
    for (text, value, expected) in [
        (
            "${A}",
            None,
            format!("${{A}} in {place} is not set in the environment: set A before you start, as in `export A=…`"),
        ),
        ("${A}", Some(""), format!("${{A}} in {place} is not set")),
        ("${A}", Some("abc"), format!("the value of ${{A}} in {place} is shorter than 4 characters")),
        ("${A}", Some("abcdef\n"), format!("the value of ${{A}} in {place} has a line end")),
        ("x ${A", Some("abcd"), format!("`x ${{A` in {place} is no ${{NAME}}")),
        ("${}", Some("abcd"), format!("`${{}}` in {place} is no ${{NAME}}")),
        ("${A-B}", Some("abcd"), format!("`${{A-B}}` in {place} is no ${{NAME}}")),
        ("${1A}", Some("abcd"), format!("`${{1A}}` in {place} is no ${{NAME}}")),
    ] {
        let error = collected(text, value).unwrap_err();
        assert!(error.starts_with(&expected), "{text}: {error}");
        assert!(value.is_none_or(|value| value.is_empty() || !error.contains(value)), "{error}");
    }
    assert!(collected("$${A} and $$${", None).is_ok());
    for text in ["$MY_KEY", "Bearer $MY_KEY", "http://a/?key=$MY_KEY&x=1", "a:$MY_KEY"] {
        let expected = format!("`$MY_KEY` in {place} would be sent as it is written: write ${{MY_KEY}}");
        let error = collected(text, Some("abcd")).unwrap_err();
        assert!(error.starts_with(&expected), "{text}: {error}");
    }
    for text in ["pa$WORD", "$5", "$a", "$", "US$ 5", "$MY_KEY!", "a $MY-KEY"] {
        assert!(collected(text, None).is_ok(), "{text}");
    }
}

#[test]
fn a_name_may_stand_only_in_the_values_of_a_query() {
    let refused = |url: &str| Secrets::check_url("url", url).err().map(|error| error.to_string());
    for fine in ["http://a/b", "http://a/b?key=${KEY}&x=1${KEY}#top", "http://a/$${KEY}"] {
        assert_eq!(refused(fine), None, "{fine}");
    }
    for wrong in [
        "http://${KEY}/b",
        "http://u:${KEY}@a/",
        "http://a/${KEY}?x=1",
        "http://a/?${KEY}=1",
        "http://a/?${KEY}",
        "http://a/#${KEY}",
    ] {
        assert!(refused(wrong).is_some_and(|error| error.starts_with("${KEY} may not stand in url: only")), "{wrong}");
    }
    assert_eq!(Secrets::check_place("body.q", "{{ question }} ${ }"), Ok(()));
    assert!(Secrets::check_place("body.q", "a ${KEY}").is_err());
}

#[test]
fn the_longest_of_two_values_is_cut_out_whole() {
    let secrets = secrets(&[("A", "abcde1"), ("B", "abcde1gh"), ("C", "e1ghij")]);
    assert_eq!(secrets.redact("abcde1 abcde1gh abcde1ghij"), "${A} ${B} ${B}ij");
}

#[test]
fn a_token_in_a_scheme_and_a_password_in_basic_are_secrets_too() {
    let basic = STANDARD.encode("admin:hunter22");
    let secrets = secrets(&[("AUTH", "Bearer tok_12345678"), ("BASIC", &basic)]);
    assert_eq!(secrets.redact("token tok_12345678 is bad"), "token ${AUTH} is bad");
    assert_eq!(secrets.redact(&format!("Basic {basic}")), "Basic ${BASIC}");
    assert_eq!(
        secrets.redact("no user admin:hunter22, wrong password hunter22"),
        "no user ${BASIC}, wrong password ${BASIC}"
    );
}

#[test]
fn a_long_value_is_found_in_any_case_and_every_value_in_hex() {
    let secrets = secrets(&[("LONG", "Tok_Abcdefgh"), ("SHORT", "Lead")]);
    assert_eq!(secrets.redact("tok_abcdefgh TOK_ABCDEFGH %54ok_abcdefgh"), "${LONG} ${LONG} ${LONG}");
    assert_eq!(secrets.redact("=Lead lead 4c656164 4C656164"), "=${SHORT} lead ${SHORT} ${SHORT}");
    let body = secrets.redact_body(b"546f6b5f4162636465666768 tok_ABCDEFGH lead".to_vec());
    assert_eq!(String::from_utf8_lossy(&body), "${LONG} ${LONG} lead");
}

#[test]
fn a_text_that_was_cut_off_keeps_no_beginning_of_a_value() {
    let secrets = secrets(&[("A", "tok/é12345")]);
    let whole = "x tok%2F%C3%A912345 y";
    for end in 3..whole.len() {
        let cut = secrets.redact_cut(&whole[..end]);
        let expected = if end < 20 { "x ${A}" } else { "x ${A} " };
        assert!(cut == expected || end < 4, "{end}: {cut}");
    }
    assert_eq!(secrets.redact("x tok/"), "x tok/", "of a whole text nothing is guessed");
}

#[test]
fn a_good_body_loses_long_values_only() {
    let secrets = secrets(&[("USER", "admin"), ("TOKEN", "tok_12345678")]);
    let body = |text: &str| String::from_utf8(secrets.redact_body(text.as_bytes().to_vec())).unwrap();
    assert_eq!(body(r#"{"id":"admin-guide","echo":"tok_12345678"}"#), r#"{"id":"admin-guide","echo":"${TOKEN}"}"#);
    assert_eq!(secrets.redact("admin-guide: 'admin'"), "admin-guide: '${USER}'");
    let bytes = [b"\xff\xfe tok_12345678", &[0xc3][..]].concat();
    assert_eq!(secrets.redact_body(bytes), [b"\xff\xfe ${TOKEN}", &[0xc3][..]].concat());
}

#[test]
fn no_value_is_printed_for_a_programmer() {
    let secrets = secrets(&[("A", "tok_12345678")]);
    assert_eq!(format!("{secrets:?}"), r#"{"A"}"#);
}

/// Every form in which a server may send `value` back.
fn forms(value: &str) -> Vec<String> {
    let json = serde_json::Value::from(value).to_string();
    let json = json[1..json.len() - 1].to_owned();
    let twice = serde_json::Value::from(json.as_str()).to_string();
    let units: Vec<String> = value.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let percent = percent_encode(value.as_bytes(), NON_ALPHANUMERIC).to_string();
    let mut forms = vec![
        value.to_owned(),
        json.replace('/', "\\/"),
        json,
        twice[1..twice.len() - 1].to_owned(),
        units.concat(),
        html.replace('"', "&quot;").replace('\'', "&#39;"),
        html.replace('"', "&#34;").replace('\'', "&#x27;"),
        html.replace('\'', "&apos;"),
        percent_encode(percent.as_bytes(), NON_ALPHANUMERIC).to_string(),
        percent.replace("%20", "+"),
        percent
            .to_ascii_lowercase()
            .chars()
            .zip(percent.chars())
            .map(|(low, c)| if c.is_ascii_uppercase() && !value.contains(c) { low } else { c })
            .collect(),
        percent,
    ];
    let digits: Vec<String> = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    let hex = digits.concat();
    forms.extend([hex.to_ascii_uppercase(), hex]);
    if value.chars().count() >= LONG {
        forms.push(value.to_ascii_uppercase());
    }
    for before in ["", "a", "u:", "user:"] {
        let text = format!("{before}{value}");
        forms.extend([STANDARD.encode(&text), STANDARD_NO_PAD.encode(&text), URL_SAFE.encode(&text)]);
        forms.extend([URL_SAFE_NO_PAD.encode(format!("{text}é")), STANDARD.encode(format!("{text}??"))]);
        forms.push(percent_encode(STANDARD.encode(&text).as_bytes(), NON_ALPHANUMERIC).to_string());
    }
    forms
}

proptest! {
    #[test]
    fn no_value_survives_in_any_form_in_any_text(
        // Of signs that no `${NAME}` and none of the texts around has.
        value in r#"[a-z0-9é漢😀 &<>"'/\\%+=._~:;?#-]{4,24}"#,
        before in r#"[A-Z0-9 :{}"\\&%=é]{0,12}"#,
        after in r#"[A-Z0-9 :{}"&%é]{0,12}"#,
        which in any::<prop::sample::Index>(),
    ) {
        prop_assume!(!value.trim().is_empty());
        let secrets = secrets(&[("SECRET", &value)]);
        let form = which.get(&forms(&value)).clone();
        // Digits and signs alone may stand in what comes before or after by chance.
        let inner = secrets.redact(&form);
        prop_assert!(inner.contains("${SECRET}"), "{form} → {inner}");
        prop_assert!(!inner.contains(&form), "{form} → {inner}");
        let shown = secrets.redact(&format!("{before}\n{form}\n{after}"));
        prop_assert!(!shown.contains(&form) || before.contains(&form) || after.contains(&form), "{shown}");
        let body = secrets.redact_body(format!("[{form}]").into_bytes());
        prop_assert!(value.chars().count() < LONG || !String::from_utf8(body).unwrap().contains(&form));
    }

    #[test]
    fn a_text_without_a_value_stays_as_it_is(text in "\\PC{0,200}") {
        let secrets = secrets(&[("A", "\u{1F511}\u{1F511}\u{1F511}\u{1F511} never typed")]);
        prop_assert_eq!(secrets.redact(&text), text.clone());
        prop_assert_eq!(secrets.expand(&escape(&text)), text);
    }
}
