//! Chroma, one node.
//!
//! What was found to work: `GET {collections}/{name}` gives `{"id": UUID, …}`, where `{collections}` is
//! `/api/v2/tenants/default_tenant/databases/default_database/collections`; then `POST {collections}/{UUID}/query` with
//! `{"query_embeddings":[[…]],"n_results":2,"where":{"document":"Policies"},"include":["documents","metadatas","distances"]}` gives
//! columns, each with one list for each query: `{"ids":[["a","c"]],"distances":[[0.005,0.226]],"documents":[[…]],"metadatas":[[…]]}`.
//! A smaller distance is nearer. The corpus page by page: `POST {collections}/{UUID}/get` with `{"limit":2,"offset":0,"include":[…]}`
//! gives flat columns. Groups, in a list of the metadata: `"where":{"scope":{"$contains":"staff"}}`.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::{Value, json};

use super::{
    Chunk, PAGE, http, install,
    process::{Launch, Server},
};

/// Its collections, below the address of the server.
pub(crate) const COLLECTIONS: &str = "/api/v2/tenants/default_tenant/databases/default_database/collections";

/// A server without authentication.
#[derive(Debug)]
pub(crate) struct Chroma {
    server: Server,
}

impl Chroma {
    /// The instance that the tests of this process share. Each takes a collection of its own.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Chroma> = OnceLock::new();
        let folder = installed()?;
        Some(SHARED.get_or_init(|| Self::start_from(&folder)))
    }

    /// One for this test alone.
    pub(crate) fn start() -> Option<Self> {
        Some(Self::start_from(&installed()?))
    }

    fn start_from(_: &Path) -> Self {
        let launch = |port: u16, folder: &Path| {
            let (python, path) = install::python(&["chroma-server"]);
            let program = "import sys, chromadb_rust_bindings as chroma; chroma.cli(['chroma', *sys.argv[1:]])";
            Launch::new(python)
                .args(["-c", program, "run", "--host", "127.0.0.1", "--port", &port.to_string(), "--path"])
                .args([folder.join("data")])
                .env("PYTHONPATH", path)
                .env("ANONYMIZED_TELEMETRY", "False")
        };
        let ready = |port| http::get(port, "/api/v2/heartbeat").is_ok_and(|answer| answer.status == 200);
        Self { server: Server::start("Chroma", launch, ready) }
    }

    /// The port on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.server.port()
    }

    /// `http://127.0.0.1:PORT`.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// A new collection by cosine distance, searched so widely that a thousand chunks are exact: ids, embeddings, the text as document, and `document`, `heading` and `scope` (a list,
    /// absent for everybody) in the metadata. Its id.
    pub(crate) fn load(&self, collection: &str, chunks: &[Chunk]) -> String {
        let port = self.server.port();
        let made = json!({ "name": collection, "configuration": { "hnsw": { "space": "cosine", "ef_search": 1000 } } });
        let made = http::post(port, COLLECTIONS, &made).unwrap().ok();
        let id = made["id"].as_str().unwrap().to_owned();
        for page in chunks.chunks(PAGE) {
            let column = |value: fn(&Chunk) -> Value| page.iter().map(value).collect::<Value>();
            let rows = json!({
                "ids": column(|chunk| json!(chunk.id)),
                "embeddings": column(|chunk| json!(chunk.vector)),
                "documents": column(|chunk| json!(chunk.text)),
                "metadatas": column(metadata),
            });
            http::post(port, &format!("{COLLECTIONS}/{id}/add"), &rows).unwrap().ok();
        }
        id
    }

    /// For each vector, the ids that the engine's own client gives, nearest first.
    pub(crate) fn nearest(&self, collection: &str, vectors: &[Vec<f32>], limit: usize) -> Vec<Vec<String>> {
        let asked = json!({ "port": self.server.port(), "collection": collection, "vectors": vectors, "limit": limit });
        install::ask_python(&["chroma-client"], include_str!("chroma.py"), &asked)
    }
}

fn metadata(chunk: &Chunk) -> Value {
    let mut metadata = json!({ "document": chunk.document, "heading": chunk.heading });
    if !chunk.scope.is_empty() {
        metadata["scope"] = json!(chunk.scope);
    }
    metadata
}

fn installed() -> Option<PathBuf> {
    install::find("chroma-client", "Chroma's client")?;
    install::find("chroma-server", "Chroma")
}
