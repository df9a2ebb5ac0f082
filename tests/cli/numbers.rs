//! The demo's numbers, computed a second time.
//!
//! This reads the case files with plain YAML and JSON readers, finds what a label means by a few lines of its own, and takes
//! nothing from the report but the ids of the results and their order.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
};

use caselight::{domain::chunk::Chunk, project::Project};
use serde_json::Value;

use crate::support::Place;

/// What a case should score.
#[derive(Debug)]
struct Expected {
    recall: f64,
    mrr: f64,
    precision: f64,
    completeness: f64,
    distractor_above: bool,
}

#[test]
fn every_number_of_the_demo_agrees_with_one_computed_from_labels_and_ids_alone() {
    let settings = Project::open(&Place::demo().path("cases")).unwrap().settings;
    // The others need a server.
    for config in settings.configs.iter().filter(|config| config.retriever == "local") {
        for k in [1, config.k, 10] {
            agrees(&config.name, k);
        }
    }
}

fn agrees(config: &str, k: usize) {
    let place = Place::demo();
    let report = place.caselight(["run", "--format", "json", "--config", config, "--k", &k.to_string()]).json();
    let outline = Project::open(&place.path("cases")).unwrap().corpus(&|_| ()).unwrap().outline(&[]).unwrap();
    let chunks: Vec<&Chunk> =
        outline.documents().iter().flat_map(|document| &document.chunks).map(AsRef::as_ref).collect();
    let returned: BTreeMap<&str, Vec<&str>> = report["cases"].as_array().unwrap().iter().map(returned).collect();
    let mut all: Vec<Expected> = Vec::new();
    let mut tagged: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut questions = HashSet::new();
    let cases = cases(&place);
    for case in &cases {
        let question = text(case.get("question").unwrap_or(&case["q"]));
        assert!(questions.insert(question), "{question} stands twice: cases are matched by their questions here");
        let supporting = supporting(case, &chunks);
        let results = &returned[question];
        let printed =
            report["cases"].as_array().unwrap().iter().find(|printed| printed["question"] == question).unwrap();
        if supporting.is_empty() || case["answerable"] == false {
            assert!(printed["recall"].is_null(), "{printed:#}");
            continue;
        }
        let expected = expected(results, &supporting, &distractors(case, &chunks), k);
        close(&printed["recall"], expected.recall, question);
        close(&printed["mrr"], expected.mrr, question);
        close(&printed["precision"], expected.precision, question);
        close(&printed["completeness"], expected.completeness, question);
        assert_eq!(printed["distractor_above_answer"], expected.distractor_above, "{question}");
        for tag in list(&case["tags"]) {
            tagged.entry(text(tag).to_owned()).or_default().push(all.len());
        }
        all.push(expected);
    }
    assert!(all.len() >= 34);
    means(&report["summary"], &all.iter().collect::<Vec<_>>(), "all");
    assert!(tagged.len() >= 7);
    for (tag, cases) in &tagged {
        means(&report["subsets"][tag], &cases.iter().map(|&at| &all[at]).collect::<Vec<_>>(), tag);
    }
}

fn expected(results: &[&str], supporting: &[Vec<&str>], distractors: &[&str], k: usize) -> Expected {
    let window = &results[..results.len().min(k)];
    let supports = |id: &str| supporting.iter().any(|any_of| any_of.contains(&id));
    let first = |list: &[&str]| list.iter().position(|id| supports(id));
    let distinct: HashSet<&str> = window.iter().copied().filter(|id| supports(id)).collect();
    let satisfied = supporting.iter().filter(|any_of| any_of.iter().any(|id| window.contains(id))).count();
    let best_distractor = results.iter().position(|id| distractors.contains(id));
    Expected {
        recall: if first(window).is_some() { 1.0 } else { 0.0 },
        mrr: first(window).map_or(0.0, |at| 1.0 / (at as f64 + 1.0)),
        precision: if window.is_empty() { 0.0 } else { distinct.len() as f64 / window.len() as f64 },
        completeness: satisfied as f64 / supporting.len() as f64,
        distractor_above: best_distractor.is_some_and(|at| first(results).is_none_or(|answer| at < answer)),
    }
}

fn means(printed: &Value, cases: &[&Expected], name: &str) {
    assert_eq!(printed["n"], cases.len(), "{name}");
    let mean = |value: fn(&Expected) -> f64| cases.iter().map(|case| value(case)).sum::<f64>() / cases.len() as f64;
    close(&printed["recall"], mean(|case| case.recall), name);
    close(&printed["mrr"], mean(|case| case.mrr), name);
    close(&printed["precision"], mean(|case| case.precision), name);
    close(&printed["completeness"], mean(|case| case.completeness), name);
    assert_eq!(printed["distractor_above"], cases.iter().filter(|case| case.distractor_above).count(), "{name}");
}

fn close(printed: &Value, expected: f64, what: &str) {
    let printed = printed.as_f64().unwrap_or_else(|| panic!("{what}: {printed} is no number"));
    assert!((printed - expected).abs() <= 1e-12, "{what}: {printed} is printed, {expected} expected");
}

/// The question and the ids of the results, in their order: all that is taken from the report.
fn returned(case: &Value) -> (&str, Vec<&str>) {
    (text(&case["question"]), list(&case["results"]).map(|result| text(&result["id"])).collect())
}

/// Every case of every file, as plain data.
fn cases(place: &Place) -> Vec<Value> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(place.path("cases")).unwrap() {
        let path = entry.unwrap().path();
        let content = fs::read_to_string(&path).unwrap();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("yaml") => cases.extend(yaml_serde::from_str::<Vec<Value>>(&content).unwrap()),
            Some("jsonl") => cases.extend(content.lines().map(|line| serde_json::from_str::<Value>(line).unwrap())),
            _ => {}
        }
    }
    cases
}

/// What the answer needs, each as the chunks of which one is enough.
fn supporting<'a>(case: &'a Value, chunks: &[&'a Chunk]) -> Vec<Vec<&'a str>> {
    let mut needed = Vec::new();
    for entry in list(&case["supporting"]) {
        if entry["any_of"].is_array() {
            needed.push(list(&entry["any_of"]).flat_map(|reference| find(reference, chunks)).collect());
        } else if entry["quote"].is_string() {
            needed.push(find(entry, chunks));
        } else {
            // Every chunk of a section is needed.
            needed.extend(find(entry, chunks).into_iter().map(|id| vec![id]));
        }
    }
    for entry in list(&case["chunks"]) {
        needed.push(match entry {
            Value::Array(ids) => ids.iter().map(text).collect(),
            id => vec![text(id)],
        });
    }
    needed
}

fn distractors<'a>(case: &'a Value, chunks: &[&'a Chunk]) -> Vec<&'a str> {
    list(&case["distractors"]).flat_map(|reference| find(reference, chunks)).collect()
}

/// The ids that a reference means: the chunks whose heading path ends as written, the shortest such path first.
fn find<'a>(reference: &'a Value, chunks: &[&'a Chunk]) -> Vec<&'a str> {
    if let Some(id) = reference["chunk"].as_str() {
        return vec![id];
    }
    let heading: Vec<&str> = list(&reference["heading"]).map(text).collect();
    let within =
        |chunk: &&&Chunk| chunk.document == text(&reference["document"]) && ends_with(&chunk.heading, &heading);
    let found: Vec<&&Chunk> = chunks.iter().filter(within).collect();
    let shortest = found.iter().map(|chunk| chunk.heading.len()).min();
    let blanks = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let quoted =
        |chunk: &&Chunk| reference["quote"].as_str().is_none_or(|quote| blanks(&chunk.text).contains(&blanks(quote)));
    let ids: Vec<&str> = found
        .iter()
        .filter(|chunk| Some(chunk.heading.len()) == shortest && quoted(chunk))
        .map(|chunk| chunk.id.as_str())
        .collect();
    assert!(!ids.is_empty(), "{reference} means nothing");
    ids
}

/// Whether a heading path ends with these headings.
fn ends_with(path: &[String], last: &[&str]) -> bool {
    path.len() >= last.len() && path[path.len() - last.len()..].iter().zip(last).all(|(a, b)| a == b)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}
