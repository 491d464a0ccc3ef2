//! `clock_nanosleep` until a time.

use crate::catalog::TimerClock;
use crate::clock::Reader;
use crate::method::posix::timespec::timespec;
use crate::units::Nanos;
use std::ptr;

/// One absolute sleep; ends before the deadline only by a signal.
pub(super) fn monotonic(deadline: Nanos) {
    sleep(libc::CLOCK_MONOTONIC, deadline);
}

pub(super) fn on(timer: TimerClock, reader: Reader, deadline: Nanos) {
    match timer {
        TimerClock::Realtime => sleep(libc::CLOCK_REALTIME, deadline),
        #[cfg(target_os = "linux")]
        TimerClock::Boottime => sleep(libc::CLOCK_BOOTTIME, deadline),
        // Linux has refused CLOCK_TAI since a time namespace or an old kernel may lack it; `sleep` falls back.
        #[cfg(target_os = "linux")]
        TimerClock::Tai if !sleep_or_refuse(libc::CLOCK_TAI, deadline) => super::relative::on(timer, reader, deadline),
        #[cfg(target_os = "linux")]
        TimerClock::Tai => {}
        _ => super::relative::on(timer, reader, deadline),
    }
}

fn sleep(clock: libc::clockid_t, deadline: Nanos) {
    if !sleep_or_refuse(clock, deadline) {
        // A sandbox can deny the call (`EPERM` or `ENOSYS` from a seccomp filter): wait all the same.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// `false` if the system would not make the call at all.
fn sleep_or_refuse(clock: libc::clockid_t, deadline: Nanos) -> bool {
    matches!(call(clock, &timespec(deadline)), 0 | libc::EINTR)
}

/// The system call itself, which answers its error, 0 for none. glibc's function of this name is a cancellation point:
/// `pthread_cancel` would unwind through its callers, which the border to C cannot let through and ends the process for.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
fn call(clock: libc::clockid_t, deadline: &libc::timespec) -> i32 {
    let no_remainder = ptr::null_mut::<libc::timespec>();
    let flags = libc::TIMER_ABSTIME;
    // SAFETY: the arguments of `clock_nanosleep(2)`, whose structure has this layout where pointers have 64 bits; the
    // deadline outlives the call, and no remainder is written for an absolute wait.
    let answer =
        unsafe { libc::syscall(libc::SYS_clock_nanosleep, clock, flags, std::ptr::from_ref(deadline), no_remainder) };
    if answer == 0 { 0 } else { std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL) }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64", not(miri))))]
fn call(clock: libc::clockid_t, deadline: &libc::timespec) -> i32 {
    // SAFETY: the deadline outlives the call; no remainder is written for an absolute wait.
    unsafe { libc::clock_nanosleep(clock, libc::TIMER_ABSTIME, std::ptr::from_ref(deadline), ptr::null_mut()) }
}
