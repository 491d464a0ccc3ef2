//! Mach, the base of macOS: its time, its clock services, its ports.

use crate::refusal::Refusal;
use crate::units::Nanos;
use std::sync::OnceLock;

/// Success. This and the next two are `KERN_SUCCESS`, `KERN_ABORTED`, `KERN_OPERATION_TIMED_OUT`,
/// `<mach/kern_return.h>`.
pub const SUCCESS: i32 = 0;
/// A wait that was aborted.
pub const ABORTED: i32 = 14;
/// A wait whose time has passed.
pub const OPERATION_TIMED_OUT: i32 = 49;

/// `mach_timespec_t`, `<mach/clock_types.h>`: unsigned seconds, and nanoseconds below 10⁹.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timespec {
    /// Whole seconds.
    pub seconds: u32,
    /// Nanoseconds of the second, below 10⁹.
    pub nanoseconds: i32,
}

unsafe extern "C" {
    /// Port of this task: `mach_task_self()` reads it, and it is never released.
    static mach_task_self_: u32;
    fn mach_wait_until(deadline: u64) -> i32;
    /// Adds a right to the host's port at every call.
    fn mach_host_self() -> u32;
    fn mach_port_deallocate(task: u32, name: u32) -> i32;
    fn host_get_clock_service(host: u32, clock: i32, service: *mut u32) -> i32;
    fn clock_get_time(service: u32, time: *mut Timespec) -> i32;
    fn clock_sleep(service: u32, kind: i32, time: Timespec, woke: *mut Timespec) -> i32;
}

/// Returns nanoseconds per tick as a fraction: 1/1 on Intel, 125/3 on Apple silicon. Read once.
#[allow(deprecated)] // the `mach2` crate would be a dependency for one structure
pub fn timebase() -> (u32, u32) {
    static TIMEBASE: OnceLock<(u32, u32)> = OnceLock::new();
    *TIMEBASE.get_or_init(|| {
        let mut info = libc::mach_timebase_info { numer: 0, denom: 0 };
        // SAFETY: the call fills the structure, which outlives it.
        unsafe { libc::mach_timebase_info(&raw mut info) };
        (info.numer.max(1), info.denom.max(1))
    })
}

/// Converts a time to ticks, rounded up. A deadline on `CLOCK_UPTIME_RAW`, which is `mach_absolute_time` in
/// nanoseconds, converts without an offset.
pub fn to_ticks(time: Nanos) -> u64 {
    let (numerator, denominator) = timebase();
    let ns = u128::try_from(time.get()).unwrap_or(0);
    let ticks = (ns * u128::from(denominator)).div_ceil(u128::from(numerator));
    u64::try_from(ticks).unwrap_or(u64::MAX)
}

/// Converts ticks to a time, rounded down.
pub fn nanos(ticks: u32) -> Nanos {
    let (numerator, denominator) = timebase();
    let ns = u128::from(ticks) * u128::from(numerator) / u128::from(denominator);
    Nanos::new(i64::try_from(ns).unwrap_or(i64::MAX))
}

/// Waits until `mach_absolute_time` reaches a number of ticks; returns at once if it has passed.
#[inline]
pub fn wait_until(deadline: u64) -> i32 {
    // SAFETY: takes no pointer.
    unsafe { mach_wait_until(deadline) }
}

/// Maximum seconds of a wait, 68 years: the kernel adds the current time to them in 32 bits, and a sum
/// that overflows would lie in the past (`osfmk/kern/clock_oldops.c`, `check_time`).
const MOST: u32 = i32::MAX as u32;

/// Returns a duration as a Mach structure: at most 68 years.
pub fn timespec(duration: Nanos) -> Timespec {
    let ns = duration.get().max(0);
    match u32::try_from(ns / 1_000_000_000) {
        Ok(seconds) if seconds < MOST => {
            Timespec { seconds, nanoseconds: i32::try_from(ns % 1_000_000_000).unwrap_or(0) }
        }
        _ => Timespec { seconds: MOST, nanoseconds: 0 },
    }
}

/// Returns this task's port.
pub fn task() -> u32 {
    // SAFETY: set before the program starts, and never changed.
    unsafe { mach_task_self_ }
}

/// Returns the refusal for a call that failed.
pub fn refused(call: &str, error: i32) -> Refusal {
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
pub struct ClockService(u32);

impl ClockService {
    /// Returns the clock of elapsed time, which stops while the machine sleeps.
    pub fn system() -> Result<Self, Refusal> {
        Self::get(SYSTEM_CLOCK)
    }

    /// Returns the wall clock.
    pub fn calendar() -> Result<Self, Refusal> {
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
    pub fn now(&self) -> Nanos {
        let mut time = Timespec::default();
        // SAFETY: the port is ours; the call writes the time.
        unsafe { clock_get_time(self.0, &raw mut time) };
        Nanos::new(i64::from(time.seconds) * 1_000_000_000 + i64::from(time.nanoseconds))
    }

    /// Sleeps for a duration and returns Mach's result.
    #[inline]
    pub fn sleep(&self, duration: Timespec) -> i32 {
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
