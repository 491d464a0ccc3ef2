//! What one reading costs, as the OS X article measured it: many calls in a loop.

use oversleep_sys::clock::{self, Probe};
use oversleep_sys::units::Nanos;

/// A loop of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Calls made.
    pub calls: u64,
    /// Time for all of them.
    pub total: Nanos,
}

impl Cost {
    /// Nanoseconds per call.
    pub fn per_call(&self) -> f64 {
        self.total.as_f64() / self.calls.max(1) as f64
    }
}

/// Times a loop of `calls`. Only the loop: one call beforehand brings code and data near.
pub(super) fn time(probe: &Probe, calls: u64) -> Cost {
    probe.repeat(1);
    let start = clock::monotonic();
    probe.repeat(calls);
    Cost { calls, total: clock::monotonic() - start }
}
