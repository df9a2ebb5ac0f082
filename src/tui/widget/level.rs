//! Shares as blocks of eight heights: cells of a heat map, and a sparkline.

/// The block of a share in `0.0..=1.0`; anything above 0 is seen.
#[must_use]
pub fn block(share: f64) -> char {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 8")]
    let eighths = (share.clamp(0.0, 1.0) * 8.0).round() as usize;
    BLOCKS[eighths.max(1) - 1]
}

/// The last values as one block each in at most `columns`, all of one scale from 0 to 1; `·` where there is none.
#[must_use]
pub fn sparkline(values: &[Option<f64>], columns: usize) -> String {
    let first = values.len().saturating_sub(columns);
    values[first..].iter().map(|value| value.map_or('·', block)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_is_of_one_scale_and_keeps_the_last_values() {
        let values = [Some(0.0), Some(0.5), None, Some(0.74), Some(1.0), Some(7.0)];
        assert_eq!(sparkline(&values, 10), "▁▄·▆██");
        assert_eq!(sparkline(&values, 2), "██");
        assert_eq!(sparkline(&values, 0), "");
        assert_eq!(sparkline(&[], 4), "");
    }
}
