//! Clocks of Windows: `QueryPerformanceCounter` and `GetSystemTimePreciseAsFileTime`.

use crate::clock::TimerClock;
use crate::units::{Hertz, Nanos};
use std::sync::OnceLock;
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};
use windows_sys::Win32::System::SystemInformation::GetSystemTimePreciseAsFileTime;

#[derive(Debug, Clone, Copy)]
pub(super) enum Reader {
    Monotonic,
    Realtime,
}

/// Steps of 100 ns from 1601-01-01 to 1970-01-01 (the epochs of Windows and of Unix).
const EPOCHS_APART: i64 = 116_444_736_000_000_000;

#[inline]
pub(super) fn monotonic() -> Nanos {
    let mut ticks = 0;
    // SAFETY: the call writes one integer. It cannot fail on Windows XP or later.
    unsafe { QueryPerformanceCounter(&raw mut ticks) };
    let rate = frequency();
    // Windows 10 and later count at 10 MHz nearly everywhere: this avoids the 128-bit division.
    if rate.numerator() == 10_000_000 && rate.denominator() == 1 {
        return Nanos::new(ticks.saturating_mul(100));
    }
    Nanos::from_ticks(ticks, rate).unwrap_or(Nanos::MAX)
}

/// Returns `None`: `GetThreadTimes` counts in ticks of 15.6 ms, and `QueryThreadCycleTime` in cycles of an unknown
/// rate.
pub(super) fn thread_processor_time() -> Option<Nanos> {
    None
}

/// Returns the rate of `QueryPerformanceCounter`. Read once.
#[inline]
pub fn frequency() -> Hertz {
    static FREQUENCY: OnceLock<Hertz> = OnceLock::new();
    *FREQUENCY.get_or_init(|| {
        let mut per_second = 0;
        // SAFETY: the call writes one integer, fixed at boot.
        unsafe { QueryPerformanceFrequency(&raw mut per_second) };
        let per_second = u64::try_from(per_second).unwrap_or(0);
        Hertz::new(per_second, 1).expect("Windows promises a positive counter frequency since XP")
    })
}

/// Returns one count, rounded up: 100 ns where the counter runs at 10 MHz.
pub(super) fn monotonic_step() -> Nanos {
    let rate = frequency();
    let ns = (u128::from(rate.denominator()) * 1_000_000_000).div_ceil(u128::from(rate.numerator()));
    Nanos::new(i64::try_from(ns).unwrap_or(i64::MAX))
}

pub(super) fn realtime() -> Nanos {
    let mut time = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
    // SAFETY: the call writes the structure and cannot fail (Windows 8 or later).
    unsafe { GetSystemTimePreciseAsFileTime(&raw mut time) };
    Nanos::new(since_1970(time) * 100)
}

/// Returns the time since 1970 in steps of 100 ns.
#[inline]
pub fn since_1970(time: FILETIME) -> i64 {
    (i64::from(time.dwHighDateTime) << 32 | i64::from(time.dwLowDateTime)) - EPOCHS_APART
}

pub(super) fn reader(clock: TimerClock) -> Option<Reader> {
    match clock {
        TimerClock::Monotonic | TimerClock::Tick | TimerClock::Counter | TimerClock::None => Some(Reader::Monotonic),
        TimerClock::Realtime => Some(Reader::Realtime),
        TimerClock::Boottime | TimerClock::Tai => None,
    }
}

pub(super) fn now(reader: Reader) -> Nanos {
    match reader {
        Reader::Monotonic => monotonic(),
        Reader::Realtime => realtime(),
    }
}
