//! Building the index: what one waits for before the first screen of a new corpus, and before every later one.
#![expect(clippy::unwrap_used, reason = "a bench")]

mod support;

use caselight::corpus;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

fn index(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let source = support::source(folder.path());
    criterion.bench_function("index/build 2,000 chunks", |bencher| {
        bencher.iter_batched(
            || tempfile::tempdir().unwrap(),
            |fresh| corpus::open(&source, fresh.path(), &|_| ()).map(|index| (index, fresh)).unwrap(),
            BatchSize::PerIteration,
        );
    });
    let built = tempfile::tempdir().unwrap();
    corpus::open(&source, built.path(), &|_| ()).unwrap();
    criterion.bench_function("index/open what is built", |bencher| {
        bencher.iter(|| corpus::open(&source, built.path(), &|_| ()).unwrap());
    });
}

criterion_group! { name = benches; config = support::criterion(); targets = index }
criterion_main!(benches);
