//! A thread-pool timer, whose callback sets an event.

use super::event::{self, Handle};
use super::steps;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use std::ffi::c_void;
use std::ptr;
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::{
    CloseThreadpoolTimer, CreateThreadpoolTimer, PTP_CALLBACK_INSTANCE, PTP_TIMER, SetEvent, SetThreadpoolTimer,
    WaitForThreadpoolTimerCallbacks,
};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::ThreadpoolTimer, open);

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let event = event::unset(false)?;
    // SAFETY: the callback gets the event, which outlives the timer; no environment means the default pool.
    let timer = unsafe { CreateThreadpoolTimer(Some(set), event.raw(), ptr::null()) };
    if timer == 0 {
        return Err(Refusal::last_os("CreateThreadpoolTimer"));
    }
    Ok(Box::new(ThreadpoolTimer { timer, event, due: from_now(0) }))
}

struct ThreadpoolTimer {
    timer: PTP_TIMER,
    event: Handle,
    due: FILETIME,
}

unsafe extern "system" fn set(_: PTP_CALLBACK_INSTANCE, event: *mut c_void, _: PTP_TIMER) {
    // SAFETY: the event given when the timer was made; it is closed only after the timer.
    unsafe { SetEvent(event) };
}

/// Returns a negative number of steps, which means a duration.
fn from_now(steps: i64) -> FILETIME {
    let [a, b, c, d, high @ ..] = (-steps).to_le_bytes();
    FILETIME { dwLowDateTime: u32::from_le_bytes([a, b, c, d]), dwHighDateTime: u32::from_le_bytes(high) }
}

impl Waiter for ThreadpoolTimer {
    /// Zero expires at once.
    fn prepare(&mut self, request: Request) {
        self.quiet();
        self.due = from_now(steps(request.duration(TimerClock::Tick)));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the due time outlives the call, which copies it; no period, and no window in which it may be late.
        unsafe { SetThreadpoolTimer(self.timer, &raw const self.due, 0, 0) };
        self.event.wait_signalled()
    }
}

impl ThreadpoolTimer {
    /// Stops the timer and waits for a callback that is running.
    fn quiet(&self) {
        // SAFETY: no due time stops the timer.
        unsafe { SetThreadpoolTimer(self.timer, ptr::null(), 0, 0) };
        // SAFETY: the timer is open; callbacks that have not begun are cancelled.
        unsafe { WaitForThreadpoolTimerCallbacks(self.timer, 1) };
        event::reset(&self.event);
    }
}

impl Drop for ThreadpoolTimer {
    fn drop(&mut self) {
        self.quiet();
        // SAFETY: no callback is running any more, and it is closed once.
        unsafe { CloseThreadpoolTimer(self.timer) };
    }
}

#[cfg(test)]
mod tests {
    use super::from_now;

    #[test]
    fn a_duration_is_negative_in_two_halves() {
        let due = from_now(1);
        assert_eq!((due.dwLowDateTime, due.dwHighDateTime), (u32::MAX, u32::MAX));
        let due = from_now(0x1_0000_0000);
        assert_eq!((due.dwLowDateTime, due.dwHighDateTime), (0, u32::MAX));
    }
}
