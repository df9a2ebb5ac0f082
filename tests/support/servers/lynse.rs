//! A `LynseDB` cluster of five processes: a coordinator, and two shards, each a primary with a replica.
//!
//! What was found to work, at the coordinator: `POST /search` with `{"database_name":"team","collection_name":"chunks",
//! "vector":[…],"k":3,"return_fields":true}` gives `{"status":"success","params":{"items":{"ids":["a","b"],"scores":[1.0,0.86],
//! "fields":[{"document":"…","heading":"…","text":"…","scope":[]}]}}}`, columns of the same length. By words: `POST /bm25_search` with
//! `"text":"…","text_fields":["text"]` for the vector; both: `POST /hybrid_search` with both. Errors: 400 and 500
//! `{"status":"error","error":"…"}`; while a primary is gone and until its replica is promoted (about three seconds) every search is a
//! 500 that names the shard, never a shorter list.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::{Value, json};

use super::{
    Chunk, PAGE, http, install,
    process::{Launch, Server},
};

/// The database that collections are made in.
pub(crate) const DATABASE: &str = "team";

/// A cluster without keys.
#[derive(Debug)]
pub(crate) struct Lynse {
    coordinator: Server,
    shards: [Shard; 2],
}

/// Each is `None` once it was killed.
#[derive(Debug)]
struct Shard {
    primary: Option<Server>,
    replica: Option<Server>,
}

impl Lynse {
    /// The instance that the tests of this process share. Each takes a collection of its own and kills nothing.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Lynse> = OnceLock::new();
        let folder = installed()?;
        Some(SHARED.get_or_init(|| Self::start_from(&folder)))
    }

    /// One for this test alone.
    pub(crate) fn start() -> Option<Self> {
        Some(Self::start_from(&installed()?))
    }

    fn start_from(_: &Path) -> Self {
        let ([a, b], [c, d]) = std::thread::scope(|scope| {
            let start = || std::array::from_fn::<_, 2, _>(|_| Some(node("a shard of LynseDB", &Role::Shard)));
            let other = scope.spawn(start);
            (start(), other.join().unwrap())
        });
        let shards = [Shard { primary: a, replica: b }, Shard { primary: c, replica: d }];
        let url = |server: &Option<Server>| server.as_ref().map(Server::url);
        let groups: Vec<Value> = (0..)
            .zip(&shards)
            .map(|(at, shard): (usize, _)| {
                json!({ "name": format!("shard{at}"), "primary": url(&shard.primary), "replicas": [url(&shard.replica)] })
            })
            .collect();
        let coordinator = node("the coordinator of LynseDB", &Role::Coordinator(&json!({ "shard_groups": groups })));
        let cluster = Self { coordinator, shards };
        cluster.post("/create_database", &json!({ "database_name": DATABASE }));
        cluster
    }

    /// `http://127.0.0.1:PORT` of the coordinator.
    pub(crate) fn url(&self) -> String {
        self.coordinator.url()
    }

    /// A new collection, its chunks spread over both shards by id: id, vector, and `document`, `heading`, `text` and `scope` as fields.
    /// It is searched exactly, by inner product.
    pub(crate) fn load(&self, collection: &str, chunks: &[Chunk]) {
        let length = chunks.first().map_or(1, |chunk| chunk.vector.len());
        let names = json!({ "database_name": DATABASE, "collection_name": collection });
        let with = |more: Value| {
            let mut body = names.clone();
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        self.post("/required_collection", &with(json!({ "dim": length, "dtypes": "float32", "n_threads": 1 })));
        for page in chunks.chunks(PAGE) {
            let column = |value: fn(&Chunk) -> Value| page.iter().map(value).collect::<Value>();
            let rows = json!({
                "ids": column(|chunk| json!(chunk.id)),
                "vectors": column(|chunk| json!(chunk.vector)),
                "fields": column(fields),
            });
            self.post("/add", &with(rows));
        }
        self.post("/commit", &names);
    }

    /// The answer of the coordinator to a search with a vector, whatever it is.
    pub(crate) fn search(&self, collection: &str, vector: &[f32], limit: usize) -> http::Answer {
        let body = json!({
            "database_name": DATABASE,
            "collection_name": collection,
            "vector": vector,
            "k": limit,
            "return_fields": true,
        });
        http::post(self.coordinator.port(), "/search", &body).unwrap()
    }

    /// For each vector, the ids that the engine's own client gives, best first.
    pub(crate) fn nearest(&self, collection: &str, vectors: &[Vec<f32>], limit: usize) -> Vec<Vec<String>> {
        let port = self.coordinator.port();
        let asked =
            json!({ "port": port, "database": DATABASE, "collection": collection, "vectors": vectors, "limit": limit });
        install::ask_python(&["lynse"], include_str!("lynse.py"), &asked)
    }

    /// Kills the primary of a shard, 0 or 1. Searches fail until the coordinator has promoted the replica. The primary of shard 0
    /// also holds the coordinator's own records, so that nothing is promoted after it is gone.
    pub(crate) fn kill_primary(&mut self, shard: usize) {
        self.shards[shard].primary = None;
    }

    /// Kills a shard with its replica. Every search fails from then on.
    pub(crate) fn kill_shard(&mut self, shard: usize) {
        self.shards[shard] = Shard { primary: None, replica: None };
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        http::post(self.coordinator.port(), path, body).unwrap().ok()
    }
}

fn fields(chunk: &Chunk) -> Value {
    json!({ "document": chunk.document, "heading": chunk.heading, "text": chunk.text, "scope": chunk.scope })
}

enum Role<'a> {
    Shard,
    /// With the description of the cluster.
    Coordinator(&'a Value),
}

fn node(name: &str, role: &Role<'_>) -> Server {
    let launch = |port: u16, folder: &Path| {
        let (python, path) = install::python(&["lynse"]);
        let launch = Launch::new(python).args(["-m", "lynse.server", "serve", "--host", "127.0.0.1", "--port"]);
        let launch = launch.args([port.to_string()]).env("PYTHONPATH", path);
        match role {
            Role::Shard => launch.args(["--data-dir".into(), folder.join("data")]),
            Role::Coordinator(cluster) => {
                let config = folder.join("cluster.json");
                fs::write(&config, cluster.to_string()).unwrap();
                let launch = launch.args(["--role", "coordinator", "--cluster-config"]).args([config]);
                launch.args(["--cluster-state".into(), folder.join("state.json")])
            }
        }
    };
    Server::start(name, launch, |port| http::get(port, "/readyz").is_ok_and(|answer| answer.status == 200))
}

fn installed() -> Option<PathBuf> {
    install::find("lynse", "LynseDB, a cluster,")
}
