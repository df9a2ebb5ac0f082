//! What a pipeline may do at servers beside the one that retrieves: a vector of the question before, and another order behind.

use std::sync::Arc;

use super::Watch;
use crate::{
    domain::ranking::{Answer, Hit, Stage},
    engine::{client::CallError, embed::Embeddings, rerank::Reranker},
};

/// The vector of a question.
pub(super) async fn vector(embed: &Embeddings, question: &str, watch: &Watch) -> Result<Vec<f32>, CallError> {
    let (question, watch) = (question.to_owned(), watch.clone());
    let embed = embed.telling(Arc::new(move |waiting| watch.waiting(waiting)));
    let vectors = waited_for(async move || embed.queries(&[question]).await).await?;
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
    let texts = answer.results.iter().map(|hit| hit.text.as_deref().map(str::to_owned)).collect::<Option<Vec<_>>>();
    let Some(texts) = texts else {
        let reason = "a hit came without a text, which `rerank` needs: say where it stands, as in `text = \"$.text\"`";
        return Err(CallError { reason: reason.to_owned(), detail: None });
    };
    let (question, watch) = (question.to_owned(), watch.clone());
    let rerank = rerank.telling(Arc::new(move |waiting| watch.waiting(waiting)));
    let scores = waited_for(async move || {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        rerank.rerank(&question, &texts).await
    });
    let scores = scores.await?;
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

/// What comes of `ask`, whose future cannot move between threads; it is dropped with this one.
async fn waited_for<T: Send + 'static>(
    ask: impl AsyncFnOnce() -> Result<T, CallError> + Send + 'static,
) -> Result<T, CallError> {
    let (alive, dropped) = tokio::sync::oneshot::channel::<()>();
    let runtime = tokio::runtime::Handle::current();
    let done = tokio::task::spawn_blocking(move || {
        runtime.block_on(async move {
            tokio::select! {
                done = ask() => Some(done),
                _ = dropped => None,
            }
        })
    });
    let done = done.await;
    drop(alive);
    let ended = || CallError { reason: "it was broken off".to_owned(), detail: None };
    done.map_err(|error| CallError { reason: error.to_string(), detail: None })?.ok_or_else(ended)?
}
