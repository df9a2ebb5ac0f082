//! osmem, which answers like `OpenSearch` 3: words, pages and errors, but no vectors. It is an emulation: what holds with it holds for
//! the wire format and not for how `OpenSearch` scores.
//!
//! What was found to work: `POST /{index}/_search?search_type=dfs_query_then_fetch` with
//! `{"query":{"multi_match":{"query":"…","fields":["heading","text"]}},"size":10,"sort":["_score",{"chunk_id":"asc"}],
//! "track_scores":true}` gives `{"timed_out":false,"_shards":{"total":3,"failed":0},"hits":{"hits":[{"_id":"a","_score":0.3,
//! "_source":{…}}]}}`. Groups: a `bool` with `"filter":{"bool":{"should":[{"terms":{"scope":["staff"]}},
//! {"bool":{"must_not":{"exists":{"field":"scope"}}}}]}}`. The corpus page by page: `POST /{index}/_search/point_in_time?keep_alive=1m`
//! gives `{"pit_id":"…"}`; `POST /{index}/_search?scroll=1m` gives `_scroll_id`.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::{Value, json};

use super::{
    Chunk, PAGE, http, install,
    process::{Launch, Server},
};

/// A server without authentication.
#[derive(Debug)]
pub(crate) struct Osmem {
    server: Server,
}

impl Osmem {
    /// The instance that the tests of this process share. Each takes an index of its own.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Osmem> = OnceLock::new();
        let folder = installed()?;
        Some(SHARED.get_or_init(|| Self::start_from(&folder)))
    }

    /// One for this test alone.
    pub(crate) fn start() -> Option<Self> {
        Some(Self::start_from(&installed()?))
    }

    fn start_from(folder: &Path) -> Self {
        let program = folder.join("osmem_server/bin/osmem-server");
        let launch = |port: u16, _: &Path| {
            Launch::new(&program).args(["-addr", &format!("127.0.0.1:{port}"), "-no-ja", "-no-stdin-watch"])
        };
        let ready = |port| http::get(port, "/").is_ok_and(|answer| answer.status == 200);
        Self { server: Server::start("osmem", launch, ready) }
    }

    /// A folder of its own, removed with it.
    pub(crate) fn folder(&self) -> &Path {
        self.server.folder()
    }

    /// The port on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.server.port()
    }

    /// `http://127.0.0.1:PORT`.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// A new index of three shards: `_id` and `chunk_id` are the id; `document` and `scope` are keywords, `heading` and `text` text.
    pub(crate) fn load(&self, index: &str, chunks: &[Chunk]) {
        let port = self.server.port();
        let fields = json!({
            "chunk_id": { "type": "keyword" },
            "document": { "type": "keyword" },
            "heading": { "type": "text" },
            "text": { "type": "text" },
            "scope": { "type": "keyword" },
        });
        let made = json!({ "settings": { "number_of_shards": 3 }, "mappings": { "properties": fields } });
        http::send(port, "PUT", &format!("/{index}"), "application/json", &made.to_string()).unwrap().ok();
        for page in chunks.chunks(PAGE) {
            let mut lines = String::new();
            for chunk in page {
                let action = json!({ "index": { "_id": chunk.id } });
                let source = json!({
                    "chunk_id": chunk.id,
                    "document": chunk.document,
                    "heading": chunk.heading,
                    "text": chunk.text,
                    "scope": chunk.scope,
                });
                lines += &format!("{action}\n{source}\n");
            }
            let path = format!("/{index}/_bulk?refresh=true");
            let loaded = http::send(port, "POST", &path, "application/x-ndjson", &lines).unwrap().ok();
            assert_eq!(loaded["errors"], false, "{loaded}");
        }
    }

    /// The answer to a `_search`, which must be a success.
    pub(crate) fn search(&self, index: &str, body: &Value) -> Value {
        let path = format!("/{index}/_search?search_type=dfs_query_then_fetch");
        http::post(self.server.port(), &path, body).unwrap().ok()
    }

    /// The ids that a plain `_search` gives for words in heading or text, best first, equal scores by id.
    pub(crate) fn best(&self, index: &str, words: &str, limit: usize) -> Vec<String> {
        let body = json!({
            "query": { "multi_match": { "query": words, "fields": ["heading", "text"] } },
            "size": limit,
            "sort": ["_score", { "chunk_id": "asc" }],
            "track_scores": true,
        });
        let found = self.search(index, &body);
        found["hits"]["hits"].as_array().unwrap().iter().map(|hit| hit["_id"].as_str().unwrap().to_owned()).collect()
    }
}

fn installed() -> Option<PathBuf> {
    install::find("osmem", "osmem, which answers like OpenSearch,")
}
