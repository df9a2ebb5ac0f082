//! A corpus that stays in its engine: searched and looked up there, chunk by chunk and document by document.

mod background;
mod known;

use std::{
    collections::{BTreeSet, HashSet},
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use self::{background::Background, known::Known};
use super::{CorpusError, Found, Notes, source::jsonl};
use crate::{
    domain::{
        case::{Case, Target},
        chunk::{Chunk, ChunkId},
        outline::Outline,
    },
    engine::{
        client::CallError,
        passages::{
            Store,
            fields::Passage,
            live::{Live, Told},
        },
        secret::Secrets,
    },
};

/// How many passages are looked at for what a broken reference may have meant.
const NEAR: usize = 8;
/// For how many broken references of one set the engine is searched.
const BROKEN: usize = 50;

/// A corpus in an engine. Cheap to clone and to share. What was looked up once is kept for as long as it is open.
#[derive(Clone)]
pub struct Remote {
    asked: Arc<Asked>,
    background: Arc<Background>,
    count: u64,
    state: Option<Arc<str>>,
    notes: Arc<Notes>,
}

/// The engine and what it told so far.
struct Asked {
    engine: Live,
    name: String,
    known: Mutex<Known>,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("name", &self.asked.name).field("chunks", &self.count).finish_non_exhaustive()
    }
}

impl Remote {
    /// Speaks to the engine of `store`: looks whether it has the fields, and how many passages.
    pub fn open(store: &Store, secrets: &Secrets) -> Result<Self, CorpusError> {
        let name = store.name();
        if !store.can_stay() {
            return Err(CorpusError::OnlyCopied { name });
        }
        let background = Arc::new(Background::new().map_err(|error| CorpusError::remote(&name)(unstarted(&error)))?);
        let (asking, secrets) = (store.clone(), secrets.clone());
        let opened = background.wait(async move { Live::open(&asking, &secrets).await });
        let (engine, Told { count, state }) = opened.map_err(CorpusError::remote(&name))?;
        if count == 0 {
            return Err(CorpusError::NoPassages { name });
        }
        let asked = Asked { engine, name, known: Mutex::default() };
        let state = state.map(|state| Arc::from(format!("{}\n{state}", store.identity()).as_str()));
        Ok(Self { asked: Arc::new(asked), background, count, state, notes: Arc::default() })
    }

    /// The engine and what in it, in a few words.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.asked.name
    }

    /// How many chunks there were when it was opened.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// A fingerprint of what the engine says of its state; `None` where it does not say enough to notice every change.
    #[must_use]
    pub fn fingerprint(&self) -> Option<String> {
        self.state.as_ref().map(|state| blake3::hash(state.as_bytes()).to_hex()[..32].to_owned())
    }

    pub(super) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Does what the engine has to be waited for, wherever this is called from.
    pub fn wait<T: Send + 'static>(
        &self,
        asking: impl Future<Output = Result<T, CorpusError>> + Send + 'static,
    ) -> Result<T, CorpusError> {
        self.background.wait(asking)
    }

    /// The best chunks for any word that is typed; the last one counts as the beginning of one unless a blank follows it.
    pub async fn search(&self, typed: String, limit: usize) -> Result<Vec<Found>, CorpusError> {
        let asked = Arc::clone(&self.asked);
        self.background.run(async move { asked.search(&typed, limit).await }).await
    }

    /// The documents of these names whole, one after the other. One that has no chunk is an error.
    pub async fn documents(&self, names: Vec<String>) -> Result<Vec<Arc<Chunk>>, CorpusError> {
        let asked = Arc::clone(&self.asked);
        let found = move || async move {
            let found = asked.documents(&names).await?;
            let missing = names.iter().find(|name| !found.iter().any(|chunk| chunk.document == **name));
            match missing {
                None => Ok(found),
                Some(name) => Err(CorpusError::remote(&asked.name)(CallError {
                    reason: format!(
                        "no chunk is found by the document's name “{name}”: does `document_field` name the right field?"
                    ),
                    detail: None,
                })),
            }
        };
        self.background.run(found()).await
    }

    /// The chunks of these ids, without those that there are none of.
    pub async fn chunks(&self, ids: Vec<ChunkId>) -> Result<Vec<Arc<Chunk>>, CorpusError> {
        let asked = Arc::clone(&self.asked);
        self.background.run(async move { asked.chunks(&ids).await }).await
    }

    /// What the references of `cases` name, as far as the corpus has it: their documents whole, and near ones where they name none.
    pub async fn outline(&self, cases: &[Case]) -> Result<Outline, CorpusError> {
        let asked = Arc::clone(&self.asked);
        let targets: Vec<Target> =
            cases.iter().flat_map(Case::references).map(|reference| reference.target.clone()).collect();
        self.background.run(async move { asked.outline(&targets).await }).await
    }
}

fn unstarted(error: &std::io::Error) -> CallError {
    CallError { reason: format!("no thread can be started for it: {error}"), detail: None }
}

impl Asked {
    fn known(&self) -> MutexGuard<'_, Known> {
        // What a panic leaves behind is a copy of what the engine has, whole at any time.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self) -> impl FnOnce(CallError) -> CorpusError {
        CorpusError::remote(&self.name)
    }

    async fn search(&self, typed: &str, limit: usize) -> Result<Vec<Found>, CorpusError> {
        let begins = !typed.ends_with(char::is_whitespace);
        let found = self.engine.search(typed.trim(), begins, limit).await.map_err(self.failed())?;
        let (passages, scores): (Vec<Passage>, Vec<f64>) = found.into_iter().unzip();
        let chunks = self.singles(passages)?;
        #[expect(clippy::cast_possible_truncation, reason = "a score is shown and compared, not reckoned with")]
        let found = chunks.into_iter().zip(scores).map(|(chunk, score)| Found { chunk, score: score as f32 });
        Ok(found.collect())
    }

    async fn documents(&self, names: &[String]) -> Result<Vec<Arc<Chunk>>, CorpusError> {
        let names: BTreeSet<&String> = names.iter().collect();
        let new: Vec<String> = {
            let known = self.known();
            names.iter().filter(|name| !known.has(name)).map(|&name| name.clone()).collect()
        };
        if !new.is_empty() {
            let passages = self.engine.documents(&new).await.map_err(self.failed())?;
            let mut reader = jsonl::Reader::new(&self.name);
            let chunks = passages.into_iter().map(|passage| self.read(&mut reader, passage));
            let chunks = chunks.collect::<Result<Vec<_>, _>>()?;
            self.known().add_documents(&new, chunks);
        }
        let known = self.known();
        Ok(names.into_iter().flat_map(|name| known.document(name)).cloned().collect())
    }

    async fn chunks(&self, ids: &[ChunkId]) -> Result<Vec<Arc<Chunk>>, CorpusError> {
        let new: Vec<String> = {
            let (known, mut seen) = (self.known(), HashSet::new());
            let new = ids.iter().filter(|id| !known.has_looked_for(id) && seen.insert(*id));
            new.map(|id| id.as_str().to_owned()).collect()
        };
        if !new.is_empty() {
            let passages = self.engine.chunks(&new).await.map_err(self.failed())?;
            self.singles(passages)?;
            self.known().note_missing(new.iter().map(|id| ChunkId::from(id.as_str())));
        }
        let known = self.known();
        Ok(ids.iter().filter_map(|id| known.chunk(id)).cloned().collect())
    }

    async fn outline(&self, targets: &[Target]) -> Result<Outline, CorpusError> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        let mut ids = Vec::new();
        for target in targets {
            match target {
                Target::Section { document, .. } => drop(names.insert(document.clone())),
                Target::Chunk(id) => ids.push(id.clone()),
            }
        }
        let of_ids: Vec<String> = self.chunks(&ids).await?.iter().map(|chunk| chunk.document.clone()).collect();
        let wanted: Vec<String> = names.iter().cloned().chain(of_ids).collect();
        self.documents(&wanted).await?;
        let mut more = Vec::new();
        let missing: Vec<&String> = names.iter().filter(|name| self.known().document(name).next().is_none()).collect();
        let mut spelt: HashSet<&String> = HashSet::new();
        for &name in &missing {
            let found = self.engine.called(name, NEAR).await.map_err(self.failed())?;
            if !found.is_empty() {
                spelt.insert(name);
            }
            more.extend(found);
        }
        // What stands in none of the documents is sought by its words, to have something to offer in its place.
        let is_broken = |target: &&Target| match target {
            Target::Section { document, .. } => missing.contains(&document) && !spelt.contains(document),
            Target::Chunk(id) => self.known().chunk(id).is_none(),
        };
        let broken: Vec<&Target> = targets.iter().filter(is_broken).take(BROKEN).collect();
        for target in broken {
            let found = self.search(&format!("{} ", words_of(target)), NEAR).await?;
            more.extend(found.into_iter().map(|found| found.chunk.document.clone()));
        }
        self.documents(&more).await?;
        Ok(self.known().outline())
    }

    /// Single chunks: their places in their documents are not known.
    fn singles(&self, passages: Vec<Passage>) -> Result<Vec<Arc<Chunk>>, CorpusError> {
        let mut singles = Vec::new();
        for passage in passages {
            let position = passage.position.filter(|position| (0.0..=f64::from(u32::MAX)).contains(position));
            let chunk = self.read(&mut jsonl::Reader::new(&self.name), passage)?;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was looked at")]
            let position = position.map_or(0, |position| position as u32);
            let chunk = Chunk { position, ..chunk };
            let mut known = self.known();
            singles.push(known.add_single(chunk));
        }
        Ok(singles)
    }

    fn read(&self, reader: &mut jsonl::Reader, passage: Passage) -> Result<Chunk, CorpusError> {
        let chunk = reader.object(passage.fields, 1).map_err(|what| {
            let what =
                what.replace("is already used in line 1: ids must be unique", "is there twice: ids must be unique");
            self.failed()(CallError { reason: what, detail: None })
        })?;
        // There is no file to open at a line.
        Ok(Chunk { origin: None, ..chunk })
    }
}

/// The words of a reference that means nothing.
fn words_of(target: &Target) -> String {
    match target {
        Target::Section { document, heading, quote } => {
            let quote = quote.as_deref().unwrap_or_default();
            format!("{document} {} {quote}", heading.join(" "))
        }
        Target::Chunk(id) => id.as_str().replace(|c: char| !c.is_alphanumeric(), " "),
    }
}
