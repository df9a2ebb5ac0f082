//! The measures of `trec_eval`, for those who compare with numbers that it gave: same definitions, same names, same defaults.
//!
//! They are not Caselight's metrics (see [`super::metric`]): they know grades, and `P_5` divides by 5 however few results there are.

mod measure;

pub use self::measure::{Measure, MeasureError, official};

/// A result's grade: what was judged of it; `None` for one that is not among the judgments. Below 0: in the pool, not judged.
pub type Grade = Option<i64>;

/// The measures that are wanted, and from which grade a document is relevant.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Which, in the order in which `trec_eval` prints them.
    pub measures: Vec<Measure>,
    /// The lowest grade that is relevant, at least 1.
    pub level: i64,
}

/// One value by its printed name.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// The name in print: `P_5`.
    pub name: String,
    /// The value; a count is a whole number.
    pub value: f64,
    /// It is a count, printed without decimals and summed over topics.
    pub count: bool,
    /// It is printed for all topics together only.
    pub overall_only: bool,
}

/// A topic's list against its judgments, as far as the measures ask.
struct Topic<'a> {
    ranked: &'a [Grade],
    judged: &'a [i64],
    level: i64,
    /// How many of the judged documents are relevant.
    relevant: usize,
    /// The ranks, from 1, of the relevant results.
    hits: Vec<usize>,
}

/// Geometric means take nothing below this.
const LEAST: f64 = 0.00001;

/// The values of one topic, in the order of [`names`]: `ranked` holds the grade of each result, `judged` that of each judgment.
#[must_use]
pub fn topic(ranked: &[Grade], judged: &[i64], wanted: &Wanted) -> Box<[f64]> {
    let level = wanted.level;
    let hits = (1..).zip(ranked).filter(|(_, grade)| grade.is_some_and(|grade| grade >= level)).map(|(rank, _)| rank);
    let relevant = judged.iter().filter(|&&grade| grade >= level).count();
    let topic = Topic { ranked, judged, level, relevant, hits: hits.collect() };
    let mut values = Vec::new();
    for measure in &wanted.measures {
        topic.measure(measure, &mut values);
    }
    values.into()
}

/// The values over all topics. `topics` come in the order in which `trec_eval` adds them up, that of their ids' bytes, so that the
/// sums are the same to the last bit.
#[must_use]
pub fn overall<'a>(topics: impl IntoIterator<Item = &'a [f64]>, wanted: &Wanted) -> Box<[f64]> {
    let names = names(wanted);
    let (mut sums, mut n) = (vec![0.0; names.len()], 0_usize);
    for values in topics {
        n += 1;
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    for (sum, name) in sums.iter_mut().zip(&names) {
        if !name.count && n > 0 {
            *sum /= n as f64;
        }
        if name.overall_only {
            *sum = sum.exp();
        }
    }
    sums.into()
}

/// What the values of a topic are called, each with the value 0.
#[must_use]
pub fn names(wanted: &Wanted) -> Vec<Value> {
    wanted.measures.iter().flat_map(Measure::values).collect()
}

impl Topic<'_> {
    fn measure(&self, measure: &Measure, values: &mut Vec<f64>) {
        match measure {
            Measure::NumRet => values.push(self.ranked.len() as f64),
            Measure::NumRel => values.push(self.relevant as f64),
            Measure::NumRelRet => values.push(self.hits.len() as f64),
            Measure::Map => values.push(self.average_precision(usize::MAX)),
            Measure::GmMap => values.push(self.average_precision(usize::MAX).max(LEAST).ln()),
            Measure::Rprec => values.push(ratio(self.found(self.relevant), self.relevant)),
            Measure::Bpref => values.push(self.bpref()),
            Measure::RecipRank => values.push(self.hits.first().map_or(0.0, |&rank| 1.0 / rank as f64)),
            Measure::IprecAtRecall(levels) => {
                values.extend(levels.iter().map(|&level| self.precision_at_recall(level)));
            }
            Measure::P(ks) => values.extend(ks.iter().map(|&k| ratio(self.found(k), k))),
            Measure::Recall(ks) => values.extend(ks.iter().map(|&k| ratio(self.found(k), self.relevant))),
            Measure::Ndcg => values.push(self.ndcg(usize::MAX)),
            Measure::NdcgCut(ks) => values.extend(ks.iter().map(|&k| self.ndcg(k))),
            Measure::MapCut(ks) => values.extend(ks.iter().map(|&k| self.average_precision(k))),
            Measure::Success(ks) => values.extend(ks.iter().map(|&k| if self.found(k) > 0 { 1.0 } else { 0.0 })),
        }
    }

    /// How many relevant results are among the first `k`.
    fn found(&self, k: usize) -> usize {
        self.hits.partition_point(|&rank| rank <= k)
    }

    fn average_precision(&self, k: usize) -> f64 {
        let hits = self.hits.iter().zip(1_usize..).take_while(|(rank, _)| **rank <= k);
        let sum = total(hits.map(|(&rank, found)| found as f64 / rank as f64));
        if self.relevant == 0 { 0.0 } else { sum / self.relevant as f64 }
    }

    /// For each relevant result, the share of judged wrong ones that do not stand above it.
    fn bpref(&self) -> f64 {
        let wrong = self.judged.iter().filter(|&&grade| (0..self.level).contains(&grade)).count();
        let (mut above, mut sum) = (0_usize, 0.0);
        for &grade in self.ranked.iter().flatten() {
            if grade >= self.level {
                let lost = above.min(self.relevant) as f64 / wrong.min(self.relevant) as f64;
                sum += if above > 0 { 1.0 - lost } else { 1.0 };
            } else if grade >= 0 {
                above += 1;
            }
        }
        if self.relevant == 0 { 0.0 } else { sum / self.relevant as f64 }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count, rounded")]
    /// The best precision at any rank from which on this share of the relevant documents is found.
    fn precision_at_recall(&self, share: f64) -> f64 {
        // Half a document is rounded up.
        let needed = (share * self.relevant as f64).round() as usize;
        let from = needed.max(1);
        let at = |(&rank, found): (&usize, usize)| found as f64 / rank as f64;
        self.hits.iter().zip(1_usize..).skip(from - 1).map(at).fold(0.0, f64::max)
    }

    fn ndcg(&self, k: usize) -> f64 {
        let discounted = |(rank, grade): (usize, i64)| grade as f64 / (rank as f64 + 1.0).log2();
        let ranked = (1..).zip(self.ranked.iter()).take_while(|(rank, _)| *rank <= k);
        let gaining = ranked.filter_map(|(rank, grade)| Some((rank, grade.filter(|&grade| grade > 0)?)));
        let gained = total(gaining.map(discounted));
        let mut best: Vec<i64> = self.judged.iter().copied().filter(|&grade| grade > 0).collect();
        best.sort_unstable_by(|a, b| b.cmp(a));
        let ideal = total((1..).zip(best).take_while(|(rank, _)| *rank <= k).map(discounted));
        if ideal > 0.0 { gained / ideal } else { 0.0 }
    }
}

/// The sum, from 0: that of nothing is not the -0 that `sum` begins with.
fn total(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests;
