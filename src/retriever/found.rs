//! From what a server sent to chunks of the corpus.

use std::collections::{HashMap, HashSet};

use crate::{
    domain::{
        chunk::ChunkId,
        ranking::{Answer, Dropped, Hit, Stage},
        recognise::{By, Passage},
    },
    engine::shape::{Found, HitShape, Reading},
};

/// Tells which chunk a hit is.
pub struct Recognise {
    /// By what of it.
    pub by: By,
    /// The chunk; for a hit that is none a readable id that no chunk has.
    pub chunk: Box<dyn Fn(&Passage) -> ChunkId + Send + Sync>,
}

/// The server's ids are the corpus's.
fn by_id(passage: &Passage) -> ChunkId {
    passage.id.as_deref().unwrap_or_default().into()
}

/// An answer whose hits are chunks. What a trace names by its id alone is the chunk that a hit with that id is. Without
/// `recognise` the server's ids are the corpus's. An error says that a hit lacks what it would be recognised by, and where `shape`
/// has that stand.
pub fn answer(reading: Reading, recognise: Option<&Recognise>, shape: &HitShape) -> Result<Answer, String> {
    if let Some(recognise) = recognise {
        lacks_nothing(&reading, recognise.by, shape)?;
    }
    let recognise: &dyn Fn(&Passage) -> ChunkId = recognise.map_or(&by_id, |recognise| &*recognise.chunk);
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
    Ok(Answer {
        stages: stages.collect(),
        results: reading.hits.into_iter().map(hit).collect(),
        partial: reading.partial,
        ..Answer::default()
    })
}

/// Whether each hit has what it is recognised by, itself or as its id has it in a stage.
fn lacks_nothing(reading: &Reading, by: By, shape: &HitShape) -> Result<(), String> {
    let (name, path, has): (_, _, fn(&Passage) -> bool) = match by {
        By::Id => return Ok(()),
        By::Heading => ("document", &shape.document, |passage| is_there(passage.document.as_deref())),
        By::Text => ("text", &shape.text, |passage| is_there(passage.text.as_deref())),
    };
    let rankings = reading.stages.iter().flat_map(|stage| &stage.ranking);
    let told: HashSet<&str> =
        rankings.filter(|found| has(&found.passage)).filter_map(|found| found.passage.id.as_deref()).collect();
    let lacks = |found: &Found| {
        let is_told = found.passage.id.as_deref().is_some_and(|id| is_bare(&found.passage) && told.contains(id));
        !has(&found.passage) && !is_told
    };
    let Some(at) = reading.hits.iter().position(lacks) else { return Ok(()) };
    let which = if reading.hits.iter().all(lacks) { "any hit".to_owned() } else { format!("hit {}", at + 1) };
    Err(format!(
        "no {name} at `{path}` of {which}, and `recognise = \"{by}\"` tells hits by it: say with `{name} = \"$.…\"` where it stands",
        path = path.written(),
        by = by.name()
    ))
}

fn is_there(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.trim().is_empty())
}

fn is_bare(passage: &Passage) -> bool {
    passage.text.is_none() && passage.document.is_none() && passage.heading.is_empty()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::shape::Shape;

    fn read(by: By, body: &serde_json::Value) -> Result<usize, String> {
        let recognise = Recognise { by, chunk: Box::new(by_id) };
        let shape = Shape::default();
        let reading = shape.read(body, false)?;
        answer(reading, Some(&recognise), &shape.hit).map(|answer| answer.results.len())
    }

    #[test]
    fn a_hit_without_what_it_is_recognised_by_is_an_error_that_says_where_that_should_stand() {
        let text = json!({"results": [{"id": "a", "text": "t"}, {"id": "b", "text": " "}]});
        let error = read(By::Text, &text).expect_err("one has no text");
        assert!(error.starts_with("no text at `$.text` of hit 2, and `recognise = \"text\"`"), "{error}");
        let error = read(By::Heading, &text).expect_err("none has a document");
        assert!(error.starts_with("no document at `$.document` of any hit, and `recognise = \"heading\"`"), "{error}");
        assert_eq!(read(By::Id, &text), Ok(2));
        // The hits by their ids alone, and what stands behind them in a stage.
        let stages = json!({"results": ["a"], "stages": [{"name": "k", "ranking": [{"id": "a", "text": "t"}]}]});
        assert_eq!(read(By::Text, &stages), Ok(1));
        assert_eq!(read(By::Text, &json!({"results": []})), Ok(0));
    }
}
