//! How long a thread can wait awake before other threads take its processor.

use crate::Nanos;

/// Fine waits up to this long are always allowed. A scheduler lets a thread that has just woken run for longer than
/// this (Linux: `min_granularity_ns`, 0.7 to 3 ms).
const LEAST: Nanos = Nanos::from_micros(100);
/// A sleep that was awake before its deadline and ended later than this was interrupted. Interrupts take less.
pub(super) const INTERRUPTED: Nanos = Nanos::from_micros(5);
/// An interruption shortens the longest wait to three quarters of the wait that was interrupted; a sleep without one
/// lengthens it by a two-hundredth. It stays where one sleep in about sixty is interrupted.
const SHORTER: (i64, i64) = (3, 4);
const LONGER: i64 = 200;

/// The longest fine wait that is worth trying: shortened by interruptions, lengthened without.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    longest: Nanos,
}

impl Default for Patience {
    fn default() -> Self {
        Self { longest: Nanos::MAX }
    }
}

impl Patience {
    /// Returns the longest wait.
    pub(super) fn longest(self) -> Nanos {
        self.longest
    }

    /// Learns from a sleep that was awake `waited` before its deadline and ended `late` after it.
    pub(super) fn learn(&mut self, waited: Nanos, late: Nanos) {
        if late > INTERRUPTED && waited > LEAST {
            let shorter = Nanos::new(waited.min(self.longest).get() / SHORTER.1 * SHORTER.0);
            self.longest = shorter.max(LEAST);
        } else if self.longest < Nanos::SECOND {
            self.longest = self.longest.saturating_add(Nanos::new(self.longest.get() / LONGER));
        } else {
            self.longest = Nanos::MAX;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interruptions_shorten_the_longest_wait_and_quiet_sleeps_lengthen_it() {
        let us = Nanos::from_micros;
        let mut patience = Patience::default();
        assert_eq!(patience.longest(), Nanos::MAX);
        patience.learn(us(2_000), us(4));
        assert_eq!(patience.longest(), Nanos::MAX, "an interrupt is too short to count");
        patience.learn(us(2_000), us(900));
        assert_eq!(patience.longest(), us(1_500));
        (0..99).for_each(|_| patience.learn(us(2_000), us(900)));
        assert_eq!(patience.longest(), us(100), "never below the least");
        patience.learn(us(90), us(900));
        assert!(patience.longest() > us(100), "a short wait is not to blame");
        (0..1_999).for_each(|_| patience.learn(us(90), us(0)));
        assert_eq!(patience.longest(), Nanos::MAX);
    }
}
