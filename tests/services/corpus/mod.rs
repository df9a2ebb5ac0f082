//! Corpora that live in an engine or a database: fetched, or left where they are.

mod fetched;
mod postgres;
mod recorded;
mod remote;

use std::path::Path;

use crate::support::Place;

/// The demo without its documents: its cases over what `source` names, the lines of `[corpus.source]`.
fn demo_over(source: &str) -> Place {
    let place = Place::empty();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut over = place;
    for entry in std::fs::read_dir(cases).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let text = if name == "caselight.toml" { with_source(&text, source) } else { text };
        over = over.file(&format!("cases/{name}"), &text);
    }
    over
}

/// The settings with another source.
fn with_source(settings: &str, source: &str) -> String {
    let plain: Vec<&str> = settings.lines().filter(|line| !line.starts_with("source = ")).collect();
    assert!(plain.len() < settings.lines().count(), "the demo's settings name a source");
    format!("{}\n\n[corpus.source]\n{source}\n", plain.join("\n"))
}

/// The numbers and the misses of a run. What stands far down is left out: among equal scores the order is the corpus's own.
fn report(place: &Place, arguments: &[&str]) -> String {
    let arguments = ["run", "--format", "markdown"].into_iter().chain(arguments.iter().copied());
    let printed = place.caselight(arguments).success();
    printed.split("<details>").next().unwrap().to_owned()
}
