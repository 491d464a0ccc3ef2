//! Whether other threads delay this one's wake-ups, and whether it helps to ask the kernel to run it sooner.

use crate::Nanos;

/// A wake-up later than this waited for another thread, or for its virtual machine's host. Timers and idle states take
/// less (on Linux with high-resolution timers).
const DELAYED: Nanos = Nanos::from_micros(200);
/// Number of sleeps in which two delayed ones are more than chance.
const RECENT: u32 = 64;
/// Number of sleeps for which the kernel is asked: the first time, and at most. It doubles whenever wake-ups are
/// delayed again soon after.
const SPELL: (u32, u32) = (512, 8_192);
/// Asking did not help if more than one sleep in this many was delayed all the same.
const HELPED: u32 = 16;

/// Decides for each sleep whether to ask the kernel to run the thread soon after its wake-up, which costs system calls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contention {
    asking: bool,
    /// Sleeps since the state last changed, and those of them that were delayed.
    sleeps: u32,
    delayed: u32,
    spell: u32,
    /// Number of sleeps to leave out before asking again, since it did not help.
    rest: u32,
}

impl Default for Contention {
    fn default() -> Self {
        Self { asking: false, sleeps: 0, delayed: 0, spell: SPELL.0, rest: 0 }
    }
}

impl Contention {
    /// Returns whether to ask for the next sleep.
    pub(super) fn asks(self) -> bool {
        self.asking
    }

    /// Learns how late the kernel woke the thread.
    pub(super) fn learn(&mut self, oversleep: Nanos) {
        self.sleeps = self.sleeps.saturating_add(1);
        self.delayed += u32::from(oversleep > DELAYED);
        if self.asking {
            self.end_spell();
        } else {
            self.begin_spell();
        }
    }

    fn begin_spell(&mut self) {
        if self.rest > 0 {
            self.rest -= 1;
        } else if self.delayed >= 2 {
            let soon = self.sleeps <= 2 * RECENT;
            self.spell = if soon { (self.spell * 2).min(SPELL.1) } else { SPELL.0 };
            self.change(true);
            return;
        }
        if self.sleeps % RECENT == 0 {
            self.delayed = 0;
        }
    }

    fn end_spell(&mut self) {
        // Whether it helps is known early: a machine whose timers are that late by themselves gains nothing.
        let known = self.sleeps >= RECENT;
        let helps = self.delayed <= self.sleeps / HELPED;
        if self.sleeps >= self.spell || known && !helps {
            self.rest = if helps { 0 } else { self.spell };
            self.change(false);
        }
    }

    fn change(&mut self, asking: bool) {
        (self.asking, self.sleeps, self.delayed) = (asking, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ON_TIME: Nanos = Nanos::from_micros(30);
    const LATE: Nanos = Nanos::from_millis(3);

    /// Returns how many of `sleeps` asked, on a machine that delays every `n`th wake-up unless asked.
    fn asked(contention: &mut Contention, sleeps: u32, n: u32, helps: bool) -> u32 {
        let mut asked = 0;
        for sleep in 0..sleeps {
            let asks = contention.asks();
            asked += u32::from(asks);
            contention.learn(if sleep % n == 0 && !(asks && helps) { LATE } else { ON_TIME });
        }
        asked
    }

    #[test]
    fn a_rare_delay_changes_nothing() {
        assert_eq!(asked(&mut Contention::default(), 10_000, 100, true), 0);
    }

    #[test]
    fn where_it_helps_the_kernel_is_asked_nearly_always() {
        let asked = asked(&mut Contention::default(), 20_000, 8, true);
        assert!(asked > 19_000, "{asked}");
    }

    #[test]
    fn where_it_does_not_help_it_is_left() {
        let asked = asked(&mut Contention::default(), 20_000, 2, false);
        assert!(asked < 20_000 / 8, "{asked}");
    }
}
