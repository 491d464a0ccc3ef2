//! Clocks of Unix systems: `clock_gettime`.

use crate::clock::TimerClock;
use crate::units::Nanos;
use std::mem::MaybeUninit;

pub(super) type Reader = libc::clockid_t;

#[inline]
pub(super) fn monotonic() -> Nanos {
    now(MONOTONIC)
}

#[inline]
pub(super) fn realtime() -> Nanos {
    now(libc::CLOCK_REALTIME)
}

/// Apple: `CLOCK_MONOTONIC` there counts through suspend and reads in microseconds; the clock its timers run on
/// is `CLOCK_UPTIME_RAW` (`clock_gettime(3)`, macOS 10.12).
#[cfg(target_vendor = "apple")]
const MONOTONIC: libc::clockid_t = libc::CLOCK_UPTIME_RAW;
#[cfg(not(target_vendor = "apple"))]
const MONOTONIC: libc::clockid_t = libc::CLOCK_MONOTONIC;

#[inline]
pub(super) fn now(clock: Reader) -> Nanos {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the kernel writes the whole structure when it returns 0, and the clocks passed here were found to
    // exist (`reader`) or are required by POSIX.
    let answer = unsafe { libc::clock_gettime(clock, time.as_mut_ptr()) };
    debug_assert_eq!(answer, 0);
    // SAFETY: written by the call above.
    let time = unsafe { time.assume_init() };
    Nanos::new(i64::from(time.tv_sec) * 1_000_000_000 + i64::from(time.tv_nsec))
}

/// Returns the step of the clock. Linux reads its counter to the nanosecond, whatever it claims: `clock_getres` there
/// returns the resolution of timers.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn monotonic_step() -> Nanos {
    Nanos::new(1)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn monotonic_step() -> Nanos {
    resolution(MONOTONIC).unwrap_or_default().max(Nanos::new(1))
}

/// Returns the thread's processor time. Linux, macOS, FreeBSD and illumos count it at each switch with a fine clock.
/// Where it is counted in ticks, short periods read as zero.
#[allow(clippy::unnecessary_wraps)] // Windows answers `None`
pub(super) fn thread_processor_time() -> Option<Nanos> {
    Some(now(libc::CLOCK_THREAD_CPUTIME_ID))
}

/// Returns the resolution that the system claims (`clock_getres`); `None` where it lacks the clock.
pub fn resolution(clock: libc::clockid_t) -> Option<Nanos> {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the system writes the structure or returns an error.
    if unsafe { libc::clock_getres(clock, time.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: written by the call above, which returned 0.
    let time = unsafe { time.assume_init() };
    Some(Nanos::new(i64::from(time.tv_sec) * 1_000_000_000 + i64::from(time.tv_nsec)))
}

pub(super) fn reader(clock: TimerClock) -> Option<Reader> {
    let id = match clock {
        TimerClock::Monotonic | TimerClock::Tick | TimerClock::Counter | TimerClock::None => MONOTONIC,
        TimerClock::Realtime => libc::CLOCK_REALTIME,
        #[cfg(any(target_os = "linux", target_os = "android"))]
        TimerClock::Boottime => libc::CLOCK_BOOTTIME,
        #[cfg(any(target_os = "linux", target_os = "android"))]
        TimerClock::Tai => libc::CLOCK_TAI,
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        TimerClock::Boottime | TimerClock::Tai => return None,
    };
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the kernel writes the structure or returns an error.
    let answer = unsafe { libc::clock_gettime(id, time.as_mut_ptr()) };
    (answer == 0).then_some(id)
}
