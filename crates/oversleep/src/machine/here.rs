//! The machine the program runs on.

use super::Machine;
use crate::Nanos;
use crate::clock::CounterClock;
use oversleep_os::catalog::TimerClock;
use oversleep_os::{clock, wait};

/// Longer than a pause, a reading and the usual difference of the two clocks together.
const LAST_STRETCH: Nanos = Nanos::new(150);

/// The machine the program runs on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Here;

impl Machine for Here {
    #[inline]
    fn now(&self) -> Nanos {
        clock::monotonic()
    }

    #[inline]
    fn wall(&self) -> Nanos {
        clock::realtime()
    }

    /// Linux counts suspended time in `CLOCK_BOOTTIME` and not in `CLOCK_MONOTONIC`: the difference is what was
    /// slept through, to within the time between the two reads.
    fn suspended(&self) -> Nanos {
        let Some(boottime) = clock::Reader::of(TimerClock::Boottime) else { return Nanos::ZERO };
        boottime.now().saturating_sub(clock::monotonic())
    }

    fn sleep_until(&self, deadline: Nanos) {
        wait::until(deadline);
    }

    fn sleep_until_tight(&self, deadline: Nanos) {
        wait::with_least_slack(|| wait::until(deadline));
    }

    #[inline]
    fn pause(&self) {
        wait::pause();
    }

    /// Pauses on the counter clock, which is the cheaper to read, until shortly before the deadline; then reads the
    /// system's clock without pauses. The two may differ by tens of nanoseconds, and a wait is never early on the
    /// system's; a pause there would add half its length to every lateness.
    ///
    /// Where the processor can be told how long to rest ([`wait::Way`]), it rests for most of what is left.
    fn spin_until(&self, deadline: Nanos) -> Nanos {
        let counter = CounterClock::shared();
        let pausing = wait::Pausing::here();
        let shortly_before = deadline.saturating_sub(LAST_STRETCH);
        loop {
            let rest = shortly_before.saturating_sub(counter.now());
            if rest <= Nanos::ZERO {
                break;
            }
            pausing.pause_for(rest);
        }
        loop {
            let now = clock::monotonic();
            if now >= deadline {
                return now;
            }
        }
    }

    fn is_real_time(&self) -> bool {
        wait::is_real_time()
    }

    fn processor_time(&self) -> Option<Nanos> {
        wait::processor_time()
    }
}
