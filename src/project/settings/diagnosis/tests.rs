#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use serde_json::json;

use super::*;
use crate::project::settings::Settings;

fn parse(text: &str) -> Result<Settings, SettingsError> {
    Settings::parse(text, Path::new("caselight.toml"))
}

const SWITCHES: &str = r#"
default_config = "plain"

[askers.auditor]
groups = ["staff", "board"]

[diagnosis]
unscoped_asker = "auditor"
probes = 3

[configs.plain]
retriever = "local"
k = 6

[configs."hybrid+rerank"]
retriever = "local"
k = 6
params = { mode = "hybrid", rerank = true, cap = 2 }

[configs."hybrid+rerank".without]
rerank = { rerank = false }
cap = { cap = 0, cap_by = "none" }
"#;

#[test]
fn a_stage_is_switched_off_by_parameters_in_place_of_the_configs_own() {
    let settings = parse(SWITCHES).unwrap();
    assert_eq!(settings.diagnosis.unscoped.as_ref(), settings.askers().named.get("auditor"));
    assert_eq!(settings.diagnosis.probes, 3);
    let config = settings.config("hybrid+rerank").unwrap();
    let stages: Vec<&str> = config.without.iter().map(|(stage, _)| stage.as_str()).collect();
    assert_eq!(stages, ["rerank", "cap"], "in the file's order");
    let without = |stage| config.without(stage).map(|config| crate::project::params(&config));
    assert_eq!(without("rerank").unwrap(), json!({ "mode": "hybrid", "rerank": false, "cap": 2 }));
    let uncapped = json!({ "mode": "hybrid", "rerank": true, "cap": 0, "cap_by": "none" });
    assert_eq!(without("cap").unwrap(), uncapped);
    assert_eq!(without("floor"), None);
    assert_eq!(settings.config("plain").unwrap().without, []);
}

#[test]
fn without_a_word_nobody_is_unscoped_and_twelve_may_be_asked() {
    assert_eq!(parse("").unwrap().diagnosis, Diagnosis { unscoped: None, probes: 12 });
    assert_eq!(parse("[diagnosis]\nprobes = 0\n").unwrap().diagnosis.probes, 0);
}

#[test]
fn each_mistake_is_said_with_its_place() {
    for (text, expected) in [
        (
            "[diagnosis]\nunscoped = \"x\"\n",
            "caselight.toml:2:1: unknown key `unscoped` in [diagnosis]: did you mean `unscoped_asker`?",
        ),
        ("[diagnosis]\nunscoped_asker = \"root\"\n", "caselight.toml:2:18: unknown asker `root`: none is defined"),
        (
            "[diagnosis]\nprobes = -1\n",
            "caselight.toml:2:10: `diagnosis.probes` is -1, expected a whole number from 0 to 1000000",
        ),
        (
            "[configs.a]\nretriever = \"local\"\nk = 1\nwithout = { rerank = false }\n",
            "caselight.toml:4:22: `configs.a.without.rerank` is false, expected a table",
        ),
        (
            "[configs.a]\nretriever = \"local\"\nk = 1\nwithout = { rerank = {} }\n",
            "caselight.toml:4:22: `configs.a.without.rerank` is a table, expected the parameters that switch the stage off, as in `{ rerank = false }`",
        ),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), expected);
    }
}
