//! Whether other threads delay this one's wake-ups, so that the kernel should be asked to run it sooner.

use crate::Nanos;

/// A wake-up later than this waited for another thread, or for its virtual machine's host. Timers and idle states take
/// less (on Linux with high-resolution timers).
const DELAYED: Nanos = Nanos::from_micros(200);
/// Two delayed wake-ups within so many sleeps are more than chance.
const CLOSE: u32 = 256;
/// Number of sleeps for which the kernel is asked after that.
const SPELL: u32 = 1_024;

/// Decides for each sleep whether to ask the kernel to run the thread soon after its wake-up. That takes three system
/// calls, some microseconds in all, so it is left out on a quiet machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contention {
    /// Sleeps since the last delayed wake-up.
    since: u32,
    /// Sleeps for which to ask.
    left: u32,
}

impl Default for Contention {
    fn default() -> Self {
        Self { since: u32::MAX, left: 0 }
    }
}

impl Contention {
    /// Returns whether to ask for the next sleep.
    pub(super) fn asks(self) -> bool {
        self.left > 0
    }

    /// Learns how late the kernel woke the thread.
    pub(super) fn learn(&mut self, oversleep: Nanos) {
        self.left = self.left.saturating_sub(1);
        self.since = self.since.saturating_add(1);
        if oversleep > DELAYED {
            if self.since <= CLOSE {
                self.left = SPELL;
            }
            self.since = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for how many of `sleeps` the kernel was asked, where every `n`th wake-up is delayed.
    fn asked(contention: &mut Contention, sleeps: u32, n: u32) -> u32 {
        let once = |sleep| {
            let asks = contention.asks();
            contention.learn(Nanos::from_micros(if sleep % n == 0 { 3_000 } else { 30 }));
            u32::from(asks)
        };
        (0..sleeps).map(once).sum()
    }

    #[test]
    fn a_rare_delay_changes_nothing() {
        assert_eq!(asked(&mut Contention::default(), 10_000, CLOSE + 1), 0);
    }

    #[test]
    fn delays_close_together_ask_until_they_have_stopped_for_a_while() {
        let mut contention = Contention::default();
        assert_eq!(asked(&mut contention, 10_000, 100), 10_000 - 101);
        assert_eq!(asked(&mut contention, 10_000, u32::MAX), SPELL + 1);
    }
}
