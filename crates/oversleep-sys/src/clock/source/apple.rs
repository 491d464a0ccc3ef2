//! Clocks of macOS beyond POSIX. The deprecated Mach clock service has rows and no code.

use super::gettime::Gettime;
use crate::clock::ClockId;
use crate::clock::entry::{Clock, Entry};
use crate::refusal::Refusal;
use crate::units::Hertz;

pub(super) static ENTRIES: &[Entry] = &[
    Entry::of::<Gettime<{ libc::CLOCK_UPTIME_RAW }>>(ClockId::UptimeRaw),
    Entry::of::<Gettime<{ libc::CLOCK_MONOTONIC_RAW }>>(ClockId::MonotonicRaw),
    Entry::of::<Gettime<{ libc::CLOCK_MONOTONIC_RAW_APPROX }>>(ClockId::MonotonicRawApprox),
    Entry::of::<Absolute>(ClockId::MachAbsoluteTime),
    Entry::of::<Continuous>(ClockId::MachContinuousTime),
];

unsafe extern "C" {
    fn mach_continuous_time() -> u64;
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

/// The kernel states nanoseconds per tick as a fraction: 1/1 on Intel, 125/3 on Apple silicon.
#[allow(deprecated)]
fn timebase() -> Result<Hertz, Refusal> {
    let mut info = libc::mach_timebase_info { numer: 0, denom: 0 };
    // SAFETY: the kernel writes the structure.
    let answer = unsafe { libc::mach_timebase_info(&raw mut info) };
    let rate = Hertz::new(u64::from(info.denom) * 1_000_000_000, u64::from(info.numer));
    rate.filter(|_| answer == 0).ok_or_else(|| Refusal::Failed(format!("mach_timebase_info answered {answer}")))
}
