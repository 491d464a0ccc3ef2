//! POSIX clocks, wherever the system has them.

use super::gettime::Gettime;
use crate::clock::entry::{Clock, ClockEntry, per_second};
use oversleep_recording::catalog::ClockId;
use oversleep_sys::Refusal;
use oversleep_sys::units::Hertz;
use std::mem::MaybeUninit;
use std::ptr;

pub(super) static ENTRIES: &[ClockEntry] = &[
    ClockEntry::new::<Gettime<{ libc::CLOCK_MONOTONIC }>>(ClockId::Monotonic),
    ClockEntry::new::<Gettime<{ libc::CLOCK_REALTIME }>>(ClockId::Realtime),
    ClockEntry::new::<Gettime<{ libc::CLOCK_THREAD_CPUTIME_ID }>>(ClockId::ThreadCputime),
    ClockEntry::new::<Gettime<{ libc::CLOCK_PROCESS_CPUTIME_ID }>>(ClockId::ProcessCputime),
    ClockEntry::new::<Gettimeofday>(ClockId::Gettimeofday),
    ClockEntry::new::<Time>(ClockId::Time),
    ClockEntry::new::<Times>(ClockId::Times),
    #[cfg(any(target_os = "linux", target_os = "macos", target_os = "illumos"))]
    ClockEntry::new::<ProcessClock>(ClockId::Clock),
];

struct Gettimeofday;

impl Clock for Gettimeofday {
    #[inline]
    fn read() -> i64 {
        let mut time = MaybeUninit::<libc::timeval>::uninit();
        // SAFETY: the system writes the structure and cannot fail; a null time zone is allowed.
        unsafe { libc::gettimeofday(time.as_mut_ptr(), ptr::null_mut()) };
        // SAFETY: written by the call above.
        let time = unsafe { time.assume_init() };
        i64::from(time.tv_sec) * 1_000_000 + i64::from(time.tv_usec)
    }

    fn rate() -> Result<Hertz, Refusal> {
        per_second(1_000_000)
    }
}

struct Time;

impl Clock for Time {
    #[inline]
    fn read() -> i64 {
        // SAFETY: a null pointer is allowed: the time is only returned.
        let seconds = unsafe { libc::time(ptr::null_mut()) };
        i64::from(seconds)
    }

    fn rate() -> Result<Hertz, Refusal> {
        per_second(1)
    }
}

/// The return value of `times(2)`: ticks since some point in the past.
struct Times;

impl Clock for Times {
    #[inline]
    #[allow(clippy::cast_possible_wrap, clippy::cast_lossless)] // `clock_t` differs in width and sign
    fn read() -> i64 {
        let mut times = MaybeUninit::<libc::tms>::uninit();
        // SAFETY: the system writes the structure, which is not read here.
        let ticks = unsafe { libc::times(times.as_mut_ptr()) };
        ticks as i64
    }

    fn rate() -> Result<Hertz, Refusal> {
        // SAFETY: a pure query.
        let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        per_second(u64::try_from(ticks).unwrap_or(0))
    }
}

/// `clock(3)`, where the C library has the million ticks a second that XSI requires. The BSDs count 100 or 128.
#[cfg(any(target_os = "linux", target_os = "macos", target_os = "illumos"))]
struct ProcessClock;

#[cfg(any(target_os = "linux", target_os = "macos", target_os = "illumos"))]
impl Clock for ProcessClock {
    #[inline]
    #[allow(clippy::cast_possible_wrap, clippy::cast_lossless)] // `clock_t` differs in width and sign
    fn read() -> i64 {
        unsafe extern "C" {
            fn clock() -> libc::clock_t;
        }
        // SAFETY: takes nothing and keeps nothing.
        let ticks = unsafe { clock() };
        ticks as i64
    }

    fn rate() -> Result<Hertz, Refusal> {
        per_second(1_000_000)
    }
}
