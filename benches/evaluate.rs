//! Scoring: 1,000 answers to a depth of 50, each with its diagnosis, and their summary.
#![expect(clippy::unwrap_used, reason = "a bench")]

mod support;

use std::{sync::Arc, time::Duration};

use caselight::{
    domain::{
        asker::Asker,
        case::{Case, Place},
        chunk::{Chunk, ChunkId},
        outline::Outline,
        ranking::{Answer, Hit, Stage},
        resolve::{Needed, Resolved},
    },
    eval::{
        aggregate::{DEFAULT_SUBSETS, summarize},
        asked::{Asked, Cut, Outcome},
        evaluate::evaluate,
    },
};
use criterion::{Criterion, criterion_group, criterion_main};
use support::Random;

const CASES: usize = 1_000;

fn evaluation(criterion: &mut Criterion) {
    let mut random = Random::new();
    let outline = Outline::new((0..support::CHUNKS).map(|n| chunk(n, random.words(120))));
    let cases: Vec<(Case, Resolved, Answer)> = (0..CASES).map(|n| asked(n, &mut random)).collect();
    let (asker, cut) = (Asker::default(), Cut { k: 6, depth: 50, recall_at: vec![1, 5, 10] });
    let evaluate_all = || {
        let each = cases.iter().map(|(case, resolved, answer)| {
            let known = Asked { case, resolved, asker: &asker, outline: &outline, cut: &cut };
            evaluate(&known, Outcome::Answered(answer))
        });
        each.collect::<Vec<_>>()
    };
    let results = evaluate_all();
    assert_eq!(results.len(), CASES);
    criterion.bench_function("evaluate/1,000 cases", |bencher| bencher.iter(evaluate_all));
    criterion.bench_function("evaluate/summary of 1,000 cases", |bencher| {
        bencher.iter(|| summarize(&results, &cut, &DEFAULT_SUBSETS));
    });
}

/// A case whose answer stands somewhere in the list, or nowhere.
fn asked(n: usize, random: &mut Random) -> (Case, Resolved, Answer) {
    let results: Vec<Hit> = (0..50).map(|_| Hit::new(id(random.below(support::CHUNKS)), Some(1.0))).collect();
    let somewhere = |random: &mut Random| results.get(random.below(70)).map_or_else(|| id(n), |hit| hit.id.clone());
    let supporting = (0..=n % 2).map(|requirement| Needed { any_of: vec![somewhere(random)], requirement }).collect();
    let resolved = Resolved { supporting, distractors: vec![somewhere(random)], problems: Vec::new() };
    let case = Case {
        id: format!("case-{n}"),
        question: random.words(9),
        asker: None,
        tags: vec![DEFAULT_SUBSETS[n % DEFAULT_SUBSETS.len()].to_owned()],
        source: None,
        added: None,
        supporting: vec![caselight::domain::case::Requirement { any_of: Vec::new(), group: false }],
        distractors: Vec::new(),
        context: Vec::new(),
        answerable: true,
        notes: None,
        label_wrong: None,
        place: Place { file: Arc::from(std::path::Path::new("cases.yaml")), line: 1, column: 1 },
    };
    let stage = Stage { name: "keyword".to_owned(), ranking: results.clone(), dropped: Vec::new() };
    (case, resolved, Answer { results, stages: vec![stage], partial: None, latency: Duration::from_millis(3) })
}

fn chunk(n: usize, text: String) -> Arc<Chunk> {
    Arc::new(Chunk {
        id: id(n),
        document: format!("Document {}", n / 8),
        heading: vec![format!("Heading {n}")],
        text,
        position: u32::try_from(n % 8).unwrap(),
        section: 0,
        scope: Vec::new(),
        origin: None,
        fields: Vec::new(),
    })
}

fn id(n: usize) -> ChunkId {
    format!("chunk-{n}").into()
}

criterion_group! { name = benches; config = support::criterion(); targets = evaluation }
criterion_main!(benches);
