//! The two clocks that are compared, as a trait, so that tests can replace them.

use oversleep_sys::clock::{self, counter};

/// A counter and the system's clock.
pub(super) trait CounterAndClock {
    /// Reads the counter, after every earlier instruction.
    fn counter(&self) -> u64;
    /// Returns the time of the system's monotonic clock, in ns.
    fn system(&self) -> u64;
    /// Returns whether the system trusts the counter. Asked again each time, because the kernel may have stopped using
    /// it.
    fn counter_is_trusted(&self) -> bool;
    /// Returns the ID of this process, not 0.
    fn process(&self) -> u32;
}

/// The processor's counter, and the system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RealClocks;

impl CounterAndClock for RealClocks {
    #[inline]
    fn counter(&self) -> u64 {
        counter::ordered()
    }

    /// Returns 0 for a time before the clock's beginning, which no clock shows.
    fn system(&self) -> u64 {
        u64::try_from(clock::monotonic().get()).unwrap_or(0)
    }

    fn counter_is_trusted(&self) -> bool {
        counter::support().is_ok_and(|support| support.trusted())
    }

    fn process(&self) -> u32 {
        std::process::id()
    }
}
