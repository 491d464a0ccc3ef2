//! Mach, the base of macOS: its clock services and its ports, beside the time and the wait of `oversleep-sys`.

pub(crate) use oversleep_sys::mach::{SUCCESS, nanos, timebase, to_ticks, wait_until};

use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::sync::OnceLock;

/// A wait that was aborted. This and the next are `KERN_ABORTED`, `KERN_OPERATION_TIMED_OUT`, `<mach/kern_return.h>`.
pub(crate) const ABORTED: i32 = 14;
/// A wait whose time has passed.
pub(crate) const OPERATION_TIMED_OUT: i32 = 49;

/// `mach_timespec_t`, `<mach/clock_types.h>`: unsigned seconds, and nanoseconds below 10⁹.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Timespec {
    /// Whole seconds.
    pub(crate) seconds: u32,
    /// Nanoseconds of the second, below 10⁹.
    pub(crate) nanoseconds: i32,
}

unsafe extern "C" {
    /// Port of this task: `mach_task_self()` reads it, and it is never released.
    static mach_task_self_: u32;
    /// Adds a right to the host's port at every call.
    fn mach_host_self() -> u32;
    fn mach_port_deallocate(task: u32, name: u32) -> i32;
    fn host_get_clock_service(host: u32, clock: i32, service: *mut u32) -> i32;
    fn clock_get_time(service: u32, time: *mut Timespec) -> i32;
    fn clock_sleep(service: u32, kind: i32, time: Timespec, woke: *mut Timespec) -> i32;
}

/// Maximum seconds of a wait, 68 years: the kernel adds the current time to them in 32 bits, and a sum
/// that overflows would lie in the past (`osfmk/kern/clock_oldops.c`, `check_time`).
const MOST: u32 = i32::MAX as u32;

/// Returns a duration as a Mach structure: at most 68 years.
pub(crate) fn timespec(duration: Nanos) -> Timespec {
    let ns = duration.get().max(0);
    match u32::try_from(ns / 1_000_000_000) {
        Ok(seconds) if seconds < MOST => {
            Timespec { seconds, nanoseconds: i32::try_from(ns % 1_000_000_000).unwrap_or(0) }
        }
        _ => Timespec { seconds: MOST, nanoseconds: 0 },
    }
}

/// Returns this task's port.
pub(crate) fn task() -> u32 {
    // SAFETY: set before the program starts, and never changed.
    unsafe { mach_task_self_ }
}

/// Returns the refusal for a call that failed.
pub(crate) fn refused(call: &str, error: i32) -> Refusal {
    // KERN_NO_ACCESS and KERN_PROTECTION_FAILURE; KERN_NOT_SUPPORTED.
    match error {
        8 | 2 => Refusal::Forbidden(format!("{call} answered {error}")),
        46 => Refusal::Unavailable(format!("{call} answered {error}")),
        _ => Refusal::Failed(format!("{call} answered {error}")),
    }
}

/// `SYSTEM_CLOCK`, `CALENDAR_CLOCK` and `TIME_RELATIVE`, `<mach/clock_types.h>`.
const SYSTEM_CLOCK: i32 = 0;
const CALENDAR_CLOCK: i32 = 1;
const TIME_RELATIVE: i32 = 1;

/// The port of a clock service, released when dropped.
pub(crate) struct ClockService(u32);

impl ClockService {
    /// Returns the clock of elapsed time, which stops while the machine sleeps.
    pub(crate) fn system() -> Result<Self, Refusal> {
        Self::get(SYSTEM_CLOCK)
    }

    /// Returns the wall clock.
    pub(crate) fn calendar() -> Result<Self, Refusal> {
        Self::get(CALENDAR_CLOCK)
    }

    fn get(clock: i32) -> Result<Self, Refusal> {
        // One right to the host's port for the whole process, because each call would add another.
        static HOST: OnceLock<u32> = OnceLock::new();
        // SAFETY: takes nothing.
        let host = *HOST.get_or_init(|| unsafe { mach_host_self() });
        let mut service = 0;
        // SAFETY: the call writes the port, with one right to it.
        match unsafe { host_get_clock_service(host, clock, &raw mut service) } {
            SUCCESS => Ok(Self(service)),
            error => Err(refused("host_get_clock_service", error)),
        }
    }

    /// Returns the clock's time; zero if the service does not answer.
    #[inline]
    pub(crate) fn now(&self) -> Nanos {
        let mut time = Timespec::default();
        // SAFETY: the port is ours; the call writes the time.
        unsafe { clock_get_time(self.0, &raw mut time) };
        Nanos::new(i64::from(time.seconds) * 1_000_000_000 + i64::from(time.nanoseconds))
    }

    /// Sleeps for a duration and returns Mach's result.
    #[inline]
    pub(crate) fn sleep(&self, duration: Timespec) -> i32 {
        let mut woke = Timespec::default();
        // SAFETY: the port is ours; the call writes the time of waking.
        unsafe { clock_sleep(self.0, TIME_RELATIVE, duration, &raw mut woke) }
    }
}

impl Drop for ClockService {
    fn drop(&mut self) {
        // SAFETY: the right that `get` received, released once.
        unsafe { mach_port_deallocate(task(), self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_become_seconds_and_nanoseconds_and_saturate() {
        assert_eq!(timespec(Nanos::new(1_000_000_001)), Timespec { seconds: 1, nanoseconds: 1 });
        assert_eq!(timespec(Nanos::new(-1)), Timespec::default());
        assert_eq!(timespec(Nanos::MAX), Timespec { seconds: MOST, nanoseconds: 0 });
    }
}
