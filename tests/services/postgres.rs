//! `PostgreSQL` with pgvector.

use crate::servers::{Chunk, Postgres};

#[test]
fn postgres_orders_by_the_distance_of_vectors() {
    let Some(postgres) = Postgres::shared() else { return };
    postgres.database("distance");
    postgres.load("distance", &Chunk::three());
    assert_eq!(postgres.nearest("distance", &[vec![1.0, 0.1, 0.0]], 2), [["refund", "returns"]]);
    let rows = postgres.sql(
        "distance",
        "SELECT id, round((1 - (embedding <=> '[1,0.1,0]'::text::vector))::numeric, 3), scope FROM chunks ORDER BY 2 DESC",
    );
    assert_eq!(rows[0], ["refund", "0.995", "{}"]);
    assert_eq!(rows[2], ["damage", "0.100", "{warehouse}"]);
}

#[test]
fn postgres_finds_words_by_their_stem() {
    let Some(postgres) = Postgres::shared() else { return };
    postgres.database("words");
    postgres.load("words", &Chunk::three());
    let rows = postgres
        .sql("words", "SELECT id FROM chunks WHERE words @@ websearch_to_tsquery('english', 'refunding') ORDER BY id");
    assert_eq!(rows, [["refund"]]);
}
