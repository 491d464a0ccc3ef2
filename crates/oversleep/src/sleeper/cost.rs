//! The processor time that a sleep itself costs.

use crate::Nanos;

/// Number of measurements before the mean is used.
pub(super) const FEW: u32 = 4;
/// After that, one sleep in this many is measured, because each needs two readings of an expensive clock.
pub(super) const SELDOM: u32 = 16;
/// Number of measurements that the mean covers.
const REMEMBERED: i64 = 8;

/// The mean processor time of the kernel's part of a sleep.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    mean: Nanos,
    measured: u32,
    sleeps: u32,
}

impl Cost {
    /// Counts a sleep, and returns whether it should be measured.
    pub(super) fn is_due(&mut self) -> bool {
        self.sleeps = self.sleeps.wrapping_add(1);
        self.measured < FEW || self.sleeps % SELDOM == 0
    }

    pub(super) fn learn(&mut self, spent: Nanos) {
        self.measured = self.measured.saturating_add(1);
        let part = i64::from(self.measured).min(REMEMBERED);
        self.mean = self.mean.saturating_add(Nanos::new((spent.get() - self.mean.get()) / part));
    }

    /// Returns the mean, once there are enough measurements.
    pub(super) fn known(&self) -> Option<Nanos> {
        (self.measured >= FEW).then_some(self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_known_after_a_few_and_follows_slowly() {
        let mut cost = Cost::default();
        for _ in 0..FEW {
            assert_eq!(cost.known(), None);
            assert!(cost.is_due());
            cost.learn(Nanos::from_micros(40));
        }
        assert_eq!(cost.known(), Some(Nanos::from_micros(40)));
        (0..REMEMBERED).for_each(|_| cost.learn(Nanos::from_micros(40)));
        cost.learn(Nanos::from_micros(120));
        assert_eq!(cost.known(), Some(Nanos::from_micros(50)));
    }

    #[test]
    fn what_is_known_is_measured_seldom() {
        let mut cost = Cost::default();
        (0..FEW).for_each(|_| cost.learn(Nanos::MICROSECOND));
        let due = (0..10 * SELDOM).filter(|_| cost.is_due()).count();
        assert_eq!(due, 10);
    }
}
