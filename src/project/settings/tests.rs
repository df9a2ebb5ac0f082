//! What a settings file may say, and what each mistake is answered with.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

fn parse(text: &str) -> Result<Settings, SettingsError> {
    Settings::parse(text, Path::new("cases/caselight.toml"))
}

const WHOLE: &str = r#"
default_config = "keyword"
default_asker = "employee"

[cases]
files = ["policies.yaml", "short.jsonl"]

[corpus]
source = "../corpus-index/documents"
index = "/var/index"

[askers.warehouse_lead]
groups = ["warehouse", "all_staff"]
[askers.employee]
groups = []

[retrievers.mine]
type = "local"

[configs.keyword]
retriever = "local"
k = 6
[configs."hybrid+rerank"]
retriever = "mine"
k = 12
depth = 40
params = { mode = "hybrid", rerank = true, deep = { a = [1, 2.5] } }

[metrics]
recall_at = [1, 5, 20]

[subsets.negation]
about = "both keyword and vectors are weak here"
target = 6
[subsets.claims]
[subsets.exact_token]
target = 10

[gate.all]
recall = 0.95
"recall@10" = 0.9
mrr = 0
distractor_above = 2
latency_p95_ms = 800
no_regressions = "baselines/main.jsonl"
[gate.permission_narrow]
recall = 1.0
"#;

#[test]
fn a_whole_file_is_read() {
    let settings = parse(WHOLE).unwrap();
    assert_eq!(settings.default_config, "keyword");
    assert_eq!(settings.default_asker.as_deref(), Some("employee"));
    assert_eq!(settings.case_files, Some(vec!["cases/policies.yaml".into(), "cases/short.jsonl".into()]));
    assert_eq!(settings.source().unwrap(), Path::new("cases/../corpus-index/documents"));
    assert_eq!(settings.index, Path::new("/var/index"));
    let lead = settings.askers().find(Some("warehouse_lead")).unwrap();
    assert_eq!(lead.known_groups().collect::<Vec<_>>(), ["all_staff", "warehouse"]);
    assert_eq!(settings.askers().find(None).unwrap().label(), "employee");
    assert_eq!(settings.recall_at, [1, 5, 20]);

    let keyword = settings.config("keyword").unwrap();
    assert_eq!((keyword.k, keyword.depth), (6, 20));
    assert_eq!(keyword.with_k(30).depth, 30);
    let hybrid = settings.config("hybrid+rerank").unwrap();
    assert_eq!((hybrid.retriever.as_str(), hybrid.k, hybrid.depth), ("mine", 12, 40));
    assert_eq!(hybrid.params["rerank"], toml::Value::Boolean(true));
    assert_eq!(hybrid.params["deep"]["a"][1], toml::Value::Float(2.5));
    assert_eq!(settings.retriever(hybrid).unwrap().kind, RetrieverKind::Local);

    let order: Vec<&str> = settings.subsets.iter().map(|subset| subset.name.as_str()).collect();
    assert_eq!(order, ["negation", "claims", "exact_token"]);
    assert_eq!(settings.subsets[0].target, Some(6));
    assert_eq!(
        settings.subset_order(),
        [
            "negation",
            "claims",
            "exact_token",
            "paraphrase",
            "multi_chunk",
            "multi_hop",
            "permission_narrow",
            "follow_up"
        ]
    );
    let all: Vec<String> = settings.gates[0].thresholds.iter().map(|t| format!("{}={}", t.metric, t.value)).collect();
    assert_eq!(all, ["recall=0.95", "recall@10=0.9", "mrr=0", "distractor_above=2", "latency_p95_ms=800"]);
    let baseline = settings.gates[0].no_regressions.as_ref().unwrap();
    assert_eq!(
        (baseline.written.as_str(), baseline.path.as_path()),
        ("baselines/main.jsonl", Path::new("cases/baselines/main.jsonl"))
    );
    assert_eq!(settings.gates[1].no_regressions, None);
}

#[test]
fn an_empty_file_has_one_config_on_the_local_retriever() {
    let settings = parse("").unwrap();
    let config = settings.config(&settings.default_config).unwrap();
    assert_eq!((config.name.as_str(), config.retriever.as_str(), config.k, config.depth), (KEYWORD, LOCAL, 6, 10));
    assert_eq!(settings.case_files, None);
    assert_eq!(settings.index, Path::new("cases/../corpus-index"));
    assert_eq!(settings.subset_order(), DEFAULT_SUBSETS);
    assert_eq!(settings.askers().find(None).unwrap().label(), "anonymous");
    assert!(settings.source().unwrap_err().to_string().contains("add `source"));
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_change_nothing() {
    let windows = format!("\u{feff}{}", WHOLE.replace('\n', "\r\n"));
    assert_eq!(parse(&windows).unwrap(), parse(WHOLE).unwrap());
    let error = parse("\u{feff}default_asker = 1\r\n").unwrap_err().to_string();
    assert!(error.starts_with("cases/caselight.toml:1:17: "), "{error}");
    let error = parse("\r\n\r\ndefault_confg = 1\r\n").unwrap_err().to_string();
    assert!(error.starts_with("cases/caselight.toml:3:1: "), "{error}");
}

#[test]
fn each_mistake_names_its_place_its_value_and_what_was_expected() {
    for (text, expected) in [
        ("defualt_config = \"a\"", "1:1: unknown key `defualt_config`: did you mean `default_config`?"),
        ("\n[corpus]\n  sorce = \"x\"", "3:3: unknown key `sorce` in [corpus]: did you mean `source`?"),
        (
            "[configs.a]\nretriever = \"local\"\nk = 3\ndept = 4",
            "4:1: unknown key `dept` in [configs.a]: did you mean `depth`?",
        ),
        ("[subsets.a]\nzzz = 1", "2:1: unknown key `zzz` in [subsets.a]: expected one of about, target"),
        ("[askers.a]\ngroups = [\"x\", 4]", "2:16: `askers.a.groups[1]` is 4, expected text in quotes, not empty"),
        ("default_asker = \"bob\"", "1:17: unknown asker `bob`: none is defined"),
        (
            "default_asker = \"empl\"\n[askers.employee]\ngroups = []",
            "1:17: unknown asker `empl`: defined: employee; did you mean `employee`?",
        ),
        ("default_config = \"keywords\"", "1:18: unknown config `keywords`: defined: keyword; did you mean `keyword`?"),
        (
            "[configs.a]\nretriever = \"local\"\nk = 1\n[configs.b]\nretriever = \"local\"\nk = 1",
            "1:1: `default_config` is missing: say which of the configs a, b runs",
        ),
        ("[configs.a]\nk = 3", "1:1: [configs.a] has no `retriever`"),
        ("[configs.a]\nretriever = \"local\"", "1:1: [configs.a] has no `k`"),
        ("[configs.a]\nretriever = \"prod\"\nk = 3", "2:13: unknown retriever `prod`: defined: local"),
        ("[configs.a]\nretriever = \"local\"\nk = 0", "3:5: `configs.a.k` is 0, expected a whole number from 1 to"),
        ("[configs.a]\nretriever = \"local\"\nk = \"six\"", "3:5: `configs.a.k` is \"six\", expected a whole number"),
        (
            "[configs.a]\nretriever = \"local\"\nk = 6\ndepth = 5",
            "4:9: `configs.a.depth` is 5, expected a whole number from 6 to",
        ),
        ("[configs.a]\nretriever = \"local\"\nk = 99999999999999999999", "3:5: `configs.a.k` is 99999999999999999999"),
        (
            "[retrievers.p]\ntype = \"carrier pigeon\"\nurl = \"x\"",
            "2:8: `retrievers.p.type` is \"carrier pigeon\", expected \"local\", \"command\", \"http\", \"pgvector\" or an engine",
        ),
        ("[retrievers.p]", "1:1: [retrievers.p] has no `type`"),
        ("[metrics]\nrecall_at = []", "2:13: `metrics.recall_at` is [], expected at least one K"),
        ("[metrics]\nrecall_at = [1, 1]", "2:17: `recall_at` names 1 twice"),
        ("[cases]\nfiles = [\"a.json\"]", "2:10: `cases.files[0]` is \"a.json\", expected a file whose name ends with"),
        ("[cases]\nfiles = []", "2:9: `cases.files` is [], expected at least one file"),
        ("[gate.all]\nrecal = 0.9", "2:1: unknown metric `recal` in [gate.all]: did you mean `recall`?"),
        ("[gate.all]\n\"recall@0\" = 0.9", "2:1: unknown metric `recall@0` in [gate.all]"),
        ("[gate.all]\nmrr = 65", "2:7: `gate.all.mrr` is 65, expected a number from 0 to 1"),
        ("[gate.all]\nmrr = nan", "2:7: `gate.all.mrr` is nan, expected a number"),
        ("[gate.all]\ndistractor_above = 0.5", "2:20: `gate.all.distractor_above` is 0.5, expected a number of cases"),
        (
            "[gate.all]\nno_regression = \"a\"",
            "2:1: unknown metric `no_regression` in [gate.all]: did you mean `no_regressions`?",
        ),
        ("[gate.all]\nno_regressions = true", "2:18: `gate.all.no_regressions` is true, expected text"),
        ("[gate]\nrecall = 0.9", "2:10: `gate.recall` is 0.9, expected a table"),
        ("[gate.permission_narrow]\nrecall = 0.99", "2:10: `gate.permission_narrow.recall` is 0.99, expected 1.0"),
        ("[[askers]]\ngroups = []", "1:1: `askers` is"),
        ("a = 1\na = 2", "2:1: "),
        ("ä = 1", "1:1: "),
        ("[corpus\n", "1:"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        let expected = format!("cases/caselight.toml:{expected}");
        assert!(error.starts_with(&expected), "{text:?}\n  says    {error}\n  expected {expected}");
    }
}

#[test]
fn an_unknown_config_is_answered_with_the_known_ones() {
    let error = parse(WHOLE).unwrap().config("hybrid").unwrap_err().to_string();
    assert_eq!(
        error,
        "unknown config `hybrid`: cases/caselight.toml defines keyword, hybrid+rerank; did you mean `hybrid+rerank`?"
    );
}

#[test]
fn a_missing_or_unreadable_file_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Settings::read(&folder.path().join("caselight.toml")).unwrap_err();
    assert!(matches!(missing, SettingsError::Missing { .. }));
    assert!(missing.to_string().contains("caselight init"));
    assert!(matches!(Settings::read(folder.path()).unwrap_err(), SettingsError::Unreadable { .. }));
    let latin = folder.path().join("latin.toml");
    std::fs::write(&latin, b"# ok\n# caf\xe9\n").unwrap();
    assert!(Settings::read(&latin).unwrap_err().to_string().contains("latin.toml:2:6: this is not UTF-8"));
}
