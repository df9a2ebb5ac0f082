//! From what a server sent to chunks of the corpus.

use std::collections::HashMap;

use crate::{
    domain::{
        chunk::ChunkId,
        ranking::{Answer, Dropped, Hit, Stage},
        recognise::Passage,
    },
    engine::shape::{Found, Reading},
};

/// Tells which chunk a hit is; a hit that is none keeps a readable id that no chunk has.
pub type Recognise = dyn Fn(&Passage) -> ChunkId + Send + Sync;

/// The server's ids are the corpus's.
#[must_use]
pub fn by_id(passage: &Passage) -> ChunkId {
    passage.id.as_deref().unwrap_or_default().into()
}

/// An answer whose hits are chunks. What a trace names by its id alone is the chunk that a hit with that id is.
#[must_use]
pub fn answer(reading: Reading, recognise: &Recognise) -> Answer {
    let mut known: HashMap<String, ChunkId> = HashMap::new();
    let traced = reading
        .stages
        .iter()
        .flat_map(|stage| stage.ranking.iter().chain(stage.dropped.iter().map(|(found, _)| found)));
    for found in reading.hits.iter().chain(traced).filter(|found| !is_bare(&found.passage)) {
        if let Some(id) = &found.passage.id
            && !known.contains_key(id)
        {
            known.insert(id.clone(), recognise(&found.passage));
        }
    }
    let chunk = |passage: &Passage| match &passage.id {
        Some(id) if is_bare(passage) => known.get(id).cloned().unwrap_or_else(|| recognise(passage)),
        _ => recognise(passage),
    };
    let hit = |found: Found| Hit {
        id: chunk(&found.passage),
        score: found.score,
        text: found.passage.text.as_deref().map(Into::into),
    };
    let stages = reading.stages.into_iter().map(|stage| Stage {
        name: stage.name,
        ranking: stage.ranking.into_iter().map(hit).collect(),
        dropped: stage.dropped.into_iter().map(|(found, why)| Dropped { id: chunk(&found.passage), why }).collect(),
    });
    Answer {
        stages: stages.collect(),
        results: reading.hits.into_iter().map(hit).collect(),
        partial: reading.partial,
        ..Answer::default()
    }
}

fn is_bare(passage: &Passage) -> bool {
    passage.text.is_none() && passage.document.is_none() && passage.heading.is_empty()
}
