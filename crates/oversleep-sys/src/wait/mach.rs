//! `mach_wait_until`, macOS' one absolute sleep (Technical Note TN2169).

use crate::clock::TimerClock;
use crate::clock::{self, Reader};
use crate::mach;
use crate::units::Nanos;

/// Returns early only by an abort of the thread's wait.
pub(super) fn monotonic(deadline: Nanos) {
    mach::wait_until(mach::ticks(deadline));
}

/// Waits once, shortly: macOS has no absolute sleep on the wall clock: one short wait, and the caller looks at the
/// clock again.
pub(super) fn on(_timer: TimerClock, reader: Reader, deadline: Nanos) {
    let rest = deadline.saturating_sub(reader.now()).min(Nanos::SECOND);
    monotonic(clock::monotonic().saturating_add(rest));
}
