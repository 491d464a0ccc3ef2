//! Clocks that only Linux has.

use super::gettime::{Gettime, nanos};
use crate::clock::entry::{Clock, ClockEntry};
use oversleep_recording::catalog::ClockId;
use oversleep_sys::Refusal;
use oversleep_sys::units::{Hertz, Nanos};

pub(super) static ENTRIES: &[ClockEntry] = &[
    ClockEntry::new::<Gettime<{ libc::CLOCK_MONOTONIC_RAW }>>(ClockId::MonotonicRaw),
    ClockEntry::new::<Gettime<{ libc::CLOCK_MONOTONIC_COARSE }>>(ClockId::MonotonicCoarse),
    ClockEntry::new::<Gettime<{ libc::CLOCK_REALTIME_COARSE }>>(ClockId::RealtimeCoarse),
    ClockEntry::new::<Gettime<{ libc::CLOCK_BOOTTIME }>>(ClockId::Boottime),
    ClockEntry::new::<Gettime<{ libc::CLOCK_TAI }>>(ClockId::Tai),
    ClockEntry::new::<Syscall>(ClockId::MonotonicSyscall),
];

type Vdso = Gettime<{ libc::CLOCK_MONOTONIC }>;

/// The monotonic clock, read with a real system call.
struct Syscall;

impl Clock for Syscall {
    #[inline]
    fn read() -> i64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the kernel writes the structure, whose layout is the kernel's on 64-bit systems. Where the call is
        // denied (seccomp) the time stays zero; `rate` has checked for that.
        unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_MONOTONIC, &raw mut time) };
        nanos(time)
    }

    fn rate() -> Result<Hertz, Refusal> {
        if cfg!(target_pointer_width = "32") {
            return Err(Refusal::Unavailable(
                "the call's structure is not the C library's on 32-bit systems".to_owned(),
            ));
        }
        match Self::read() {
            0 => Err(Refusal::last_os("clock_gettime")),
            _ => Vdso::rate(),
        }
    }

    fn claimed() -> Option<Nanos> {
        Vdso::claimed()
    }
}
