//! The correction for coordinated omission: what every period of a schedule would have felt.
//!
//! A sleeper that is stalled for 200 periods of a schedule reports one late wake-up, but the work due in
//! each of those periods had to wait. The *raw* series is what was seen. The *corrected* series
//! adds, for a wake-up that came L after its deadline, one wait for every later deadline that had passed by then:
//! L − period, L − 2·period, … down to zero. (Gil Tene's correction, as in `HdrHistogram`'s
//! `recordValueWithExpectedInterval`, but counted from the deadline, not from the value.) The two answer different
//! questions, so both are always shown under their names.

use oversleep_sys::units::Nanos;

/// Waits that descend evenly by a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omitted {
    /// The longest of them: zero or more, if there is any.
    pub highest: Nanos,
    /// Number of them.
    pub count: u64,
}

/// Returns the waits that a wake-up `lateness` after its deadline adds to the corrected series, at most `left` of them
/// (a schedule that ended meanwhile feels no more).
pub fn omitted(lateness: Nanos, period: Nanos, left: u64) -> Omitted {
    let over = if period > Nanos::ZERO && lateness >= period { lateness.get() / period.get() } else { 0 };
    // Saturating, because a wake-up that adds nothing may be far before its deadline.
    Omitted { highest: lateness.saturating_sub(period), count: over.unsigned_abs().min(left) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_is_felt_in_every_period_it_covers() {
        let felt = omitted(Nanos::from_micros(3_500), Nanos::MILLISECOND, u64::MAX);
        assert_eq!(felt, Omitted { highest: Nanos::from_micros(2_500), count: 3 });
        assert_eq!(omitted(Nanos::from_micros(999), Nanos::MILLISECOND, u64::MAX).count, 0);
        assert_eq!(omitted(Nanos::new(-1), Nanos::MILLISECOND, u64::MAX).count, 0);
        assert_eq!(omitted(Nanos::MIN, Nanos::MILLISECOND, u64::MAX).count, 0);
        assert_eq!(omitted(Nanos::SECOND, Nanos::MILLISECOND, 3).count, 3);
        assert_eq!(omitted(Nanos::SECOND, Nanos::ZERO, 3).count, 0);
    }
}
