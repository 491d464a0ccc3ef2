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

/// Two delayed wake-ups with at most this many sleeps from one to the other are no chance.
const NEAR: u32 = 32;
/// Number of sleeps for which the kernel is then asked, or not asked once that was given up.
const ASKED: u32 = 1_024;
/// Asking is given up where more than one period in this many is missed, after about four in excess.
const ONE_IN: u32 = 16;
const EXCESS: u32 = 4 * ONE_IN;

/// Whether to ask the kernel to run the thread soon after its wake-up. That takes four system calls, some microseconds
/// in all, and prevents a third to a half of the delays: too few to show in the sleeps of a second, so it is not
/// compared with not asking.
///
/// A thread with a short slice is the sooner interrupted, too, in what it does after its wake-up. Where that makes it
/// miss periods, the kernel is not asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asking {
    since_delay: u32,
    left: u32,
    given_up: u32,
    period: Nanos,
    missed: u32,
}

impl Default for Asking {
    fn default() -> Self {
        Self { since_delay: NEAR, left: 0, given_up: 0, period: Nanos::MAX, missed: 0 }
    }
}

impl Asking {
    /// Returns whether to ask for the next sleep.
    pub(super) fn is_due(self) -> bool {
        self.left > 0 && self.given_up == 0
    }

    /// Learns whether a wake-up was delayed.
    pub(super) fn learn(&mut self, delayed: bool) {
        self.left = self.left.saturating_sub(1);
        self.given_up = self.given_up.saturating_sub(1);
        self.since_delay = self.since_delay.saturating_add(1);
        if delayed {
            if self.since_delay <= NEAR {
                self.left = ASKED;
            }
            self.since_delay = 0;
        }
    }

    /// Learns how long after the last deadline the next one is. Deadlines that are farther apart than the nearest ones leave
    /// out periods.
    pub(super) fn learn_period(&mut self, apart: Nanos) {
        let grown = self.period.saturating_add(Nanos::new(self.period.get() / 64 + 1));
        self.period = apart.min(grown);
        self.learn_missed(apart.get() > self.period.get() / 2 * 3);
    }

    /// Learns whether a period was missed.
    pub(super) fn learn_missed(&mut self, missed: bool) {
        let counted = if missed { self.missed + ONE_IN } else { self.missed.saturating_sub(1) };
        self.missed = if self.is_due() { counted } else { 0 };
        if self.missed >= EXCESS {
            (self.missed, self.given_up) = (0, ASKED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_near_each_other_are_answered_for_a_while() {
        let asked = |one_in: u32| {
            let mut asking = Asking::default();
            (1..=10_000_u32)
                .filter(|n| {
                    asking.learn(n % one_in == 0);
                    asking.is_due()
                })
                .count()
        };
        assert_eq!(asked(60), 0, "a rare delay changes nothing");
        assert!(asked(30) > 9_900);
        let mut asking = Asking::default();
        (0..2).for_each(|_| asking.learn(true));
        (0..ASKED).for_each(|_| asking.learn(false));
        assert!(!asking.is_due());
    }

    #[test]
    fn asking_is_given_up_where_periods_are_missed() {
        let asked = |one_in: u32| {
            let mut asking = Asking::default();
            (1..=10_000_u32)
                .filter(|n| {
                    asking.learn(n % 30 == 0);
                    let asked = asking.is_due();
                    asking.learn_period(Nanos::from_millis(if asked && n % one_in == 0 { 8 } else { 4 }));
                    asked
                })
                .count()
        };
        assert!(asked(20) > 9_900, "few periods are missed");
        assert!((100..1_000).contains(&asked(5)), "{}", asked(5));
    }

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
