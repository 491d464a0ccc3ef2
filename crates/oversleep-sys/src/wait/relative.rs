//! Relative sleeps, for clocks without absolute ones: the clock is read again after each.

use crate::clock::Reader;
use crate::clock::TimerClock;
use crate::posix::timespec;
use crate::units::Nanos;
use std::{io, ptr};

/// The longest single sleep on a clock whose steps the timer does not follow.
const LOOK_AGAIN: Nanos = Nanos::SECOND;

#[cfg(target_os = "openbsd")]
pub(super) fn monotonic(deadline: Nanos) {
    sleep(deadline.saturating_sub(crate::clock::monotonic()));
}

pub(super) fn on(_timer: TimerClock, reader: Reader, deadline: Nanos) {
    sleep(deadline.saturating_sub(reader.now()).min(LOOK_AGAIN));
}

fn sleep(duration: Nanos) {
    let request = timespec(duration);
    // SAFETY: the request outlives the call; a null remainder is allowed. A signal ends it early, and the caller reads
    // the clock again.
    let answer = unsafe { libc::nanosleep(&raw const request, ptr::null_mut()) };
    if answer != 0 && io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
        super::denied::let_a_millisecond_pass();
    }
}
