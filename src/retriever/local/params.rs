//! What a config may say to the embedded retriever, and what goes together.
//!
//! | parameter | what it does | without it |
//! | --- | --- | --- |
//! | `mode` | `"keyword"`, `"vector"`, or `"hybrid"`: both, fused | `"keyword"` |
//! | `embeddings` | the `[embeddings.NAME]` that vectors come from; with `vector` and `hybrid` only, which need it | |
//! | `pool` | how many candidates each search brings to the fusion; with `hybrid` only | 100 |
//! | `rrf_k` | the k of the reciprocal rank fusion; with `hybrid` only | 60 |
//! | `rerank` | `"lexical"`, or the `[rerankers.NAME]` that orders the first candidates anew | no rerank |
//! | `candidates` | how many of the first candidates are reranked; with `rerank` only | 20 |
//! | `dedupe` | `true` drops a passage whose text is nearly that of one above it | `false` |
//! | `floor` | drops what the last scoring stage (rerank, else fuse, else the search) scored lower, or did not score | no floor |
//! | `cap` | how many passages of one document may be in the list | no cap |

use serde_json::{Map, Value};

use super::{fuse, rerank};

/// Their names, in the order of the table above.
const NAMES: [&str; 9] = ["mode", "embeddings", "pool", "rrf_k", "rerank", "candidates", "dedupe", "floor", "cap"];
/// How many candidates are reranked where the config does not say.
const CANDIDATES: usize = 20;
/// How many candidates each search brings to the fusion where the config does not say.
const POOL: usize = 100;
/// No count is larger; it keeps products far from overflow.
const MOST: u64 = 100_000;

/// The parameters of one config.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Params {
    pub(super) search: Search,
    pub(super) rerank: Option<Rerank>,
    pub(super) dedupe: bool,
    pub(super) floor: Option<f64>,
    pub(super) cap: Option<usize>,
}

/// Where candidates come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Search {
    Keyword,
    Vector {
        /// The embeddings endpoint's name.
        embeddings: String,
    },
    Hybrid {
        /// The embeddings endpoint's name.
        embeddings: String,
        pool: usize,
        rrf_k: f64,
    },
}

/// How the first candidates are ordered anew.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rerank {
    /// The rerank endpoint's name; `None` is the lexical rerank.
    pub(super) by: Option<String>,
    pub(super) candidates: usize,
}

/// The name of the rerank that needs no endpoint.
pub(super) const LEXICAL: &str = "lexical";

/// A parameter that is unknown, out of range or in contradiction to another, and a clause that says what it may be.
pub(super) type Wrong = (&'static str, String);

impl Params {
    /// Reads the parameters of a config. The error names the parameter as it is written.
    pub(super) fn read(params: &Map<String, Value>) -> Result<Self, (String, String)> {
        if let Some(unknown) = params.keys().find(|name| !NAMES.contains(&name.as_str())) {
            let known = NAMES.map(|name| format!("`{name}`")).join(", ");
            return Err((unknown.clone(), format!("its parameters are {known}")));
        }
        read(&Reader(params)).map_err(|(name, what)| (name.to_owned(), what))
    }
}

fn read(given: &Reader<'_>) -> Result<Params, Wrong> {
    let search = search(given)?;
    let rerank = match given.text("rerank", "it is \"lexical\" or the name of a [rerankers.NAME]")? {
        None => {
            given.only_with("candidates", "`rerank`")?;
            None
        }
        Some(name) => {
            let candidates = given.count("candidates", "how many candidates are reranked")?.unwrap_or(CANDIDATES);
            Some(Rerank { by: (name != LEXICAL).then_some(name), candidates })
        }
    };
    let dedupe = match given.0.get("dedupe") {
        None => false,
        Some(Value::Bool(dedupe)) => *dedupe,
        Some(_) => return Err(("dedupe", "it is true or false".to_owned())),
    };
    let floor = match given.0.get("floor") {
        None => None,
        Some(floor) => {
            let floor = floor.as_f64().filter(|floor| floor.is_finite());
            Some(floor.ok_or_else(|| ("floor", "it is the lowest score that passes, a number".to_owned()))?)
        }
    };
    let params = Params {
        search,
        rerank,
        dedupe,
        floor,
        cap: given.count("cap", "how many passages of one document are let through")?,
    };
    refuse_unreachable(&params)?;
    Ok(params)
}

fn search(given: &Reader<'_>) -> Result<Search, Wrong> {
    const MODES: &str = "it is \"keyword\", \"vector\" or \"hybrid\"";
    let mode = given.text("mode", MODES)?.unwrap_or_else(|| "keyword".to_owned());
    let embeddings = given.text("embeddings", "it is the name of an [embeddings.NAME] in the settings")?;
    if mode != "hybrid" {
        given.only_with("pool", "`mode = \"hybrid\"`")?;
        given.only_with("rrf_k", "`mode = \"hybrid\"`")?;
    }
    match (mode.as_str(), embeddings) {
        ("keyword", None) => Ok(Search::Keyword),
        ("keyword", Some(_)) => {
            Err(("embeddings", "it only means something beside `mode = \"vector\"` or `mode = \"hybrid\"`".to_owned()))
        }
        ("vector" | "hybrid", None) => {
            Err(("mode", format!("\"{mode}\" needs `embeddings = \"NAME\"`, an [embeddings.NAME] of the settings")))
        }
        ("vector", Some(embeddings)) => Ok(Search::Vector { embeddings }),
        ("hybrid", Some(embeddings)) => {
            let pool = given.count("pool", "how many candidates each search brings to the fusion")?.unwrap_or(POOL);
            let rrf_k = match given.0.get("rrf_k") {
                None => fuse::RRF_K,
                Some(k) => {
                    let k = k.as_f64().filter(|k| (0.0..=MOST as f64).contains(k));
                    k.ok_or_else(|| ("rrf_k", format!("it is the k of 1 / (k + rank), a number from 0 to {MOST}")))?
                }
            };
            Ok(Search::Hybrid { embeddings, pool, rrf_k })
        }
        _ => Err(("mode", MODES.to_owned())),
    }
}

/// A floor that no score can reach is a mistake about which stage scores last, and would leave every list empty.
fn refuse_unreachable(params: &Params) -> Result<(), Wrong> {
    let Some(floor) = params.floor else { return Ok(()) };
    let (stage, most) = match (&params.rerank, &params.search) {
        (Some(Rerank { by: None, .. }), _) => ("the lexical rerank", rerank::MOST),
        (None, Search::Hybrid { rrf_k, .. }) => ("the fusion", fuse::largest(2, *rrf_k)),
        (None, Search::Vector { .. }) => ("the vector search (a cosine)", 1.0),
        // What a server or BM25 gives has no bound that is known.
        (Some(_), _) | (None, Search::Keyword) => return Ok(()),
    };
    if floor <= most {
        return Ok(());
    }
    Err((
        "floor",
        format!("{stage} is what scores last in this config, and its scores reach {most:.4} at most, not {floor}"),
    ))
}

/// The parameters as they are written, by their type.
struct Reader<'a>(&'a Map<String, Value>);

impl Reader<'_> {
    fn text(&self, name: &'static str, what: &str) -> Result<Option<String>, Wrong> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
            Some(_) => Err((name, what.to_owned())),
        }
    }

    fn count(&self, name: &'static str, what: &str) -> Result<Option<usize>, Wrong> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let count = value.as_u64().filter(|count| (1..=MOST).contains(count));
        let count = count.and_then(|count| usize::try_from(count).ok());
        count.map(Some).ok_or_else(|| (name, format!("it is {what}, from 1 to {MOST}")))
    }

    fn only_with(&self, name: &'static str, other: &str) -> Result<(), Wrong> {
        if self.0.contains_key(name) {
            return Err((name, format!("it only means something beside {other}")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use serde_json::json;

    use super::*;

    fn params(params: &Value) -> Result<Params, (String, String)> {
        Params::read(params.as_object().unwrap())
    }

    #[test]
    fn what_is_not_said_has_the_value_of_the_table() {
        let none = Params { search: Search::Keyword, rerank: None, dedupe: false, floor: None, cap: None };
        assert_eq!(params(&json!({})), Ok(none.clone()));
        assert_eq!(params(&json!({"mode": "keyword"})), Ok(none.clone()));
        let search = Search::Hybrid { embeddings: "e5".to_owned(), pool: 100, rrf_k: 60.0 };
        let rerank = Some(Rerank { by: None, candidates: 20 });
        assert_eq!(
            params(&json!({"mode": "hybrid", "embeddings": "e5", "rerank": "lexical"})),
            Ok(Params { search, rerank, ..none })
        );
    }

    #[test]
    fn everything_may_be_said() {
        let all = json!({
            "mode": "hybrid", "embeddings": "e5", "pool": 30, "rrf_k": 10, "rerank": "cross", "candidates": 40,
            "dedupe": true, "floor": 0.3, "cap": 2,
        });
        let expected = Params {
            search: Search::Hybrid { embeddings: "e5".to_owned(), pool: 30, rrf_k: 10.0 },
            rerank: Some(Rerank { by: Some("cross".to_owned()), candidates: 40 }),
            dedupe: true,
            floor: Some(0.3),
            cap: Some(2),
        };
        assert_eq!(params(&all), Ok(expected));
    }

    #[test]
    fn what_means_nothing_is_refused_with_what_it_may_be() {
        for (given, name, said) in [
            (json!({"vectors": true}), "vectors", "its parameters are `mode`, `embeddings`,"),
            (json!({"mode": "semantic"}), "mode", "\"keyword\", \"vector\" or \"hybrid\""),
            (json!({"mode": 1}), "mode", "\"keyword\", \"vector\" or \"hybrid\""),
            (json!({"mode": "vector"}), "mode", "\"vector\" needs `embeddings = \"NAME\"`"),
            (json!({"mode": "hybrid"}), "mode", "\"hybrid\" needs `embeddings = \"NAME\"`"),
            (json!({"embeddings": "e5"}), "embeddings", "beside `mode = \"vector\"` or"),
            (json!({"mode": "vector", "embeddings": ""}), "embeddings", "the name of an [embeddings.NAME]"),
            (json!({"mode": "vector", "embeddings": "e5", "rrf_k": 60}), "rrf_k", "beside `mode = \"hybrid\"`"),
            (json!({"pool": 60}), "pool", "beside `mode = \"hybrid\"`"),
            (json!({"mode": "hybrid", "embeddings": "e5", "rrf_k": -1}), "rrf_k", "a number from 0"),
            (json!({"mode": "hybrid", "embeddings": "e5", "pool": 0}), "pool", "from 1 to"),
            (json!({"rerank": true}), "rerank", "it is \"lexical\" or the name of a [rerankers.NAME]"),
            (json!({"rerank": "lexical", "candidates": 0}), "candidates", "from 1 to"),
            (json!({"candidates": 5}), "candidates", "it only means something beside `rerank`"),
            (json!({"cap": 0}), "cap", "from 1 to"),
            (json!({"cap": 1.5}), "cap", "from 1 to"),
            (json!({"dedupe": "yes"}), "dedupe", "true or false"),
            (json!({"floor": "0.3"}), "floor", "a number"),
        ] {
            let (wrong, what) = params(&given).unwrap_err();
            assert_eq!(wrong, name, "{given}");
            assert!(what.contains(said), "{given}: {what}");
        }
    }

    #[test]
    fn a_floor_that_no_score_reaches_is_refused_and_says_which_stage_scores_last() {
        for (given, said) in [
            (
                json!({"mode": "hybrid", "embeddings": "e5", "floor": 0.3}),
                "the fusion is what scores last in this config, and its scores reach 0.0328 at most, not 0.3",
            ),
            (json!({"mode": "vector", "embeddings": "e5", "floor": 1.5}), "a cosine"),
            (json!({"rerank": "lexical", "floor": 2.5}), "the lexical rerank"),
        ] {
            assert!(params(&given).unwrap_err().1.contains(said), "{given}");
        }
        for given in [
            json!({"mode": "hybrid", "embeddings": "e5", "floor": 0.02}),
            json!({"mode": "hybrid", "embeddings": "e5", "rerank": "cross", "floor": 7.5}),
            json!({"floor": 12.0}),
        ] {
            assert!(params(&given).is_ok(), "{given}");
        }
    }
}
