//! The “perfect sleep” that many Windows programs copied: a high-resolution waitable timer until 1.02 ms before the end, in
//! parts shorter than the scheduler's period, then spinning.

use oversleep_sys::clock::monotonic;
use std::time::Duration;
use windows_sys::Win32::Foundation::{CloseHandle, HANDLE};
use windows_sys::Win32::Media::{timeBeginPeriod, timeEndPeriod};
use windows_sys::Win32::System::Threading::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, CreateWaitableTimerExW, INFINITE, SetWaitableTimer, TIMER_ALL_ACCESS,
    WaitForSingleObject,
};

/// Time left to spinning, in steps of 100 ns.
const TOLERANCE: i64 = 10_200;
/// Requested period of the scheduler, in milliseconds.
const PERIOD: u32 = 1;
/// Longest wait on the timer: 0.95 of the period, in steps of 100 ns.
const PART: i64 = PERIOD as i64 * 9_500;

/// The timer. While it exists, the period is requested.
pub struct Perfect(HANDLE);

impl Perfect {
    /// Creates the timer and requests the period; `None` if the system has no such timers.
    pub fn new() -> Option<Self> {
        // SAFETY: no attributes and no name are allowed.
        let timer = unsafe {
            CreateWaitableTimerExW(
                std::ptr::null(),
                std::ptr::null(),
                CREATE_WAITABLE_TIMER_HIGH_RESOLUTION,
                TIMER_ALL_ACCESS,
            )
        };
        if timer.is_null() {
            return None;
        }
        // SAFETY: takes a number; given back when this is dropped.
        unsafe { timeBeginPeriod(PERIOD) };
        Some(Self(timer))
    }

    pub fn sleep(&self, duration: Duration) {
        let target = monotonic() + duration.into();
        loop {
            let steps = (target - monotonic()).get() / 100 - TOLERANCE;
            if steps <= 0 {
                break;
            }
            let due = -steps.min(PART);
            // SAFETY: the timer is open until drop; the due time outlives the call; no completion routine is given.
            unsafe { SetWaitableTimer(self.0, &raw const due, 0, None, std::ptr::null(), 0) };
            // SAFETY: the timer is open until drop.
            unsafe { WaitForSingleObject(self.0, INFINITE) };
        }
        while monotonic() < target {
            std::hint::spin_loop();
        }
    }
}

impl Drop for Perfect {
    fn drop(&mut self) {
        // SAFETY: asked for by `new`, given back once.
        unsafe { timeEndPeriod(PERIOD) };
        // SAFETY: made by `new`, closed once.
        unsafe { CloseHandle(self.0) };
    }
}
