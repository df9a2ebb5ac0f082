//! The nearest names: what somebody may have meant by a name that does not exist.

use std::cmp::Ordering;

use super::text::fold;

/// Names less alike than this are not worth offering.
const LEAST: f64 = 0.45;

/// How many names are compared letter by letter; a cheap sketch picks them, so that a hundred thousand names cost little.
const COMPARED: usize = 64;

/// Longer names are compared by their beginnings, in characters.
const LONGEST: usize = 200;

/// The `limit` names most like `wanted`, best first; those that have nothing to do with it are left out.
#[must_use]
pub fn nearest<'n, N>(wanted: &str, names: impl IntoIterator<Item = &'n N>, limit: usize) -> Vec<&'n str>
where
    N: AsRef<str> + ?Sized + 'n,
{
    let wanted = fold(wanted);
    let sketch = Sketch::of(&wanted);
    let mut likely: Vec<(f64, &str)> =
        names.into_iter().map(AsRef::as_ref).map(|name| (sketch.likeness(&Sketch::of(name)), name)).collect();
    let best_first = |a: &(f64, &str), b: &(f64, &str)| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1));
    if likely.len() > COMPARED {
        likely.select_nth_unstable_by(COMPARED, best_first);
        likely.truncate(COMPARED);
    }
    for (score, name) in &mut likely {
        *score = likeness(&wanted, &fold(name));
    }
    likely.retain(|(score, _)| *score >= LEAST);
    likely.sort_by(best_first);
    likely.dedup_by(|a, b| a.1 == b.1);
    likely.truncate(limit);
    likely.into_iter().map(|(_, name)| name).collect()
}

/// How alike two folded names are, from 0 to 1: by their letters, or by the words they share.
#[must_use]
pub fn likeness(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let (a, b) = (beginning(a), beginning(b));
    let by_letters = strsim::normalized_damerau_levenshtein(a, b);
    let (mine, yours) = (coverage(a, b), coverage(b, a));
    let by_words = 0.75 * mine.max(yours) + 0.2 * mine.min(yours);
    by_letters.max(by_words)
}

/// The order of two scores, best first.
pub(super) fn best_first(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}

fn beginning(name: &str) -> &str {
    name.char_indices().nth(LONGEST).map_or(name, |(at, _)| &name[..at])
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Which share of the letters of `a` stands in words that `b` has too, be it in another form (`refunds`, `refund`).
fn coverage(a: &str, b: &str) -> f64 {
    let (mut all, mut shared) = (0.0, 0.0);
    for word in words(a) {
        let length = word.chars().count() as f64;
        all += length;
        shared += length * words(b).map(|other| kinship(word, other)).fold(0.0, f64::max);
    }
    if all > 0.0 { shared / all } else { 0.0 }
}

fn kinship(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let share = same as f64 / a.chars().count().max(b.chars().count()) as f64;
    if same >= 3 && share >= 0.6 { share } else { 0.0 }
}

/// Which pairs of neighbouring letters a name has, as 256 bits.
struct Sketch([u64; 4]);

impl Sketch {
    fn of(name: &str) -> Self {
        let mut bits = [0u64; 4];
        let mut last = b' ';
        for byte in name.bytes().chain([b' ']) {
            let byte = byte.to_ascii_lowercase();
            let pair = usize::from(last).wrapping_mul(31).wrapping_add(usize::from(byte).wrapping_mul(131));
            bits[(pair >> 6) & 3] |= 1 << (pair & 63);
            last = byte;
        }
        Self(bits)
    }

    /// Twice the shared pairs by all pairs, from 0 to 1.
    fn likeness(&self, other: &Self) -> f64 {
        let count = |bits: &[u64; 4]| bits.iter().map(|word| word.count_ones()).sum::<u32>();
        let mut shared = self.0;
        for (bits, other) in shared.iter_mut().zip(other.0) {
            *bits &= other;
        }
        2.0 * f64::from(count(&shared)) / f64::from((count(&self.0) + count(&other.0)).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_the_one_a_reader_would_pick() {
        let table: &[(&str, &[&str], &[&str])] = &[
            ("Refunds", &["Billing", "Refund window", "Delivery"], &["Refund window"]),
            ("recal", &["recall", "mrr", "precision"], &["recall"]),
            ("pol-04", &["spc-003", "pol-004", "inv-009"], &["pol-004"]),
            ("RETURNS  policy", &["Returns Policy", "Returns Policy 2023"], &["Returns Policy", "Returns Policy 2023"]),
            ("zzz", &["Billing", "Refund window"], &[]),
            ("", &["a"], &[]),
            ("a", &[], &[]),
        ];
        for (wanted, names, expected) in table {
            assert_eq!(&nearest(wanted, *names, 5), expected, "{wanted}");
        }
    }

    #[test]
    fn a_near_name_is_found_among_very_many() {
        let names: Vec<String> = (0..100_000).map(|n| format!("document-{n}#section-{}", n % 7)).collect();
        let found = nearest("document-4411#sektion-1", &names, 5);
        assert_eq!(found.len(), 5);
        assert_eq!(found[0], "document-4411#section-1");
    }
}
