//! Clocks of Windows 10 and later.

use crate::clock::entry::{Clock, ClockEntry, per_second};
use crate::procedure::procedure;
use oversleep_recording::catalog::ClockId;
use oversleep_sys::Refusal;
use oversleep_sys::clock::windows as base;
use oversleep_sys::units::{Hertz, Nanos};
use std::ffi::CStr;
use std::sync::OnceLock;
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Performance::QueryPerformanceCounter;
use windows_sys::Win32::System::SystemInformation::{
    GetSystemTimeAsFileTime, GetSystemTimePreciseAsFileTime, GetTickCount64,
};
use windows_sys::Win32::System::WindowsProgramming::QueryUnbiasedInterruptTime;

pub(super) static ENTRIES: &[ClockEntry] = &[
    ClockEntry::new::<Performance>(ClockId::QueryPerformanceCounter),
    ClockEntry::new::<Interrupt>(ClockId::QueryInterruptTime),
    ClockEntry::new::<InterruptPrecise>(ClockId::QueryInterruptTimePrecise),
    ClockEntry::new::<Unbiased>(ClockId::QueryUnbiasedInterruptTime),
    ClockEntry::new::<SystemPrecise>(ClockId::SystemTimePrecise),
    ClockEntry::new::<SystemCoarse>(ClockId::SystemTime),
    ClockEntry::new::<TickCount>(ClockId::GetTickCount64),
];

/// Windows counts time in units of 100 ns.
const PER_SECOND: u64 = 10_000_000;

struct Performance;

impl Clock for Performance {
    #[inline]
    fn read() -> i64 {
        let mut ticks = 0;
        // SAFETY: the call writes one integer. It cannot fail on Windows XP or later.
        unsafe { QueryPerformanceCounter(&raw mut ticks) };
        ticks
    }

    fn rate() -> Result<Hertz, Refusal> {
        Ok(base::frequency())
    }

    fn claimed() -> Option<Nanos> {
        Nanos::from_ticks(1, base::frequency())
    }
}

struct Unbiased;

impl Clock for Unbiased {
    #[inline]
    fn read() -> i64 {
        let mut time = 0_u64;
        // SAFETY: the call writes one integer.
        unsafe { QueryUnbiasedInterruptTime(&raw mut time) };
        time as i64
    }

    fn rate() -> Result<Hertz, Refusal> {
        per_second(PER_SECOND)
    }
}

/// A call that writes an unsigned count of 100 ns.
type WritesTime = unsafe extern "system" fn(*mut u64);

/// Looks up a call of Windows 10 and later, which Wine 8 lacks.
fn looked_up(name: &CStr) -> Option<WritesTime> {
    let call = procedure(c"kernelbase.dll", name)?;
    // SAFETY: `QueryInterruptTime` and `QueryInterruptTimePrecise` have this signature (realtimeapiset.h).
    Some(unsafe { std::mem::transmute::<unsafe extern "system" fn() -> isize, WritesTime>(call) })
}

macro_rules! interrupt_time {
    ($name:ident, $call:literal) => {
        struct $name;

        impl $name {
            #[inline]
            fn call() -> Option<WritesTime> {
                static CALL: OnceLock<Option<WritesTime>> = OnceLock::new();
                *CALL.get_or_init(|| looked_up($call))
            }
        }

        impl Clock for $name {
            #[inline]
            fn read() -> i64 {
                let mut time = 0_u64;
                if let Some(call) = Self::call() {
                    // SAFETY: the call writes one integer.
                    unsafe { call(&raw mut time) };
                }
                time as i64
            }

            fn rate() -> Result<Hertz, Refusal> {
                if Self::call().is_none() {
                    return Err(Refusal::Unavailable(format!("this system has no {}", $call.to_string_lossy())));
                }
                per_second(PER_SECOND)
            }
        }
    };
}

interrupt_time!(Interrupt, c"QueryInterruptTime");
interrupt_time!(InterruptPrecise, c"QueryInterruptTimePrecise");

/// Declares a clock read by a call that writes the wall-clock time since 1601.
macro_rules! file_time {
    ($name:ident, $call:ident) => {
        struct $name;

        impl Clock for $name {
            #[inline]
            fn read() -> i64 {
                let mut time = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
                // SAFETY: the call writes the structure and cannot fail.
                unsafe { $call(&raw mut time) };
                base::since_1970(time)
            }

            fn rate() -> Result<Hertz, Refusal> {
                per_second(PER_SECOND)
            }
        }
    };
}

file_time!(SystemPrecise, GetSystemTimePreciseAsFileTime);
file_time!(SystemCoarse, GetSystemTimeAsFileTime);

struct TickCount;

impl Clock for TickCount {
    #[inline]
    fn read() -> i64 {
        // SAFETY: takes nothing and keeps nothing.
        let ms = unsafe { GetTickCount64() };
        ms as i64
    }

    fn rate() -> Result<Hertz, Refusal> {
        per_second(1_000)
    }
}
