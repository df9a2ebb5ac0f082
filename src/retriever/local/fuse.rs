//! Reciprocal rank fusion: one ranking of several, by ranks alone, since scores of different searches cannot be compared.
//!
//! A chunk's score is the sum of `1 / (k + rank)` over the rankings that hold it, ranks from 1, with k = 60: Cormack, Clarke and
//! Büttcher, *Reciprocal rank fusion outperforms Condorcet and individual rank learning methods*, SIGIR 2009, pages 758–759.

use std::collections::HashMap;

use crate::domain::chunk::ChunkId;

/// The k of the paper.
pub const RRF_K: f64 = 60.0;

/// The fused ranking with its scores, best first. Of equals that comes first which the first ranking has first, and what only a later
/// ranking has follows in that one's order.
#[must_use]
pub fn reciprocal_rank(rankings: &[&[ChunkId]], k: f64) -> Vec<(ChunkId, f64)> {
    let mut fused: Vec<(ChunkId, f64)> = Vec::new();
    let mut place: HashMap<&ChunkId, usize> = HashMap::new();
    for ranking in rankings {
        for (at, id) in ranking.iter().enumerate() {
            let place = *place.entry(id).or_insert_with(|| {
                fused.push((id.clone(), 0.0));
                fused.len() - 1
            });
            fused[place].1 += 1.0 / (k + (at + 1) as f64);
        }
    }
    // The sort is stable.
    fused.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    fused
}

/// The largest score that a chunk can have: first in each of so many rankings.
#[must_use]
pub fn largest(rankings: usize, k: f64) -> f64 {
    rankings as f64 / (k + 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ids(names: &str) -> Vec<ChunkId> {
        names.chars().map(|name| name.to_string().into()).collect()
    }

    fn fused(rankings: &[&str], k: f64) -> Vec<(String, f64)> {
        let rankings: Vec<Vec<ChunkId>> = rankings.iter().map(|names| ids(names)).collect();
        let rankings: Vec<&[ChunkId]> = rankings.iter().map(Vec::as_slice).collect();
        reciprocal_rank(&rankings, k).into_iter().map(|(id, score)| (id.to_string(), score)).collect()
    }

    #[test]
    fn ranks_are_added_up_as_the_paper_says() {
        let expected =
            [("b", 1.0 / 62.0 + 1.0 / 61.0), ("a", 1.0 / 61.0 + 1.0 / 63.0), ("d", 1.0 / 62.0), ("c", 1.0 / 63.0)];
        let found = fused(&["abc", "bda"], RRF_K);
        assert_eq!(found.len(), expected.len());
        for ((id, score), (expected, sum)) in found.iter().zip(expected) {
            assert_eq!(id, expected);
            assert!((score - sum).abs() < 1e-15, "{id}: {score}");
        }
    }

    #[test]
    fn equals_stay_in_the_order_in_which_the_rankings_bring_them() {
        let order = |rankings: &[&str]| fused(rankings, RRF_K).into_iter().map(|(id, _)| id).collect::<String>();
        assert_eq!(order(&["ab", "cd"]), "acbd");
        assert_eq!(order(&["cd", "ab"]), "cadb");
        assert_eq!(order(&["ab", "ba"]), "ab");
        assert_eq!(order(&[]), "");
    }

    proptest! {
        #[test]
        fn each_chunk_is_there_once_and_a_better_rank_never_hurts(
            a in prop::sample::subsequence("abcdefghij".chars().collect::<Vec<_>>(), 0..10).prop_shuffle(),
            b in prop::sample::subsequence("abcdefghij".chars().collect::<Vec<_>>(), 0..10).prop_shuffle(),
        ) {
            let (a, b): (String, String) = (a.into_iter().collect(), b.into_iter().collect());
            let found = fused(&[&a, &b], RRF_K);
            let mut names: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
            for (better, worse) in found.iter().zip(found.iter().skip(1)) {
                prop_assert!(better.1 >= worse.1);
                let rank = |list: &str, id: &str| list.find(id).unwrap_or(usize::MAX);
                let behind = |list: &str| rank(list, &worse.0) < rank(list, &better.0);
                prop_assert!(!(behind(&a) && behind(&b)), "{better:?} stands above {worse:?}, which both have before it");
            }
            prop_assert!(found.iter().all(|(_, score)| *score <= largest(2, RRF_K)));
            names.sort_unstable();
            names.dedup();
            prop_assert_eq!(names.len(), found.len());
            prop_assert!(a.chars().chain(b.chars()).all(|id| names.contains(&id.to_string().as_str())));
        }
    }
}
