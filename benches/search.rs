//! Search as one types: every prefix of a question, each a search of its own; and what the embedded retriever is asked.
#![expect(clippy::unwrap_used, reason = "a bench")]

mod support;

use caselight::corpus;
use criterion::{Criterion, criterion_group, criterion_main};
use support::Random;

fn search(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let source = support::source(folder.path());
    let index = corpus::open(&source, &folder.path().join("index"), &|_| ()).unwrap();
    let question = format!("{} SKU-1417", Random::new().words(6));
    let prefixes: Vec<&str> = question.char_indices().skip(1).map(|(end, _)| &question[..end]).collect();
    let mut group = criterion.benchmark_group("search");
    group.throughput(criterion::Throughput::Elements(prefixes.len() as u64));
    group.bench_function("every prefix of a question", |bencher| {
        bencher.iter(|| prefixes.iter().map(|typed| index.search(typed, 50).unwrap().len()).sum::<usize>());
    });
    group.finish();
    // The worst single key: one letter, with which a large part of all words begins.
    criterion.bench_function("search/one letter", |bencher| bencher.iter(|| index.search("p", 50).unwrap()));
    criterion.bench_function("search/keyword, whole question", |bencher| {
        bencher.iter(|| index.keyword(&question, None, 50).unwrap());
    });
}

criterion_group! { name = benches; config = support::criterion(); targets = search }
criterion_main!(benches);
