//! Rows of numbers, each of length 1, and the exact search for those nearest to another.

use std::cmp::Ordering;

/// How many sums run beside each other, so that a dot product fills the lanes of any processor.
const LANES: usize = 16;

/// Vectors of one length in one buffer, each scaled to length 1, so that a dot product is a cosine.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    dims: usize,
    values: Vec<f32>,
}

impl Matrix {
    /// An empty matrix for vectors of `dims` numbers (at least 1), with room for `rows` of them.
    #[must_use]
    pub fn new(dims: usize, rows: usize) -> Self {
        Self { dims: dims.max(1), values: Vec::with_capacity(dims.max(1) * rows) }
    }

    /// How many numbers a vector has.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.dims
    }

    /// True if there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// One row.
    pub(super) fn row(&self, at: usize) -> &[f32] {
        &self.values[at * self.dims..][..self.dims]
    }

    /// All rows, one behind the other.
    pub(super) fn values(&self) -> &[f32] {
        &self.values
    }

    /// Adds a vector, scaled to length 1; false, and nothing is added, if it has another length or a number that is none.
    #[must_use]
    pub fn push(&mut self, vector: &[f32]) -> bool {
        if vector.len() != self.dims || vector.iter().any(|value| !value.is_finite()) {
            return false;
        }
        self.values.extend(unit(vector));
        true
    }

    /// Adds a row that was scaled before.
    pub(super) fn push_row(&mut self, row: &[f32]) {
        debug_assert_eq!(row.len(), self.dims);
        self.values.extend_from_slice(row);
    }

    /// Adds a row that was scaled before and is little-endian bytes.
    pub(super) fn push_bytes(&mut self, row: &[u8]) {
        debug_assert_eq!(row.len(), self.dims * 4);
        self.values.extend(row.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)));
    }

    /// The `limit` rows nearest to `query` of those that `may` be found, with their cosines, nearest first; of equals the first row
    /// comes first. None where `query` has another length.
    pub fn nearest(&self, query: &[f32], limit: usize, may: impl Fn(usize) -> bool) -> Vec<(usize, f32)> {
        if limit == 0 || query.len() != self.dims {
            return Vec::new();
        }
        let query = unit(query).collect::<Vec<_>>();
        let limit = limit.min(self.len());
        let room = limit.saturating_mul(2).max(64);
        let mut best: Vec<(usize, f32)> = Vec::with_capacity(room);
        // Below it nothing can be among the best any more. Rows come in order, so that a later equal is worse too.
        let mut bar = f32::NEG_INFINITY;
        for (at, row) in self.values.chunks_exact(self.dims).enumerate() {
            if !may(at) {
                continue;
            }
            let cosine = dot(row, &query);
            if cosine > bar {
                best.push((at, cosine));
                if best.len() == room {
                    best.select_nth_unstable_by(limit - 1, nearer);
                    best.truncate(limit);
                    bar = best[limit - 1].1;
                }
            }
        }
        best.sort_unstable_by(nearer);
        best.truncate(limit);
        best
    }
}

fn nearer((a_at, a): &(usize, f32), (b_at, b): &(usize, f32)) -> Ordering {
    b.total_cmp(a).then(a_at.cmp(b_at))
}

/// The vector scaled to length 1; one of nothing but zeros stays so.
fn unit(vector: &[f32]) -> impl Iterator<Item = f32> {
    let length = vector.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt();
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, reason = "it is at most 1, and as exact as its vector was")]
    vector.iter().map(move |&value| (f64::from(value) * scale) as f32)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matrix(dims: usize, rows: &[Vec<f32>]) -> Matrix {
        let mut matrix = Matrix::new(dims, rows.len());
        assert!(rows.iter().all(|row| matrix.push(row)));
        matrix
    }

    /// Every row that may be found by its cosine as the textbook has it, sorted whole.
    fn by_brute_force(rows: &[Vec<f32>], query: &[f32], may: impl Fn(usize) -> bool) -> Vec<(usize, f64)> {
        let length = |v: &[f32]| v.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
        let cosine = |row: &[f32]| {
            let dot: f64 = row.iter().zip(query).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
            let lengths = length(row) * length(query);
            if lengths > 0.0 { dot / lengths } else { 0.0 }
        };
        let mut all: Vec<_> = rows.iter().map(|row| cosine(row)).enumerate().filter(|(at, _)| may(*at)).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    fn rows() -> impl Strategy<Value = (usize, Vec<Vec<f32>>, Vec<f32>)> {
        // Few different numbers, so that equals are common; lengths on both sides of a whole number of lanes.
        (1_usize..40).prop_flat_map(|dims| {
            let vector = move || prop::collection::vec((-3_i8..4).prop_map(f32::from), dims);
            (Just(dims), prop::collection::vec(vector(), 0..200), vector())
        })
    }

    proptest! {
        #[test]
        fn the_nearest_are_those_of_a_whole_sort((dims, rows, query) in rows(), limit in 0_usize..90, every in 1_usize..4) {
            let may = |at: usize| at.is_multiple_of(every);
            let found = matrix(dims, &rows).nearest(&query, limit, may);
            let expected = by_brute_force(&rows, &query, may);
            prop_assert_eq!(found.len(), limit.min(expected.len()));
            for (found, expected) in found.iter().zip(&expected) {
                // Equals may be told apart by the last bit, so the cosine decides.
                prop_assert!((f64::from(found.1) - expected.1).abs() < 1e-5, "{found:?} instead of {expected:?}");
                prop_assert!(may(found.0));
            }
            let mut seen = found.iter().map(|(at, _)| at).collect::<Vec<_>>();
            seen.sort_unstable();
            seen.dedup();
            prop_assert_eq!(seen.len(), found.len(), "no row twice");
        }
    }

    #[test]
    fn of_equals_the_first_row_comes_first() {
        let rows = vec![vec![0.0, 1.0], vec![1.0, 0.0], vec![2.0, 0.0], vec![1.0, 0.0]];
        let found = matrix(2, &rows).nearest(&[5.0, 0.0], 3, |_| true);
        assert_eq!(found, [(1, 1.0), (2, 1.0), (3, 1.0)]);
        let many = vec![vec![1.0, 1.0]; 500];
        let found = matrix(2, &many).nearest(&[1.0, 0.0], 3, |_| true);
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn what_is_no_vector_of_that_length_is_refused() {
        let mut matrix = Matrix::new(2, 0);
        assert!(!matrix.push(&[1.0]) && !matrix.push(&[1.0, f32::NAN]) && !matrix.push(&[f32::INFINITY, 0.0]));
        assert!(matrix.is_empty());
        assert!(matrix.push(&[f32::MAX, 0.0]) && matrix.push(&[0.0, 0.0]));
        assert_eq!(matrix.nearest(&[1.0, 0.0], 2, |_| true), [(0, 1.0), (1, 0.0)]);
        assert_eq!(matrix.nearest(&[1.0], 2, |_| true), []);
    }
}
