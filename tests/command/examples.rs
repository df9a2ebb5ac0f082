//! The example servers of the README: the demo's cases through each of them, with their stages.

use std::{
    collections::BTreeSet,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use super::{
    python::python,
    support::{Place, repository, without_times},
};

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts `program ARGUMENTS documents PORT` and waits until it listens.
fn serve(program: &Path, script: &Path, place: &Place) -> (Server, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new(program);
    command.arg(script).arg(place.path("corpus-index/documents")).arg(port.to_string());
    let server = Server(command.stderr(Stdio::null()).spawn().unwrap());
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(began.elapsed() < Duration::from_mins(1), "{} never listened", script.display());
        std::thread::sleep(Duration::from_millis(20));
    }
    (server, port)
}

/// The server in TypeScript as a script that Node runs; `None`, said aloud, where Node or esbuild is missing.
fn compiled(place: &Place) -> Option<PathBuf> {
    let folder =
        std::env::var_os("CASELIGHT_TEST_SERVERS").map_or_else(|| repository().join("target/servers"), PathBuf::from);
    let esbuild = folder.join("esbuild/node_modules/.bin/esbuild");
    let node = Command::new("node").arg("--version").output().is_ok();
    if !node || !esbuild.exists() {
        assert!(std::env::var_os("CI").is_none(), "node or esbuild is missing, and in CI they have to be there");
        eprintln!("NOT RUN: needs node, and esbuild as .ci/servers.d/typescript installs it");
        return None;
    }
    let script = place.path("server.mjs");
    let mut command = Command::new(esbuild);
    command.args(["--format=esm", "--log-level=warning"]).arg(repository().join("tests/servers/server.ts"));
    let output = command.arg(format!("--outfile={}", script.display())).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(script)
}

/// The demo with two configs of a retriever at this port.
fn at(place: Place, port: u16) -> Place {
    let settings = std::fs::read_to_string(place.path("cases/caselight.toml")).unwrap();
    let more = format!(
        "\n[retrievers.production]\ntype = \"http\"\nurl = \"http://127.0.0.1:{port}/\"\n\n\
         [configs.plain]\nretriever = \"production\"\nk = 6\nparams = {{ rerank = false }}\n\n\
         [configs.reranked]\nretriever = \"production\"\nk = 6\nparams = {{ rerank = true }}\n\n\
         [configs.wide]\nretriever = \"production\"\nk = 50\nparams = {{ rerank = false }}\n\n\
         [askers.everyone]\ngroups = [\"staff\", \"warehouse\", \"drivers\", \"finance\", \"sales\", \"hr\", \"legal\"]\n"
    );
    place.file("cases/caselight.toml", &(settings + &more))
}

/// Every case of the demo is answered with chunks that the corpus knows, and the reranker is found out.
fn tells_where_pol_004_was_lost(place: &Place) {
    let run = place.caselight(["run", "--config", "reranked", "--format", "json"]);
    assert_eq!(run.status, Some(0), "{run}");
    let run = run.json();
    let cases = run["cases"].as_array().unwrap();
    let case = cases.iter().find(|case| case["id"] == "pol-004").unwrap();
    let expected = "rerank moved policies/damaged-goods-policy#escalation from 1 to 3";
    assert_eq!(case["diagnosis"]["text"], expected);
    assert_eq!(case["labels"][0]["stages"].as_array().unwrap().len(), 2);
    let results = || cases.iter().flat_map(|case| case["results"].as_array().unwrap());
    assert!(results().count() > 300);
    assert_eq!(results().filter(|result| result["leaked"] != false).count(), 0);
    let plain = place.caselight(["run", "--config", "plain", "--case", "pol-004", "--format", "json"]).json();
    assert_eq!(plain["cases"][0]["rank"], 1);
}

/// Asks for every heading of every page, and holds that each section came up under the corpus's id, and nothing else.
fn knows_each_chunk_by_the_corpus_s_id(place: &Place) {
    let documents = place.path("corpus-index/documents");
    let mut lines = BTreeSet::new();
    for folder in std::fs::read_dir(&documents).unwrap().map(|entry| entry.unwrap().path()) {
        for page in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&page).unwrap();
            let lined = text.lines().zip(text.lines().skip(1));
            let underlined = lined.filter(|(_, below)| below.starts_with("---") || below.starts_with("==="));
            let headings = text.lines().filter(|line| line.starts_with('#')).chain(underlined.map(|(above, _)| above));
            let headings: Vec<&str> = headings.map(|heading| heading.trim_start_matches(['#', ' '])).collect();
            let title = headings.first().copied().unwrap_or_default();
            for heading in &headings {
                let question = format!("{title} {heading} {heading}");
                let chunks = ["inventory/stockhaus-error-codes#upload-errors"];
                let case = serde_json::json!({"q": question, "chunks": chunks, "asker": "everyone"});
                lines.insert(format!("{case}\n"));
            }
        }
    }
    for file in std::fs::read_dir(place.path("cases")).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_some_and(|kind| kind != "toml") {
            std::fs::remove_file(file).unwrap();
        }
    }
    std::fs::write(place.path("cases/headings.jsonl"), lines.into_iter().collect::<String>()).unwrap();
    let run = place.caselight(["run", "--config", "wide", "--format", "json"]).json();
    let results = || run["cases"].as_array().unwrap().iter().flat_map(|case| case["results"].as_array().unwrap());
    let unknown: BTreeSet<&str> =
        results().filter(|result| result["leaked"] != false).filter_map(|result| result["id"].as_str()).collect();
    assert_eq!(unknown, BTreeSet::new());
    let found: BTreeSet<&str> = results().filter_map(|result| result["id"].as_str()).collect();
    let indexed = place.caselight(["index"]).success();
    // Two sections are so long that the corpus has each as two chunks; the servers know the first of them.
    let chunks = found.len() + 2;
    assert!(indexed.contains(&format!("{chunks} chunks")), "{} came up of: {indexed}", found.len());
}

#[test]
fn the_server_in_python_runs_the_demo_and_its_stages_tell_where_a_chunk_was_lost() {
    let (Some(python), place) = (python(), Place::demo()) else { return };
    let (_server, port) = serve(python, &repository().join("tests/servers/server.py"), &place);
    let place = at(place, port);
    tells_where_pol_004_was_lost(&place);
    knows_each_chunk_by_the_corpus_s_id(&place);
}

/// `UPDATE_DOCS=1` writes the README's part anew.
#[test]
fn readme_shows_what_inspect_says_of_the_example_server() {
    let (Some(python), place) = (python(), Place::demo()) else { return };
    let (_server, port) = serve(python, &repository().join("tests/servers/server.py"), &place);
    let place = place.replace("cases/caselight.toml", "http://127.0.0.1:8080/", &format!("http://127.0.0.1:{port}/"));
    let said = place.caselight(["inspect", "pol-004", "--config", "example"]).success();
    let path = repository().join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("<!-- example server -->\n").unwrap();
    let (shown, after) = rest.split_once("<!-- /example server -->").unwrap();
    let expected = format!("```text\n$ caselight inspect pol-004 --config example\n{}\n```\n", said.trim_end());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let written = format!("{before}<!-- example server -->\n{expected}<!-- /example server -->{after}");
        std::fs::write(path, written).unwrap();
    } else {
        let (shown, expected) = (without_times(shown), without_times(&expected));
        assert_eq!(shown, expected, "`UPDATE_DOCS=1 cargo test --test command readme` writes it anew");
    }
}

#[test]
fn the_server_in_typescript_does_the_same() {
    let place = Place::demo();
    let Some(script) = compiled(&place) else { return };
    let (_server, port) = serve(Path::new("node"), &script, &place);
    let place = at(place, port);
    tells_where_pol_004_was_lost(&place);
    knows_each_chunk_by_the_corpus_s_id(&place);
}

#[test]
fn the_program_of_ten_lines_answers_its_cases() {
    let Some(python) = python() else { return };
    let settings = format!(
        "[corpus]\nsource = \"../chunks.jsonl\"\nindex = \"../corpus-index\"\n\n\
         [retrievers.mine]\ntype = \"command\"\ncommand = [{:?}, {:?}, \"../chunks.jsonl\"]\n\n\
         [configs.mine]\nretriever = \"mine\"\nk = 1\n",
        python.to_str().unwrap(),
        repository().join("tests/servers/retrieve.py").to_str().unwrap()
    );
    let place = Place::empty()
        .file("cases/caselight.toml", &settings)
        .file("cases/cases.jsonl", "{\"q\": \"second passage\", \"chunks\": [\"b\"]}\n")
        .file(
            "chunks.jsonl",
            "{\"id\": \"a\", \"text\": \"first\"}\n{\"id\": \"b\", \"text\": \"the second passage\"}\n",
        );
    assert_eq!(place.caselight(["run", "--format", "json"]).json()["summary"]["recall"], 1.0);
}

#[test]
fn the_examples_stay_short() {
    for (name, lines) in [("server.py", 39), ("server.ts", 39), ("retrieve.py", 10)] {
        let text = std::fs::read_to_string(repository().join("tests/servers").join(name)).unwrap();
        assert!(text.lines().count() <= lines, "{name} has more than {lines} lines");
    }
}
