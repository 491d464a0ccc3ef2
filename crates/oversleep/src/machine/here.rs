//! The machine the program runs on.

use super::{Machine, apart};
use crate::{Boot, Moment, Nanos, Time, WallTime, now, wall_now};
use oversleep_sys::wait;

/// Longer than a pause and a reading together.
const LAST_STRETCH: Nanos = Nanos::new(150);

/// The machine the program runs on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Here;

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
        wait::until(deadline.as_nanos());
    }

    fn sleep_until_tight(&self, deadline: Moment) {
        wait::with_least_slack(|| wait::until(deadline.as_nanos()));
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
