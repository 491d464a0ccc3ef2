//! Clocks of macOS in addition to POSIX.

use super::gettime::Gettime;
use crate::clock::entry::{Clock, ClockEntry, nanoseconds};
use crate::mach::{self, ClockService};
use oversleep_recording::catalog::ClockId;
use oversleep_sys::Refusal;
use oversleep_sys::units::Hertz;

pub(super) static ENTRIES: &[ClockEntry] = &[
    ClockEntry::new::<Gettime<{ libc::CLOCK_UPTIME_RAW }>>(ClockId::UptimeRaw),
    ClockEntry::new::<Gettime<{ libc::CLOCK_MONOTONIC_RAW }>>(ClockId::MonotonicRaw),
    ClockEntry::new::<Gettime<{ libc::CLOCK_MONOTONIC_RAW_APPROX }>>(ClockId::MonotonicRawApprox),
    ClockEntry::new::<Absolute>(ClockId::MachAbsoluteTime),
    ClockEntry::new::<Continuous>(ClockId::MachContinuousTime),
    ClockEntry::new::<Nsec>(ClockId::UptimeRawNsec),
    ClockEntry::new::<Service<false>>(ClockId::ClockGetTime),
    ClockEntry::new::<Service<true>>(ClockId::ClockGetTimeCalendar),
];

unsafe extern "C" {
    fn mach_continuous_time() -> u64;
    fn clock_gettime_nsec_np(clock: libc::clockid_t) -> u64;
}

struct Absolute;

impl Clock for Absolute {
    #[inline]
    #[allow(deprecated)] // libc points to the mach2 crate, which would be one dependency for one call
    fn read() -> i64 {
        // SAFETY: takes nothing and keeps nothing.
        let ticks = unsafe { libc::mach_absolute_time() };
        ticks as i64
    }

    fn rate() -> Result<Hertz, Refusal> {
        timebase()
    }
}

struct Continuous;

impl Clock for Continuous {
    #[inline]
    fn read() -> i64 {
        // SAFETY: takes nothing and keeps nothing; macOS 10.12 or later.
        let ticks = unsafe { mach_continuous_time() };
        ticks as i64
    }

    fn rate() -> Result<Hertz, Refusal> {
        timebase()
    }
}

/// The same clock, read as a number of nanoseconds without a structure (macOS 10.12).
struct Nsec;

impl Clock for Nsec {
    #[inline]
    fn read() -> i64 {
        // SAFETY: takes a number and keeps nothing.
        let ns = unsafe { clock_gettime_nsec_np(libc::CLOCK_UPTIME_RAW) };
        ns as i64
    }
}

/// The Mach clock service by its three calls at every reading, as published programs made them: get its port, read it,
/// release the port. `CALENDAR` selects the wall clock.
struct Service<const CALENDAR: bool>;

impl<const CALENDAR: bool> Service<CALENDAR> {
    fn get() -> Result<ClockService, Refusal> {
        if CALENDAR { ClockService::calendar() } else { ClockService::system() }
    }
}

impl<const CALENDAR: bool> Clock for Service<CALENDAR> {
    fn read() -> i64 {
        Self::get().map_or(0, |service| service.now().get())
    }

    fn rate() -> Result<Hertz, Refusal> {
        Self::get().and_then(|_| nanoseconds())
    }
}

/// Returns the rate, from the kernel's nanoseconds per tick as a fraction: 1/1 on Intel, 125/3 on Apple silicon.
fn timebase() -> Result<Hertz, Refusal> {
    let (numerator, denominator) = mach::timebase();
    Hertz::new(u64::from(denominator) * 1_000_000_000, u64::from(numerator))
        .ok_or_else(|| Refusal::Failed("mach_timebase_info gave no rate".to_owned()))
}
