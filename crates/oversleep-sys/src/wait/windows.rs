//! High-resolution waitable timers, or ordinary ones before Windows 10 version 1803.

use crate::clock::TimerClock;
use crate::clock::{self, Reader};
use crate::units::Nanos;
use std::cell::OnceCell;
use windows_sys::Win32::Foundation::{CloseHandle, HANDLE};
use windows_sys::Win32::System::Threading::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, CreateWaitableTimerExW, INFINITE, SetWaitableTimer, Sleep, TIMER_ALL_ACCESS,
    WaitForSingleObject,
};

/// A timer; each thread has one, because making one takes longer than setting it.
struct Timer(HANDLE);

impl Timer {
    fn new() -> Option<Self> {
        // Versions that lack the high-resolution flag reject it; the second try makes a plain timer.
        [CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, 0].into_iter().find_map(Self::create)
    }

    fn create(flags: u32) -> Option<Self> {
        // SAFETY: no attributes and no name are allowed.
        let handle = unsafe { CreateWaitableTimerExW(std::ptr::null(), std::ptr::null(), flags, TIMER_ALL_ACCESS) };
        (!handle.is_null()).then_some(Self(handle))
    }

    /// Waits for a number of steps of 100 ns; returns `false` if the timer could not be set.
    fn wait(&self, steps: i64) -> bool {
        let due = -steps;
        // SAFETY: the handle is open until drop; the due time outlives the call; no completion routine is given.
        let set = unsafe { SetWaitableTimer(self.0, &raw const due, 0, None, std::ptr::null(), 0) };
        if set == 0 {
            return false;
        }
        // SAFETY: the handle is open until drop.
        unsafe { WaitForSingleObject(self.0, INFINITE) };
        true
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: made by this type, closed once.
        unsafe { CloseHandle(self.0) };
    }
}

thread_local! {
    static TIMER: OnceCell<Option<Timer>> = const { OnceCell::new() };
}

pub(super) fn monotonic(deadline: Nanos) {
    sleep(deadline.saturating_sub(clock::monotonic()));
}

/// Longest `Sleep`, in ms; the largest number that the call takes would mean for ever.
const LONGEST: i64 = i32::MAX as i64;

/// Sleeps with `Sleep`, in milliseconds rounded up; it may still be early by part of a tick.
pub(super) fn in_milliseconds(deadline: Nanos) {
    let rest = deadline.saturating_sub(clock::monotonic()).ceil_to(Nanos::MILLISECOND);
    let milliseconds = (rest.get() / 1_000_000).clamp(0, LONGEST);
    // SAFETY: takes a number.
    unsafe { Sleep(u32::try_from(milliseconds).unwrap_or(0)) };
}

pub(super) fn on(_timer: TimerClock, reader: Reader, deadline: Nanos) {
    // Relative, so that a step of the clock is noticed at its next reading, within a second.
    sleep(deadline.saturating_sub(reader.now()).min(Nanos::SECOND));
}

fn sleep(duration: Nanos) {
    let Some(duration) = duration.to_duration() else { return };
    let steps = i64::try_from(duration.as_nanos().div_ceil(100)).unwrap_or(i64::MAX);
    let waited = TIMER.with(|timer| timer.get_or_init(Timer::new).as_ref().is_some_and(|timer| timer.wait(steps)));
    if !waited {
        std::thread::sleep(duration);
    }
}
