//! The processor time that fine waits may use on average.

use crate::Nanos;

/// Limits of the time saved and owed: the ceiling's time for this number of sleeps, or this number of whole sleeps,
/// whichever is more. The second is what a fine wait for a whole sleep needs.
const MOST: (i64, i64) = (64, 8);
/// Divisor: this fraction of the time saved, or owed, is added to the next sleep's allowance, or subtracted from it.
const PART: i64 = 8;

/// The time allowed for fine waits minus the time that they took.
///
/// The ceiling limits the mean, so that a sleep that needs much may use what others left.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Allowance {
    saved: Nanos,
}

impl Allowance {
    /// Returns the mean fine wait allowed now for a sleep of this length; `ceiling` is a share of the length.
    pub(super) fn next(self, duration: Nanos, ceiling: f64) -> Nanos {
        let allowed = Nanos::from_f64(duration.as_f64() * ceiling);
        let raised = allowed.saturating_add(Nanos::new(self.saved.get() / PART));
        if ceiling >= 1.0 { raised.max(duration) } else { raised.max(Nanos::ZERO) }
    }

    /// Counts a sleep and the fine wait at its end.
    pub(super) fn count(&mut self, duration: Nanos, ceiling: f64, waited: Nanos) {
        let allowed = Nanos::from_f64(duration.as_f64() * ceiling);
        let most = if allowed > Nanos::ZERO {
            allowed.saturating_mul(MOST.0).max(duration.saturating_mul(MOST.1))
        } else {
            Nanos::ZERO
        };
        self.saved =
            self.saved.saturating_add(allowed).saturating_sub(waited).max(Nanos::ZERO.saturating_sub(most)).min(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Nanos = Nanos::MILLISECOND;

    #[test]
    fn what_is_saved_can_be_spent_and_what_is_owed_is_kept_back() {
        let mut allowance = Allowance::default();
        assert_eq!(allowance.next(MS, 0.1), Nanos::from_micros(100));
        (0..16).for_each(|_| allowance.count(MS, 0.1, Nanos::from_micros(50)));
        assert_eq!(allowance.next(MS, 0.1), Nanos::from_micros(200));
        (0..24).for_each(|_| allowance.count(MS, 0.1, Nanos::from_micros(150)));
        assert_eq!(allowance.next(MS, 0.1), Nanos::from_micros(50));
        (0..99).for_each(|_| allowance.count(MS, 0.1, MS));
        assert_eq!(allowance.next(MS, 0.1), Nanos::ZERO);
        (0..199).for_each(|_| allowance.count(MS, 0.1, Nanos::ZERO));
        assert!(allowance.next(MS, 0.1) >= MS);
    }

    #[test]
    fn a_full_ceiling_always_allows_all_and_none_allows_nothing() {
        let mut allowance = Allowance::default();
        (0..99).for_each(|_| allowance.count(MS, 1.0, MS * 2));
        assert_eq!(allowance.next(MS, 1.0), MS);
        allowance = Allowance::default();
        (0..99).for_each(|_| allowance.count(MS, 0.0, Nanos::ZERO));
        assert_eq!(allowance.next(MS, 0.0), Nanos::ZERO);
    }

    #[test]
    fn the_mean_is_the_ceiling_where_more_is_always_wanted() {
        let mut allowance = Allowance::default();
        let mut spent = Nanos::ZERO;
        for _ in 0..10_000 {
            // All or nothing, as for a sleep that is too short to be slept.
            let wait = if allowance.next(MS, 0.3) >= MS { MS } else { Nanos::ZERO };
            spent += wait;
            allowance.count(MS, 0.3, wait);
        }
        let share = spent.as_f64() / (MS * 10_000).as_f64();
        assert!((share - 0.3).abs() < 0.01, "{share}");
    }
}
