//! Bars of block characters: a share with its interval and a mark on it, and a count of a whole.

use super::canvas::{Piece, piece};
use crate::tui::theme::Role;

/// A share of one, how sure it is, and a mark to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The share, in `0.0..=1.0`.
    pub value: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
    /// The mark.
    pub mark: Option<f64>,
    /// What the bar up to the value, and the mark, mean.
    pub role: Role,
}

/// A share as a bar of `columns`: `█` is sure, `▓` the part of the interval below the value, `▒` the part above it, `·` the rest,
/// and `│` the mark.
#[must_use]
pub fn share<'a>(share: Share, columns: usize) -> Vec<Piece<'a>> {
    let Share { value, interval, mark, role: meant } = share;
    let (low, high) = interval.unwrap_or((value, value));
    let at = mark.map(|mark| cell(mark, columns));
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    let mut run = (String::new(), Role::Plain);
    for column in 0..columns {
        let middle = (column as f64 + 0.5) / columns as f64;
        let (glyph, role) = if at == Some(column) {
            ('│', meant)
        } else if middle <= low.min(value) {
            ('█', meant)
        } else if middle <= value {
            ('▓', meant)
        } else if middle <= high {
            ('▒', Role::Dim)
        } else {
            ('·', Role::Dim)
        };
        if role != run.1 && !run.0.is_empty() {
            pieces.push(piece(std::mem::take(&mut run.0), run.1));
        }
        run.0.push(glyph);
        run.1 = role;
    }
    pieces.push(piece(run.0, run.1));
    pieces
}

/// The cell of a bar in which a share falls.
fn cell(share: f64, columns: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the bar")]
    let cell = (share.clamp(0.0, 1.0) * columns as f64) as usize;
    cell.min(columns.saturating_sub(1))
}

/// `n` of `whole` in block characters of an eighth of a column; anything at all is seen.
#[must_use]
pub fn count(n: usize, whole: usize, columns: usize) -> String {
    const EIGHTHS: [&str; 7] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (n * columns * 8 + whole / 2).checked_div(whole).unwrap_or(0).min(columns * 8);
    let eighths = if n > 0 && columns > 0 { eighths.max(1) } else { eighths };
    let rest = if eighths % 8 == 0 { "" } else { EIGHTHS[eighths % 8 - 1] };
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(value: f64, interval: Option<(f64, f64)>, mark: Option<f64>) -> String {
        share(Share { value, interval, mark, role: Role::Plain }, 10)
            .into_iter()
            .map(|(text, _)| text.into_owned())
            .collect()
    }

    #[test]
    fn a_share_shows_its_value_its_interval_and_its_mark() {
        for (value, interval, mark, want) in [
            (0.5, None, None, "█████·····"),
            (0.5, Some((0.2, 0.8)), None, "██▓▓▓▒▒▒··"),
            (0.5, Some((0.2, 0.8)), Some(0.4), "██▓▓│▒▒▒··"),
            (0.5, Some((0.2, 0.8)), Some(1.0), "██▓▓▓▒▒▒·│"),
            (0.0, Some((0.0, 0.3)), Some(0.0), "│▒▒·······"),
            (1.0, Some((0.7, 1.0)), None, "███████▓▓▓"),
        ] {
            assert_eq!(drawn(value, interval, mark), want);
        }
        assert_eq!(share(Share { value: 1.0, interval: None, mark: None, role: Role::Plain }, 0).len(), 1);
    }

    #[test]
    fn what_is_above_the_value_keeps_to_the_background() {
        let bar = Share { value: 0.5, interval: None, mark: None, role: Role::Supporting };
        let roles: Vec<Role> = share(bar, 4).into_iter().map(|(_, role)| role).collect();
        assert_eq!(roles, [Role::Supporting, Role::Dim]);
    }

    #[test]
    fn a_count_is_seen_however_small_and_never_overflows() {
        for (n, whole, want) in
            [(0, 10, ""), (1, 1000, "▏"), (5, 10, "██"), (10, 10, "████"), (20, 10, "████"), (3, 0, "▏"), (3, 8, "█▌")]
        {
            assert_eq!(count(n, whole, 4), want, "{n} of {whole}");
        }
        assert_eq!(count(3, 4, 0), "");
    }
}
