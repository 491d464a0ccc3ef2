//! Requests in the units of older POSIX calls.

use oversleep_sys::units::Nanos;

/// Longest `timeval`. The BSDs and macOS reject one above 10⁸ s (`itimerfix`), three years; Linux accepts any.
const LONGEST_TIMEVAL: Nanos = if cfg!(target_os = "linux") { Nanos::MAX } else { Nanos::from_secs(100_000_000) };

/// Returns seconds and microseconds, rounded up, limited to zero and to the longest that the system accepts.
#[inline]
pub(crate) fn timeval(time: Nanos) -> libc::timeval {
    let (seconds, nanoseconds) = time.clamp(Nanos::ZERO, LONGEST_TIMEVAL).split();
    let microseconds = (nanoseconds + 999) / 1_000;
    let (seconds, microseconds) = if microseconds == 1_000_000 { (seconds + 1, 0) } else { (seconds, microseconds) };
    libc::timeval {
        tv_sec: seconds.try_into().unwrap_or_else(|_| i32::MAX.into()),
        tv_usec: microseconds.try_into().unwrap_or(999_999),
    }
}

/// Returns whole milliseconds for `poll` and similar calls, rounded up, at most [`i32::MAX`] (24.8 days). Never
/// negative, because −1 would mean for ever.
#[inline]
pub(crate) fn milliseconds(time: Nanos) -> libc::c_int {
    let time = time.max(Nanos::ZERO).get();
    let whole = time / 1_000_000 + i64::from(time % 1_000_000 != 0);
    whole.try_into().unwrap_or(libc::c_int::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finer_than_the_unit_rounds_up() {
        let us = |ns| (i64::from(timeval(Nanos::new(ns)).tv_sec), i64::from(timeval(Nanos::new(ns)).tv_usec));
        assert_eq!(us(0), (0, 0));
        assert_eq!(us(1), (0, 1));
        assert_eq!(us(1_000), (0, 1));
        assert_eq!(us(999_999_001), (1, 0));
        assert_eq!(us(-5), (0, 0));
        assert_eq!(milliseconds(Nanos::new(1)), 1);
        assert_eq!(milliseconds(Nanos::new(1_000_000)), 1);
        assert_eq!(milliseconds(Nanos::new(1_000_001)), 2);
        assert_eq!(milliseconds(Nanos::ZERO), 0);
    }

    #[test]
    fn the_extremes_stay_valid() {
        assert_eq!(milliseconds(Nanos::MAX), i32::MAX);
        assert_eq!(milliseconds(Nanos::MIN), 0);
        for time in [timeval(Nanos::MAX), timeval(Nanos::MIN)] {
            assert!(time.tv_sec >= 0);
            assert!((0..1_000_000).contains(&time.tv_usec));
        }
    }
}
