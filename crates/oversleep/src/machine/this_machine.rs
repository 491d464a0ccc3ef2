//! The machine the program runs on.

use super::choice::Choice;
use super::{Machine, clock_offset};
use crate::clock::{Boot, Time, WallTime, wall_now};
use crate::{Moment, Nanos, now};
use oversleep_sys::wait;

/// Longest duration of a pause and two readings of the clock together, rounded up.
const LAST_STRETCH: Nanos = Nanos::new(150);

/// The choice of the system's sleep call, for the whole process.
static CHOICE: Choice = Choice::new();

/// The machine the program runs on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThisMachine;

impl ThisMachine {
    /// Returns the call with which threads of this process sleep, by the name that `oversleep list` uses.
    ///
    /// Where a system has several candidates (macOS, FreeBSD, Windows), the first sleeps of 20 ms and longer compare
    /// them, within the time that they sleep anyway. Until that is decided, this returns `None`, and the first
    /// candidate is used.
    pub fn sleeps_with(&self) -> Option<&'static str> {
        match wait::CALLS {
            [only] => Some(only.name),
            calls => CHOICE.chosen().and_then(|call| calls.get(call)).map(|call| call.name),
        }
    }
}

impl Machine for ThisMachine {
    #[inline]
    fn now(&self) -> Moment {
        now()
    }

    #[inline]
    fn wall(&self) -> WallTime {
        wall_now()
    }

    /// Returns the difference of the two clocks: Linux counts suspended time in `CLOCK_BOOTTIME` and not in
    /// `CLOCK_MONOTONIC`.
    fn suspended(&self) -> Nanos {
        let Some(boot) = Time::<Boot>::now() else { return Nanos::ZERO };
        clock_offset(now, || Time::<Boot>::now().unwrap_or(boot)).0
    }

    fn sleep_until(&self, deadline: Moment) {
        let sleep = |call: usize, deadline: Moment| wait::CALLS[call].until(deadline.as_nanos());
        CHOICE.sleep_until(self, wait::CALLS.len(), sleep, deadline);
    }

    fn sleep_until_tight(&self, deadline: Moment) {
        wait::with_least_slack(|| self.sleep_until(deadline));
    }

    /// Sleeps with the shortest time slice that Linux (6.12 and later) gives a thread without privileges.
    fn sleep_until_among_busy(&self, deadline: Moment) {
        wait::with_short_slice(|| self.sleep_until_tight(deadline));
    }

    #[inline]
    fn pause(&self) {
        wait::pause();
    }

    /// Pauses until shortly before the deadline, then reads the clock without pauses, because a pause there would add
    /// half its length to every lateness. Where the processor can be told how long to rest ([`wait::PauseKind`]), it
    /// rests for most of the remaining time. It reads the clock twice between two pauses, because a host may take the
    /// processor away after many pauses close together ([`wait::pause`]).
    ///
    /// Reads the system's clock, not the counter: a pause takes longer than either, and the wait must end on time on
    /// the clock that the deadline was read from, even while that clock is slewed.
    fn spin_until(&self, deadline: Moment) -> Moment {
        let pausing = wait::Pausing::here();
        let shortly_before = deadline.saturating_sub(LAST_STRETCH);
        loop {
            let rest = shortly_before.saturating_since(now());
            if rest <= Nanos::ZERO {
                break;
            }
            pausing.pause_for(rest);
            if now() >= shortly_before {
                break;
            }
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
