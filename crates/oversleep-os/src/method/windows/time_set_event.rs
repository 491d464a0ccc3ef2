//! `timeSetEvent`: the multimedia timer, which sets an event.

use super::event::{self, Handle};
use super::millis;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Media::{
    LPTIMECALLBACK, TIME_CALLBACK_EVENT_SET, TIME_ONESHOT, TIMECAPS, timeGetDevCaps, timeKillEvent, timeSetEvent,
};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::TimeSetEvent, open);

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let mut range = TIMECAPS { wPeriodMin: 0, wPeriodMax: 0 };
    let size = u32::try_from(size_of::<TIMECAPS>()).unwrap_or(0);
    // SAFETY: the call writes the structure, whose size is passed.
    if unsafe { timeGetDevCaps(&raw mut range, size) } != 0 {
        return Err(Refusal::Failed("timeGetDevCaps does not say which delays timers may have".to_owned()));
    }
    let range = (range.wPeriodMin.max(1), range.wPeriodMax.max(1));
    Ok(Box::new(TimeSetEvent { event: event::unset(false)?, range, ms: 1, timer: 0 }))
}

struct TimeSetEvent {
    event: Handle,
    range: (u32, u32),
    ms: u32,
    /// The timer of the last wait; 0 if there was none.
    timer: u32,
}

impl TimeSetEvent {
    /// Ends a timer whose wait failed. A timer that has fired no longer exists; the call's error is then ignored.
    fn forget(&mut self) {
        if self.timer != 0 {
            // SAFETY: takes a number.
            unsafe { timeKillEvent(self.timer) };
            self.timer = 0;
        }
        event::reset(&self.event);
    }
}

impl Waiter for TimeSetEvent {
    /// The call rejects a delay outside the timer's range: zero becomes the shortest.
    fn prepare(&mut self, request: Request) {
        self.forget();
        self.ms = millis(request.duration(TimerClock::Tick)).clamp(self.range.0, self.range.1);
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: with TIME_CALLBACK_EVENT_SET the pointer is a handle (timeapi.h), and both have its size.
        let event = unsafe { std::mem::transmute::<HANDLE, LPTIMECALLBACK>(self.event.raw()) };
        // SAFETY: the event outlives the timer, which `forget` ends before. A resolution of 0 requests the best.
        self.timer = unsafe { timeSetEvent(self.ms, 0, event, 0, TIME_ONESHOT | TIME_CALLBACK_EVENT_SET) };
        if self.timer == 0 { super::failed() } else { self.event.wait_signalled() }
    }
}

impl Drop for TimeSetEvent {
    fn drop(&mut self) {
        self.forget();
    }
}
