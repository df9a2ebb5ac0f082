//! What few cases can and cannot show: intervals, and a test for pairs.
//!
//! Nothing here is random: the bootstrap draws from a fixed seed, so the same pairs give the same interval everywhere.

use std::fmt;

/// Below so many pairs, or cases of a subset, nothing is claimed about a difference or a mean: it is *too few to tell*.
///
/// Of ten cases one is a tenth of the mean, as much as a subset may lie under all cases before it is marked.
pub const TOO_FEW: usize = 10;

/// A sign test below this is called more than chance, by the usual convention.
pub const SIGNIFICANT: f64 = 0.05;

/// How often the bootstrap draws anew.
pub const RESAMPLES: usize = 10_000;

/// Where the bootstrap's draws start.
pub const SEED: u64 = 42;

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.959_963_984_540_054;

/// More pairs than this are not drawn again: the normal interval, which the bootstrap approaches, takes its place.
const MOST_DRAWN: usize = 1_000;

/// A 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end, at least `low`.
    pub high: f64,
}

/// The 95 % interval of a proportion of `hits` in `n`, within `0.0..=1.0`; `None` of nothing.
///
/// The score interval of E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
/// American Statistical Association 22 (1927), without continuity correction. It stays honest where all or none are hits.
#[must_use]
pub fn wilson(hits: usize, n: usize) -> Option<Interval> {
    if n == 0 || hits > n {
        return None;
    }
    let (total, share) = (n as f64, hits as f64 / n as f64);
    let scale = 1.0 + Z * Z / total;
    let center = (share + Z * Z / (2.0 * total)) / scale;
    let half = Z / scale * (share * (1.0 - share) / total + Z * Z / (4.0 * total * total)).sqrt();
    // At either end the interval ends in the proportion itself; doubles may miss it by a hair.
    Some(Interval { low: (center - half).clamp(0.0, share), high: (center + half).clamp(share, 1.0) })
}

/// How likely a split at least as uneven as this would be if improved and regressed were equally likely: two-sided and exact,
/// in `0.0..=1.0`. Unchanged pairs say nothing and are left out.
///
/// The sign test: twice the lower tail of the binomial distribution of `improved + regressed` with 1/2, at most 1. W. J. Dixon
/// and A. M. Mood, "The statistical sign test", Journal of the American Statistical Association 41 (1946).
#[must_use]
pub fn sign_test(improved: usize, regressed: usize) -> f64 {
    let n = (improved + regressed) as f64;
    let mut ln_term = -n * std::f64::consts::LN_2;
    let mut tail = ln_term.exp();
    for i in 1..=improved.min(regressed) {
        let i = i as f64;
        ln_term += ((n - i + 1.0) / i).ln();
        tail += ln_term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// The 95 % interval of the mean of paired differences; `None` below two pairs.
///
/// The percentile bootstrap of B. Efron, "Bootstrap methods: another look at the jackknife", The Annals of Statistics 7 (1979):
/// [`RESAMPLES`] times as many differences are drawn with replacement as there are, by `SplitMix64` from [`SEED`]; the ends are
/// the 2.5th and the 97.5th percentile of the means. Above 1,000 pairs it is mean ± 1.96 standard errors.
#[must_use]
pub fn mean_difference(differences: &[f64]) -> Option<Interval> {
    let n = differences.len();
    if n < 2 {
        return None;
    }
    if n > MOST_DRAWN {
        return Some(normal(differences));
    }
    let mut draws = SplitMix64(SEED);
    let mut means: Vec<f64> =
        (0..RESAMPLES).map(|_| (0..n).map(|_| differences[draws.below(n)]).sum::<f64>() / n as f64).collect();
    means.sort_unstable_by(f64::total_cmp);
    let skipped = RESAMPLES / 40;
    Some(Interval { low: means[skipped], high: means[RESAMPLES - 1 - skipped] })
}

fn normal(differences: &[f64]) -> Interval {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let variance = differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = Z * (variance / n).sqrt();
    Interval { low: mean - half, high: mean + half }
}

/// Sebastiano Vigna's `SplitMix64` (public domain): small, and the same on every machine.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is far below 2^32, so that none is noticeably likelier.
    fn below(&mut self, n: usize) -> usize {
        let scaled = u128::from(self.next()) * n as u128;
        usize::try_from(scaled >> 64).unwrap_or(0)
    }
}

/// What a comparison of so many pairs shows, as data for a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// Fewer than [`TOO_FEW`] pairs.
    TooFew {
        /// How many.
        pairs: usize,
    },
    /// No pair changed.
    NoChange {
        /// How many pairs.
        pairs: usize,
    },
    /// Some changed.
    Changed {
        /// How many improved.
        improved: usize,
        /// How many regressed.
        regressed: usize,
        /// [`sign_test`] of both.
        p: f64,
    },
}

impl Finding {
    /// Judges so many pairs, of which some improved and some regressed.
    #[must_use]
    pub fn new(pairs: usize, improved: usize, regressed: usize) -> Self {
        if pairs < TOO_FEW {
            Self::TooFew { pairs }
        } else if improved + regressed == 0 {
            Self::NoChange { pairs }
        } else {
            Self::Changed { improved, regressed, p: sign_test(improved, regressed) }
        }
    }

    /// The p of the sign test, where there are pairs enough to speak of one.
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        match self {
            Self::Changed { p, .. } => Some(*p),
            Self::TooFew { .. } | Self::NoChange { .. } => None,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooFew { pairs } => {
                let noun = if pairs == 1 { "pair is" } else { "pairs are" };
                write!(f, "{pairs} {noun} too few to tell: below {TOO_FEW}, no difference is claimed")
            }
            // With none of n seen, at most about 3/n are there: J. A. Hanley and A. Lippman-Hand, "If nothing goes wrong, is
            // everything all right?", JAMA 249 (1983).
            Self::NoChange { pairs } => write!(
                f,
                "no case improved or regressed; on {pairs} pairs, a change that touches up to 1 question in {} can go unseen",
                (pairs / 3).max(1)
            ),
            Self::Changed { improved, regressed, p } => {
                write!(f, "{improved} improved, {regressed} regressed: sign test p {}", p_value(p))?;
                if p < SIGNIFICANT {
                    let less = if improved > regressed {
                        (sign_test(improved, regressed + 1), "regressed")
                    } else {
                        (sign_test(improved + 1, regressed), "improved")
                    };
                    f.write_str(", more than chance")?;
                    // One case that tips it is worth knowing; one that changes nothing is not.
                    if less.0 < SIGNIFICANT {
                        return Ok(());
                    }
                    write!(f, "; one more {} case and it would be {}", less.1, p_value(less.0))
                } else {
                    let (more, side, p) = lacking(improved, regressed);
                    let (count, noun) =
                        if more == 1 { ("one".to_owned(), "case") } else { (more.to_string(), "cases") };
                    write!(f, ", chance can do that; {count} more {side} {noun} and it would be {}", p_value(p))
                }
            }
        }
    }
}

/// How many more cases on the leading side would make it more than chance.
fn lacking(improved: usize, regressed: usize) -> (usize, &'static str, f64) {
    let (leading, trailing, side) =
        if improved >= regressed { (improved, regressed, "improved") } else { (regressed, improved, "regressed") };
    let enough = |more: usize| sign_test(leading + more, trailing) < SIGNIFICANT;
    // With enough on one side the test falls under any level, and it only falls: double, then halve.
    let mut more = 1;
    while !enough(more) {
        more *= 2;
    }
    let mut short = more / 2;
    while more - short > 1 {
        let middle = short.midpoint(more);
        if enough(middle) {
            more = middle;
        } else {
            short = middle;
        }
    }
    (more, side, sign_test(leading + more, trailing))
}

fn p_value(p: f64) -> String {
    if p < 0.005 { "below 0.005".to_owned() } else { format!("{p:.2}") }
}

#[cfg(test)]
mod tests;
