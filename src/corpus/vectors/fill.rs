//! Opens the vectors of a corpus: those that are kept, and the missing ones as the model gives them.

use std::{collections::HashSet, path::Path, sync::Arc, time::Duration};

use futures_util::{StreamExt as _, stream};

use super::{
    Embed, Matrix, VectorError, Vectors,
    cache::{Cache, Kept, Key, Lock},
    passage,
};
use crate::domain::chunk::Chunk;

/// How far the passages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Another process embeds passages of the same corpus; this one waits for it.
    pub waiting: bool,
    /// How many passages have a vector.
    pub done: usize,
    /// How many there are.
    pub total: usize,
}

impl Progress {
    /// What is done, as a clause, for the model of that name.
    #[must_use]
    pub fn what(&self, name: &str) -> String {
        if self.waiting {
            return "waiting for another process that embeds the passages".to_owned();
        }
        format!("embedding passages by {name}")
    }
}

/// How often a process that waits looks whether the other one has finished.
const LOOK: Duration = Duration::from_millis(100);

/// The vectors of `chunks` by `model`, kept in `index_dir`. Only passages of which no vector is kept are sent, and every finished batch
/// is kept at once. Nothing is sent twice by processes that do this at the same time: one asks, the others wait.
pub async fn open(
    index_dir: &Path,
    model: &dyn Embed,
    chunks: Vec<Arc<Chunk>>,
    told: &(dyn Fn(Progress) + Send + Sync),
) -> Result<Vectors, VectorError> {
    let about = model.about();
    let cache = Cache::new(index_dir, &blake3::hash(about.as_bytes()).to_hex()[..32]);
    let chunks: Arc<[Arc<Chunk>]> = chunks.into();
    let hashed = Arc::clone(&chunks);
    let keys: Arc<[Key]> = aside(move || Ok(hashed.iter().map(|chunk| key(&passage(chunk))).collect())).await?;
    let mut kept = load(&cache).await?;
    let mut sent = 0;
    if keys.iter().any(|key| !kept.has(key)) {
        let lock = loop {
            if let Some(lock) = cache.try_lock(&about)? {
                break lock;
            }
            told(Progress { waiting: true, done: 0, total: 0 });
            tokio::time::sleep(LOOK).await;
        };
        // The process that held the lock may just have asked for what is wanted here.
        kept = load(&cache).await?;
        let missing = missing(&chunks, &keys, &kept);
        sent = missing.len();
        ask(&cache, &lock, model, &missing, (keys.len(), kept.dims()), told).await?;
        let (cache, keys) = (cache.clone(), Arc::clone(&keys));
        let damaged = kept.damaged;
        kept = aside(move || {
            let mut all = cache.load()?;
            all.damaged = damaged;
            cache.tidy(&lock, all, &distinct(&keys))
        })
        .await?;
    }
    let notes = kept.damaged.iter().map(|(path, why)| {
        let sent = if sent == 1 { "1 passage was".to_owned() } else { format!("{sent} passages were") };
        format!("the vectors in {} could not be used, for {why}; {sent} embedded anew", path.display())
    });
    let notes = notes.collect();
    aside(move || {
        let rows = kept.into_rows(&keys).ok_or_else(|| VectorError::Inside("one is missing".to_owned()))?;
        Ok(Vectors { sent, notes, ..Vectors::new(&chunks, rows) })
    })
    .await
}

/// Asks for the vectors of `missing` and keeps each batch as it comes. `all` is how many passages there are, and how many numbers a
/// vector of before has.
async fn ask(
    cache: &Cache,
    lock: &Lock,
    model: &dyn Embed,
    missing: &[(Key, String)],
    (total, dims): (usize, Option<usize>),
    told: &(dyn Fn(Progress) + Send + Sync),
) -> Result<(), VectorError> {
    // Passages of the same text have one vector: what is not missing is done.
    let mut done = total - missing.len().min(total);
    let mut dims = dims;
    told(Progress { waiting: false, done, total });
    let batches = missing.chunks(model.batch().max(1)).map(|batch| async move {
        let (keys, texts): (Vec<Key>, Vec<String>) = batch.iter().cloned().unzip();
        let vectors = model.passages(&texts).await;
        (keys, vectors)
    });
    // A list of futures, for a lazy stream of them is not `Send` in the compiler's eyes. None begins before its turn.
    let batches: Vec<_> = batches.collect();
    let mut answers = stream::iter(batches).buffer_unordered(model.concurrency().max(1));
    while let Some((keys, vectors)) = answers.next().await {
        let failed = |reason: String| VectorError::Model { name: model.name().to_owned(), done, total, reason };
        let vectors = vectors.map_err(|error| failed(error.reason))?;
        if vectors.len() != keys.len() {
            return Err(failed(format!("{} vectors came for {} passages", vectors.len(), keys.len())));
        }
        let got = vectors.first().map_or(0, Vec::len);
        let kept = *dims.get_or_insert(got);
        let mut rows = Matrix::new(kept, vectors.len());
        for vector in &vectors {
            if vector.len() != kept {
                let (name, folder) = (model.name().to_owned(), cache.folder().to_owned());
                return Err(VectorError::Dimensions { name, folder, got: vector.len(), kept });
            }
            if !rows.push(vector) {
                return Err(failed("a vector holds something that is no number".to_owned()));
            }
        }
        cache.add(lock, &keys, &rows)?;
        done += keys.len();
        told(Progress { waiting: false, done, total });
    }
    Ok(())
}

/// The passages of which no vector is kept, each text once, in the source's order.
fn missing(chunks: &[Arc<Chunk>], keys: &[Key], kept: &Kept) -> Vec<(Key, String)> {
    let mut seen = HashSet::new();
    let missing = keys.iter().zip(chunks).filter(|(key, _)| !kept.has(key) && seen.insert(**key));
    missing.map(|(key, chunk)| (*key, passage(chunk))).collect()
}

fn distinct(keys: &[Key]) -> Vec<Key> {
    let mut seen = HashSet::new();
    keys.iter().filter(|key| seen.insert(**key)).copied().collect()
}

fn key(passage: &str) -> Key {
    let hash = blake3::hash(passage.as_bytes());
    let (halves, _) = hash.as_bytes().as_chunks::<16>();
    halves[0]
}

async fn load(cache: &Cache) -> Result<Kept, VectorError> {
    let cache = cache.clone();
    aside(move || cache.load()).await
}

/// Large files and many passages are work for a processor, not a wait: off the threads that drive everything else.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, VectorError> + Send + 'static,
) -> Result<T, VectorError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(VectorError::Inside(error.to_string())),
    }
}
