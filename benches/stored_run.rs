//! A stored run of 100,000 cases with 100 results each: what it takes to evaluate it, and how much of that is reading lines and
//! reading JSON, so that scoring is seen not to be the limit. The file of some 700 MB is made in the system's folder for
//! passing files.
#![expect(clippy::unwrap_used, reason = "a bench")]

mod support;

use std::{
    fs::File,
    hint::black_box,
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::Path,
    time::Duration,
};

use caselight::{
    eval::{
        aggregate::{DEFAULT_SUBSETS, Tally},
        asked::Cut,
        run::{Header, Labels, RunCase, RunHit, RunOutcome},
    },
    project::results::{Reader, summarize},
    report::run_file::{self, case_line, header_line},
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use support::Random;

const CASES: usize = 100_000;
const RESULTS: usize = 100;

fn stored_run(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    write(&path);
    let mut group = criterion.benchmark_group("stored run of 100,000 cases");
    group.throughput(Throughput::Bytes(path.metadata().unwrap().len()));
    group.bench_function("read its lines", |bencher| bencher.iter(|| each_line(&path, str::len)));
    group.bench_function("read its lines as JSON", |bencher| {
        bencher
            .iter(|| each_line(&path, |line| usize::from(serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok())));
    });
    group.bench_function("read its cases", |bencher| {
        bencher.iter(|| each_line(&path, |line| run_file::case(line).map_or(0, |case| case.tags.len())));
    });
    group.bench_function("summarize", |bencher| {
        bencher.iter(|| {
            let summary = summarize(&path, &DEFAULT_SUBSETS).unwrap().summary;
            assert_eq!(summary.counts.results, CASES * RESULTS);
        });
    });
    group.finish();
    // Scoring alone: the first thousand cases, in memory.
    let cases: Vec<RunCase> = Reader::open(&path).unwrap().take(1_000).collect::<Result<_, _>>().unwrap();
    criterion.bench_function("stored run/score and sum up 1,000 cases", |bencher| {
        bencher.iter(|| {
            let mut tally = Tally::new(&cut(), &DEFAULT_SUBSETS);
            for case in &cases {
                tally.add(&case.result(&cut()));
            }
            tally.summary()
        });
    });
}

fn each_line(path: &Path, each: impl Fn(&str) -> usize) -> usize {
    let mut lines = BufReader::with_capacity(1 << 16, File::open(path).unwrap());
    let (mut line, mut sum) = (Vec::new(), 0);
    while lines.read_until(b'\n', &mut line).unwrap() > 0 {
        sum += black_box(each(std::str::from_utf8(&line).unwrap()));
        line.clear();
    }
    sum
}

fn cut() -> Cut {
    Cut { k: 10, depth: RESULTS, recall_at: vec![1, 5, 10, 100] }
}

fn write(path: &Path) {
    let mut random = Random::new();
    let header = Header {
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        config: "keyword".to_owned(),
        retriever: "production".to_owned(),
        baseline: false,
        params: "{}".to_owned(),
        reach: None,
        cut: cut(),
        cases: String::new(),
        labels: String::new(),
        corpus: String::new(),
        commit: None,
        started: "2026-11-30T23:44:58Z".to_owned(),
    };
    let mut file = BufWriter::new(File::create(path).unwrap());
    file.write_all(header_line(&header).as_bytes()).unwrap();
    for n in 0..CASES {
        file.write_all(case_line(&case(n, &mut random)).as_bytes()).unwrap();
    }
    file.flush().unwrap();
}

/// A case whose answer stands somewhere among its results, or nowhere.
fn case(n: usize, random: &mut Random) -> RunCase {
    let hit = |rank: usize, random: &mut Random| RunHit {
        id: format!("handbook/chapter-{}#section-{}", random.below(100), random.below(10_000)).into(),
        score: Some(30.0 / (rank + 1) as f64),
        leaked: Some(false),
        known: true,
    };
    let results: Vec<RunHit> = (0..RESULTS).map(|rank| hit(rank, random)).collect();
    let mut somewhere = || results.get(random.below(140)).map_or_else(|| "nowhere".into(), |hit| hit.id.clone());
    let labels =
        Labels { needed: vec![vec![somewhere()], vec![somewhere()]], distractors: vec![somewhere()], answerable: true };
    RunCase {
        id: format!("case-{n}"),
        question: random.words(9),
        tags: vec![DEFAULT_SUBSETS[n % DEFAULT_SUBSETS.len()].to_owned()],
        asker: "employee".to_owned(),
        labels,
        outcome: RunOutcome::Answered {
            results,
            latency: Duration::from_micros(random.below(90_000) as u64),
            partial: None,
        },
        chunks: Vec::new(),
        verdict: None,
    }
}

/// One time round takes seconds: a few are enough.
fn few() -> Criterion {
    support::criterion().sample_size(10).measurement_time(Duration::from_secs(10))
}

criterion_group! { name = benches; config = few(); targets = stored_run }
criterion_main!(benches);
