//! What a pipeline may do at servers beside the one that retrieves: a vector of the question before, and another order behind.

use std::sync::Arc;

use super::Watch;
use crate::{
    domain::ranking::{Answer, Hit, Stage},
    engine::{client::CallError, embed::Embeddings, rerank::Reranker},
};

/// The vector of a question.
pub(super) async fn vector(embed: &Embeddings, question: &str, watch: &Watch) -> Result<Vec<f32>, CallError> {
    let watch = watch.clone();
    let asked = embed.telling(Arc::new(move |waiting| watch.waiting(waiting)));
    let vectors = asked.queries(&[question.to_owned()]).await;
    let vectors = vectors.map_err(|error| of("embeddings", &embed.spec().name, error))?;
    Ok(vectors.into_iter().next().unwrap_or_default())
}

/// The results in the order of a rerank endpoint, as one stage more behind the retriever's own.
pub(super) async fn rerank(
    rerank: &Reranker,
    question: &str,
    answer: &mut Answer,
    watch: &Watch,
) -> Result<(), CallError> {
    if answer.results.is_empty() {
        return Ok(());
    }
    let texts = answer.results.iter().map(|hit| hit.text.as_deref()).collect::<Option<Vec<&str>>>();
    let Some(texts) = texts else {
        let reason = "a hit came without a text, which `rerank` needs: say where it stands, as in `text = \"$.text\"`";
        return Err(CallError { reason: reason.to_owned(), detail: None });
    };
    let watch = watch.clone();
    let asked = rerank.telling(Arc::new(move |waiting| watch.waiting(waiting)));
    let scores = asked.rerank(question, &texts).await;
    let scores = scores.map_err(|error| of("rerankers", &rerank.spec().name, error))?;
    if answer.stages.is_empty() {
        let ranking = answer.results.clone();
        answer.stages.push(Stage { name: "retrieve".to_owned(), ranking, dropped: Vec::new() });
    }
    let results = std::mem::take(&mut answer.results);
    let mut ranked: Vec<Hit> = results.into_iter().zip(scores).map(|(hit, score)| Hit { score, ..hit }).collect();
    // The sort is stable, and what got no score follows in its old order.
    ranked.sort_by(|a, b| match (a.score, b.score) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    answer.stages.push(Stage { name: "rerank".to_owned(), ranking: ranked.clone(), dropped: Vec::new() });
    answer.results = ranked;
    Ok(())
}

/// The error of a server beside the retriever's own, by the name that the settings give it.
fn of(table: &str, name: &str, error: CallError) -> CallError {
    CallError { reason: format!("[{table}.{name}]: {}", error.reason), ..error }
}
