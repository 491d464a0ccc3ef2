//! Whether other threads delay this one's wake-ups, and whether asking the kernel to run it sooner helps.

use crate::Nanos;

/// A wake-up later than this waited for another thread, or for its virtual machine's host. Timers and idle states take
/// less (on Linux with high-resolution timers).
const DELAYED: Nanos = Nanos::from_micros(200);
/// Number of sleeps in each half of a comparison: without asking, then with.
const BLOCK: u32 = 128;
/// Delayed wake-ups in a block that are more than chance.
const MANY: u32 = 4;
/// Asking helps if it leaves at most one delay in this many.
const LEFT: u32 = 4;
/// Number of sleeps for which the result of a comparison is kept.
const KEPT: u32 = 2_048;

/// Decides for each sleep whether to ask the kernel to run the thread soon after its wake-up. That takes four system
/// calls, some microseconds in all: it is done only where it was seen to help.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contention {
    phase: Phase,
    sleeps: u32,
    delayed: u32,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    /// Does not ask, and counts the delayed wake-ups of each block.
    Watching,
    /// Asks, to compare with the delayed wake-ups among the sleeps before, without asking.
    Trying { delayed_before: u32, sleeps_before: u32 },
    /// Asks, because it helps.
    Asking,
    /// Does not ask, because it does not help.
    Resting,
}

impl Default for Contention {
    fn default() -> Self {
        Self { phase: Phase::Watching, sleeps: 0, delayed: 0 }
    }
}

impl Contention {
    /// Returns whether to ask for the next sleep.
    pub(super) fn asks(self) -> bool {
        matches!(self.phase, Phase::Trying { .. } | Phase::Asking)
    }

    /// Learns how late the kernel woke the thread.
    pub(super) fn learn(&mut self, oversleep: Nanos) {
        self.sleeps += 1;
        self.delayed += u32::from(oversleep > DELAYED);
        let (sleeps, delayed) = (self.sleeps, self.delayed);
        match self.phase {
            Phase::Watching if delayed >= MANY => {
                self.enter(Phase::Trying { delayed_before: delayed, sleeps_before: sleeps });
            }
            Phase::Watching if sleeps >= BLOCK => self.enter(Phase::Watching),
            Phase::Trying { delayed_before, sleeps_before } if sleeps >= BLOCK => {
                let helps = u64::from(delayed * LEFT) * u64::from(sleeps_before)
                    <= u64::from(delayed_before) * u64::from(sleeps);
                self.enter(if helps { Phase::Asking } else { Phase::Resting });
            }
            Phase::Asking | Phase::Resting if sleeps >= KEPT => self.enter(Phase::Watching),
            _ => {}
        }
    }

    fn enter(&mut self, phase: Phase) {
        *self = Self { phase, sleeps: 0, delayed: 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for how many of `sleeps` the kernel was asked, where every `n`th wake-up is delayed, unless asking
    /// helps.
    fn asked(contention: &mut Contention, sleeps: u32, n: u32, helps: bool) -> u32 {
        let once = |sleep| {
            let asks = contention.asks();
            let delayed = sleep % n == 0 && !(asks && helps);
            contention.learn(Nanos::from_micros(if delayed { 3_000 } else { 30 }));
            u32::from(asks)
        };
        (1..=sleeps).map(once).sum()
    }

    #[test]
    fn a_rare_delay_changes_nothing() {
        assert_eq!(asked(&mut Contention::default(), 10_000, 60, true), 0);
    }

    #[test]
    fn where_asking_helps_it_is_done_nearly_always() {
        let asked = asked(&mut Contention::default(), 20_000, 8, true);
        assert!(asked > 19_000, "{asked}");
    }

    #[test]
    fn where_asking_does_not_help_it_is_seldom_tried() {
        let asked = asked(&mut Contention::default(), 20_000, 8, false);
        assert!((BLOCK..20_000 / 12).contains(&asked), "{asked}");
    }

    #[test]
    fn a_load_that_ends_is_noticed() {
        let mut contention = Contention::default();
        asked(&mut contention, 1_000, 8, true);
        assert!(asked(&mut contention, 10_000, u32::MAX, true) <= KEPT);
    }
}
