//! What few cases can and cannot show.

/// Below so many cases of a subset nothing is claimed about a mean: it is *too few to tell*.
///
/// Of ten cases one is a tenth of the mean, as much as a subset may lie under all cases before it is marked.
pub const TOO_FEW: usize = 10;

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.959_963_984_540_054;

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
