//! The machine the program runs on.

use super::choice::Choice;
use super::{Machine, apart};
use crate::{Boot, Moment, Nanos, Time, WallTime, now, wall_now};
use oversleep_sys::wait;

/// Longer than a pause and a reading together.
const LAST_STRETCH: Nanos = Nanos::new(150);

/// Which of the system's calls is the best, for the whole process.
static CHOICE: Choice = Choice::new();

/// The machine the program runs on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Here;

impl Here {
    /// Returns the name of the call that threads of this process sleep with, as `oversleep list` names it.
    ///
    /// Where a system has several that may be the best (macOS, FreeBSD, Windows), the first sleeps of 20 ms and more
    /// compare them, within the time that they sleep anyway; the answer is `None` until that is decided, and the first
    /// of them is used.
    pub fn sleeps_with(&self) -> Option<&'static str> {
        match wait::CALLS {
            [only] => Some(only.name),
            calls => CHOICE.chosen().and_then(|call| calls.get(call)).map(|call| call.name),
        }
    }
}

impl Machine for Here {
    #[inline]
    fn now(&self) -> Moment {
        now()
    }

    #[inline]
    fn wall(&self) -> WallTime {
        wall_now()
    }

    /// Linux counts suspended time in `CLOCK_BOOTTIME` and not in `CLOCK_MONOTONIC`: the difference is what was
    /// slept through.
    fn suspended(&self) -> Nanos {
        let Some(boot) = Time::<Boot>::now() else { return Nanos::ZERO };
        apart(now, || Time::<Boot>::now().unwrap_or(boot)).0
    }

    fn sleep_until(&self, deadline: Moment) {
        let sleep = |call: usize, deadline: Moment| wait::CALLS[call].until(deadline.as_nanos());
        CHOICE.sleep_until(self, wait::CALLS.len(), sleep, deadline);
    }

    fn sleep_until_tight(&self, deadline: Moment) {
        wait::with_least_slack(|| self.sleep_until(deadline));
    }

    #[inline]
    fn pause(&self) {
        wait::pause();
    }

    /// Pauses until shortly before the deadline, then reads the clock without pauses: one there would add half its length
    /// to every lateness. Where the processor can be told how long to rest ([`wait::Way`]), it rests for most of what is
    /// left.
    ///
    /// The system's clock, not the counter: a pause takes longer than either, and a wait owes its punctuality to the clock
    /// that the deadline was read from, also while that is slewed.
    fn spin_until(&self, deadline: Moment) -> Moment {
        let pausing = wait::Pausing::here();
        let shortly_before = deadline.saturating_sub(LAST_STRETCH);
        loop {
            let rest = shortly_before.saturating_since(now());
            if rest <= Nanos::ZERO {
                break;
            }
            pausing.pause_for(rest);
        }
        loop {
            let now = now();
            if now >= deadline {
                return now;
            }
        }
    }

    fn is_real_time(&self) -> bool {
        wait::is_real_time()
    }

    fn budget(&self) -> Option<Nanos> {
        wait::budget()
    }

    fn processor_time(&self) -> Option<Nanos> {
        wait::processor_time()
    }
}
