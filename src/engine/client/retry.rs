//! How long to wait before a request is repeated.

use std::time::{Duration, SystemTime};

/// The first pause of our own; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(500);

/// The pause before repetition `attempt`, from 1: `asked` by the server, else our own with a share of it by `chance` (0 to 1).
/// Fails with what the server asks for where that is longer than `longest`.
pub(super) fn pause(
    attempt: u32,
    asked: Option<Duration>,
    longest: Duration,
    chance: f64,
) -> Result<Duration, Duration> {
    match asked {
        Some(asked) if asked > longest => Err(asked),
        // A time that has passed, most often by a clock that is slow, says nothing about how long to wait.
        Some(asked) if !asked.is_zero() => Ok(asked),
        _ => {
            let own = FIRST.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1))).min(longest);
            Ok(own.mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0))
        }
    }
}

/// What a `Retry-After` asks for: seconds, or a date; zero where that has passed. `None` where it says nothing of the kind.
pub(super) fn asked(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if header.bytes().all(|byte| byte.is_ascii_digit()) && !header.is_empty() {
        return Some(Duration::from_secs(header.parse().unwrap_or(u64::MAX)));
    }
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    httpdate::parse_http_date(header).ok().map(|date| date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: Duration = Duration::from_mins(1);

    #[test]
    fn retry_after_is_read_as_seconds_or_a_date_and_never_negative() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let date = |ahead: i64| {
            let seconds = u64::try_from(1_700_000_000 + ahead).unwrap_or_default();
            httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
        };
        let cases = [
            ("3", Some(3)),
            (" 86400 ", Some(86_400)),
            ("0", Some(0)),
            ("99999999999999999999999", Some(u64::MAX)),
            (&date(3), Some(3)),
            (&date(-86_400), Some(0)),
            ("Mon, 01 Jan 2001 00:00:00 GMT", Some(0)),
            ("soon", None),
            ("-5", None),
            ("NaN", None),
            ("inf", None),
            ("", None),
        ];
        for (header, expected) in cases {
            assert_eq!(asked(header, now), expected.map(Duration::from_secs), "{header}");
        }
        assert_eq!(asked("0.5", now), Some(Duration::from_millis(500)));
    }

    #[test]
    fn a_server_is_waited_for_as_it_asks_and_given_up_where_it_asks_for_too_much() {
        assert_eq!(pause(1, Some(Duration::from_secs(3)), LONGEST, 0.5), Ok(Duration::from_secs(3)));
        let day = Duration::from_hours(24);
        assert_eq!(pause(1, Some(day), LONGEST, 0.5), Err(day));
    }

    #[test]
    fn our_own_pauses_double_vary_by_chance_and_end_at_the_longest() {
        let millis = |attempt, chance| pause(attempt, None, LONGEST, chance).map(|pause| pause.as_millis());
        assert_eq!((millis(1, 0.0), millis(1, 1.0)), (Ok(250), Ok(500)));
        assert_eq!((millis(2, 0.0), millis(3, 1.0)), (Ok(500), Ok(2000)));
        assert_eq!((millis(40, 1.0), millis(u32::MAX, 0.0)), (Ok(60_000), Ok(30_000)));
        assert_eq!(pause(1, Some(Duration::ZERO), LONGEST, 1.0), Ok(FIRST), "a date in the past is no order to hurry");
        assert_eq!(pause(1, None, Duration::from_millis(10), 1.0), Ok(Duration::from_millis(10)));
    }
}
