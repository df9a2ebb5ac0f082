//! From TOML to settings: every key known, every value of its type, every name defined.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    string::FromUtf8Error,
};

use toml::de::DeTable;

use super::{
    Baseline, Config, Gate, KEYWORD, LOCAL, Metric, Retriever, RetrieverKind, Settings, SettingsError, Subset,
    Threshold, command, corpus, diagnosis, endpoint,
    node::{Node, Source, Table},
    reach::{self, Servers},
    servers, split, sql,
};
use crate::{
    domain::asker::{Asker, Askers},
    engine::preset::{ENGINES, Engine},
    retriever::http::AskerHeaders,
};

/// The window's size where the settings define no config.
const DEFAULT_K: usize = 6;

/// The K of recall@K where the settings do not say.
const DEFAULT_RECALL_AT: [usize; 3] = [1, 5, 10];

pub(super) fn settings(text: &str, path: &Path) -> Result<Settings, SettingsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source { text, path };
    let parsed = DeTable::parse(text)
        .map_err(|error| source.wrong(error.span().map_or(0, |span| span.start), error.message()))?;
    let file = Table::new(source, String::new(), 0, parsed.get_ref());
    file.only(&[
        "default_config",
        "default_asker",
        "cases",
        "corpus",
        "askers",
        "retrievers",
        "embeddings",
        "rerankers",
        "configs",
        "metrics",
        "subsets",
        "gate",
        "split",
        "diagnosis",
    ])?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let recall_at = recall_at(&file)?;
    let embeddings = servers::embeddings(&file, folder)?;
    let rerankers = servers::rerankers(&file, folder)?;
    let named = Servers {
        embeddings: embeddings.iter().map(|server| server.name.as_str()).collect(),
        rerankers: rerankers.iter().map(|server| server.name.as_str()).collect(),
    };
    let retrievers = retrievers(&file, folder, &named)?;
    let configs = configs(&file, &retrievers, &recall_at)?;
    let corpus = corpus::corpus(&file, folder)?;
    let (askers, asker_headers) = askers(&file)?;
    Ok(Settings {
        file: path.to_owned(),
        default_config: default_config(&file, &configs, source)?,
        default_asker: askers.default.clone(),
        case_files: case_files(&file, folder)?,
        source: corpus.source,
        engine: corpus.engine,
        index: corpus.index,
        diagnosis: diagnosis::diagnosis(&file, &askers)?,
        askers,
        asker_headers,
        retrievers,
        embeddings,
        rerankers,
        configs,
        recall_at,
        subsets: subsets(&file)?,
        split: split::split(&file)?,
        gates: gates(&file, folder)?,
    })
}

pub(super) fn not_utf8(path: &Path, error: &FromUtf8Error) -> SettingsError {
    let valid = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(&error.as_bytes()[..valid]);
    Source { text: &text, path }.wrong(valid, "this is not UTF-8: save the file in that encoding")
}

/// Refuses a value that names none of `known`.
pub(super) fn named(node: &Node<'_>, what: &str, known: &[&str]) -> Result<String, SettingsError> {
    node.named(what, known)
}

fn recall_at(file: &Table<'_>) -> Result<Vec<usize>, SettingsError> {
    let Some(metrics) = file.get("metrics") else { return Ok(DEFAULT_RECALL_AT.to_vec()) };
    let metrics = metrics.table()?;
    metrics.only(&["recall_at"])?;
    let Some(list) = metrics.get("recall_at") else { return Ok(DEFAULT_RECALL_AT.to_vec()) };
    let mut all = Vec::new();
    for item in list.list()? {
        let k = item.count(1)?;
        if all.contains(&k) {
            return Err(item.wrong(format!("`recall_at` names {k} twice")));
        }
        all.push(k);
    }
    if all.is_empty() { Err(list.expected("at least one K, such as [1, 5, 10]")) } else { Ok(all) }
}

fn retrievers(file: &Table<'_>, folder: &Path, servers: &Servers<'_>) -> Result<Vec<Retriever>, SettingsError> {
    let mut retrievers = Vec::new();
    for (name, table) in file.tables("retrievers")? {
        let kind = table.required("type", "say how it is reached, as in `type = \"local\"`")?;
        let kind = match kind.string()?.as_str() {
            "local" => {
                table.only(&["type"])?;
                RetrieverKind::Local
            }
            "command" => {
                table.only(&[&["type"][..], &command::KEYS].concat())?;
                RetrieverKind::Command(Box::new(command::program(&table, folder)?))
            }
            "http" => RetrieverKind::Http(Box::new(reach::reach(&table, folder, servers)?)),
            "pgvector" => RetrieverKind::Sql(Box::new(sql::reach(&table, folder, servers)?)),
            other => {
                let Some(engine) = Engine::find(other) else {
                    let engines: Vec<String> = ENGINES.iter().map(|engine| format!("{:?}", engine.name)).collect();
                    let known =
                        format!("\"local\", \"command\", \"http\", \"pgvector\" or an engine: {}", engines.join(", "));
                    return Err(kind.expected(&known));
                };
                RetrieverKind::Http(Box::new(reach::engine(&table, engine, folder, servers)?))
            }
        };
        retrievers.push(Retriever { name, kind });
    }
    if retrievers.iter().all(|retriever| retriever.name != LOCAL) {
        retrievers.push(Retriever { name: LOCAL.to_owned(), kind: RetrieverKind::Local });
    }
    Ok(retrievers)
}

fn configs(file: &Table<'_>, retrievers: &[Retriever], recall_at: &[usize]) -> Result<Vec<Config>, SettingsError> {
    let known: Vec<&str> = retrievers.iter().map(|retriever| retriever.name.as_str()).collect();
    let deepest = recall_at.iter().copied().max().unwrap_or(0);
    let mut configs = Vec::new();
    for (name, table) in file.tables("configs")? {
        table.only(&["retriever", "k", "depth", "params", "without"])?;
        let retriever = table.required("retriever", "say which one, as in `retriever = \"local\"`")?;
        let retriever = named(retriever, "retriever", &known)?;
        let k = table.required("k", "say how many results the model sees, as in `k = 6`")?.count(1)?;
        let depth = match table.get("depth") {
            Some(depth) => depth.count(k)?,
            None => k.max(deepest),
        };
        let params = table.get("params").map(Node::params).transpose()?.unwrap_or_default();
        let without = diagnosis::without(&table)?;
        let reached = retrievers.iter().find(|known| known.name == retriever);
        let given = serde_json::to_value(&params).unwrap_or_default().as_object().cloned().unwrap_or_default();
        let checked = match reached.map(|retriever| &retriever.kind) {
            Some(RetrieverKind::Http(reach)) => reach.check(&given),
            Some(RetrieverKind::Sql(reach)) => reach.check(&given),
            _ => Ok(()),
        };
        checked.map_err(|error| {
            let message = format!("config `{name}` does not fit retriever `{retriever}`: {error}");
            table.get("params").map_or_else(|| table.wrong(&message), |params| params.wrong(&message))
        })?;
        if let Some(RetrieverKind::Http(reach)) = reached.map(|retriever| &retriever.kind) {
            diagnosis::check(&table, &params, &without, reach)?;
        }
        configs.push(Config { name, retriever, k, depth, params, without });
    }
    if configs.is_empty() {
        configs.push(Config {
            name: KEYWORD.to_owned(),
            retriever: LOCAL.to_owned(),
            k: DEFAULT_K,
            depth: DEFAULT_K.max(deepest),
            params: toml::Table::new(),
            without: Vec::new(),
        });
    }
    Ok(configs)
}

fn default_config(file: &Table<'_>, configs: &[Config], source: Source<'_>) -> Result<String, SettingsError> {
    let known: Vec<&str> = configs.iter().map(|config| config.name.as_str()).collect();
    match (file.get("default_config"), &known[..]) {
        (Some(node), known) => named(node, "config", known),
        (None, [only]) => Ok((*only).to_owned()),
        (None, many) => Err(source.wrong(
            0,
            format!(
                "`default_config` is missing: say which of the configs {} runs where none is named",
                many.join(", ")
            ),
        )),
    }
}

fn case_files(file: &Table<'_>, folder: &Path) -> Result<Option<Vec<PathBuf>>, SettingsError> {
    let Some(cases) = file.get("cases") else { return Ok(None) };
    let cases = cases.table()?;
    cases.only(&["files"])?;
    let Some(list) = cases.get("files") else { return Ok(None) };
    let mut files = Vec::new();
    for item in list.list()? {
        let path = folder.join(item.string()?);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !matches!(ending, "yaml" | "yml" | "jsonl") {
            return Err(item.expected("a file whose name ends with .yaml, .yml or .jsonl"));
        }
        if files.contains(&path) {
            return Err(item.wrong(format!("`cases.files` names {} twice", item.written())));
        }
        files.push(path);
    }
    if files.is_empty() {
        return Err(list.expected("at least one file (without `files` all case files of the folder are read)"));
    }
    Ok(Some(files))
}

fn askers(file: &Table<'_>) -> Result<(Askers, AskerHeaders), SettingsError> {
    let mut askers = Askers::default();
    let mut all_headers = AskerHeaders::new();
    for (name, table) in file.tables("askers")? {
        table.only(&["groups", "id", "headers"])?;
        let list = |groups: &Node<'_>| groups.list()?.iter().map(Node::string).collect::<Result<BTreeSet<_>, _>>();
        let groups = table.get("groups").map(list).transpose()?;
        let id = table.get("id").map(Node::string).transpose()?;
        if let Some(headers) = table.get("headers") {
            all_headers.insert(name.clone(), endpoint::headers(headers)?);
        }
        askers.named.insert(name.clone(), Asker { name: Some(name), id, groups });
    }
    if let Some(node) = file.get("default_asker") {
        let known: Vec<&str> = askers.named.keys().map(String::as_str).collect();
        askers.default = Some(named(node, "asker", &known)?);
    }
    Ok((askers, all_headers))
}

fn subsets(file: &Table<'_>) -> Result<Vec<Subset>, SettingsError> {
    let mut subsets = Vec::new();
    for (name, table) in file.tables("subsets")? {
        table.only(&["about", "target"])?;
        let about = table.get("about").map(Node::string).transpose()?;
        let target = table.get("target").map(|target| target.count(1)).transpose()?;
        subsets.push(Subset { name, about, target });
    }
    Ok(subsets)
}

fn gates(file: &Table<'_>, folder: &Path) -> Result<Vec<Gate>, SettingsError> {
    let mut gates = Vec::new();
    for (subset, table) in file.tables("gate")? {
        let mut gate = Gate { subset, thresholds: Vec::new(), no_regressions: None };
        for entry in &table.entries {
            if entry.key == NO_REGRESSIONS {
                let written = entry.value.string()?;
                gate.no_regressions = Some(Baseline { path: folder.join(&written), written });
                continue;
            }
            let Some(metric) = Metric::parse(&entry.key) else {
                let known: Vec<&str> = Metric::NAMES.into_iter().chain([NO_REGRESSIONS]).collect();
                return Err(table.unknown(entry, "metric", &known));
            };
            let threshold = Threshold { metric, value: entry.value.number()? };
            if let Some(expected) = threshold.refused(&gate.subset) {
                return Err(entry.value.expected(expected));
            }
            gate.thresholds.push(threshold);
        }
        gates.push(gate);
    }
    Ok(gates)
}

/// The key of a gate that names a run instead of a threshold.
const NO_REGRESSIONS: &str = "no_regressions";
