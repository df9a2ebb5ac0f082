//! The structure of the crate, stated and checked: which module may name which, what stays at home, no rings.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod support {
    pub(crate) mod source;
}

use support::source::{Crate, File, names, under};

/// A module, the modules that it may name beside itself, and why no others. The first row that holds a module counts.
const LAYERS: &[(&str, &[&str], &str)] = &[
    ("domain", &[], "everything stands on the domain"),
    ("eval", &["domain"], "numbers do not depend on where cases and results come from or how they are shown"),
    ("report", &["domain", "eval"], "a report shows numbers and fetches none"),
    ("casefile", &["domain"], "adapters meet in the project, not in each other"),
    ("exchange", &["domain"], "a file's form is known to nobody else, and knows neither labels nor numbers"),
    ("corpus", &["domain", "engine"], "adapters meet in the project, not in each other"),
    ("engine", &["domain"], "a client of a server knows neither who asks nor what for"),
    (
        "retriever::local",
        &["domain", "engine", "retriever", "corpus"],
        "the embedded retriever searches the tool's own index",
    ),
    ("retriever", &["domain", "engine"], "a retriever is asked a question; it sees neither labels nor scores"),
    (
        "project::results",
        &["domain", "eval", "report::run_file", "project"],
        "a run on disk is what the numbers keep, in the form that a report gives it",
    ),
    (
        "project::probe",
        &["domain", "eval", "corpus", "retriever", "project"],
        "an experiment is what the numbers ask for, put to a retriever",
    ),
    (
        "project",
        &["domain", "engine", "eval::gate", "eval::split", "casefile", "corpus", "retriever"],
        "what both faces stand on knows of neither; its settings write thresholds and the split down, the numbers hold them",
    ),
    (
        "tui",
        &["domain", "eval", "report", "casefile", "corpus", "retriever", "project"],
        "the two faces are independent of each other",
    ),
    (
        "cli",
        &["domain", "eval", "report", "casefile", "corpus", "exchange", "retriever", "project", "tui"],
        "the library is not the program",
    ),
];

/// Modules that never use a name, and why.
struct Never {
    /// The modules, with everything below them.
    within: &'static [&'static str],
    /// Modules below them that may.
    except: &'static [&'static str],
    /// What they never name.
    names: &'static [&'static str],
    /// Names below those that are fine.
    but: &'static [&'static str],
    because: &'static str,
}

/// What is not the same twice, or reaches outside the process.
const WORLD: &[&str] = &[
    "std::env",
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "notify",
    "reqwest",
    "tantivy",
    "tempfile",
    "tokio",
    "tokio_util",
    "walkdir",
];

const NEVER: &[Never] = &[
    Never {
        within: &["domain", "eval", "report"],
        except: &[],
        names: WORLD,
        but: &[],
        because: "the core computes: the same input gives the same bytes",
    },
    Never {
        within: &["tui"],
        except: &["tui::event_loop", "tui::jobs", "tui::runtime", "tui::terminal"],
        names: WORLD,
        but: &[],
        because: "state changes by messages alone, so that screens are tested without a terminal or a clock",
    },
    Never {
        within: &["tui"],
        except: &["tui::jobs"],
        names: &[
            "crate::project",
            "crate::retriever",
            "crate::casefile::store",
            "crate::corpus::Index",
            "crate::corpus::remote",
        ],
        but: &[],
        because: "jobs do the work; the rest of the front end asks for it by an effect",
    },
    Never {
        within: &["tui::screen"],
        except: &[],
        names: &[
            "crate::tui::app",
            "crate::tui::event_loop",
            "crate::tui::jobs",
            "crate::tui::runtime",
            "crate::tui::terminal",
        ],
        but: &[],
        because: "a screen knows the facts that it shows, not who shows it",
    },
    Never {
        within: &["tui::widget"],
        except: &[],
        names: &[
            "crate::casefile",
            "crate::corpus",
            "crate::domain",
            "crate::eval",
            "crate::report",
            "crate::tui::app",
            "crate::tui::command",
            "crate::tui::data",
            "crate::tui::effect",
            "crate::tui::msg",
            "crate::tui::screen",
        ],
        but: &["crate::domain::text"],
        because: "a widget draws text and lists, whatever they are about",
    },
];

/// What several screens share; a screen names no other screen.
const SHARED_BY_SCREENS: &[&str] = &["marking", "parts", "tags"];
const SCREENS: &str = "a screen knows no other screen";

/// A name, the only modules that may use it, and why.
const ONLY: &[(&str, &[&str], &str)] = &[
    ("tantivy", &["corpus"], "the search engine can be changed in one place"),
    ("pulldown_cmark", &["corpus::source"], "Markdown is one kind of source"),
    ("walkdir", &["corpus"], "only a source is a tree of files"),
    ("granit_parser", &["casefile::yaml", "corpus::source::front_matter"], "everybody else reads the tree made of it"),
    ("yaml_serde", &["casefile::check"], "the reader that checks an edit shares nothing with the one that made it"),
    ("toml", &["project::settings"], "the settings are one file"),
    ("rustls", &["engine"], "the client chooses how it encrypts"),
    ("rustls_platform_verifier", &["engine"], "the client chooses whom it trusts"),
    ("tokio_postgres", &["engine"], "one client speaks SQL"),
    ("tokio_postgres_rustls", &["engine"], "one client speaks SQL"),
    ("minijinja", &["engine"], "a request's template is the engine's"),
    ("serde_json_path", &["engine"], "where the hits stand in an answer is the engine's"),
    ("serde", &["casefile", "corpus", "engine", "project", "report::json", "report::run_file", "retriever"], WIRE),
    (
        "serde_json",
        &[
            "casefile",
            "cli::init",
            "corpus",
            "engine",
            "project",
            "report::coverage::json",
            "report::json",
            "report::run_file",
            "retriever",
        ],
        WIRE,
    ),
    (
        "reqwest",
        &["engine"],
        "one client reaches the network, so that limits, secrets and faults are the same everywhere",
    ),
    ("clap", &["cli"], "arguments are the command line's"),
    ("indicatif", &["cli"], "progress bars are the command line's"),
    ("ratatui", &["tui"], "cells are the screens'"),
    ("crossterm", &["tui"], "the terminal is the screens'"),
    ("crate::tui", &["tui", "cli::tui", "cli::keys"], "every other command runs without it"),
    (
        ".retrieve(",
        &["retriever::run"],
        "one place asks a retriever, so that time and failure mean the same everywhere",
    ),
    (
        "std::process",
        &["main", "cli", "retriever::command::process"],
        "a library does not end its caller; one adapter starts a program",
    ),
    ("print!", &[], PRINT),
    ("println!", &[], PRINT),
    ("eprint!", &[], PRINT),
    ("eprintln!", &[], PRINT),
    ("dbg!", &[], "it is for the moment of looking"),
];
const WIRE: &str = "wire shapes stay at the wire, so that the domain can be renamed";
const PRINT: &str = "text reaches the terminal cleaned, by way of cli::output";

#[test]
fn every_module_names_only_what_it_may() {
    let faults: Vec<String> = Crate::read().files.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn modules_form_no_ring() {
    let ring = Crate::read().ring();
    assert!(ring.is_empty(), "each of these names the next, and the last the first:\n{}", ring.join("\n"));
}

#[test]
fn every_module_has_a_layer_and_every_module_in_a_rule_exists() {
    let known = Crate::read().modules();
    for module in known.iter().filter(|module| *module != "main") {
        assert!(LAYERS.iter().any(|(within, ..)| under(within, module)), "no layer holds {module}");
    }
    let layers = LAYERS.iter().flat_map(|(module, may, _)| may.iter().chain([module]));
    let never = NEVER.iter().flat_map(|rule| rule.within.iter().chain(rule.except));
    let only = ONLY.iter().flat_map(|(_, within, _)| *within);
    let named = NEVER.iter().flat_map(|rule| rule.names.iter().chain(rule.but));
    let named = named.filter_map(|name| name.strip_prefix("crate::").map(|name| name.trim_end_matches("::Index")));
    let shared = SHARED_BY_SCREENS.iter().map(|name| format!("tui::screen::{name}"));
    let modules = layers.chain(never).chain(only).copied().chain(named).map(str::to_owned).chain(shared);
    for module in modules {
        assert!(known.contains(&module), "no module {module}");
    }
}

/// What a file names and must not, in sentences.
fn faults(file: &File) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |name: &str, because: &str| faults.push(format!("{} names {name}: {because}", file.module));
    for name in &file.names {
        let layer = LAYERS.iter().find(|(within, ..)| under(within, &file.module));
        if let (Some((within, may, because)), Some(named)) = (layer, name.strip_prefix("crate::")) {
            let layers = LAYERS.iter().map(|(layer, ..)| layer);
            let foreign = layers.clone().any(|layer| under(layer, named)) && !under(within, named);
            if foreign && !any(may, named) {
                fault(name, because);
            }
        }
        for rule in NEVER {
            let here = any(rule.within, &file.module) && !any(rule.except, &file.module);
            if here && any(rule.names, name) && !any(rule.but, name) {
                fault(name, rule.because);
            }
        }
        for (rule, within, because) in ONLY {
            if under(rule, name) && !any(within, &file.module) {
                fault(name, because);
            }
        }
        let screen = file.module.strip_prefix("tui::screen::").and_then(|rest| rest.split("::").next());
        let other = name.strip_prefix("crate::tui::screen::").and_then(|rest| rest.split("::").next());
        if let (Some(screen), Some(other)) = (screen, other)
            && screen != other
            && !other.starts_with(char::is_uppercase)
            && !SHARED_BY_SCREENS.contains(&other)
        {
            fault(name, SCREENS);
        }
    }
    faults
}

fn any(outer: &[&str], name: &str) -> bool {
    outer.iter().any(|outer| under(outer, name))
}

// The check itself can fail.

fn found(module: &str, source: &str) -> Vec<String> {
    faults(&File { module: module.to_owned(), names: names(module, source) })
}

fn finds(module: &str, source: &str, because: &str) -> bool {
    found(module, source).iter().any(|fault| fault.ends_with(because))
}

#[test]
fn every_rule_finds_the_name_that_it_forbids_in_any_spelling() {
    for rule in NEVER {
        for (module, name) in rule.within.iter().flat_map(|module| rule.names.iter().map(move |name| (module, name))) {
            for source in spellings(name) {
                assert!(finds(&format!("{module}::somewhere"), &source, rule.because), "{module}: {source}");
                for except in rule.except {
                    assert!(!finds(except, &source, rule.because), "{except}: {source}");
                }
            }
        }
    }
    for (name, within, because) in ONLY {
        for source in spellings(name) {
            assert!(finds("somewhere::else", &source, because), "{source}");
            for home in *within {
                assert!(!finds(home, &source, because), "{home}: {source}");
            }
        }
    }
    for (module, may, because) in LAYERS {
        for (other, ..) in LAYERS.iter().filter(|(other, ..)| !under(other, module) && !under(module, other)) {
            for source in spellings(&format!("crate::{other}")) {
                assert_eq!(finds(module, &source, because), !any(may, other), "{module}: {source}");
            }
        }
    }
}

/// Code that uses `name`, in the ways one writes it.
fn spellings(name: &str) -> Vec<String> {
    if name.ends_with('!') {
        return vec![format!("fn f() {{ {name}(\"{{}}\", 1) }}")];
    }
    if name.starts_with('.') {
        return vec![format!("fn f() {{ a.b(){name}request) }}")];
    }
    let grouped = name.rsplit_once("::").map_or(name.to_owned(), |(outer, last)| format!("{outer}::{{Other, {last}}}"));
    vec![
        format!("use {name};"),
        format!("use {name} as renamed;"),
        format!("use {name}::{{deeper::Item, *}};"),
        format!("pub use {{b::c, {grouped}}};"),
        format!("fn f() {{ {name}::call(\"text\") }}"),
        format!("// a comment\nfn f() {{ let quote = '\"'; {name}::CONSTANT }}"),
    ]
}

#[test]
fn relative_and_imported_names_are_seen_through() {
    let braces = "use super::super::{app::App, screen::{self, label::Label}};";
    for (module, source, expected) in [
        ("tui::widget::list", braces, "crate::tui::app::App"),
        ("tui::widget::list", braces, "crate::tui::screen"),
        ("tui::widget::list", braces, "crate::tui::screen::label::Label"),
        ("tui", "fn f() { self::app::run() }", "crate::tui::app::run"),
        ("domain", "use std::time; fn f() { time::Instant::now(); }", "std::time::Instant::now"),
        ("domain", "use std::time as t; fn f() -> t::Instant { loop {} }", "std::time::Instant"),
        ("eval", "use std::fs::*;", "std::fs"),
        ("eval", "fn f(x: &'static str) { x.len(); std::fs::read('\\''); }", "std::fs::read"),
    ] {
        let names = names(module, source);
        assert!(names.contains(expected), "{expected} is not in {names:?}");
    }
}

#[test]
fn words_in_comments_texts_and_tests_name_nothing() {
    for source in [
        "// std::fs::read\n/* std::fs */ /// std::env\nfn f() {}",
        "const A: &str = \"std::fs::read \\\" std::env\"; const B: &str = r#\"\" std::fs::read\"#;",
        "fn f() {}\n#[cfg(test)]\nmod tests { use std::fs; fn g() { if true { fs::read(\"}\"); } } }\nfn h() {}",
        "#[cfg(test)]\nmod tests;",
    ] {
        assert_eq!(found("domain", source), Vec::<String>::new(), "{source}");
    }
    assert!(!found("domain", "#[cfg(test)] mod tests { } fn h() { std::fs::read(1) }").is_empty());
}

#[test]
fn a_screen_that_names_another_is_found_and_one_that_names_a_shared_part_is_not() {
    assert!(finds("tui::screen::inspect", "use super::{Screen, label::toggle};", SCREENS));
    assert!(finds("tui::screen::inspect", "fn f() { crate::tui::screen::cases::rows() }", SCREENS));
    assert_eq!(found("tui::screen::inspect", "use super::{Screen, marking, parts::glyph};"), Vec::<String>::new());
}

#[test]
fn what_no_rule_forbids_is_fine() {
    for (module, source) in [
        ("domain::chunk", "use std::time::Duration; use crate::domain::text;"),
        ("retriever::local", "use crate::corpus::Index; use super::Request;"),
        ("tui::widget::text", "use crate::domain::text::clean;"),
        ("tui::event_loop", "use std::time::Instant;"),
        ("project::settings", "use super::SETTINGS;"),
    ] {
        assert_eq!(found(module, source), Vec::<String>::new(), "{module}");
    }
}

#[test]
fn a_ring_of_modules_is_found_and_a_tree_is_none() {
    let ring = |files: &[(&str, &str)]| {
        let file =
            |(module, source): &(&str, &str)| File { module: (*module).to_owned(), names: names(module, source) };
        Crate { files: files.iter().map(file).collect() }.ring()
    };
    let tree = [
        ("a", "use crate::b::c::D;"),
        ("b::c", "use super::e::F; use crate::d::G;"),
        ("b::e", "use crate::d;"),
        ("d", ""),
    ];
    assert_eq!(ring(&tree), Vec::<String>::new());
    let back = [
        ("a", "use crate::b::c::D;"),
        ("b::c", "use super::e::F;"),
        ("b::e", "use crate::d;"),
        ("d", "fn f() { crate::b::c::g() }"),
    ];
    assert_eq!(ring(&back), ["b::c", "b::e", "d"]);
}
