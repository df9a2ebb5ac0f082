//! What `[split]` may say, and that writing it touches nothing else.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;

use super::*;
use crate::project::settings::Settings;

const HERE: &str = "cases/caselight.toml";

fn parse(text: &str) -> Result<Option<Split>, SettingsError> {
    Settings::parse(text, Path::new(HERE)).map(|settings| settings.split)
}

fn write(text: &str, train: f64, seed: u64) -> String {
    with_split(text, Path::new(HERE), Split { train, seed }).unwrap()
}

#[test]
fn there_is_no_split_until_the_settings_have_one() {
    assert_eq!(parse("").unwrap(), None);
    assert_eq!(parse("[split]\ntrain = 0.7\nseed = 42\n").unwrap(), Some(Split::default()));
    assert_eq!(
        parse("split = { seed = 20261130, train = 5e-1 }").unwrap(),
        Some(Split { train: 0.5, seed: 20_261_130 })
    );
}

#[test]
fn a_split_that_says_too_little_or_too_much_is_refused_with_its_line() {
    for (text, expected) in [
        (
            "[split]\ntrain = 0.7\n",
            "caselight.toml:1:1: [split] has no `seed`: say which draw it is, as in `seed = 42`",
        ),
        ("[split]\nseed = 1\n", "caselight.toml:1:1: [split] has no `train`: say which share is tuned on"),
        (
            "[split]\ntrain = 1\nseed = 1",
            "caselight.toml:2:9: `split.train` is 1, expected a share above 0 and below 1",
        ),
        ("[split]\ntrain = -0.5\nseed = 1", "caselight.toml:2:9: `split.train` is -0.5, expected a share"),
        ("[split]\ntrain = nan\nseed = 1", "caselight.toml:2:9: `split.train` is nan, expected a number"),
        (
            "[split]\ntrain = 0.7\nseed = -1",
            "caselight.toml:3:8: `split.seed` is -1, expected a whole number of at least 0",
        ),
        ("[split]\ntrain = 0.7\nseed = 1.5", "caselight.toml:3:8: `split.seed` is 1.5, expected a whole number"),
        ("[split]\ntrain = 0.7\nsede = 1", "caselight.toml:3:1: unknown key `sede` in [split]: did you mean `seed`?"),
        ("split = 0.7", "caselight.toml:1:9: `split` is 0.7, expected a table"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn a_first_split_follows_at_the_end_in_the_line_ends_of_the_file() {
    let table = |end: &str| {
        let comment = "# Cases kept out of tuning: `caselight split` says which. Another ratio or seed turns tuned cases into \
                       holdout cases.";
        ["", comment, "[split]", "train = 0.7", "seed = 42", ""].join(end)
    };
    for (before, between, end) in [
        ("[configs.a]\nretriever = \"local\"\nk = 3\n", "", "\n"),
        ("[configs.a]\nretriever = \"local\"\nk = 3 # no line end", "\n", "\n"),
        ("[configs.a]\r\nretriever = \"local\"\r\nk = 3\r\n", "", "\r\n"),
        ("[configs.a]\r\nretriever = \"local\"\r\nk = 3", "\r\n", "\r\n"),
        ("\u{feff}# a mark before the first byte\n\n\n", "", "\n"),
        ("", "", "\n"),
    ] {
        let after = write(before, 0.7, 42);
        assert_eq!(after, format!("{before}{between}{}", table(end)), "{before:?}");
        assert_eq!(parse(&after).unwrap(), Some(Split::default()), "{before:?}");
    }
}

#[test]
fn another_split_replaces_the_two_values_and_nothing_else() {
    for (before, after) in [
        (
            "\u{feff}[split] # ours\r\n  seed   =  0x2A # hex\r\n  train = 7e-1# share\r\n[metrics]\r\nrecall_at = [1]",
            "\u{feff}[split] # ours\r\n  seed   =  7 # hex\r\n  train = 0.25# share\r\n[metrics]\r\nrecall_at = [1]",
        ),
        ("split = {train=0.7,seed=42}\n", "split = {train=0.25,seed=7}\n"),
        ("split.train = 0.7\n\nsplit.seed = 42", "split.train = 0.25\n\nsplit.seed = 7"),
    ] {
        assert_eq!(write(before, 0.25, 7), after);
        assert_eq!(parse(&write(before, 0.25, 7)).unwrap(), Some(Split { train: 0.25, seed: 7 }));
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(train in 1e-12..1.0, seed in 0..=u64::try_from(i64::MAX).unwrap()) {
        let first = write("# nothing yet", 0.7, 42);
        for text in ["", first.as_str()] {
            prop_assert_eq!(parse(&write(text, train, seed)).unwrap(), Some(Split { train, seed }));
        }
    }
}
