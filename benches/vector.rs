//! The exact vector search of the embedded retriever: 100,000 chunks of 384 numbers, one question.
#![expect(clippy::unwrap_used, reason = "a bench")]

mod support;

use caselight::corpus::vectors::Matrix;
use criterion::{Criterion, criterion_group, criterion_main};
use support::Random;

const CHUNKS: usize = 100_000;
const DIMS: usize = 384;

fn vector(random: &mut Random) -> Vec<f32> {
    (0..DIMS).map(|_| f32::from(u16::try_from(random.below(2_001)).unwrap()) - 1_000.0).collect()
}

fn nearest(criterion: &mut Criterion) {
    let mut random = Random::new();
    let mut matrix = Matrix::new(DIMS, CHUNKS);
    for _ in 0..CHUNKS {
        assert!(matrix.push(&vector(&mut random)));
    }
    let query = vector(&mut random);
    let mut group = criterion.benchmark_group("vector");
    group.throughput(criterion::Throughput::Elements(CHUNKS as u64));
    group.bench_function("nearest 100 of 100,000", |bencher| {
        bencher.iter(|| matrix.nearest(&query, 100, |_| true));
    });
    // An asker who may read every third chunk.
    group.bench_function("nearest 100, scoped", |bencher| {
        bencher.iter(|| matrix.nearest(&query, 100, |at| at % 3 == 0));
    });
    group.finish();
}

criterion_group! { name = benches; config = support::criterion(); targets = nearest }
criterion_main!(benches);
