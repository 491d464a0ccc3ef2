//! The standard library's monotonic clock, counted from this program's start: `Instant` gives only differences.

use std::time::Instant;

/// A clock that counts from when it was made.
#[derive(Clone, Copy)]
pub(crate) struct Clock(Instant);

impl Clock {
    /// Returns a clock whose zero is now.
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }

    /// Returns nanoseconds since the zero.
    pub(crate) fn now(self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Returns the least difference of 200 readings in a row, in nanoseconds: the protocol's `cost_ns`.
    pub(crate) fn cost(self) -> u64 {
        let readings: Vec<u64> = (0..200).map(|_| self.now()).collect();
        readings.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(0)
    }
}
