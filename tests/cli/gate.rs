//! `caselight gate`

use std::process::Command;

use crate::support::{CommandOutput, Place};

/// Two documents, three labeled cases of which two find their chunk, and a gate that holds.
fn small() -> Place {
    let chunks = "{\"id\": \"a\", \"text\": \"apples are red\"}\n{\"id\": \"b\", \"text\": \"red pears\"}\n{\"id\": \"c\", \"text\": \"plums\"}\n";
    Place::with_corpus("chunks.jsonl").file("chunks.jsonl", chunks).file(
        "cases/cases.yaml",
        "- {question_id: one, question: red apples, tags: [exact_token], supporting: [{chunk: a}]}
- {question_id: two, question: plums, tags: [exact_token], supporting: [{chunk: c}]}
- {question_id: miss, question: cherries, tags: [negation], supporting: [{chunk: b}]}
- {question_id: later, question: which plums, tags: [unlabeled]}
",
    )
}

fn settings(place: Place, gate: &str) -> Place {
    place.replace("cases/caselight.toml", "k = 3\n", &format!("k = 3\n\n{gate}"))
}

/// The lines on standard error, which say why it failed.
fn failures(output: &CommandOutput) -> Vec<&str> {
    output.stderr.lines().collect()
}

#[test]
fn the_demo_holds_its_gate_and_the_thresholds_that_it_suggests() {
    let place = Place::demo();
    let printed = place.caselight(["gate"]).success();
    assert!(printed.starts_with("gate — config: keyword, k=6\n\nok   all "), "{printed}");
    assert!(!printed.contains("FAIL"), "{printed}");
    assert!(printed.ends_with("\npasses\nretriever local: baseline, not production\n"), "{printed}");

    let suggested = place.caselight(["gate", "--suggest"]).success();
    assert!(suggested.contains("[gate.permission_narrow]\nrecall = 1.00"), "{suggested}");
    let text = std::fs::read_to_string(place.path("cases/caselight.toml")).unwrap();
    let before_gates = &text[..text.find("[gate.all]").unwrap()];
    let place = place.file("cases/caselight.toml", &format!("{before_gates}{suggested}"));
    let verdict = place.caselight(["gate", "--format", "json"]).json();
    assert_eq!((verdict["passed"].as_bool(), verdict["claim"].as_str()), (Some(true), Some("fine")));
    // Just below: no recall has room for one more miss.
    let recalls = verdict["thresholds"].as_array().unwrap().iter().filter(|held| held["metric"] == "recall");
    for held in recalls {
        assert_eq!(held["room"]["cases"], 0, "{held}");
    }
}

#[test]
fn the_gate_has_the_numbers_of_the_report() {
    let place = Place::demo();
    let report = place.caselight(["run", "--format", "json"]).json();
    let verdict = place.caselight(["gate", "--format", "json"]).json();
    for held in verdict["thresholds"].as_array().unwrap() {
        let subset = held["subset"].as_str().unwrap();
        let row = if subset == "all" { &report["summary"] } else { &report["subsets"][subset] };
        assert_eq!((&held["value"], &held["n"]), (&row[held["metric"].as_str().unwrap()], &row["n"]), "{held}");
    }
}

#[test]
fn a_worsened_document_fails_with_subset_metric_value_threshold_and_its_cases() {
    // A table that is written anew loses the code that one question of exact_token is.
    let page = "corpus-index/documents/products/label-printer-sku-7310.md";
    let place = Place::demo();
    let report = place.caselight(["run", "--tag", "exact_token", "--format", "json"]).json();
    let case = report["cases"].as_array().unwrap().iter().find(|case| case["question"] == "err_7312").unwrap();
    let place = place.replace(page, "ERR_7312", "Overheating");
    let output = place.caselight(["gate"]);
    assert_eq!(output.status, Some(1), "{output}");
    let recall = failures(&output).into_iter().find(|line| line.starts_with("exact_token: recall "));
    let expected = format!("exact_token: recall 0.94 < 0.95: {}", case["id"].as_str().unwrap());
    assert_eq!(recall, Some(expected.as_str()), "{output}");
}

#[test]
fn below_a_threshold_is_1_and_says_what_which_and_who() {
    let place = settings(small(), "[gate.all]\nrecall = 0.7\nmrr = 0.6\n[gate.negation]\nrecall = 0.5\n");
    let output = place.caselight(["gate"]);
    assert_eq!(output.status, Some(1), "{output}");
    assert_eq!(failures(&output), ["all: recall 0.67 < 0.70: miss", "negation: recall 0.00 < 0.50: miss"]);
    assert!(output.stdout.contains("\nfails: 2 reasons\n"), "{output}");
    // The same from the command line, in place of the settings'.
    let output = place.caselight(["gate", "--min", "recall@10=0.70", "--min", "exact_token:mrr=1"]);
    assert_eq!((output.status, failures(&output)), (Some(1), vec!["all: recall@10 0.67 < 0.70: miss"]));
    place.caselight(["gate", "--min", "recall@10=0.66"]).success();
}

#[test]
fn what_could_not_be_measured_is_2_and_a_subset_without_cases_1() {
    let place = settings(small(), "[gate.all]\nrecall = 0.5\n[gate.follow_up]\nrecall = 0.5\n");
    for (arguments, status, expected) in [
        (&["gate"][..], 1, "follow_up: the gate names it, and no case carries it"),
        (&["gate", "--min", "unlabeled:recall=0"], 1, "unlabeled: none of its 1 case is scored"),
        (&["gate", "--tag", "nowhere"], 2, "caselight: no case carries the tag `nowhere`"),
        (&["gate", "--case", "later", "--min", "recall=0"], 2, "nothing was scored: of 1 case, none is labeled"),
        (&["gate", "--min", "recall@50=0.5"], 2, "all: recall@50 needs the first 50 results, and 10 are asked for"),
        (&["gate", "--baseline", "nowhere"], 2, "caselight: there is no run `nowhere`"),
        (&["gate", "--min", "recal=0.5"], 2, "error: invalid value 'recal=0.5'"),
        (&["gate", "--min", "recall=65"], 2, "error: invalid value 'recall=65'"),
        (&["gate", "--min", "permission_narrow:recall=0.9"], 2, "error: invalid value"),
        (&["gate", "--min", "distractor_above=1"], 2, "error: invalid value"),
    ] {
        let output = place.caselight(arguments);
        assert_eq!(output.status, Some(status), "{arguments:?}: {output}");
        assert!(output.stderr.starts_with(expected), "{arguments:?}: {output}");
    }
    let part = settings(small(), "[gate.all]\nrecall = 0.5\n").caselight(["gate", "--case", "one"]);
    assert_eq!(part.status, Some(2), "{part}");
    assert!(part.stderr.starts_with("caselight: no gate has all of its cases selected"), "{part}");
    let output = small().caselight(["gate"]);
    assert_eq!(output.status, Some(2), "{output}");
    assert!(output.stderr.contains("has no [gate.…], so nothing would be held"), "{output}");
    let broken = small().replace("cases/cases.yaml", "chunk: b", "chunk: gone");
    let output = broken.caselight(["gate", "--min", "recall=0"]);
    assert_eq!(output.status, Some(2), "{output}");
    assert!(output.stderr.contains("cases.yaml:3:"), "{output}");
    for empty in ["cases/cases.yaml", "cases/more.jsonl"] {
        let place = Place::with_corpus("chunks.jsonl").file("chunks.jsonl", "{\"id\": \"a\", \"text\": \"x\"}\n");
        let output = place.file(empty, "").caselight(["gate", "--min", "recall=0"]);
        assert_eq!(output.status, Some(2), "{output}");
    }
}

#[test]
fn a_part_of_the_cases_is_held_to_the_gates_that_it_fills() {
    let place = settings(small(), "[gate.all]\nrecall = 0.7\n[gate.exact_token]\nrecall = 0.9\n");
    let printed = place.caselight(["gate", "--tag", "exact_token"]).success();
    assert!(printed.contains("ok   exact_token  recall  1.00 >= 0.90"), "{printed}");
    assert!(printed.contains("warning: all: not held, since not all of its cases were selected"), "{printed}");
}

/// A kept run of [`small`] in which every case finds its chunk first.
fn baseline(k: usize) -> String {
    let header = format!(
        "{{\"caselight_run\":1,\"tool\":\"0.1.0\",\"started\":\"2026-11-30T23:44:58Z\",\"commit\":null,\"config\":\"keyword\",\
         \"retriever\":\"local\",\"baseline\":true,\"k\":{k},\"depth\":10,\"recall_at\":[1,5,10],\"params\":{{}},\"cases\":\"x\",\
         \"labels\":\"x\",\"corpus\":\"x\"}}\n"
    );
    let case = |(id, question, tag, chunk): (&str, &str, &str, &str)| {
        format!(
            "{{\"id\":\"{id}\",\"question\":\"{question}\",\"tags\":[\"{tag}\"],\"asker\":\"anonymous\",\"answerable\":true,\
             \"needed\":[[\"{chunk}\"]],\"distractors\":[],\"verdict\":null,\"latency_ms\":1.0,\
             \"chunks\":[{{\"id\":\"{chunk}\",\"text\":null,\"ranks\":[[\"keyword\",1]]}}],\
             \"results\":[{{\"id\":\"{chunk}\",\"score\":null,\"leaked\":false}}]}}\n"
        )
    };
    let cases = [
        ("one", "red apples", "exact_token", "a"),
        ("two", "plums", "exact_token", "c"),
        ("miss", "cherries", "negation", "b"),
        ("gone", "no longer there", "negation", "b"),
    ];
    header + &cases.map(case).concat()
}

#[test]
fn a_case_that_regressed_against_the_baseline_fails_by_name_with_the_reason() {
    let place = settings(small(), "[gate.all]\nno_regressions = \"baselines/main.jsonl\"\n")
        .file("cases/baselines/main.jsonl", &baseline(3));
    let expected = "\
all: regressed against baselines/main.jsonl:
miss  \"cherries\"
      recall 1 -> 0, mrr 1.00 -> 0.00, completeness 1.00 -> 0.00
      keyword no longer has b, before at 1; its text is another one than before.
why: caselight inspect miss --config keyword --against baselines/main.jsonl
";
    let output = place.caselight(["gate"]);
    assert_eq!((output.status, output.stderr.as_str()), (Some(1), expected), "{output}");
    assert!(output.stdout.contains("warning: in baselines/main.jsonl and no longer here: gone\n"), "{output}");
    assert!(output.stdout.contains("warning: the corpus is not that of baselines/main.jsonl\n"), "{output}");
    let verdict = place.caselight(["gate", "--format", "json"]).json();
    assert_eq!(verdict["failures"][0]["what"], "regressed");
    assert_eq!(verdict["failures"][0]["change"]["id"], "miss");
    // A name does as well, and a run with another window compares with nothing.
    let place =
        small().file("cases/baselines/main.jsonl", &baseline(3)).file("cases/baselines/wide.jsonl", &baseline(6));
    assert_eq!(place.caselight(["gate", "--baseline", "main"]).status, Some(1));
    let output = place.caselight(["gate", "--baseline", "wide"]);
    assert_eq!(output.status, Some(2), "{output}");
    assert_eq!(
        failures(&output),
        ["wide was made with k=6, this run with k=3: they do not compare; make a new baseline"]
    );
}

#[test]
fn a_worsened_document_names_exactly_its_cases_against_a_baseline_of_the_demo() {
    let place = Place::demo();
    place.caselight(["run", "--out", "cases/baselines/main.jsonl"]).success();
    place.caselight(["gate", "--baseline", "main"]).success();
    let page = "corpus-index/documents/products/label-printer-sku-7310.md";
    let place = place.replace(page, "ERR_7312", "Overheating");
    let output = place.caselight(["gate", "--baseline", "main", "--min", "recall=0.5"]);
    assert_eq!(output.status, Some(1), "{output}");
    let regressed: Vec<&str> = failures(&output).into_iter().filter(|line| line.contains("  \"")).collect();
    let [case] = regressed[..] else { panic!("{output}") };
    assert!(case.ends_with("\"err_7312\""), "{output}");
    assert!(
        output
            .stderr
            .contains("keyword has SKU-7310 Label Printer › Error codes at 7, before at 1; its text is another"),
        "{output}"
    );
    // The comparison of the same two says the same.
    let compared = place.caselight(["compare", "main", "keyword", "--allow-different", "--format", "json"]).json();
    let ids = compared["regressed"].as_array().unwrap();
    assert_eq!(ids.len(), 1);
    assert!(case.starts_with(ids[0].as_str().unwrap()), "{case}");
    assert_eq!(place.caselight(["compare", "main", "keyword"]).status, Some(2));
}

#[test]
fn a_missing_baseline_names_the_key_that_names_it() {
    let place = settings(small(), "[gate.all]\nno_regressions = \"baselines/gone.jsonl\"\n");
    let output = place.caselight(["gate"]);
    assert_eq!(output.status, Some(2), "{output}");
    let expected = "caselight: `no_regressions` of [gate.all] is \"baselines/gone.jsonl\": there is no run";
    assert!(output.stderr.starts_with(expected), "{output}");
}

#[test]
fn a_threshold_that_was_lowered_since_the_last_commit_is_told() {
    let place = settings(small(), "[gate.all]\nrecall = 0.6\nmrr = 0.5\n");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"];
        let mut git = Command::new("git");
        git.arg("-C")
            .arg(place.path(""))
            .args(identity)
            .args(arguments)
            .output()
            .is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q"]) {
        // Without git there is nothing to look at, and the gate says so.
        return;
    }
    assert!(git(&["add", "cases"]) && git(&["commit", "-q", "-m", "thresholds"]));
    let printed = place.caselight(["gate"]).success();
    assert!(!printed.contains("warning"), "{printed}");
    let place = place.replace("cases/caselight.toml", "recall = 0.6\nmrr = 0.5\n", "recall = 0.5\n");
    let printed = place.caselight(["gate"]).success();
    for warning in [
        "warning: all: the threshold of recall was lowered from 0.60 to 0.50 since the last commit\n",
        "warning: all: the threshold of mrr, 0.50, was taken away since the last commit\n",
    ] {
        assert!(printed.contains(warning), "{printed}");
    }
}
