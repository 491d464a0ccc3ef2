//! Absolute sleeps: `clock_nanosleep` until a time.

use crate::clock::Reader;
use crate::clock::TimerClock;
use crate::posix::{clock_nanosleep, timespec};
use crate::units::Nanos;

/// Makes one absolute sleep; only a signal ends it before the deadline.
pub(super) fn monotonic(deadline: Nanos) {
    sleep(libc::CLOCK_MONOTONIC, deadline);
}

pub(super) fn on(timer: TimerClock, reader: Reader, deadline: Nanos) {
    match timer {
        TimerClock::Monotonic => monotonic(deadline),
        TimerClock::Realtime => sleep(libc::CLOCK_REALTIME, deadline),
        #[cfg(any(target_os = "linux", target_os = "android"))]
        TimerClock::Boottime => sleep(libc::CLOCK_BOOTTIME, deadline),
        // CLOCK_TAI may be missing, in a time namespace or an old kernel; relative sleeps are then used instead.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        TimerClock::Tai if !sleep_or_refuse(libc::CLOCK_TAI, deadline) => super::relative::on(timer, reader, deadline),
        #[cfg(any(target_os = "linux", target_os = "android"))]
        TimerClock::Tai => {}
        _ => super::relative::on(timer, reader, deadline),
    }
}

fn sleep(clock: libc::clockid_t, deadline: Nanos) {
    if !sleep_or_refuse(clock, deadline) {
        super::denied::let_a_millisecond_pass();
    }
}

/// Sleeps; returns `false` if the system refused the call.
fn sleep_or_refuse(clock: libc::clockid_t, deadline: Nanos) -> bool {
    matches!(clock_nanosleep::until(clock, &timespec(deadline)), 0 | libc::EINTR)
}
