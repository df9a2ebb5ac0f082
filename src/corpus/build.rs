//! Opens the index over a source: as it is, refreshed, or built anew, whichever the source demands.

use std::{
    collections::HashMap,
    fmt, fs,
    path::Path,
    sync::Arc,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use tantivy::ReloadPolicy;

use super::{
    CorpusError, Index, Problem, Source,
    finished::Finished,
    manifest::{FileState, Manifest},
    schema,
    source::{SourceFile, front_matter},
    store::{self, Store},
    write::Writer,
};

/// What a build is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Another process builds the same index; this one waits for it.
    Waiting,
    /// Fetches the passages from an engine. What is done is counted in passages, not in bytes.
    Fetching,
    /// Reads the source and indexes its chunks.
    Reading,
    /// Writes the index out.
    Writing,
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Waiting => "waiting for another process that builds the index",
            Self::Fetching => "fetching the corpus",
            Self::Reading => "indexing the corpus",
            Self::Writing => "writing the index",
        })
    }
}

/// How far a build is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub activity: Activity,
    /// Bytes of the source that were read, or passages that were fetched.
    pub done: u64,
    /// Of so many; 0 while that is not known.
    pub total: u64,
}

/// A corpus of at least so many chunks is refreshed file by file; a smaller one is built anew, which takes a second or two and leaves no trace of what was there before in the scores.
const LARGE: u64 = 20_000;

/// How long another process may take to build, before this one gives up waiting for it.
const PATIENCE: Duration = Duration::from_mins(10);

/// A file that was written less than so long before it was looked at may change again without its time changing.
const COARSE: u64 = 2_000_000_000;

/// Opens the index over `source` in `index_dir`: builds it on first use, and refreshes it when the source or the way of indexing changed.
///
/// Several processes may do this at once: one builds, the others wait and use what it built. A build that is killed leaves the index as it was.
pub fn open(source: &Source, index_dir: &Path, progress: &dyn Fn(Progress)) -> Result<Index, CorpusError> {
    open_with(source, index_dir, progress, LARGE)
}

pub(super) fn open_with(
    source: &Source,
    index_dir: &Path,
    progress: &dyn Fn(Progress),
    large: u64,
) -> Result<Index, CorpusError> {
    let store = Store::new(index_dir);
    let looked = now();
    let files = source.files()?;
    let states = look(source, &files, store.current().as_ref().map(|(_, manifest)| manifest))?;
    let began = Instant::now();
    let lock = loop {
        if let Some(index) = use_current(&store, source, &states, looked) {
            return Ok(index);
        }
        if let Some(lock) = store.try_lock()? {
            break lock;
        }
        if began.elapsed() > PATIENCE {
            return Err(CorpusError::Locked { path: store.path().to_owned(), seconds: PATIENCE.as_secs() });
        }
        progress(Progress { activity: Activity::Waiting, done: 0, total: 0 });
        thread::sleep(Duration::from_millis(50));
    };
    // The process that held the lock may just have built what is wanted here.
    if let Some(index) = use_current(&store, source, &states, looked) {
        return Ok(index);
    }
    let old = store.current().filter(|(_, manifest)| manifest.fits(source) && manifest.chunks >= large);
    let folder = store.begin(&lock)?;
    let root = root_of(source);
    let mut manifest =
        Manifest { version: schema::version(), kind: source.kind().to_owned(), root, looked, chunks: 0, files: states };
    name_documents(&mut manifest.files);
    Writer { source, files: &files, folder: folder.path(), progress }.write(&mut manifest, old)?;
    if manifest.chunks == 0 {
        return Err(CorpusError::Empty(source.path().to_owned()));
    }
    let path = store.publish(&lock, folder, &manifest)?;
    load(&path, &manifest)
}

/// The current index if it holds what the source holds now.
fn use_current(store: &Store, source: &Source, states: &[FileState], looked: u64) -> Option<Index> {
    let (path, mut manifest) = store.current()?;
    if !manifest.holds(source, states) {
        return None;
    }
    // A damaged index, or one that was replaced a moment ago, is as good as none.
    let index = load(&path, &manifest).ok()?;
    let root = root_of(source);
    let mut seen = manifest.root != root;
    for (old, new) in manifest.files.iter_mut().zip(states) {
        seen |= (old.len, old.written) != (new.len, new.written) || is_recent(old.written, manifest.looked);
        (old.len, old.written) = (new.len, new.written);
    }
    if seen {
        (manifest.root, manifest.looked) = (root, looked);
        // Only spares hashing the next time, so that a folder that cannot be written is no error.
        let _ = store::write_manifest(&path, &manifest);
    }
    Some(index)
}

fn load(path: &Path, manifest: &Manifest) -> Result<Index, CorpusError> {
    let failed = || CorpusError::engine(path);
    let files = Finished::open(path).map_err(CorpusError::engine(path))?;
    let index = tantivy::Index::open(files).map_err(failed())?;
    schema::register(&index);
    let (_, fields) = schema::schema();
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
    let reader: tantivy::IndexReader = reader.try_into().map_err(failed())?;
    let searcher = reader.searcher();
    if searcher.num_docs() != manifest.chunks {
        let what = format!("it holds {} chunks, not {}", searcher.num_docs(), manifest.chunks);
        return Err(failed()(tantivy::TantivyError::InternalError(what)));
    }
    Ok(Index {
        searcher,
        fields,
        path: Arc::from(path),
        notes: Arc::new(manifest.notes()),
        fingerprint: manifest.fingerprint().into(),
    })
}

/// What the files hold now. A file whose size and time are those of the manifest is not read again.
fn look(source: &Source, files: &[SourceFile], manifest: Option<&Manifest>) -> Result<Vec<FileState>, CorpusError> {
    let root = root_of(source);
    let manifest = manifest.filter(|manifest| manifest.fits(source) && manifest.root == root);
    let known: HashMap<&str, &FileState> =
        manifest.iter().flat_map(|manifest| &manifest.files).map(|file| (file.name.as_str(), file)).collect();
    let looked = manifest.map_or(0, |manifest| manifest.looked);
    let (mut states, mut problems) = (Vec::with_capacity(files.len()), Vec::new());
    for file in files {
        // A file may become readable without its time changing.
        let unchanged = |old: &&&FileState| (old.len, old.written) == (file.len, file.written) && !old.is_unread();
        if let Some(old) = known.get(file.name.as_str()).filter(unchanged).filter(|old| !is_recent(old.written, looked))
        {
            states.push((*old).clone());
            continue;
        }
        match read_state(source, file)? {
            Ok(state) => states.push(state),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(states) } else { Err(CorpusError::broken(problems)) }
}

fn read_state(source: &Source, file: &SourceFile) -> Result<Result<FileState, Problem>, CorpusError> {
    let unreadable = || CorpusError::io("read", &file.path);
    let mut state = FileState {
        name: file.name.clone(),
        len: file.len,
        written: file.written,
        hash: String::new(),
        title: None,
        document: file.name.clone(),
        chunks: 0,
        notes: Vec::new(),
    };
    if let Source::Jsonl(_) = source {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(fs::File::open(&file.path).map_err(unreadable())?).map_err(unreadable())?;
        state.hash = hasher.finalize().to_hex().to_string();
        return Ok(Ok(state));
    }
    let bytes = match file.page(source)? {
        Ok(bytes) => bytes,
        Err(trouble) => {
            state.set_unread(&trouble);
            return Ok(Ok(state));
        }
    };
    state.hash = blake3::hash(&bytes).to_hex().to_string();
    if let Ok(text) = std::str::from_utf8(&bytes) {
        match front_matter::read(text) {
            Ok(front) => state.title = front.title,
            Err(error) => {
                return Ok(Err(Problem { file: file.path.clone(), line: Some(error.line), what: error.what }));
            }
        }
    }
    Ok(Ok(state))
}

/// Names each document by its title, or by its path where it has none or shares it with another.
fn name_documents(files: &mut [FileState]) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for title in files.iter().filter_map(|file| file.title.clone()) {
        *count.entry(title).or_default() += 1;
    }
    for file in files {
        file.document = match &file.title {
            Some(title) if count.get(title) == Some(&1) => title.clone(),
            _ => file.name.clone(),
        };
    }
}

fn is_recent(written: u64, looked: u64) -> bool {
    written.saturating_add(COARSE) > looked
}

fn root_of(source: &Source) -> String {
    let path = source.path();
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
