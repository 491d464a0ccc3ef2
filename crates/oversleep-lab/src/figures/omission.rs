//! The correction for coordinated omission: what every period of a schedule would have felt.
//!
//! A sleeper that is stalled for 200 periods of a schedule reports one late wake-up, but the work due in
//! each of those periods had to wait. The *raw* series is what was seen. The *corrected* series
//! adds, for a wake-up that came L after its deadline, one wait for every later deadline that had passed by then:
//! L − period, L − 2·period, … down to zero. (Gil Tene's correction, as in `HdrHistogram`'s
//! `recordValueWithExpectedInterval`, but counted from the deadline, not from the value.) The two answer different
//! questions, so both are always shown under their names.

use oversleep_sys::units::Nanos;

/// Returns the waits that a wake-up `lateness` after its deadline adds to the corrected series, at most `left` of them
/// (a schedule that ended meanwhile feels no more).
pub fn omitted(lateness: Nanos, period: Nanos, left: u64) -> impl Iterator<Item = Nanos> {
    let over = if period > Nanos::ZERO && lateness >= period { lateness.get() / period.get() } else { 0 };
    let count = over.min(i64::try_from(left).unwrap_or(i64::MAX));
    (1..=count).map(move |number| lateness - period * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_is_felt_in_every_period_it_covers() {
        let felt: Vec<i64> = omitted(Nanos::from_micros(3_500), Nanos::MILLISECOND, u64::MAX).map(Nanos::get).collect();
        assert_eq!(felt, [2_500_000, 1_500_000, 500_000]);
        assert_eq!(omitted(Nanos::from_micros(999), Nanos::MILLISECOND, u64::MAX).count(), 0);
        assert_eq!(omitted(Nanos::new(-1), Nanos::MILLISECOND, u64::MAX).count(), 0);
        assert_eq!(omitted(Nanos::SECOND, Nanos::MILLISECOND, 3).count(), 3);
        assert_eq!(omitted(Nanos::SECOND, Nanos::ZERO, 3).count(), 0);
    }
}
