//! Waitable timers: ordinary, until a time on the wall clock, and high-resolution ones.

use super::event::Handle;
use super::{failed, steps};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::ptr;
use windows_sys::Win32::Foundation::{ERROR_INVALID_PARAMETER, GetLastError};
use windows_sys::Win32::System::Threading::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, CreateWaitableTimerExW, SetWaitableTimer, TIMER_ALL_ACCESS,
};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::WaitableTimer, || {
    Ok(Box::new(Relative { timer: create(0)?, clock: TimerClock::Tick, due: 0 }))
});

pub(super) const ABS: MethodEntry =
    MethodEntry::new(MethodId::WaitableTimerAbs, || Ok(Box::new(Absolute { timer: create(0)?, due: 0 })));

pub(super) const HIGH_RESOLUTION: MethodEntry = MethodEntry::new(MethodId::WaitableTimerHighResolution, || {
    let timer = create(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION)?;
    Ok(Box::new(Relative { timer, clock: TimerClock::Monotonic, due: 0 }))
});

/// Makes a timer that a wait resets. Windows before 10 version 1803 does not know the high-resolution flag.
fn create(flags: u32) -> Result<Handle, Refusal> {
    // SAFETY: no attributes and no name are allowed.
    let timer = unsafe { CreateWaitableTimerExW(ptr::null(), ptr::null(), flags, TIMER_ALL_ACCESS) };
    // SAFETY: takes nothing.
    let unknown = timer.is_null() && flags != 0 && unsafe { GetLastError() } == ERROR_INVALID_PARAMETER;
    if unknown {
        let text = "this Windows has no high-resolution waitable timers: they came with Windows 10 version 1803";
        return Err(Refusal::Unavailable(text.to_owned()));
    }
    Handle::new("CreateWaitableTimerEx", timer)
}

/// Sets the timer and waits for it. Setting also discards an expiry for which nobody waited.
#[inline]
fn wait(timer: &Handle, due: &i64) -> Woken {
    // SAFETY: the handle is open; the due time outlives the call, which copies it; there is no completion routine, no
    // period, and the machine is not to be woken.
    if unsafe { SetWaitableTimer(timer.raw(), ptr::from_ref(due), 0, None, ptr::null(), 0) } == 0 {
        return failed();
    }
    timer.wait_signalled()
}

struct Relative {
    timer: Handle,
    clock: TimerClock,
    due: i64,
}

impl Waiter for Relative {
    /// Negative means a duration. Zero would be a time in 1601, which has passed as well.
    fn prepare(&mut self, request: Request) {
        self.due = -steps(request.duration(self.clock));
    }

    fn wait(&mut self) -> Woken {
        wait(&self.timer, &self.due)
    }
}

struct Absolute {
    timer: Handle,
    due: i64,
}

impl Waiter for Absolute {
    fn prepare(&mut self, request: Request) {
        self.due = file_time(request.deadline(TimerClock::Realtime));
    }

    fn wait(&mut self) -> Woken {
        wait(&self.timer, &self.due)
    }
}

/// Steps of 100 ns from 1601-01-01 to 1970-01-01, UTC (`FILETIME`).
const EPOCHS_APART: i64 = 116_444_736_000_000_000;

/// Converts the time since 1970 to Windows' unit, rounded up. Positive means a time rather than a duration.
fn file_time(since_1970: Nanos) -> i64 {
    steps(since_1970).saturating_add(EPOCHS_APART)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The constant is the one that Microsoft gives for the conversion ("Converting a `time_t` value to a `FILETIME`").
    #[test]
    fn the_wall_clock_starts_in_1601() {
        assert_eq!(file_time(Nanos::ZERO), 116_444_736_000_000_000);
        assert_eq!(file_time(Nanos::new(101)), 116_444_736_000_000_002);
        assert!(file_time(Nanos::MAX) > 0);
    }
}
