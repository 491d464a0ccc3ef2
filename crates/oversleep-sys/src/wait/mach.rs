//! `mach_wait_until`, the only absolute sleep of macOS (Technical Note TN2169).

use crate::clock::TimerClock;
use crate::clock::{self, Reader};
use crate::mach;
use crate::units::Nanos;

/// Sleeps until the deadline; only an abort of the thread's wait ends it early.
pub(super) fn monotonic(deadline: Nanos) {
    mach::wait_until(mach::to_ticks(deadline));
}

/// Makes one short wait, because macOS has no absolute sleep on the wall clock; the caller reads the
/// clock again.
pub(super) fn on(_timer: TimerClock, reader: Reader, deadline: Nanos) {
    let rest = deadline.saturating_sub(reader.now()).min(Nanos::SECOND);
    monotonic(clock::monotonic().saturating_add(rest));
}
